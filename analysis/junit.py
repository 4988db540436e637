# SPDX-License-Identifier: BSD-3-Clause
"""The checks of audits as JUnit XML, the form of test results that every CI system reads.

A test case is a guideline on a problem. Undecided checks pass with a word about it, since nothing
was found; skipped ones and remarks on reference algorithms are skipped.
"""

from collections.abc import Sequence
from xml.etree import ElementTree

from . import units
from .fields import Check
from .gate import Outcome
from .heatmap import effect
from .plain import plain
from .reports import Report
from .statements import Remedy, remedy_of
from .summary import date_of, warnings


def legal(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return plain(text).replace("\ufffe", "?").replace("\uffff", "?")


def remedy_words(remedy: Remedy | None) -> str:
    """What to call instead, with what it saves."""
    if remedy is None:
        return ""
    saved = units.short(remedy.saved_s * 1e6)
    code = f": {remedy.code}" if remedy.code else ""
    return (f"{remedy.contestant} was {units.ratio(remedy.factor)} times as fast and saves "
            f"{saved} µs per call{code}")


def finding_words(report: Report, check: Check) -> str:
    """One line about a violated check."""
    value = effect(check)
    ratio = f": {units.ratio(value)} times as slow" if value is not None else ""
    return f"{check['left']} <= {check['right']} on {check['problem']}{ratio}"


def _fail(case: ElementTree.Element, report: Report, check: Check) -> None:
    failure = ElementTree.SubElement(case, "failure", type="violated",
                                     message=legal(finding_words(report, check)))
    lines = [remedy_words(remedy_of(check)), check.get("reproduce", "")]
    failure.text = legal("\n".join(line for line in lines if line))


def _case(suite: ElementTree.Element, report: Report, check: Check, failing: set[int],
          known: set[int]) -> None:
    statistics = check.get("left_statistics")
    case = ElementTree.SubElement(
        suite, "testcase", classname=legal(check["guideline"]),
        name=legal(f"{check['left']} <= {check['right']} on {check['problem']}"),
        time=f"{statistics['median_s']:.9f}" if statistics else "0")
    if check["kind"] == "remark":
        ElementTree.SubElement(case, "skipped", message=legal(
            "a reference algorithm, no verdict on the library: " + check["verdict"]
            .replace("violated", "slower than " + check["right"])))
    elif id(check) in failing:
        _fail(case, report, check)
    elif check["verdict"] == "skipped":
        ElementTree.SubElement(case, "skipped", message=legal(check.get("reason", "skipped")))
    elif check["verdict"] != "holds":
        why = ("known from the baseline" if id(check) in known else
               "within the condition of the gate" if check["verdict"] == "violated" else
               check.get("reason", "undecided"))
        ElementTree.SubElement(case, "system-out").text = legal(f"{check['verdict']}: {why}")


def document(reports: Sequence[Report], outcomes: Sequence[Outcome]) -> str:
    """A test suite for each audit."""
    suites = ElementTree.Element("testsuites", name="mpiaudit")
    for report, outcome in zip(reports, outcomes, strict=True):
        failing = {id(check) for check in outcome.failing}
        known = {id(check) for check in outcome.known}
        skipped = len(report.remarks) + sum(check["verdict"] == "skipped"
                                            for check in report.verdicts)
        suite = ElementTree.SubElement(
            suites, "testsuite", name=legal(report.title), timestamp=legal(report.data["started"]),
            tests=str(len(report.data["checks"])), failures=str(len(failing)), errors="0",
            skipped=str(skipped), time=f"{report.data['elapsed_s']:.3f}",
            hostname=legal(report.data["machine"]["hosts"][0]["name"])
            if report.data["machine"]["hosts"] else "unknown")
        for check in report.data["checks"]:
            _case(suite, report, check, failing, known)
        lines = [f"audit of {date_of(report)}", *(f"warning: {text}" for text in warnings(report))]
        ElementTree.SubElement(suite, "system-out").text = legal("\n".join(lines))
    ElementTree.indent(suites, space=" ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(
        suites, encoding="unicode") + "\n"
