# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts on the library and remarks on reference algorithms."""

import copy
import json
from pathlib import Path

import pytest

from analysis import page, page_rows, page_words
from analysis.compare import compare
from analysis.heatmap import REMARK_COLOURS, colour_of, heat_map
from analysis.reports import Report, read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit


@pytest.fixture
def remarks(tmp_path: Path) -> Path:
    """An audit in which nothing but a reference algorithm is slower than another way."""
    document, lines = make_report(sizes=(1, 100), distributions=("same",))
    slow = copy.deepcopy(next(item for item in document["checks"]
                              if item["verdict"] == "violated"))
    for check in document["checks"]:
        check["verdict"] = "holds"
        for key in ("advice", "remedy", "reproduce"):
            check.pop(key, None)
    document["guidelines"].append({"id": "tuw", "statement": "TUW_Gatherv(m) <= MPI_Gather(m)"})
    document["checks"].append(slow | {"guideline": "tuw", "kind": "remark", "left": "TUW_Gatherv(m)",
                                      "right": "MPI_Gather(m)", "problem": "same/b=1"})
    return write_audit(tmp_path / "remarks", document, lines)


def only(path: Path) -> Report:
    report, = read_all([path])
    return report


def test_remarks_are_neither_counted_nor_violations(remarks: Path) -> None:
    report = only(remarks)
    assert report.violations == [] and len(report.remarks) == 1
    assert report.status(report.remarks[0]) == "remark"
    assert sum(page_words.counts_of(report).values()) == 12
    assert [item.check["guideline"] for item in page.remarks_of(report)] == ["tuw"]
    assert heat_map(report).rows[-1] == "tuw"
    assert heat_map(report, kind="verdict").rows == [
        name for name in heat_map(report).rows if name != "tuw"]
    assert colour_of(7, "remark") == REMARK_COLOURS[-1] != colour_of(7, "verdict")


def test_remarks_in_tables_are_marked_apart(remarks: Path, command: Command) -> None:
    text = command("table", remarks, "--collective", "gather").out
    assert "! violates" not in text
    assert "~ of a reference algorithm, no verdict: TUW_Gatherv(m) <= MPI_Gather(m) [tuw]" in text
    assert "!" not in text.replace("! ", "")
    assert "remark" in command("table", remarks, "--format", "csv").out
    assert "textcolor{red}" not in command("table", remarks, "--format", "latex").out


def test_remarks_on_the_page(remarks: Path) -> None:
    report = only(remarks)
    text = page.render([report])
    assert "Worst violations" not in text
    assert "Remarks on reference algorithms" in text
    data = json.loads(page_rows.rows_json([report]))
    assert data["rows"]["about"] == [0] * 12 + [1]
    assert data["verdicts"][data["rows"]["verdict"][-1]] == "remark"


def test_remarks_are_no_regression(remarks: Path, tmp_path: Path, command: Command) -> None:
    document = json.loads((remarks / "report.json").read_text())
    document["checks"][-1]["verdict"] = "holds"
    before = write_audit(tmp_path / "before", document)
    comparison = compare(only(before), only(remarks))
    assert comparison.counts["new"] == 0
    assert [pair.change for pair in comparison.remarks] == ["new"]
    result = command("compare", before, remarks, "--checks")
    assert result.code == 0
    assert "Reference algorithms, no verdicts on the library" in result.out
