# SPDX-License-Identifier: BSD-3-Clause
"""What a page says first: each operation that is violated once, with the sizes on which it is, the ways
that were compared, and what to do."""

import math
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from . import units
from .fields import Check, OverviewRow
from .heatmap import class_of, compared_s, effect
from .reports import Report
from .statements import Remedy, operation_of, remedy_of

MOST_WAYS = 8


def severity(check: Check) -> float | None:
    """How many times as long as what to call instead it took, as the console has it."""
    remedy = remedy_of(check)
    return remedy.factor if remedy is not None else effect(check)


def worst_first(checks: Iterable[Check]) -> list[Check]:
    """Of those that are to be replaced by the same, the one that it is compared with."""
    return sorted(checks, key=lambda check: (-(severity(check) or 0.0), -(effect(check) or 0.0)))


@dataclass(frozen=True, slots=True)
class Bar:
    """Problems of about one size: place and width on the axis in percent, and what was found."""

    left: float
    width: float
    violated: int
    decided: int
    ratio: float  # the worst
    title: str

    @property
    def colour(self) -> str:
        return f"c{class_of(self.ratio)}" if self.violated else "holds" if self.decided else "open"

    @property
    def height(self) -> int:
        """The violated share in percent; seen even where it is small."""
        return round(30 + 70 * self.violated / self.decided) if self.violated else 18


@dataclass(frozen=True, slots=True)
class Axis:
    """Sizes in bytes on a logarithmic axis, a cell for each factor of two: common to all operations."""

    first: int
    last: int

    @staticmethod
    def cell(size: int) -> int:
        return round(math.log2(size)) if size > 0 else -1

    def place(self, cell: float) -> float:
        return 100 * (cell - self.first) / (self.last - self.first + 1)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """At most six powers of two, at the middle of their cells."""
        step = max(1, math.ceil((self.last - self.first + 1) / 6))
        return [(self.place(cell + 0.5), units.amount_of_bytes(2 ** cell) if cell >= 0 else "0")
                for cell in range(self.first, self.last + 1, step)]


@dataclass(frozen=True, slots=True)
class Way:
    """One way between the layouts of the worst violation."""

    name: str
    seconds: float
    is_left: bool


