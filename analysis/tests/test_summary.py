# SPDX-License-Identifier: BSD-3-Clause
"""The answer on one screen."""

import re
from pathlib import Path
from typing import Any

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
    assert re.fullmatch(r"\d+ of \d+ decided checks violated\.", lines[1])
    assert re.search(r"^! +\d+\.\d\dx  MPI_Gatherv\(m\) <= ", result.out, re.MULTILINE)
    assert "times as fast and saves" in re.sub(r"\s+", " ", result.out)


def test_nothing_decided_and_wrong_results_are_said(document: dict[str, Any], tmp_path: Path,
                                                    command: Command) -> None:
    document["summary"]["headline"] = "Nothing was decided: none of 12 checks has a verdict."
    assert "Nothing was decided" in command("summary", write_audit(tmp_path / "a", document)).out
    document["problems"][0]["contestants"][0]["wrong"] = "block 3"
    assert "Wrong result." in command("summary", write_audit(tmp_path / "b", document)).out


def test_markdown_and_github(audit: Path, command: Command) -> None:
    report = only(audit)
    result = command("summary", audit, "--format", "github")
    assert result.code == 0
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
