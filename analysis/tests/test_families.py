# SPDX-License-Identifier: BSD-3-Clause
"""The kept tables of families are what bench/families makes of the kept findings, and what it calls
confirmed and new is so."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from analysis.tests.bench_program import bench_program

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "results" / "reference" / "families"


@pytest.fixture(scope="module")
def families() -> ModuleType:
    return bench_program("families")


def test_the_kept_table_is_that_of_the_kept_findings(families: ModuleType) -> None:
    files = sorted(KEPT.glob("*.json*"))
    assert files
    assert (KEPT / "tables.txt").read_text(encoding="utf-8") == families.tables(files) + "\n"


def check(problem: str, verdict: str, ratio: float = 1.0, left: str = "MPI_Bcast(m)",
          guideline: str = "one", kind: str = "verdict") -> dict[str, Any]:
    return {"problem": problem, "guideline": guideline, "left": left, "verdict": verdict,
            "kind": kind, "ratio": {"median": ratio}}


def report(*checks: dict[str, Any], file: str = "./guidelines/irregular.json") -> dict[str, Any]:
    return {"guidelines": [{"id": "one", "statement": "MPI_Bcast[dup](m) <= MPI_Bcast(m)", "file": file}],
            "implementations": [{"name": "MPI_Bcast", "collective": "bcast"}], "checks": list(checks)}


def found(families: ModuleType, first: dict[str, Any], *again: dict[str, Any]) -> dict[str, Any]:
    findings: dict[str, Any] = families.findings_of(
        {"options": [], "first": first, "again": list(again)})
    return findings


def test_confirmed_is_what_every_launch_finds_violated(families: ModuleType) -> None:
    first = report(check("a", "violated", 2.0), check("b", "violated", 3.0), check("c", "holds"),
                   check("d", "skipped"), check("e", "undecided"), check("f", "violated", kind="remark"))
    entry = found(families, first, report(check("a", "violated", 1.5), check("b", "violated", 4.0)),
                  report(check("a", "violated", 1.75), check("b", "undecided")))["guidelines"]["one"]
    assert entry["confirmed"] == [{"problem": "a", "ratios": [2.0, 1.5, 1.75]}]
    assert [entry[name] for name in ("checks", "violated", "skipped", "undecided")] == [5, 2, 1, 1]


def test_new_is_what_no_guideline_before_shows_for_the_operation_and_problem(families: ModuleType) -> None:
    family = found(families, report(check("a", "violated", 2.0), check("b", "violated", 3.0)))
    before = families.present_of([
        report(check("a", "holds"), check("c", "violated", 2.0, kind="remark")),
        report(check("a", "violated", 1.2), check("b", "violated", 2.0, left="MPI_Reduce(m)"))])
    assert before["violated"] == [
        {"problem": "a", "guideline": "one", "file": "irregular", "operation": "MPI_Bcast",
         "ratios": [1.2]},
        {"problem": "b", "guideline": "one", "file": "irregular", "operation": "MPI_Reduce",
         "ratios": [2.0]}]
    row, = families.rows_of(family, before)
    assert (row["confirmed"], row["alone"], row["new"]) == (2, 1, 1)
    # The worst by what every launch has seen at least.
    assert row["worst"] == {"problem": "b", "ratios": [3.0], "new": True, "alone": True}


def test_alone_is_what_only_algorithms_of_the_literature_show_besides(families: ModuleType) -> None:
    family = found(families, report(check("a", "violated", 2.0), check("b", "violated", 3.0)))
    before = families.present_of([report(check("a", "violated", 1.2), file="./guidelines/reference.json")])
    row, = families.rows_of(family, before)
    assert (row["alone"], row["new"]) == (2, 1)


def test_collectives_that_are_accused(families: ModuleType) -> None:
    accused = found(families, report(check("a", "violated", 2.0)))
    innocent = found(families, report(check("a", "holds")))
    assert families.accused({"one": accused}) == ["bcast"]
    assert families.accused({"one": innocent, "failed": {"failed": "nothing selected"}}) == []


@pytest.mark.parametrize("side, operation", [
    ("MPI_Reduce[order kept](m)", "MPI_Reduce"), ("MPI_Barrier[first half]", "MPI_Barrier"),
    ("MPI_Bcast_init(m)", "MPI_Bcast_init")])
def test_operation_of_a_side(families: ModuleType, side: str, operation: str) -> None:
    assert families.operation(side) == operation
