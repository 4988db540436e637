# SPDX-License-Identifier: BSD-3-Clause
"""The command `summary`: the answer on one screen, as text and for the pages of pipelines.

The gate itself is `mpiaudit judge --fail-on`, which needs no Python.
"""

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path

from . import output, scales, summary, units
from .fields import Check
from .heatmap import effect
from .reports import Report, read_all
from .sheet import escape_markdown
from .statements import Remedy, remedy_of
from .worst import Finding, findings

EXAMPLES = """examples:
  python3 -m analysis summary results/laptop
  python3 -m analysis summary --scales results/night/scaling.json
  python3 -m analysis summary results/laptop --format github >> "$GITHUB_STEP_SUMMARY"

Only verdicts on the library count. Remarks on reference algorithms, which come with mpiaudit,
are shown separately and not counted.

--format github is Markdown with one annotation for each violated guideline on standard error,
which a workflow of GitHub shows beside the run. jobs/ci has workflows that are ready to use. What
makes a pipeline fail is `mpiaudit judge --fail-on CONDITION`."""

FORMATS = ("text", "markdown", "github")
MOST_FINDINGS = 10
WIDTH = 80


def remedy_words(remedy: Remedy | None) -> str:
    """What to call instead, with what it saves."""
    if remedy is None:
        return ""
    saved = units.short(remedy.saved_s * 1e6)
    code = f": {remedy.code}" if remedy.code else ""
    return (f"{remedy.contestant} was {units.ratio(remedy.factor)} times as fast and saves "
            f"{saved} µs per call{code}")


def finding_words(check: Check) -> str:
    """One line about a violated check."""
    value = effect(check)
    ratio = f": {units.ratio(value)} times as slow" if value is not None else ""
    return f"{check['left']} <= {check['right']} on {check['problem']}{ratio}"


def size_words(report: Report, finding: Finding) -> str:
    problem = report.problems[finding.check["problem"]]
    amount = units.amount_of_bytes(problem["total"] * problem["element_bytes"])
    return f"{finding.check['problem']} ({amount})"


def time_words(finding: Finding) -> str:
    """The time of the worst check's left side, and what it is by the ratio of the verdict."""
    check, ratio = finding.check, effect(finding.check)
    if "left_statistics" not in check or not ratio:
        return ""
    left = check["left_statistics"]["median_s"]
    return f"{units.microseconds(left)} instead of {units.microseconds(left / ratio)} µs"


def ratio_words(finding: Finding) -> str:
    value = effect(finding.check)
    return f"{units.ratio(value)}x" if value is not None else "-"


def advice_words(finding: Finding) -> str:
    return (remedy_words(remedy_of(finding.check))
            or finding.check.get("advice", ""))


def text_of(report: Report) -> list[str]:
    lines = [f"{report.title}, {summary.date_of(report)}, {summary.hosts_of(report)}",
             summary.headline(report)]
    lines += [f"Wrong result. {text}" for text in summary.wrong_results(report)]
    found = findings(report)
    paragraphs = ["\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines)]
    for finding in found[:MOST_FINDINGS]:
        statement = f"{finding.check['left']} <= {finding.check['right']}"
        head = (f"! {ratio_words(finding):>6}  {statement} [{finding.check['guideline']}], "
                f"{finding.violated} of {finding.tested} problems")
        body = [f"worst on {size_words(report, finding)}", time_words(finding)]
        parts = [textwrap.fill(head, WIDTH, subsequent_indent=" " * 10),
                 textwrap.fill(", ".join(filter(None, body)), WIDTH, initial_indent=" " * 10,
                               subsequent_indent=" " * 10)]
        if advice := advice_words(finding):
            parts.append(textwrap.fill(f"instead: {advice}", WIDTH, initial_indent=" " * 10,
                                       subsequent_indent=" " * 10, break_long_words=False))
        paragraphs.append("\n".join(parts))
    if len(found) > MOST_FINDINGS:
        paragraphs.append(f"and {len(found) - MOST_FINDINGS} more violated guidelines")
    if remarks := summary.about_remarks(report):
        paragraphs.append(textwrap.fill(f"~ {remarks}", WIDTH, subsequent_indent="  "))
    paragraphs += [textwrap.fill(f"Warning: {text}", WIDTH, subsequent_indent="  ")
                   for text in summary.warnings(report)]
    return paragraphs


def markdown_of(report: Report) -> list[str]:
    escape = escape_markdown
    parts = [f"## {escape(report.title)}",
             f"**{escape(summary.headline(report))}**",
             escape(f"{summary.date_of(report)}, {summary.hosts_of(report)}. "
                    f"{summary.assurance(report)}")]
    parts += [f"**Wrong result.** {escape(text)}" for text in summary.wrong_results(report)]
    found = findings(report)
    if found:
        rows = ["| | Left ≤ right | Guideline | Problems | Worst on | Left instead of right "
                "| Instead |", "| --: | :-- | :-- | --: | :-- | :-- | :-- |"]
        for finding in found[:MOST_FINDINGS]:
            check = finding.check
            cells = (f"{ratio_words(finding)} !", f"{check['left']} ≤ {check['right']}",
                     check["guideline"], f"{finding.violated} of {finding.tested}",
                     size_words(report, finding), time_words(finding),
                     advice_words(finding))
            rows.append("| " + " | ".join(escape(cell).replace("\n", " ") for cell in cells) + " |")
        parts.append("\n".join(rows))
    if len(found) > MOST_FINDINGS:
        parts.append(f"and {len(found) - MOST_FINDINGS} more violated guidelines")
    commands = [finding.check["reproduce"] for finding in found[:3]
                if "reproduce" in finding.check]
    if commands:
        block = "\n".join(commands).replace("```", "'''")
        parts.append(f"To measure the worst again:\n\n```sh\n{block}\n```")
    if remarks := summary.about_remarks(report):
        parts.append(escape(remarks))
    return parts + [f"> Warning: {escape(text)}" for text in summary.warnings(report)]


def annotations(report: Report) -> list[str]:
    """Commands of a GitHub workflow; a line end would end one early."""
    lines = []
    for finding in findings(report):
        text = f"{finding_words(finding.check)}. {advice_words(finding)}".rstrip(". ") + "."
        text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        lines.append(f"::error title=MPI guideline violated::{text}")
    return lines


def rendered(reports: Sequence[Report], style: str) -> str:
    make = text_of if style == "text" else markdown_of
    return "\n\n".join("\n\n".join(make(report)) for report in reports) + "\n"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "summary", help="the answer on one screen, or on the page of a pipeline", epilog=EXAMPLES,
        description="Says what the audits found about the library, worst first, and what to do.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT",
                        help="report.json, the folder that holds it, or a scaling document")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("--scales", action="store_true",
                        help="one answer over all numbers of nodes: what is slow from how many on")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    reports = read_all(options.reports)
    if options.scales:
        output.give(scales.answer(reports), options.output)
        return 0
    output.give(rendered(reports, options.format), options.output)
    if options.format == "github":
        for report in reports:
            for line in annotations(report):
                output.remark(line)
    return 0
