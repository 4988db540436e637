# SPDX-License-Identifier: BSD-3-Clause
"""Which operations of MPI became slower or faster from A to B, and on which sizes.

Two launches of one program differ by more than the intervals that each of them computes, so launches
are the unit of evidence. Of each pair of launches, one of A and one of B, and of each operation there is
one number: the median over the problems of log(time in B / time in A), less the median over all
operations, which is the machine's pace. Where nothing has changed, A and B may be exchanged within
any pair. So the largest statistic of all operations and sizes, with every choice of exchanges, is the
distribution that a real change has to exceed: one bound on false alarms for the whole comparison,
without an assumption about the shape of the noise (P. Westfall, S. Young, 1993: max-T).
"""

import itertools
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import units
from .errors import InputError
from .fields import Problem
from .reports import Report

ALPHA = 0.03
# One of 2^(n-1) exchanges is then less than ALPHA: 6 pairs have only 32 exchanges.
FEWEST_PAIRS = 7
MOST_PAIRS_EXHAUSTED = 11
# Fewer operations have no common pace: their own change would be taken for the pace.
FEWEST_FOR_PACE = 5
# A larger factor in every pair of launches is a property of the library, not the pace of the machine.
LARGEST_PACE = 1.25

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
    problems: int
    sizes: tuple[int, int] | None  # bytes; None: on all that were measured

    @property
    def sentence(self) -> str:
        factor = self.ratio if self.ratio > 1 else 1 / self.ratio
        text = f"{self.operation} is {units.ratio(factor)} times {'slower' if self.ratio > 1 else 'faster'}"
        if self.low != self.high:
            ends = sorted((self.low, self.high) if self.ratio > 1 else (1 / self.high, 1 / self.low))
            text += f" ({units.ratio(ends[0])} to {units.ratio(ends[1])})"
        if self.sizes is None:
            return text
        first, last = (units.amount_of_bytes(size) for size in self.sizes)
        return text + (f" at {first}" if first == last else f" from {first} to {last}")


@dataclass(frozen=True, slots=True)
class Row:
    """An operation in the table: the median B / A, with the least and largest ratio of the pairs of
    launches."""

    operation: str
    problems: int
    ratio: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Answer:
    pairs: int
    changes: list[Change]
    unchanged: int  # operations
    least: float    # smaller changes cannot be told
    pace: float     # of all operations together, B / A
    missing: list[str]  # operations that launches of A measured, and none of B
    rows: list[Row]
    left_out: int = 0   # further pairs with too few times

    @property
    def has_slower(self) -> bool:
        """Whether an operation became slower, or was never measured in B."""
        return bool(self.missing or any(change.ratio > 1 for change in self.changes))

    @property
    def sentence(self) -> str:
        """The whole answer."""
        if self.pairs == 1:
            return ("One launch each cannot tell a small change: mpiaudit judge B --baseline A names the "
                    "operations that changed by more, jobs/before-after measures several launches")
        said = [change.sentence for change in self.changes]
        if abs(math.log(self.pace)) > math.log(LARGEST_PACE):
            said.insert(0, f"All operations together take {units.ratio(self.pace)} times as long in B: "
                           "another path between the processes, or another pace of the machine")
        if self.missing:
            said.append(f"{', '.join(self.missing)}: measured in A and not in B, for want of time or because "
                        "of an error; see the reports of B")
        if self.unchanged:
            number = f"{self.unchanged} operation{'' if self.unchanged == 1 else 's'}"
            text = f"no change was found in {'the other ' if self.changes else ''}{number}"
            said.append(text if said else text.capitalize().replace("Mpi", "MPI"))
        return "; ".join(said)

    @property
    def sentences(self) -> list[str]:
        """The answer, and how small a change it can tell."""
        said = [self.sentence]
        if self.pairs > 1:
            said.append(f"{self.pairs} launches each cannot tell a change by less than a factor of "
                        f"{units.ratio(self.least)}")
        if self.left_out:
            said.append(f"{self.left_out} more pairs of launches are left out: they, or too many others, had "
                        "no time for half of what was measured at most; was the machine busy?")
        return said

    def said_of(self, operation: str) -> str:
        said = [change.sentence.partition(" is ")[2] for change in self.changes
                if change.operation == operation]
        return "; ".join(said) if said else "no change found"


