# SPDX-License-Identifier: BSD-3-Clause
"""The answer on one screen, and the gate of pipelines."""

import copy
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from analysis import summary
from analysis.reports import Report, read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit


@pytest.fixture
def document() -> dict[str, Any]:
    return make_report(sizes=(1, 100), distributions=("same", "spikes"))[0]


def only(path: Path) -> Report:
    report, = read_all([path])
    return report


def test_the_answer_fits_a_screen(audit: Path, command: Command) -> None:
    result = command("summary", audit)
    assert result.code == 0
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 40
    assert lines[0] == "Open MPI v4.1.4, 8 ranks, 2026-01-15 09:30 UTC, node00"
    assert re.match(r"\d+ of 54 checks found a violation; 4 guidelines are violated\.", lines[1])
    assert re.search(r"^! +\d+\.\d\dx  MPI_Gatherv\(m\) <= ", result.out, re.MULTILINE)
    assert "times as fast and saves" in re.sub(r"\s+", " ", result.out)


@pytest.mark.parametrize(("condition", "ratios", "code"), [
    ("violation", [1.1], 1), ("ratio>1.5", [1.1, 1.5], 0), ("ratio>=1.5", [1.5], 1),
    ("ratio > 1.5", [1.51, 1.1], 1), ("violation", [], 0)])
def test_fail_on(condition: str, ratios: list[float], code: int, document: dict[str, Any],
                 tmp_path: Path, command: Command) -> None:
    for check in document["checks"]:
        check["verdict"] = "holds"
    for check, ratio in zip((item for item in document["checks"] if "ratio" in item), ratios,
                            strict=False):
        check["verdict"] = "violated"
        check["ratio"]["median"] = ratio
    audit = write_audit(tmp_path, document)
    assert command("summary", audit, "--fail-on", condition).code == code
    assert command("summary", audit).code == 0


def test_a_condition_that_is_none_is_refused(audit: Path, command: Command) -> None:
    result = command("summary", audit, "--fail-on", "ratio<2")
    assert result.code == 2
    assert "use violation, or a ratio as in 'ratio>1.5'" in result.err


def test_nothing_decided_and_wrong_results_fail_a_gate(document: dict[str, Any], tmp_path: Path,
                                                       command: Command) -> None:
    for check in document["checks"]:
        check["verdict"] = "skipped"
    audit = write_audit(tmp_path / "skipped", document)
    result = command("summary", audit, "--fail-on", "ratio>9")
    assert result.code == 1
    assert "Nothing was decided" in result.out
    for check in document["checks"]:
        check["verdict"] = "holds"
    document["problems"][0]["contestants"][0]["wrong"] = "block 3"
    audit = write_audit(tmp_path / "wrong", document)
    result = command("summary", audit, "--fail-on", "violation")
    assert result.code == 1
    assert "Wrong result." in result.out


def test_a_baseline_knows_violations(document: dict[str, Any], tmp_path: Path,
                                     command: Command) -> None:
    old = write_audit(tmp_path / "old", document)
    assert command("summary", old, "--fail-on", "violation").code == 1
    result = command("summary", old, "--baseline", old)
    assert result.code == 0
    assert "known from the baseline, 0 violations that fail." in result.out
    changed = copy.deepcopy(document)
    new = next(check for check in changed["checks"] if check["verdict"] == "holds")
    new["verdict"] = "violated"
    audit = write_audit(tmp_path / "new", changed)
    result = command("summary", audit, "--baseline", old, "--junit", tmp_path / "j.xml")
    assert result.code == 1
    assert "1 violation that fails." in result.out
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()[0]
    assert suite.get("failures") == "1"
    other = write_audit(tmp_path / "other", make_report(ranks=4)[0])
    result = command("summary", audit, "--baseline", other)
    assert result.code == 2
    assert "no problem in common" in result.err


