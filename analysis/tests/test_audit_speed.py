# SPDX-License-Identifier: BSD-3-Clause
"""The words of bench/audit_speed beside the seconds of an audit."""

from pathlib import Path
from typing import Any

import pytest

from analysis.tests.bench_program import bench_program


def contestant(samples: int, outliers: int, mean_s: float) -> dict[str, Any]:
    return {"statistics": {"samples": samples, "outliers": outliers, "raw_mean_s": mean_s}}


def check(decided_at: int, slower: int, verdict: str) -> dict[str, Any]:
    return {"problem": "same/b=1", "left": "MPI_Scan(m)", "right": f"way {decided_at}",
            "verdict": verdict, "decided_at": decided_at, "slower": slower,
            "evidence": {"bound_violated": 8.0, "bound_holds": 3.0}}


REPORT = {
    "problems": [{"contestants": [contestant(1480, 20, 1e-6), {"skipped": "no time"}]},
                 {"contestants": [contestant(25, 5, 1e-3), contestant(7, 0, 1e-3)]}],
    "checks": [check(10, 0, "holds"), check(100, 75, "violated"),
               {"problem": "same/b=1", "verdict": "skipped"}]}


def test_shares_of_what_75_of_each_contestant_take() -> None:
    speed = bench_program("audit_speed")
    assert sorted(each for each, _ in speed.samples_and_times(REPORT)) == [7, 30, 1500]
    # 1.5 + 30 + 7 of 75 * (0.001 + 1 + 1) milliseconds
    assert speed.share_of_time(REPORT) == pytest.approx(38.5 / 150.075)
    assert speed.share_of_time({"problems": []}) == 0.0


def test_the_least_share_is_what_the_slowest_check_of_each_contestant_needs() -> None:
    speed = bench_program("audit_speed")
    audit = speed.audit_runs.Audit(REPORT, 1.0, Path("none"))
    # All rounds alike are worth ln 2 each, three of four alike 0.1308 (Wald 1945).
    quick, slow = 3 / 0.693147, 8 / 0.130812
    assert speed.least_share(audit) == pytest.approx((slow + quick + slow) / 3 / 75, rel=1e-5)
