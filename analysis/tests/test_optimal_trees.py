# SPDX-License-Identifier: BSD-3-Clause
"""The document about gather trees over the best one says what the kept tables have."""

import re
from pathlib import Path

import pytest

KEPT = Path(__file__).parents[2] / "results" / "reference" / "optimal-trees"
DOCUMENT = (KEPT / "README.md").read_text(encoding="utf-8")
NUMBER = r"(\d+\.\d+)"
# For one number of ranks, the ratio of each operation by problem, with mean and largest ratio.
Ratios = dict[str, dict[str, float]]


def said(pattern: str) -> list[float]:
    """The numbers of the one place of the document that matches, each `#` a number."""
    found, = re.findall(re.escape(pattern).replace(r"\#", NUMBER), " ".join(DOCUMENT.split()))
    return [float(number) for number in found]


def rounded(numbers: list[float]) -> object:
    """Returns a number of three decimals with two decimals."""
    return pytest.approx(numbers, abs=0.0056)


def test_the_tables_of_the_model() -> None:
    one_port, more_ports = (KEPT / "model.txt").read_text(encoding="utf-8").split("others at a time.\n")
    for part in (one_port, more_ports):
        rows = [line.split() for line in part.splitlines() if re.match(r" +\d", line)]
        for startup, _, *ratios in (row for row in rows if row[1] == "all"):
            size = f"| {int(startup) // 1024} KiB | "
            if part is more_ports:
                assert said(f"{size}#, # | #, # |") == rounded([float(ratio) for ratio in ratios])
                continue
            ranks, = re.findall(rf"{re.escape(size)}.*decreasing, p = (\d+) \|", DOCUMENT)
            assert said(f"{size}#, # | decreasing, p = {ranks} | #, # |") == rounded(
                [float(ratio) for ratio in ratios])
            assert [ratios[1]] == [row[4] for row in rows if row[:3] == [startup, ranks, "decreasing"]]
        if part is one_port:
            largest = [max(float(row[column]) for row in rows if row[1] == "560") for column in (10, 4)]
            assert said("On 560 ranks it takes at most # times the time of that tree, "
                        "and TUW's tree # times") == rounded(largest)


def tables(name: str) -> dict[int, Ratios]:
    """Returns the tables of a kept file by the number of ranks."""
    found = {}
    for table in (KEPT / name).read_text(encoding="utf-8").split("\n\n"):
        title, heading, *lines = table.strip().splitlines()
        ratios: Ratios = {operation: {} for operation in heading.split()}
        for problem, *cells in map(str.split, lines):
            for operation, cell in zip(ratios, cells, strict=True):
                ratios[operation][problem] = float(cell)
        found[int(title.split()[0])] = ratios
    return found


def test_the_table_of_simulations() -> None:
    simulated = tables("simulated.txt")
    assert list(simulated) == [16, 32, 64, 128, 256, 560]
    for ranks, ratios in simulated.items():
        problems = {*ratios["TUW_Gatherv"]} - {"mean", "largest"}
        large = {each for each in problems if each.endswith("/b=10000") and "two-blocks" not in each}
        for title, chosen in (("all", problems), ("b = 10000", large)):
            values = {operation: [ratios[operation][each] for each in chosen] for operation in ratios}
            mean = {operation: sum(each) / len(each) for operation, each in values.items()}
            assert said(f"| {ranks}, {title} | #, # | #, # | #, # |") == rounded(
                [mean["TUW_Gatherv"], max(values["TUW_Gatherv"]), mean["TUW_Scatterv"],
                 max(values["TUW_Scatterv"]), mean["MPI_Gatherv"], mean["MPI_Scatterv"]])


def test_the_measured_ratios() -> None:
    measured = tables("measured.txt")
    assert list(measured) == list(range(2, 9))

    def column(operation: str, row: str) -> list[float]:
        return [ratios[operation][row] for ratios in measured.values()]
    gather, scatter = (column(f"TUW_{each}", "mean") for each in ("Gatherv", "Scatterv"))
    assert said("TUW_Gatherv takes # (p = 2) to # times") == rounded([gather[0], max(gather)])
    assert gather[0] == min(gather)
    assert said("TUW_Scatterv # to # times") == rounded([min(scatter), max(scatter)])
    assert f"and {max(column('TUW_Gatherv', 'largest')):.2f} times at most" in " ".join(DOCUMENT.split())
    assert f"and {max(column('TUW_Scatterv', 'largest')):.1f} at most" in DOCUMENT
    gather, scatter = (column(f"MPI_{each}", "mean") for each in ("Gatherv", "Scatterv"))
    assert said("MPI_Gatherv takes # to # and MPI_Scatterv # to # of") == rounded(
        [min(gather), max(gather), min(scatter), max(scatter)])
