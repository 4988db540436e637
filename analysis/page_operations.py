# SPDX-License-Identifier: BSD-3-Clause
"""The first section of a page: each violated operation once, with its sizes and what to call instead.

Rows, sentences and ways are those of the report; this module places bars on an axis of sizes.
"""

import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from . import units
from .fields import Check, OperationCounts, OverviewRow, Remedy, Way
from .heatmap import class_of, compared_s, effect
from .operations import NO_TIME
from .reports import Report


def severity(check: Check) -> float:
    """Returns the time of the left side over that of the remedy, else of the right side; 1 if unknown."""
    return check["remedy"]["factor"] if "remedy" in check else effect(check) or 1.0


@dataclass(frozen=True, slots=True)
class Bar:
    """Problems of about one size: place and width on the axis in percent, and their verdicts."""

    left: float
    width: float
    violated: int
    decided: int
    ratio: float  # the largest ratio
    title: str

    @property
    def colour(self) -> str:
        return f"c{class_of(self.ratio)}" if self.violated else "holds" if self.decided else "open"

    @property
    def height(self) -> int:
        """The violated share in percent, large enough to be seen."""
        return round(30 + 70 * self.violated / self.decided) if self.violated else 18


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis of bytes, common to all operations, with a cell for each factor of two."""

    first: int
    last: int

    @staticmethod
    def cell(size: int) -> int:
        return round(math.log2(size)) if size > 0 else -1

    def place(self, cell: float) -> float:
        return 100 * (cell - self.first) / (self.last - self.first + 1)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """At most six powers of two, in the middle of their cells."""
        step = max(1, math.ceil((self.last - self.first + 1) / 6))
        return [(self.place(cell + 0.5), units.amount_of_bytes(2 ** cell) if cell >= 0 else "0")
                for cell in range(self.first, self.last + 1, step)]


@dataclass
class Operation:
    """A violated operation of one audit."""

    report: Report
    row: OverviewRow
    counts: OperationCounts
    by_cell: dict[int, list[Check]] = field(default_factory=dict)  # the measured checks

    @property
    def name(self) -> str:
        return self.row["operation"]

    @property
    def check(self) -> Check:
        """The check that the row shows."""
        return next(check for check in self.report.violations if (
            check["guideline"], check["problem"]) == (self.row["guideline"], self.row["problem"]))

    @property
    def has_data(self) -> bool:
        """Whether problems have sizes. Barriers and functions that make communicators have none."""
        return "bytes" in self.row

    @property
    def decided(self) -> int:
        return self.counts["violated"] + self.counts["holds"]

    @property
    def remedy(self) -> Remedy | None:
        """The replacement of the row; None if a program cannot call one."""
        row = self.row
        if row["kind"] not in ("calls", "setting") or "factor" not in row:
            return None
        return {"contestant": row["contestant"], "factor": row["factor"], "saved_s": row["lost_s"],
                "code": row.get("code", "")}

    @property
    def instead(self) -> str:
        """The advice in a few words, with the data of the problem if these are unusual, and with its
        caveats."""
        row = self.row
        more = [text for text in (row.get("data"), row.get("caveat")) if text]
        return " ".join([row["instead"], *(f"({text})" for text in more)])

    @property
    def takes_s(self) -> float | None:
        """The time of a call. A report before 2.2 has the time of the check's left side instead."""
        if "takes_s" in self.row:
            return self.row["takes_s"]
        statistics = self.check.get("left_statistics")
        return compared_s(statistics, self.report.data["rule"]["criterion"]) if statistics else None

    @property
    def measured(self) -> str:
        """The numbers of the row: takes 2.400 µs, MPI_Gatherv 1.600 µs: 1.50 times as long [1.40, 1.62]."""
        row, takes_s = self.row, self.takes_s
        if takes_s is None:
            return "was slower"
        text = f"takes {units.microseconds(takes_s)} µs a call"
        if "instead_s" in row:
            text = (f"takes {units.microseconds(takes_s)} µs, {self.report.label(row['contestant'])} "
                    f"{units.microseconds(row['instead_s'])} µs")
        if "factor" not in row:
            return text
        interval = ""
        if "factor_low" in row and "factor_high" in row:
            interval = f" [{units.ratio(row['factor_low'])}, {units.ratio(row['factor_high'])}]"
        return f"{text}: {units.ratio(row['factor'])} times as long{interval}"

    @property
    def ways(self) -> list[Way]:
        return self.row["ways"]

    @property
    def reproduce(self) -> str:
        """The command that writes a C program of the row, which needs no mpiaudit; empty if no program can
        show the row."""
        if self.row.get("lacks_program"):
            return ""
        folders = shlex.join(str(folder) for folder in self.report.folders)
        return (f"mpiaudit reproduce {folders} --check '{self.row['guideline']}@{self.row['problem']}' "
                "> reproduce.c")

    def bytes_of(self, check: Check) -> int:
        """Returns the bytes of a check's problem, of one block or of all blocks as the row counts them."""
        problem = self.report.problems[check["problem"]]
        all_bytes = problem["total"] * problem["element_bytes"]
        return all_bytes // (problem["ranks"] if self.row["is_per_block"] else 1)

    def bars(self, axis: Axis) -> list[Bar]:
        made = []
        for cell, checks in sorted(self.by_cell.items()):
            violated = [check for check in checks if check["verdict"] == "violated"]
            decided = sum(check["verdict"] in ("violated", "holds") for check in checks)
            sizes = sorted({self.bytes_of(check) for check in checks})
            amount = units.amount_of_bytes(sizes[0]) + (
                f" to {units.amount_of_bytes(sizes[-1])}" if len(sizes) > 1 else "")
            ratio = max(map(severity, violated), default=1.0)
            said = f"{len(violated)} of {decided} decided checks violated" if decided else "nothing decided"
            title = f"{amount}: {said}" + (f", up to {units.ratio(ratio)}" if violated else "")
            made.append(Bar(axis.place(cell), axis.place(axis.first + 1), len(violated), decided, ratio,
                            title))
        return made


def operations_of(report: Report) -> list[Operation]:
    """Returns the violated operations, in the order of the first screen."""
    counts = {each["operation"]: each for each in report.operations}
    found = {row["operation"]: Operation(report, row, counts[row["operation"]]) for row in report.overview}
    for check in report.verdicts:
        operation = found.get(report.operation(check["left"]))
        if operation is not None and check["verdict"] != "skipped":
            operation.by_cell.setdefault(Axis.cell(operation.bytes_of(check)), []).append(check)
    return list(found.values())


def in_order(operations: Iterable[Operation]) -> list[Operation]:
    """Returns the rows of several reports in the order of a first screen."""
    return sorted(operations, key=lambda each: (each.row["is_other_form"], -each.row["lost_s"]))


def without_time(report: Report) -> int:
    """Returns the number of checks that were not measured for want of time. Other skipped checks do not
    apply."""
    return sum(check.get("reason_kind") == NO_TIME for check in report.verdicts
               if check["verdict"] == "skipped")


def not_violated(report: Report) -> list[str]:
    """Returns the operations without a violation of which checks hold, with the number of these checks."""
    return [f"{each['operation']} ({each['holds']})" for each in report.operations
            if each["holds"] and not each["violated"]]


def axis_of(operations: Sequence[Operation]) -> Axis:
    cells = [cell for operation in operations for cell in operation.by_cell] or [0]
    return Axis(min(cells), max(cells))
