# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the page, as text."""

import json
import re
from pathlib import Path

import pytest

from analysis import page, page_rows
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import completed, make_report, write_audit


def test_a_row_about_nothing_is_refused(tmp_path: Path, command: Command) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    document = completed(document)
    document["overview"][0]["problem"] = "elsewhere"
    result = command("html", write_audit(tmp_path, document))
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "overview/0 is about MPI_" in result.err


def test_rows_hold_every_check_worst_first(audit: Path) -> None:
    report, = read_all([audit])
    data = json.loads(page_rows.rows_json([report]))
    rows, texts = data["rows"], data["texts"]
    seen = {(texts[guideline], *data["problems"][problem][:2]): (data["verdicts"][verdict], ratio)
            for guideline, problem, verdict, ratio in zip(
                rows["guideline"], rows["problem"], rows["verdict"], rows["ratio"], strict=True)}
    assert len(seen) == len(report.data["checks"]) == len(rows["verdict"])
    for check in report.data["checks"]:
        problem = report.problems[check["problem"]]
        verdict, ratio = seen[check["guideline"], problem["distribution"], problem["block_size"]]
        assert verdict == check["verdict"]
        assert ratio == pytest.approx(check["ratio"]["median"], rel=1e-3) if (
            "ratio" in check) else ratio is None
    commands = {data["commandPrefix"] + data["commands"][number]
                for number in rows["command"] if number >= 0}
    assert commands == {check["reproduce"] for check in report.violations}
    assert rows["verdict"] == sorted(rows["verdict"])


def test_many_checks_are_cut_without_script(tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "STATIC_ROWS", 5)
    monkeypatch.setattr(page, "PICTURED_COLLECTIVES", 1)
    document = make_report(sizes=(1, 10), distributions=("same",))[0]
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "The first 5 of 12 checks" in text
    assert re.search(r"Without pictures here: \w+, \w+\.", text)