def test_junit(audit: Path, tmp_path: Path, command: Command) -> None:
    report = only(audit)
    output = tmp_path / "checks.xml"
    assert command("summary", audit, "--junit", output).code == 0
    root = ElementTree.parse(output).getroot()
    suite = root[0]
    assert root.tag == "testsuites" and suite.tag == "testsuite"
    cases = suite.findall("testcase")
    assert len(cases) == len(report.data["checks"]) == int(suite.get("tests", ""))
    for check, case in zip(report.data["checks"], cases, strict=True):
        assert case.get("classname") == check["guideline"]
        expected = {"violated": "failure", "skipped": "skipped", "undecided": "system-out",
                    "holds": None}[check["verdict"]]
        assert [item.tag for item in case] == ([expected] if expected else [])
        if expected == "failure":
            assert check["reproduce"] in (case[0].text or "")
    assert int(suite.get("failures", "")) == len(report.violations)
    assert int(suite.get("skipped", "")) == len(suite.findall("testcase/skipped"))
    assert command("summary", audit, "--format", "junit").out == output.read_text(encoding="utf-8")


def test_junit_of_remarks_and_of_odd_characters(document: dict[str, Any], tmp_path: Path,
                                                command: Command) -> None:
    for check in document["checks"]:
        check |= {"kind": "remark", "verdict": "violated"}
    odd, name = "<&\"\x01\ufffe>", document["guidelines"][0]["id"]
    document["guidelines"][0]["id"] = odd
    for check in document["checks"]:
        check["guideline"] = odd if check["guideline"] == name else check["guideline"]
    text = command("summary", write_audit(tmp_path, document), "--format", "junit").out
    suite = ElementTree.fromstring(text)[0]
    assert suite.get("failures") == "0"
    assert {item.tag for case in suite.findall("testcase") for item in case} == {"skipped"}


def test_markdown_and_github(audit: Path, command: Command) -> None:
    report = only(audit)
    result = command("summary", audit, "--format", "github", "--fail-on", "violation")
    assert result.code == 1
    rows = [line for line in result.out.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
    assert len(rows) == 2 + len({check["guideline"] for check in report.violations})
    assert result.err.count("::error title=MPI guideline violated::") == len(rows) - 2
    assert "```sh\nmpirun " in result.out
    quiet = command("summary", audit, "--format", "markdown")
    assert (quiet.out, quiet.err) == (result.out, "")


def test_several_audits(scales: list[Path], command: Command) -> None:
    text = command("summary", *scales).out
    assert text.count("Open MPI v4.1.4, ") == 3


@pytest.mark.parametrize(("names", "text"), [
    (["n1", "n2", "n3", "n4"], "n1-n4"), (["n1", "n3", "m4"], "n1, n3, m4"), (["host"], "host"),
    (["n08", "n09", "n10", "x"], "n08-n10, x"), ([], ""),
    ([f"h{2 * number}" for number in range(20)], "h0, h2, h4, h6, h8, h10, h12, 13 more")])
def test_names_that_count_on(names: list[str], text: str) -> None:
    assert summary.in_ranges(names) == text


def test_warnings_of_hosts_are_one_line(document: dict[str, Any], tmp_path: Path) -> None:
    document["machine"]["hosts"] = [{"name": f"n{number}", "ranks": []} for number in range(1, 5)]
    document["warnings"] = ["the same", *(f"n{number}: other programs" for number in range(1, 5)),
                            "n2: two ranks: a core", "elsewhere: x", "the same"]
    audit = only(write_audit(tmp_path, document))
    expected = ["the same", "n1-n4: other programs", "n2: two ranks: a core", "elsewhere: x"]
    assert summary.warnings(audit) == expected
    assert summary.warnings_of_all([audit, audit]) == expected


def test_values_are_written_as_a_user_would() -> None:
    assert summary.words(["a:no", "b"]) == "a:no b"
    assert summary.words({"x": [1, 2.5], "y": True}) == "x: 1 2.5, y: yes"


def test_a_folder_without_report_names_the_command(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "with space"
    folder.mkdir()
    (folder / "samples.jsonl").write_text("")
    result = command("html", folder)
    assert result.code == 2
    assert (f"the folder has no report.json; make it of its samples: mpiaudit judge "
            f"'{folder}' --report '{folder}/report.json'") in result.err