@dataclass
class Operation:
    """All that is violated of one operation in one audit."""

    report: Report
    name: str
    counts: Counter[str] = field(default_factory=Counter)
    violations: list[Check] = field(default_factory=list)
    by_cell: dict[int, list[Check]] = field(default_factory=dict)

    @property
    def row(self) -> OverviewRow | None:
        """What the first screen says; reports before 1.8 have no rows."""
        return next((row for row in self.report.data.get("overview", [])
                     if row["operation"] == self.name), None)

    @property
    def check(self) -> Check:
        """That of the row, else the worst."""
        row = self.row
        return next((check for check in self.violations if row is not None
                     and (check["guideline"], check["problem"]) == (row["guideline"], row["problem"])),
                    self.violations[0])

    @property
    def has_data(self) -> bool:
        """Barriers and what makes communicators have no size."""
        row = self.row
        return row is None or "bytes" in row

    @property
    def decided(self) -> int:
        return self.counts["violated"] + self.counts["holds"]

    @property
    def remedy(self) -> Remedy | None:
        row = self.row
        if row is None:
            return remedy_of(self.check)
        if row["kind"] not in ("calls", "setting") or "factor" not in row:
            return None
        return Remedy(row["contestant"], row["factor"], row["lost_s"], row.get("code", ""))

    @property
    def instead(self) -> str:
        """The advice in a few words, as on the first screen."""
        row, remedy = self.row, self.remedy
        if row is not None:
            return f"{row['instead']} ({row['data']})" if "data" in row else row["instead"]
        return remedy.contestant if remedy is not None else ""

    @property
    def ratio(self) -> float | None:
        """How many times as long as the replacement it takes."""
        row = self.row
        return severity(self.check) if row is None else row.get("factor")

    @property
    def sentence(self) -> str:
        """1.50 times as long as MPI_Gatherv at 4 KiB, from 1 KiB to 16 KiB; a call loses 2.1 us."""
        row = self.row
        return self.sentence_of_violations() if row is None else sentence_of(row)

    def sentence_of_violations(self) -> str:
        """1.1 to 1.8 times as long as it could take, from 40 B to 781 KiB."""
        ratios = [value for check in self.violations if (value := severity(check))]
        sizes = sorted(self.bytes_of(check) for check in self.violations)
        ends = [units.amount_of_bytes(size).replace(" ", "\u00a0") for size in (sizes[0], sizes[-1])]
        where = f"at {ends[0]}" if ends[0] == ends[1] else f"from {ends[0]} to {ends[1]}"
        if not ratios:
            return f"slower than it could be, {where}"
        low, high = units.ratio(min(ratios)), units.ratio(max(ratios))
        if len(self.ranges) > 1:
            where += f" in {len(self.ranges)} ranges"
        return f"{low if low == high else f'{low} to {high}'} times as long as it could take, {where}"

    @property
    def ranges(self) -> list[str]:
        """Sizes next to each other on which it is violated, the worst first; reports before 1.5 have none."""
        said = []
        for each in self.report.data.get("ranges", []):
            if each["operation"] != self.name:
                continue
            first, last = (self.size_of(each[end]) for end in ("first", "last"))
            where = f"at {first}" if first == last else f"from {first} to {last}"
            text = f"{each['distribution']}: {where}"
            if "factor" in each:
                text += f", up to {units.ratio(each['factor'])} times as long as {each['instead']}"
            ends = [self.size_of(each[end]) for end in ("below", "above") if end in each]
            said.append(text + (f"; not at {' and '.join(ends)}" if ends else ""))
        return said

    def size_of(self, problem: str) -> str:
        return units.amount_of_bytes(self.bytes_on(problem)).replace(" ", "\u00a0")

    @property
    def reproduce(self) -> str:
        """The command that writes a program without mpiaudit about the worst."""
        folders = shlex.join(str(folder) for folder in self.report.folders)
        return (f"mpiaudit reproduce {folders} --check '{self.check['guideline']}@{self.check['problem']}' "
                "> reproduce.c")

    def bytes_on(self, problem: str) -> int:
        """Of a rank's vector or of a block, as the row counts; without a row, of all blocks together."""
        found = self.report.problems.get(problem)
        if found is None:
            return 0
        row = self.row
        is_of_blocks = row is not None and row.get("bytes", 0) < self.all_bytes(row["problem"])
        return self.all_bytes(problem) // (found["ranks"] if is_of_blocks else 1)

    def all_bytes(self, problem: str) -> int:
        found = self.report.problems[problem]
        return found["total"] * found["element_bytes"]

    def bytes_of(self, check: Check) -> int:
        return self.bytes_on(check["problem"])

    def bars(self, axis: Axis) -> list[Bar]:
        made = []
        for cell, checks in sorted(self.by_cell.items()):
            violated = worst_first(check for check in checks if check["verdict"] == "violated")
            decided = sum(check["verdict"] in ("violated", "holds") for check in checks)
            sizes = sorted({self.bytes_of(check) for check in checks})
            amount = units.amount_of_bytes(sizes[0]) + (
                f" to {units.amount_of_bytes(sizes[-1])}" if len(sizes) > 1 else "")
            ratio = (severity(violated[0]) or 1.0) if violated else 1.0
            said = f"{len(violated)} of {decided} decided checks violated" if decided else "nothing decided"
            title = f"{amount}: {said}" + (f", up to {units.ratio(ratio)}" if violated else "")
            made.append(Bar(axis.place(cell), axis.place(axis.first + 1), len(violated), decided, ratio,
                            title))
        return made

    @property
    def ways(self) -> list[Way]:
        """The fastest first of those to which guidelines lead from the operation (a call in place does
        less, and no guideline leads to it); of many, the operation itself and those that are fastest."""
        check, criterion = self.check, self.report.data["rule"]["criterion"]
        contestants = [item for item in self.report.problems[check["problem"]]["contestants"]
                       if "statistics" in item]
        # An operation may run between several layouts under one name; these are those of both sides.
        layouts = {name: {(item["from"], item["to"]) for item in contestants if item["name"] == name}
                   for name in (check["left"], check["right"])}
        of_both = layouts[check["left"]] & layouts[check["right"]]
        sides = [(each["left"], each["right"]) for each in self.report.data["checks"]
                 if each["problem"] == check["problem"]]
        led_to, found = {check["left"]}, {check["left"]}
        while found:
            found = {right for left, right in sides if left in found} - led_to
            led_to |= found
        ways = sorted((Way(item["name"], compared_s(item["statistics"], criterion),
                           item["name"] == check["left"])
                       for item in contestants
                       if item["name"] in led_to and (item["from"], item["to"]) in list(of_both)[:1]),
                      key=lambda way: way.seconds)
        kept = [way for way in ways if not way.is_left][:MOST_WAYS - 1]
        return [way for way in ways if way.is_left or way in kept]


