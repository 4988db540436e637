# SPDX-License-Identifier: BSD-3-Clause
"""A number that contradicts the verdict of its check is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.consistency import contradictions, main
from analysis.reports import read
from analysis.tests.synthetic import document_around, statistics_of, write_audit


def small_report() -> dict[str, Any]:
    """A violated check with a remedy, whose numbers agree."""
    names = ("MPI_Gather(m)", "MPI_Gatherv(m)")
    problem = {
        "id": "same/b=1", "distribution": "same", "block_size": 1, "ranks": 2, "root": 0, "element": "int",
        "element_bytes": 4, "total": 2, "padded_total": 2, "smallest": 1, "largest": 1, "rounds": 9,
        "contestants": [{"name": name, "from": "scattered", "to": "rooted",
                         "statistics": statistics_of(time, time)}
                        for name, time in zip(names, (3.0, 2.0), strict=True)]}
    check = {
        "kind": "verdict", "guideline": "g", "problem": "same/b=1", "left": names[0], "right": names[1],
        "verdict": "violated", "left_statistics": statistics_of(3.0, 3.0),
        "right_statistics": statistics_of(2.0, 2.0),
        "ratio": {"median": 1.5, "low": 1.4, "high": 1.6, "coverage": 0.96},
        "remedy": {"contestant": names[1], "factor": 1.5, "saved_s": 1e-6, "left_s": 3e-6, "instead_s": 2e-6}}
    return document_around([problem], [check], [{"id": "g", "statement": f"{names[0]} <= {names[1]}"}], [])


def faster_left(check: dict[str, Any]) -> None:
    check["left_statistics"]["median_s"] = 1e-6


def small_ratio(check: dict[str, Any]) -> None:
    check["ratio"]["median"] = 1.04


def large_ratio(check: dict[str, Any]) -> None:
    check["verdict"] = "holds"
    check["ratio"]["median"] = 47.0


def slower_remedy(check: dict[str, Any]) -> None:
    check["remedy"]["instead_s"] = 4e-6


def other_saving(check: dict[str, Any]) -> None:
    check["remedy"]["saved_s"] = 20e-6


@pytest.mark.parametrize(("change", "words"), [
    (faster_left, "violated, and the left side took 1.000 us, the right side 2.000 us"),
    (small_ratio, "violated, with a ratio of 1.04"),
    (large_ratio, "holds, with a ratio of 47.0"),
    (slower_remedy, "MPI_Gatherv(m) is advised, and takes 4.000 us instead of 3.000 us"),
    (other_saving, "MPI_Gatherv(m) saves 20.00 us of 3.000 us, with a ratio of 1.50"),
])
def test_a_contradiction_is_found(change: Callable[[dict[str, Any]], None], words: str, tmp_path: Path,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    document = small_report()
    folder = write_audit(tmp_path, document)
    assert contradictions(next(read(folder))) == []
    assert main([str(folder)]) == 0
    change(document["checks"][0])
    folder = write_audit(tmp_path, document)
    assert contradictions(next(read(folder))) == [
        f"MPI_Gather(m) <= MPI_Gatherv(m) on same/b=1: {words}"]
    assert main([str(folder)]) == 1
    assert words in capsys.readouterr().out
