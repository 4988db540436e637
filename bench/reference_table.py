#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what reference algorithms take beside the library's operations: a line for each operation and
size, in microseconds, from what bench/reference_cells and bench/reference_costs have kept or from
report.json of audits."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from audit_runs import read_report

Json = dict[str, Any]

# Those of version 0.1.0, by their names without the operation's; all others are new. MPICH2004_Reduce and
# MPICH2004_Allreduce reduce near first now, as MPICH does.
OLD = {
    "Bcast": "linear binomial van_de_Geijn_recursive_doubling van_de_Geijn_ring MPICH2004",
    "Reduce": "linear binomial Rabenseifner TUW",
    "Allreduce": "reduce_bcast recursive_doubling Rabenseifner ring",
    "Allgather": "ring recursive_doubling dissemination simple spreading_simple gather_bcast MPICH2004",
    "Reduce_scatter": "recursive_halving recursive_doubling pairwise_exchange reduce_scatterv MPICH2004",
    "Gather": "linear binomial knomial_radix4 segmented_binomial TUW TUW_degrading TUW_k2 TUW_k3",
    "Scatter": "linear binomial knomial_radix4 TUW TUW_degrading TUW_k2 TUW_k3",
    "Alltoall": "direct pairwise basicBruck basicBruck_ix modBruck modBruck_ix zeroBruck "
                "zeroBruck_blocks zeroBruck_half persBruck zeroBruckV persBruckV",
    "Scan": "linear recursive_doubling",
    "Exscan": "linear recursive_doubling",
}
SAME = 1.001  # the simulator's times differ by nanoseconds


def shown(name: str) -> str:
    """MPI_Bcast of MPI_Bcast(m)."""
    return name.removesuffix("(m)")


def cells_of(report: Json) -> Iterator[Json]:
    """For each problem and operation of the library what it and the reference algorithms take, and what
    the model predicts for them, in microseconds."""
    for problem in report["problems"]:
        contestants = {shown(each["name"]): each for each in problem["contestants"]}
        rivals: dict[str, list[str]] = {}
        for check in report["checks"]:
            if check["problem"] == problem["id"] and check.get("kind", "verdict") == "verdict":
                rivals.setdefault(shown(check["left"]), []).append(shown(check["right"]))
        for native, others in rivals.items():
            yield cell_of(problem, native, {name: contestants[name] for name in [native, *others]
                                            if name in contestants})


def cell_of(problem: Json, native: str, contestants: Json) -> Json:
    times, predicted, missing = {}, {}, []
    for name, each in contestants.items():
        if "statistics" not in each:
            missing.append(name)
            continue
        times[name] = round(1e6 * each["statistics"]["median_s"], 2)
        if "predicted_s" in each:
            predicted[name] = round(1e6 * each["predicted_s"], 4)  # more digits: a copy of few bytes decides
    length = problem["total"] if problem["total"] < problem["ranks"] * problem["block_size"] else \
        problem["block_size"]
    return {"operation": native, "bytes": length * problem["element_bytes"],
            "native": times.pop(native, None), "references": times, "predicted": predicted,
            "missing": missing}


def is_old(operation: str, name: str) -> bool:
    collective = operation.removeprefix("MPI_")
    family = collective.removesuffix("_block")
    family = family if family in OLD else family.removesuffix("v")
    algorithm = name.replace("_" + collective, "")
    return algorithm in OLD.get(family, "").split()


class Cell:
    """What one line of the table says."""

    def __init__(self, cell: Json) -> None:
        self.operation: str = cell["operation"]
        self.bytes: int = cell["bytes"]
        self.native_us: float | None = cell["native"]
        self.references: dict[str, float] = {
            name: us for name, us in cell["references"].items() if not name.startswith(("best_", "MPI_"))}
        predicted = {name: us for name, us in cell["predicted"].items() if name in self.references}
        self.chosen_us = self.references[min(predicted, key=predicted.__getitem__)] if predicted else None
        self.ratios = sorted(us / self.references[name] for name, us in predicted.items())
        self.missing: list[str] = cell["missing"]

    def fastest(self, old_only: bool = False) -> str | None:
        times = [(us, name) for name, us in self.references.items()
                 if not old_only or is_old(self.operation, name)]
        return min(times)[1] if times else None

    @property
    def best(self) -> str:
        """An old one where a new one is not faster."""
        best, old = self.fastest(), self.fastest(old_only=True)
        assert best
        return old if old and self.references[old] <= SAME * self.references[best] else best

    @property
    def is_new(self) -> bool:
        return not is_old(self.operation, self.best)

    @property
    def of_native(self) -> float | None:
        return self.references[self.best] / self.native_us if self.native_us else None

    @property
    def of_best(self) -> float | None:
        """What the one that is predicted to be the fastest takes over the fastest."""
        return self.chosen_us / self.references[self.best] if self.chosen_us else None

    @property
    def of_old(self) -> float | None:
        old = self.fastest(old_only=True)
        return self.references[self.best] / self.references[old] if old else None