def sentence_of(row: OverviewRow) -> str:
    """What the first screen says of an operation, as a sentence."""
    def size(member: str) -> str:
        return units.amount_of_bytes(row[member]).replace(" ", "\u00a0")  # type: ignore[literal-required]

    lost = f"{units.short(1e6 * row['lost_s'])} µs"
    if row["kind"] == "communicator":
        return f"takes {lost} each time"
    ratio = (f"{units.ratio(row['factor'])} times as long as {row['contestant']}" if "factor" in row
             else "slower")
    text = f"{ratio} at {size('bytes')}" if "bytes" in row else ratio
    if "low_bytes" in row and row["low_bytes"] != row["high_bytes"]:
        text += f", from {size('low_bytes')} to {size('high_bytes')}"
    return f"{text}; a call loses {lost}"


def operations_of(report: Report) -> list[Operation]:
    """Those with a violation."""
    found: dict[str, Operation] = {}
    for check in report.verdicts:
        name = operation_of(check["left"])
        operation = found.setdefault(name, Operation(report, name))
        operation.counts[check["verdict"]] += 1
        if check["verdict"] == "violated":
            operation.violations.append(check)
        if check["verdict"] != "skipped":
            operation.by_cell.setdefault(Axis.cell(operation.bytes_of(check)), []).append(check)
    violated = [operation for operation in found.values() if operation.violations]
    for operation in violated:
        operation.violations = worst_first(operation.violations)
    return violated


def in_order(operations: Iterable[Operation]) -> list[Operation]:
    """Blocking operations before other forms, what loses most per call first, as the first screen has them;
    without rows, the largest ratio."""
    def key(operation: Operation) -> tuple[bool, float, float]:
        row = operation.row
        return (operation.name in operation.report.other_forms, -row["lost_s"] if row else 0.0,
                -(severity(operation.check) or 0.0))

    return sorted(operations, key=key)


def without_time(report: Report) -> int:
    """Checks that were not measured for want of time; the others cannot be, here."""
    return sum(check.get("reason", "").startswith("no time was left") for check in report.verdicts
               if check["verdict"] == "skipped")


def not_violated(report: Report) -> list[str]:
    """Operations of which checks hold and none is violated, with their numbers."""
    counts: dict[str, Counter[str]] = {}
    for check in report.verdicts:
        counts.setdefault(operation_of(check["left"]), Counter())[check["verdict"]] += 1
    return [f"{name} ({each['holds']})" for name, each in counts.items()
            if each["holds"] and not each["violated"]]


def axis_of(operations: Sequence[Operation]) -> Axis:
    cells = [cell for operation in operations for cell in operation.by_cell] or [0]
    return Axis(min(cells), max(cells))
