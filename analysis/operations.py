# SPDX-License-Identifier: BSD-3-Clause
"""The times of MPI's operations in reports, and what two launches or many are compared by.

Of each pair of launches, one of A and one of B, and of each operation there is one number: the median over
the problems of log(time in B / time in A), less the median over all operations, which is the machine's pace.
"""

import math
import statistics
from dataclasses import dataclass

from . import units
from .errors import InputError
from .fields import Problem
from .reports import Report

ALPHA = 0.03
# Fewer operations have no common pace: their own change would be taken for the pace.
FEWEST_FOR_PACE = 5
# A larger factor in every pair of launches is a property of the library, not the pace of the machine.
LARGEST_PACE = 1.25
ALL_OPERATIONS = "all operations together"
NO_TIME = "no time"  # the kind of the reason of what the audit had no time for

Identity = tuple[str, int]


def problems_of(report: Report) -> dict[Identity, Problem]:
    """Returns the problems of a report by a key that equal problems of other reports share. The second member
    of the key is the block size. Raises InputError for a report before 2.0, which has no keys."""
    if not all("identity" in problem and "native_s" in problem for problem in report.data["problems"]):
        raise InputError(f"{report.path}: does not say which problems of other reports are equal, since an "
                         f"older mpiaudit wrote it; {report.judged_again()}")
    return {(problem["identity"], problem["block_size"]): problem for problem in report.data["problems"]}


@dataclass(frozen=True, slots=True)
class Group:
    """Times that are judged together: of an operation on all problems, or on the problems of one size."""

    operation: str
    block_size: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A ratio B / A with the least and largest ratio of the pairs of launches."""

    operation: str
    ratio: float
    low: float
    high: float
    sizes: tuple[int, int] | None  # bytes; None: on all that were measured

    @property
    def sentence(self) -> str:
        who = f"{self.operation} is" if self.operation != ALL_OPERATIONS else "all operations together are"
        return f"{who} {self.said}"

    @property
    def said(self) -> str:
        """The sentence without the operation."""
        factor = self.ratio if self.ratio > 1 else 1 / self.ratio
        text = f"{units.ratio(factor)} times {'slower' if self.ratio > 1 else 'faster'}"
        if self.low != self.high:
            ends = sorted((self.low, self.high) if self.ratio > 1 else (1 / self.high, 1 / self.low))
            text += f" ({units.ratio(ends[0])} to {units.ratio(ends[1])})"
        if self.sizes is None:
            return text
        first, last = (units.amount_of_bytes(size) for size in self.sizes)
        return text + (f" at {first}" if first == last else f" from {first} to {last}")


def native_times(report: Report) -> dict[Identity, dict[str, float]]:
    """Returns the medians of the library's operations in seconds, by problem."""
    return {key: problem["native_s"] for key, problem in problems_of(report).items()}


def planned_groups(report: Report) -> set[Group]:
    """Returns the blocking operations of the library that a launch has measured or had no time for, each on
    all problems and on those of each block size."""
    found: set[tuple[str, int]] = set()
    for problem in report.data["problems"]:
        found.update((name, problem["block_size"]) for name in problem["native_s"])
        for each in problem["contestants"]:
            parts = report.names.get(each["name"])
            if parts and parts.get("start") == "blocking" and each.get("reason_kind") == NO_TIME:
                found.add((parts["operation"], problem["block_size"]))
    return {group for name, size in found for group in (Group(name), Group(name, size))}


def ratios_of(before: Report, after: Report) -> dict[str, dict[Identity, float]]:
    """Returns log(time in `after` / time in `before`) by operation and problem."""
    mine, theirs = native_times(before), native_times(after)
    ratios: dict[str, dict[Identity, float]] = {}
    for problem in mine.keys() & theirs.keys():
        for name in mine[problem].keys() & theirs[problem].keys():
            times = mine[problem][name], theirs[problem][name]
            if min(times) > 0:
                ratios.setdefault(name, {})[problem] = math.log(times[1] / times[0])
    return ratios


def pace_of(ratios: dict[str, dict[Identity, float]]) -> float:
    if len(ratios) < FEWEST_FOR_PACE:
        return 0.0
    return statistics.median(statistics.median(each.values()) for each in ratios.values())


def without(pace: float, ratios: dict[str, dict[Identity, float]]) -> dict[str, dict[Identity, float]]:
    return {name: {problem: value - pace for problem, value in each.items()} for name, each in ratios.items()}


def groups_of(ratios: dict[str, dict[Identity, float]]) -> dict[Group, float]:
    """Returns the median of each operation on all problems, and on the problems of each block size."""
    values: dict[Group, list[float]] = {}
    for name, each in ratios.items():
        for problem, value in each.items():
            values.setdefault(Group(name), []).append(value)
            # problem[1] is the block size, which problems of all distributions share.
            values.setdefault(Group(name, problem[1]), []).append(value)
    return {group: statistics.median(each) for group, each in values.items()}
