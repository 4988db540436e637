# SPDX-License-Identifier: BSD-3-Clause
"""The claims of Thakur and Gropp beside the kept audits."""

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

from analysis.beside_claims import CLAIMS, claim_lines, report_text
from analysis.reports import Report
from analysis.tests.kept import ROOT, audits, document_in, without_last_digits
from analysis.tests.synthetic import make_report

KEPT = "thakur-gropp-2003"


def report_with(*problems: tuple[int, dict[str, float]], ranks: int = 64) -> Report:
    """An audit of these problems: bytes in all, microseconds by contestant."""
    report: Any = make_report()[0]
    report["machine"]["ranks"] = ranks
    pattern = report["problems"][0]
    report["problems"] = []
    for size, times in problems:
        problem = copy.deepcopy(pattern)
        problem |= {"distribution": "same", "total": size // 8, "element_bytes": 8}
        problem["contestants"] = [
            {"name": name, "from": "a", "to": "b", "statistics": {"median_s": 1e-6 * time_us}}
            for name, time_us in times.items()]
        report["problems"].append(problem)
    return Report(Path("report.json"), report)


def test_kept_figures_come_from_the_kept_audits(reference: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "analysis.beside_claims",
                           *(reference / each for each in audits(KEPT))],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    text = (reference / KEPT / "beside-claims.txt").read_text(encoding="utf-8")
    assert without_last_digits(done.stdout, text) == text


def test_kept_audits_are_complete(reference: Path) -> None:
    for each in audits(KEPT):
        report = document_in(reference / each)
        assert (report["complete"], len(report["problems"])) == (True, 8), each


def test_a_figure_has_the_sizes_that_it_is_about() -> None:
    times = {"recursive_doubling_Allgather(m)": 10.0, "ring_Allgather(m)": 25.0}
    report = report_with((1 << 20, times), (512, times), (1 << 19, times))
    short, long = (claim_lines(report, claim) for claim in CLAIMS[:2])
    assert [line.split() for line in short[2:-1]] == [
        ["512", "B", "10", "25", "2.50"],
        "holds in 1 of 1 sizes, ratios from 2.50 to 2.50".split()]
    assert [line.split() for line in long[2:-1]] == [
        ["512", "KiB", "25", "10", "0.40"], ["1", "MiB", "25", "10", "0.40"],
        "holds in 0 of 2 sizes, ratios from 0.40 to 0.40".split()]


def test_a_figure_needs_its_number_of_ranks_and_both_sides() -> None:
    times = {"MPICH2004_Reduce_scatter(m)": 10.0, "reduce_scatterv_Reduce_scatter(m)": 25.0}
    assert "Figure 6, right" in report_text(report_with((1 << 20, times), ranks=32))
    assert "Figure" not in report_text(report_with((1 << 20, times)))
    del times["reduce_scatterv_Reduce_scatter(m)"]
    assert "Figure" not in report_text(report_with((1 << 20, times), ranks=32))
