# SPDX-License-Identifier: BSD-3-Clause
"""The number of uses from which a persistent operation pays."""

from pathlib import Path

import pytest

from analysis.break_even import Times, break_even
from analysis.errors import InputError
from analysis.reports import read_all
from analysis.tests.synthetic import make_report, write_audit


def uses(usual: float, once: float, started: float) -> int | None:
    return Times(usual, once, started).break_even()


def test_uses_that_pay_for_the_initialisation() -> None:
    assert uses(usual=10, once=9, started=2) == 1
    assert uses(usual=10, once=10, started=10) == 1
    # 24 for the initialisation, 4 saved by each of 6 uses.
    assert uses(usual=10, once=30, started=6) == 6
    assert uses(usual=10, once=31, started=6) == 7
    assert uses(usual=10, once=11, started=1) == 2
    assert uses(usual=10, once=30, started=10) is None
    assert uses(usual=10, once=30, started=12) is None


def test_operations_measured_in_all_three_ways(tmp_path: Path) -> None:
    document = make_report(sizes=(100,), distributions=("same",))[0]
    problem = document["problems"][0]
    kept = [each for each in problem["contestants"] if "statistics" in each][:4]
    medians = {"MPI_Bcast(m)": 10.0, "MPI_Bcast_init(m)": 6.0, "MPI_Bcast_init[once](m)": 28.0,
               "MPI_Scan_init[once](m)": 1.0}
    for each, (name, median) in zip(kept, medians.items(), strict=True):
        each["name"] = name
        each["statistics"]["median_s"] = median * 1e-6
    problem["contestants"] = kept
    document["checks"] = []
    sheet = break_even(read_all([write_audit(tmp_path / "audit", document)]))
    assert [(row.stub, [cell.text for cell in row.cells]) for row in sheet.rows] == [
        (("same/b=100", "MPI_Bcast"), ["10.00", "6.000", "22.00", "6"])]


def test_nothing_persistent(tmp_path: Path) -> None:
    document = make_report(sizes=(100,), distributions=("same",))[0]
    with pytest.raises(InputError, match="--guidelines amortised"):
        break_even(read_all([write_audit(tmp_path / "audit", document)]))
