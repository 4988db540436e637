# SPDX-License-Identifier: BSD-3-Clause
"""The rows of the irregular-gather paper's tables (Träff 2017), from its own figures and from audits."""

import csv
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from .contestants import all_problems, named
from .fields import Document, Problem
from .paper_libraries import Cell, Library, Report, library_of, sides_of

PAPER = Path(__file__).parent / "irregular-gather-tables.csv"
LIBRARIES = {1: "NEC MPI", 2: "MVAPICH2", 3: "Open MPI"}
RANKS = {1: 560, 2: 560, 3: 560, 4: 1600, 5: 3200}
DISTRIBUTIONS = {"Same": "same", "Random": "random", "Spikes": "spikes",
                 "Decreasing": "decreasing", "Alternating": "alternating",
                 "Two blocks": "two-blocks"}
BLOCK_SIZES = (1, 10, 100, 1000, 10000)
# Column of the paper: contestants of the audit. On unequal blocks MPI_Gather has padded blocks.
COLUMNS = {"gather": ("MPI_Gather(m)", "MPI_Gather(m')"),
           "padded": ("MPI_Allreduce(1) + MPI_Gather(m')",),
           "gatherv": ("MPI_Gatherv(m)",), "tuw": ("TUW_Gatherv(m)",)}
# Reference algorithms, since SMPI has no algorithms like those of the paper's tables.
IN_PLACE = {10: {"MPI_Gather": "segmented_binomial_Gather", "MPI_Gatherv": "binomial_Gatherv"},
            11: {"MPI_Gatherv": "binomial_Gatherv"}}
HEADINGS = {"gather": "MPI_Gather", "padded": "Guideline (2)", "gatherv": "MPI_Gatherv",
            "tuw": "TUW_Gatherv"}
# Audits on thousands of ranks leave it out, because each linear gather takes the simulator minutes.
OPTIONAL = "gather"
# Guideline (1), on equal blocks, in the column of MPI_Gather; Guideline (2) in that of MPI_Gatherv.
OTHER_SIDES = {"gather": "gatherv", "gatherv": "padded"}
# How a reason ends if an operation cannot be called on the blocks of a problem.
NOT_FOR_SUCH_BLOCKS = "needs equal blocks"
MOST_CELLS = 6  # that an error names for each reason
SMALL = 100  # up to this block size the paper reports ratios of 5 to more than 20

Times = dict[str, float]  # column -> microseconds


@dataclass
class Row:
    """One problem: the times of the audit and the paper's minima."""

    problem: str
    block_size: int
    total: int
    padded_total: int
    simulated: Times
    paper: Times
    is_fitted: bool = False
    empty: dict[str, str] = field(default_factory=dict)  # column -> why the audit has no time

    def violates(self, column: str, times: Times, tolerance: float = 0.0) -> bool | None:
        """Returns whether the operation of this column breaks its guideline; None if a side is missing."""
        other = OTHER_SIDES.get(column)
        if column == "gather" and self.problem != "Same":
            return None
        if other is None or column not in times or other not in times:
            return None
        return times[column] > (1 + tolerance) * times[other]


def paper_lines(table: int) -> dict[Cell, dict[str, str]]:
    """Returns the lines of one table in the file of the paper's figures."""
    lines: dict[Cell, dict[str, str]] = {}
    with PAPER.open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            if int(line["table"]) == table:
                done = sum(1 for problem, _ in lines if problem == line["problem"])
                lines[line["problem"], BLOCK_SIZES[done]] = line
    return lines


def paper_figures(table: int, statistic: str = "min") -> dict[Cell, Times]:
    """Returns the minima ("min") or averages ("avg") of one table, in microseconds."""
    return {cell: {column: float(line[f"{column}_{statistic}"]) for column in COLUMNS}
            for cell, line in paper_lines(table).items()}


def names_of(table: int, column: str) -> tuple[str, ...]:
    """Returns the contestants of a column, as guidelines name them."""
    names = COLUMNS[column]
    for theirs, ours in IN_PLACE.get(table, {}).items():
        names = tuple(name.replace(f"{theirs}(", f"{ours}(") for name in names)
    return names