def native_times(report: Report) -> dict[Identity, dict[str, float]]:
    """Returns the medians of the library's operations in seconds, by problem."""
    return {key: problem["native_s"] for key, problem in problems_of(report).items()}


def missing_in(after: list[Report], before: list[Report]) -> list[str]:
    """Returns the operations that all launches of `before` have measured, and none of `after`."""
    def measured(report: Report) -> set[str]:
        return {name for each in native_times(report).values() for name in each}

    mine, theirs = measured(before[0]), measured(after[0])
    for report in before[1:]:
        mine &= measured(report)
    for report in after[1:]:
        theirs |= measured(report)
    return sorted(mine - theirs)


def ratios_of(before: Report, after: Report) -> dict[str, dict[Identity, float]]:
    """Returns log(time in `after` / time in `before`) by operation and problem."""
    mine, theirs = native_times(before), native_times(after)
    ratios: dict[str, dict[Identity, float]] = {}
    for problem in mine.keys() & theirs.keys():
        for name in mine[problem].keys() & theirs[problem].keys():
            ratio = theirs[problem][name] / mine[problem][name]
            ratios.setdefault(name, {})[problem] = math.log(ratio)
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


def statistic(values: Sequence[float], signs: Sequence[int], squares: float, floor: float) -> float:
    """Returns Student's t of signs * values. `squares` is the sum of the squares; `floor` keeps the spread
    of a few equal numbers above 0."""
    number = len(values)
    mean = sum(sign * value for sign, value in zip(signs, values, strict=True)) / number
    deviation = math.sqrt(max(0.0, squares - number * mean * mean) / (number - 1))
    return abs(mean) * math.sqrt(number) / (deviation + floor)


def exchanges_of(number: int) -> list[tuple[int, ...]]:
    """Returns ways to exchange A and B within pairs, first the way that exchanges nothing.

    The sign of the first pair is fixed, since the statistic ignores a common sign. Returns all ways, or
    enough to estimate a share of 3 %.
    """
    if number <= MOST_PAIRS_EXHAUSTED:
        return [(1, *rest) for rest in itertools.product((1, -1), repeat=number - 1)]
    draw = random.Random(number)
    return [(1,) * number] + [tuple(draw.choice((1, -1)) for _ in range(number))
                              for _ in range(2 ** (MOST_PAIRS_EXHAUSTED - 1) - 1)]


def real_changes(values: dict[Group, list[float]]) -> tuple[set[Group], float]:
    """Returns the groups whose statistic exceeds the largest statistics of exchanges, and the least change
    that would exceed them."""
    number = len(next(iter(values.values())))
    # Not 0 if most times are equal.
    floor = 1e-3 + statistics.median(statistics.stdev(each) for each in values.values())
    exchanges = exchanges_of(number)
    squares = {group: sum(value * value for value in each) for group, each in values.items()}
    of_exchanges = {group: [statistic(each, signs, squares[group], floor) for signs in exchanges]
                    for group, each in values.items()}
    real: set[Group] = set()
    limit = math.inf
    while len(real) < len(values):
        # Step down: real changes must not hide the rest.
        rest = [group for group in values if group not in real]
        columns = zip(*(of_exchanges[group] for group in rest), strict=True)
        largest = sorted(max(column) for column in columns)
        limit = largest[math.ceil((1 - ALPHA) * len(largest)) - 1]
        new = {group for group in rest if of_exchanges[group][0] > limit}
        if not new:
            break
        real |= new
    return real, math.exp(2 * limit * floor / math.sqrt(number))


def changes_of(name: str, values: dict[Group, list[float]], real: set[Group], tolerance: float,
               sizes: dict[int, tuple[int, int]], problems: int) -> list[Change]:
    """Returns the changes of an operation: of all its sizes at once, or of the sizes on which it changed."""
    def beyond(group: Group) -> int:
        mean = statistics.fmean(values[group])
        if group not in real or abs(mean) < math.log1p(tolerance):
            return 0
        return 1 if mean > 0 else -1

    mine = sorted((group.block_size, beyond(group)) for group in values
                  if group.operation == name and group.block_size is not None)
    overall = beyond(Group(name))
    said = []
    for direction in (1, -1):
        where = [size for size, sign in mine if sign == direction]
        if not where and overall != direction:
            continue
        everywhere = overall == direction and (not where or len(where) == len(mine))
        group_values = (values[Group(name)] if overall == direction or not where else
                        [statistics.fmean(column) for column in
                         zip(*(values[Group(name, size)] for size in where), strict=True)])
        span = None if everywhere or not where else (sizes[where[0]][0], sizes[where[-1]][1])
        said.append(Change(name, math.exp(statistics.fmean(group_values)), math.exp(min(group_values)),
                           math.exp(max(group_values)), problems, span))
    return said


