# SPDX-License-Identifier: BSD-3-Clause
"""The kept tables of reference algorithms follow from the outputs beside them, and meet the bars that the
README claims."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from analysis.tests.bench_program import BENCH, bench_program

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "results" / "reference"


@pytest.fixture(scope="module")
def table() -> ModuleType:
    sys.path.insert(0, str(BENCH))
    try:
        return bench_program("reference_table.py")
    finally:
        sys.path.pop(0)


@pytest.fixture(scope="module")
def driver() -> ModuleType:
    return bench_program("reference_cells")


@pytest.mark.parametrize("kept", ["cells", "costs"])
def test_the_kept_table_is_that_of_the_kept_cells(table: ModuleType, kept: str) -> None:
    files = sorted((KEPT / kept).glob("*.json*"))
    assert files
    assert (KEPT / kept / "tables.txt").read_text(encoding="utf-8") == table.tables(files) + "\n"


def cell(**changes: Any) -> dict[str, Any]:
    return {"operation": "MPI_Bcast", "bytes": 4, "native": 10.0, "missing": [],
            "references": {"binomial_Bcast": 8.0, "knomial_Bcast": 6.0},
            "predicted": {"binomial_Bcast": 8.8, "knomial_Bcast": 9.0}} | changes


def test_what_a_line_says(table: ModuleType) -> None:
    found = table.Cell(cell())
    assert (found.best, found.is_new) == ("knomial_Bcast", True)
    assert found.fastest(old_only=True) == "binomial_Bcast"
    assert (found.of_native, found.of_old) == (0.6, 0.75)
    assert found.of_best == pytest.approx(8 / 6)
    assert found.ratios == pytest.approx([1.1, 1.5])


def test_an_old_one_that_is_as_fast_is_the_best(table: ModuleType) -> None:
    found = table.Cell(cell(references={"binomial_Bcast": 6.004, "knomial_Bcast": 6.0}, predicted={}))
    assert (found.best, found.is_new) == ("binomial_Bcast", False)
    assert found.of_best is None


@pytest.mark.parametrize("operation, name, old", [
    ("MPI_Bcast", "binomial_Bcast", True), ("MPI_Bcast", "knomial_Bcast", False),
    ("MPI_Reduce_scatter_block", "reduce_scatterv_Reduce_scatter_block", True),
    ("MPI_Reduce_scatter_block", "near_first_Reduce_scatter_block", False),
    ("MPI_Allgatherv", "ring_Allgatherv", True), ("MPI_Allgather", "dissemination_Allgather_radix4", False),
    ("MPI_Gather", "knomial_Gather_radix4", True), ("MPI_Gatherv", "TUW_Gatherv_carrying", False),
    ("MPI_Allreduce", "MPICH2004_Allreduce", False), ("MPI_Alltoall", "lane_Alltoall", False)])
def test_what_was_there_in_0_1_0(table: ModuleType, operation: str, name: str, old: bool) -> None:
    assert table.is_old(operation, name) is old


def test_the_summary_counts_what_the_bars_are_about(table: ModuleType) -> None:
    cells = [table.Cell(cell()), table.Cell(cell(native=5.0)), table.Cell(cell(native=None))]
    assert list(table.summary(cells)) == [
        "fastest reference at most as slow as the native: 1 of 2", "new ones the fastest: 3 of 3",
        "the one that is predicted to be the fastest within 1.15 of the fastest: 0 of 3",
        "predictions within 25 %: 3 of 6"]


def report(native_s: float, **times: float) -> dict[str, Any]:
    names = {"MPI_Bcast(m)": native_s} | {f"{name}(m)": time for name, time in times.items()}
    return {
        "cost_model": {"alpha_s": 1e-6}, "checks": [
            {"problem": "one", "left": "MPI_Bcast(m)", "right": name} for name in names if name[:3] != "MPI"],
        "problems": [{"id": "one", "ranks": 8, "block_size": 100, "total": 800, "element_bytes": 4,
                      "contestants": [{"name": name, "statistics": {"median_s": time}, "predicted_s": time}
                                      for name, time in names.items()]}]}


def test_a_cell_without_a_report_is_missing(driver: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "mpich-8x4"
    for cell in ("bcast-100", "reduce-1"):
        (folder / cell).mkdir(parents=True)
    (folder / "bcast-100" / "report.json").write_text(json.dumps(report(7e-6, binomial_Bcast=4e-6)),
                                                      encoding="utf-8")
    (folder / "reduce-1" / "failed").write_text("not ended\n", encoding="utf-8")
    found = driver.found_in(folder)
    only, = found["cells"]
    assert (only["native"], only["bytes"], only["references"]) == (7.0, 400, {"binomial_Bcast": 4.0})
    assert found["missing"] == [{"family": "reduce", "bytes": 4, "reason": "not ended"}]


@pytest.fixture(scope="module")
def order() -> ModuleType:
    return bench_program("predicted_order")


def ordered(*times: tuple[float, float]) -> dict[str, Any]:
    """A cell of algorithms a, b, ... with predicted and measured times."""
    names = "abcdef"[:len(times)]
    return cell(predicted={name: each[0] for name, each in zip(names, times)},
                references={name: each[1] for name, each in zip(names, times)})


def test_the_place_of_the_fastest_in_the_predicted_order(order: ModuleType) -> None:
    found, = order.orders_of([ordered((4, 1), (3, 2), (2, 3), (1, 4))])
    assert (found.names, found.fastest, found.place) == (["d", "c", "b", "a"], "a", 4)
    assert found.best_of_first == 2.0
    assert found.correlation == pytest.approx(-1)
    same, = order.orders_of([ordered((1, 1.0005), (2, 2), (3, 3), (4, 1))])
    assert (same.fastest, same.place) == ("d", 1)
    level, = order.orders_of([ordered((1, 1), (1, 2), (1, 3), (1, 4))])
    assert level.correlation == 0.0


def test_the_kept_order_is_that_of_the_kept_cells(order: ModuleType) -> None:
    files = sorted((KEPT / "costs" / "order").glob("*.json"))
    assert files
    text = "\n\n".join(map(order.text_of, files))
    assert (KEPT / "costs" / "order" / "tables.txt").read_text(encoding="utf-8") == text + "\n"


def test_few_predictions_say_nothing_about_the_order(order: ModuleType) -> None:
    assert order.orders_of([ordered((1, 1), (2, 2), (3, 3))]) == []


def test_the_summary_counts_the_first_three(order: ModuleType) -> None:
    orders = order.orders_of([ordered((1, 1), (2, 2), (3, 3), (4, 4)),
                              ordered((4, 1), (3, 2), (2, 3), (1, 4))])
    assert order.summary_of(orders) == (
        "The fastest algorithm is among the first 3 predicted in 1 of 2; the best of\n"
        "these 3 is within 5 % of the fastest in 1; median correlation 0.00.")