def audit_times(problem: Problem, table: int, library: Library) -> Times:
    """Returns the medians of the contestants that the table shows, in microseconds."""
    times = {}
    measured = {contestant["name"]: 1e6 * contestant["statistics"]["median_s"]
                for contestant in problem["contestants"] if "statistics" in contestant}
    for column in COLUMNS:
        names = map(library.contestant, names_of(table, column))
        found = [measured[name] for name in names if name in measured]
        if found:
            times[column] = found[0]
    return times


def reason_of(problem: Problem, name: str) -> str:
    """Returns why a contestant has no time; nothing if the contestant is not for such blocks."""
    contestant = named(problem, name)
    if contestant is None:
        return f"the report has no {name}"
    if "wrong" in contestant:
        return f"{name} gave a wrong result"
    skipped = contestant.get("skipped", f"{name} was not measured")
    return "" if skipped.endswith(NOT_FOR_SUCH_BLOCKS) else skipped


def empty_cells(problem: Problem, table: int, library: Library, asked: Collection[str]) -> dict[str, str]:
    """Returns the columns without a time, with the reason. The column of MPI_Gather is not empty if no
    guideline of the audit asks for it (`asked` has the sides of the guidelines)."""
    times = audit_times(problem, table, library)
    found = {}
    for column in COLUMNS:
        names = [name for name in names_of(table, column) if column != OPTIONAL or name in asked]
        reasons = [reason for name in names if (reason := reason_of(problem, library.contestant(name)))]
        if column not in times and reasons:
            found[column] = reasons[-1]
    return found


def rows_of(report: Report, table: int) -> list[Row]:
    """Returns the problems that the paper also has, in its order. A problem that the audit lacks has a row if
    the audit has its distribution and its block size."""
    library = library_of(report, table)
    simulated = {(problem["distribution"], problem["block_size"]): problem
                 for problem in all_problems(cast(Document, report))}
    distributions, sizes = ({key[place] for key in simulated} for place in (0, 1))
    rows = []
    for (name, size), figures in paper_figures(table).items():
        problem = simulated.get((DISTRIBUTIONS[name], size))
        is_fitted = (name, size) in library.fitted
        if problem is not None:
            empty = empty_cells(problem, table, library, sides_of(report, problem))
            rows.append(Row(name, size, problem["total"], problem["padded_total"],
                            audit_times(problem, table, library), figures, is_fitted, empty))
        elif DISTRIBUTIONS[name] in distributions and size in sizes:
            line = paper_lines(table)[name, size]
            rows.append(Row(name, size, int(line["m"]), int(line["m_padded"]), {}, figures, is_fitted,
                            dict.fromkeys(COLUMNS, "the report has no such problem")))
    return rows


def empty_sides(report: Report) -> list[str]:
    """Returns a line for each reason why an audit lacks times of sides of its guidelines."""
    problems = all_problems(cast(Document, report))
    cells = [(f"{name} on {problem['id']}", reason) for problem in problems
             for name in sorted(sides_of(report, problem))
             if "statistics" not in (named(problem, name) or {}) and (reason := reason_of(problem, name))]
    return lines_of(cells) if problems else ["no row: the audit has no problem"]


def empty_lines(rows: Sequence[Row]) -> list[str]:
    """Returns a line for each reason of empty cells, with the cells. A table without rows is empty, too."""
    cells = [(f"{HEADINGS[column]} on {row.problem}, b = {row.block_size}", reason)
             for row in rows for column, reason in row.empty.items()]
    return lines_of(cells) if rows else ["no row: the audit has no problem of the paper"]


def lines_of(cells: Sequence[tuple[str, str]]) -> list[str]:
    """Returns a line for each reason; `cells` are pairs of a cell and the reason why it is empty."""
    found: dict[str, list[str]] = {}
    for cell, reason in cells:
        found.setdefault(reason, []).append(cell)
    return ["; ".join(where[:MOST_CELLS]) + (f" and {len(where) - MOST_CELLS} more" if len(where) > MOST_CELLS
                                             else "") + f": {reason}" for reason, where in found.items()]