def full_pairs(amounts: list[int]) -> list[int]:
    """Returns the pairs with at least half as many times as the best pair. A launch on a busy machine has
    little time."""
    return [index for index, amount in enumerate(amounts) if 2 * amount >= max(amounts)]


def answer_of_pairs(pairs: list[tuple[Report, Report]], tolerance: float) -> Answer:
    measured = [ratios_of(*pair) for pair in pairs]
    amounts = [sum(map(len, each.values())) for each in measured]
    full = full_pairs(amounts)
    left_out = len(pairs) - len(full)
    if len(full) < FEWEST_PAIRS:
        return replace(answer_of_one_pair(*pairs[amounts.index(max(amounts))]), left_out=len(pairs) - 1)
    pairs, measured = [pairs[index] for index in full], [measured[index] for index in full]
    missing = missing_in([pair[1] for pair in pairs], [pair[0] for pair in pairs])
    paces = [pace_of(each) for each in measured]
    pace = math.exp(statistics.median(paces))
    limit = math.log(LARGEST_PACE)
    if min(paces) > limit or max(paces) < -limit:  # a change in every pair is one of the library
        paces = [0.0] * len(paces)
    ratios = [without(pace_of_pair, each) for pace_of_pair, each in zip(paces, measured, strict=True)]
    bytes_by_problem = {key: each["total"] * each["element_bytes"]
                        for key, each in problems_of(pairs[0][0]).items()}
    grouped = [groups_of(each) for each in ratios]
    common = set(grouped[0]).intersection(*grouped[1:])
    values = {group: [each[group] for each in grouped] for group in sorted(
        common, key=lambda group: (group.operation, group.block_size or 0))}
    names = list(dict.fromkeys(group.operation for group in values))
    if not names:
        return Answer(len(pairs), [], 0, math.inf, pace, missing, [], left_out)
    sizes: dict[int, tuple[int, int]] = {}
    for problem, amount in bytes_by_problem.items():
        low, high = sizes.get(problem[1], (amount, amount))
        sizes[problem[1]] = (min(low, amount), max(high, amount))
    real, least = real_changes(values)
    changes = [change for name in names for change in changes_of(
        name, values, real, tolerance, sizes, len(ratios[0][name]))]
    changes.sort(key=lambda change: -abs(math.log(change.ratio)))
    unchanged = len(names) - len({change.operation for change in changes})
    rows = [Row(name, len(ratios[0][name]), math.exp(statistics.fmean(each)), math.exp(min(each)),
                math.exp(max(each))) for name in names for each in [values[Group(name)]]]
    return Answer(len(pairs), changes, unchanged, max(least, 1 + tolerance), pace, missing, rows, left_out)


def answer_of_one_pair(before: Report, after: Report) -> Answer:
    """Returns the ratios of two launches. `mpiaudit judge --baseline` says which of them are changes."""
    rows = []
    for name, each in ratios_of(before, after).items():
        ends = statistics.quantiles(each.values(), n=4) if len(each) > 1 else [*each.values()] * 3
        rows.append(Row(name, len(each), *(math.exp(value) for value in (
            statistics.median(each.values()), ends[0], ends[2]))))
    return Answer(1, [], 0, math.inf, 1.0, [], rows)


def answer(before: list[Report], after: list[Report]) -> Answer:
    """\\param before, after the launches of A and of B in the order in which they ran"""
    pairs = list(zip(before, after, strict=False))
    if len(pairs) < FEWEST_PAIRS:
        return answer_of_one_pair(before[0], after[0])
    return answer_of_pairs(pairs, after[0].data["rule"]["tolerance"])