def number(value: float | None, width: int, digits: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width}.{digits}f}"


HEAD = (f"{'operation':25} {'bytes':>7} {'native':>10}  {'before':41}  {'now':41}  {'of native':>9} "
        f"{'of before':>9} {'chosen':>10} {'of now':>6}  predicted")


def line(cell: Cell) -> str:
    def entry(name: str | None) -> str:
        if name is None:
            return f"{'-':41}"
        return f"{cell.references[name]:10.1f} {name.replace('_' + cell.operation[4:], ''):30}"
    old = cell.fastest(old_only=True)
    ratios = f"{cell.ratios[0]:.2f} .. {cell.ratios[-1]:.2f}" if cell.ratios else "-"
    now = entry(cell.best) if cell.is_new else f"{'=':>10} {'':30}"
    return (f"{cell.operation:25} {cell.bytes:7} {number(cell.native_us, 10, 1)}  {entry(old)}  "
            f"{now}  {number(cell.of_native, 9, 2)} {number(cell.of_old, 9, 2)} "
            f"{number(cell.chosen_us, 10, 1)} {number(cell.of_best, 6, 2)}  {ratios}")


def share(values: Sequence[bool]) -> str:
    return f"{sum(values)} of {len(values)}"


def summary(cells: Sequence[Cell]) -> Iterator[str]:
    """What the bars are about."""
    natives = [cell for cell in cells if cell.of_native is not None]
    yield ("fastest reference at most as slow as the native: "
           + share([cell.of_native <= SAME for cell in natives if cell.of_native is not None]))
    yield "new ones the fastest: " + share([cell.is_new for cell in cells])
    yield ("the one that is predicted to be the fastest within 1.15 of the fastest: "
           + share([cell.of_best <= 1.15 for cell in cells if cell.of_best is not None]))
    yield ("predictions within 25 %: "
           + share([0.75 <= ratio <= 1.25 for cell in cells for ratio in cell.ratios]))


def title(kept: Json, path: Path) -> str:
    if "system" in kept:
        return str(kept["system"])
    if "library" not in kept:
        return str(path)
    return f"{kept['ranks']} ranks, {kept['per_node']} on a node, choice of {kept['library']}"


def table(kept: Json, path: Path) -> Iterator[str]:
    yield title(kept, path)
    yield HEAD
    for cell in (Cell(each) for each in kept["cells"] if each["references"]):
        yield line(cell)
    for each in kept.get("missing", []):
        yield f"{each['family']} of {each['bytes']} bytes: {each['reason']}"
    yield from summary([Cell(each) for each in kept["cells"] if each["references"]])


def kept_text(found: Json) -> str:
    """What kept_in() reads: a line for each cell."""
    head = json.dumps({name: value for name, value in found.items() if name != "cells"})
    lines = ",\n".join("  " + json.dumps(each) for each in found["cells"])
    return f'{head[:-1]}, "cells": [\n{lines}\n]}}\n'


def kept_in(path: Path) -> Json:
    found: Json = read_report(path)
    return found if "cells" in found else {"cells": list(cells_of(found))}


def tables(paths: Sequence[Path]) -> str:
    found = {path: kept_in(path) for path in paths}
    parts = ["\n".join(table(kept, path)) for path, kept in found.items()]
    cells = [Cell(each) for kept in found.values() for each in kept["cells"] if each["references"]]
    return "\n\n".join([*parts, "\n".join(["all of these", *summary(cells)])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reports", nargs="+", type=Path, metavar="FILE",
                        help="kept by bench/reference_cells --json, or report.json of an audit")
    print(tables(parser.parse_args().reports))


if __name__ == "__main__":
    main()
