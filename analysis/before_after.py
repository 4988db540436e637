# SPDX-License-Identifier: BSD-3-Clause
"""Which operations of MPI became slower or faster from A to B, on which sizes, and for which that is unknown.

Launches of A and B form pairs. exchanges.py judges the operations, and each size of each operation, by all
pairs that have measured them on both sides. What too few pairs have measured, or what may have become slower
by LARGEST_UNSEEN for all that the times say, is named as undecided.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from . import units
from .exchanges import FEWEST_PAIRS, Judgement, Values, judge, without_outliers
from .operations import (
    ALL_OPERATIONS,
    LARGEST_PACE,
    Change,
    Group,
    Identity,
    groups_of,
    native_times,
    pace_of,
    planned_groups,
    problems_of,
    ratios_of,
    without,
)
from .reports import Report

Measured = Sequence[dict[str, dict[Identity, float]]]  # log(time in B / time in A) of each pair

# A comparison is no good news unless it would have shown a slowdown by this factor.
LARGEST_UNSEEN = 1.5
REMEDY = ("measure more pairs of launches (--pairs), longer launches (--budget), fewer operations "
          "(--collectives), or on a machine where nothing else runs")


@dataclass(frozen=True, slots=True)
class Row:
    """An operation in the table: the mean B / A, with the least and largest ratio of the pairs."""

    operation: str
    problems: int
    pairs: int
    ratio: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Undecided:
    """An operation that may be slower for all that is known."""

    operation: str
    sizes: list[int]  # bytes; empty: on all that was planned

    @property
    def text(self) -> str:
        if not self.sizes:
            return self.operation
        return f"{self.operation} at {', '.join(map(units.amount_of_bytes, self.sizes))}"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a comparison."""

    pairs: int  # of launches
    changes: list[Change] = field(default_factory=list)
    unchanged: int = 0  # operations
    least: float = math.inf  # smaller changes of a typical operation cannot be told
    pace: float = 1.0  # of all operations together, B / A
    missing: list[str] = field(default_factory=list)  # operations that launches of A measured, and none of B
    rows: list[Row] = field(default_factory=list)
    undecided: list[Undecided] = field(default_factory=list)
    too_few: str = ""  # why nothing is judged

    @property
    def has_slower(self) -> bool:
        """Whether an operation became slower, or was never measured in B."""
        return bool(self.missing or any(change.ratio > 1 for change in self.changes))

    @property
    def is_decided(self) -> bool:
        """Whether nothing else may have become slower by LARGEST_UNSEEN."""
        return not self.too_few and not self.undecided

    @property
    def sentence(self) -> str:
        """The whole answer."""
        said = [change.sentence for change in self.changes]
        if abs(math.log(self.pace)) > math.log(LARGEST_PACE) and not any(
                change.operation == ALL_OPERATIONS for change in self.changes):
            said.insert(0, f"all operations together take {units.ratio(self.pace)} times as long in B: "
                           "another path between the processes, or another pace of the machine")
        if self.missing:
            said.append(f"{', '.join(self.missing)}: measured in A and not in B, for want of time or because "
                        "of an error; see the reports of B")
        if self.undecided:
            number = f"{len(self.undecided)} operation{'' if len(self.undecided) == 1 else 's'}"
            said.append(f"it cannot be told whether {number} became {LARGEST_UNSEEN:g} times slower: "
                        f"{', '.join(each.text for each in self.undecided)}")
        if self.unchanged:
            number = f"{self.unchanged} operation{'' if self.unchanged == 1 else 's'}"
            said.append(f"no change was found in {'the other ' if said else ''}{number}")
        text = "; ".join(said)
        return text if text.startswith("MPI") else text[:1].upper() + text[1:]

    @property
    def sentences(self) -> list[str]:
        """The answer, how small a change it can tell, and what to do if it tells too little."""
        if self.too_few:
            return [self.too_few]
        said = [self.sentence]
        if self.least < math.inf:
            said.append(f"{self.pairs} launches each cannot tell a change by less than a factor of "
                        f"{units.ratio(self.least)}")
        if self.undecided:
            said.append(f"To decide the rest: {REMEDY}")
        return said

    def said_of(self, operation: str) -> str:
        said = [change.said for change in self.changes if change.operation == operation]
        said += ["undecided" + each.text.removeprefix(operation) for each in self.undecided
                 if each.operation == operation]
        return "; ".join(said) if said else "no change found"


def missing_in(after: Sequence[Report], before: Sequence[Report]) -> list[str]:
    """Returns the operations that all launches of `before` have measured, and none of `after`."""
    def measured(report: Report) -> set[str]:
        return {name for each in native_times(report).values() for name in each}

    mine, theirs = measured(before[0]), measured(after[0])
    for report in before[1:]:
        mine &= measured(report)
    for report in after[1:]:
        theirs |= measured(report)
    return sorted(mine - theirs)


def sizes_of(reports: Sequence[Report]) -> dict[int, tuple[int, int]]:
    """Returns the least and the largest number of bytes of the problems with each block size."""
    sizes: dict[int, tuple[int, int]] = {}
    for report in reports:
        for (_, block_size), problem in problems_of(report).items():
            amount = problem["total"] * problem["element_bytes"]
            low, high = sizes.get(block_size, (amount, amount))
            sizes[block_size] = min(low, amount), max(high, amount)
    return sizes


def values_of(measured: Measured) -> tuple[dict[Group, Values], float]:
    """Returns the values of each group by pair, less the pace of the pair, and the median pace.

    The pace is a group of its own, unless it is large in every pair: then it is a change of the library,
    which all operations show.
    """
    paces = [pace_of(each) for each in measured]
    pace = math.exp(statistics.median(paces))
    limit = math.log(LARGEST_PACE)
    if min(paces) > limit or max(paces) < -limit:
        paces = [0.0] * len(paces)
    values: dict[Group, dict[int, float]] = {}
    for pair, (own_pace, ratios) in enumerate(zip(paces, measured, strict=True)):
        for group, value in groups_of(without(own_pace, ratios)).items():
            values.setdefault(group, {})[pair] = value
    if any(paces):
        values[Group(ALL_OPERATIONS)] = dict(enumerate(paces))
    ordered = sorted(values, key=lambda group: (group.operation, group.block_size or 0))
    return {group: values[group] for group in ordered}, pace


def changes_of(name: str, means: Mapping[Group, float], values: Mapping[Group, Values], real: set[Group],
               planned: set[Group], least: float, sizes: dict[int, tuple[int, int]]) -> list[Change]:
    """Returns the changes of an operation: of all planned sizes at once, or of the sizes on which it changed.
    """
    def beyond(group: Group) -> int:
        if group not in real or abs(means[group]) < math.log(least):
            return 0
        return 1 if means[group] > 0 else -1

    mine = sorted((group.block_size, beyond(group)) for group in planned
                  if group.operation == name and group.block_size is not None)
    overall = beyond(Group(name)) if Group(name) in means else 0
    said = []
    for direction in (1, -1):
        where = [size for size, sign in mine if sign == direction]
        if not where and overall != direction:
            continue
        everywhere = overall == direction and (not where or len(where) == len(mine))
        groups = [Group(name)] if overall == direction else [Group(name, size) for size in where]
        ratio = math.exp(statistics.fmean(means[group] for group in groups))
        each = [value for group in groups for value in values[group].values()]
        span = None if everywhere or not where else (sizes[where[0]][0], sizes[where[-1]][1])
        said.append(Change(name, ratio, math.exp(min(each)), math.exp(max(each)), span))
    return said


def undecided_of(planned: set[Group], means: Mapping[Group, float], judgement: Judgement,
                 sizes: dict[int, tuple[int, int]]) -> list[Undecided]:
    """Returns the operations that may have become slower by LARGEST_UNSEEN, of those that did not show it."""
    def is_open(group: Group) -> bool:
        if group not in means:
            return True
        return (group not in judgement.real
                and means[group] + judgement.reach[group] > math.log(LARGEST_UNSEEN))

    found = []
    for name in sorted({group.operation for group in planned}):
        own = sorted(group.block_size for group in planned
                     if group.operation == name and group.block_size is not None and is_open(group))
        if is_open(Group(name)):
            found.append(Undecided(name, []))
        elif own:
            found.append(Undecided(name, [sizes[size][1] for size in own]))
    return found


def rows_of(values: Mapping[Group, Values], measured: Measured) -> list[Row]:
    """Returns a row for each operation that a pair has measured."""
    rows = []
    for group, each in values.items():
        if group.block_size is None and group.operation != ALL_OPERATIONS:
            problems = {problem for pair in measured for problem in pair.get(group.operation, {})}
            mean = statistics.fmean(without_outliers(each).values())
            rows.append(Row(group.operation, len(problems), len(each), math.exp(mean),
                            math.exp(min(each.values())), math.exp(max(each.values()))))
    return rows


def all_changes(means: Mapping[Group, float], values: Mapping[Group, Values], real: set[Group],
                planned: set[Group], tolerance: float, sizes: dict[int, tuple[int, int]]) -> list[Change]:
    """Returns the changes of all operations, the largest first."""
    changes: list[Change] = []
    for name in dict.fromkeys(group.operation for group in means):
        least = LARGEST_PACE if name == ALL_OPERATIONS else 1 + tolerance
        changes += changes_of(name, means, values, real, planned, least, sizes)
    return sorted(changes, key=lambda change: -abs(math.log(change.ratio)))


def answer_of_pairs(pairs: Sequence[tuple[Report, Report]], tolerance: float) -> Answer:
    before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    reports = [*before, *after]
    measured = [ratios_of(*pair) for pair in pairs]
    values, pace = values_of(measured)
    kept = {group: without_outliers(each) for group, each in values.items() if len(each) >= FEWEST_PAIRS}
    means = {group: statistics.fmean(each.values()) for group, each in kept.items()}
    judgement = judge(kept, len(pairs)) if kept else Judgement(set(), {})
    sizes, missing = sizes_of(reports), missing_in(after, before)
    planned = {group for report in reports for group in planned_groups(report)}
    planned.update(group for group in means if group.operation == ALL_OPERATIONS)
    changes = all_changes(means, values, judgement.real, planned, tolerance, sizes)
    known = {*missing, *(change.operation for change in changes if change.ratio > 1)}
    undecided = [each for each in undecided_of(planned, means, judgement, sizes)
                 if each.operation not in known]
    said = {change.operation for change in changes} | {each.operation for each in undecided}
    rows = rows_of(values, measured)
    unchanged = len({row.operation for row in rows} - said)
    return Answer(len(pairs), changes, unchanged, max(judgement.least, 1 + tolerance), pace, missing, rows,
                  undecided)


def why_too_few(pairs: Sequence[tuple[Report, Report]]) -> str:
    """Returns why so few pairs are not judged, and what to do."""
    if len(pairs) > 1:
        return (f"{len(pairs)} launches each are too few to tell a change from chance: measure at least "
                f"{FEWEST_PAIRS} of each (jobs/before-after)")
    launches = [len(side.data.get("launches", [])) for side in pairs[0]]
    few = ("One launch each" if max(launches) < 2 else
           f"Audits that judge {launches[0] or 1} and {launches[1] or 1} launches together, with one time of "
           "each operation,")
    return (f"{few} cannot tell a small change: mpiaudit judge B --baseline A names the operations that "
            "changed by more, jobs/before-after measures several launches of both in turns")


def answer_of_few(pairs: Sequence[tuple[Report, Report]]) -> Answer:
    """Returns the ratios of the first launch of each side, without a judgement."""
    rows = []
    for name, each in ratios_of(*pairs[0]).items():
        ends = statistics.quantiles(each.values(), n=4) if len(each) > 1 else [*each.values()] * 3
        rows.append(Row(name, len(each), 1, *(math.exp(value) for value in (
            statistics.median(each.values()), ends[0], ends[2]))))
    return Answer(len(pairs), rows=rows, too_few=why_too_few(pairs))


def answer(before: Sequence[Report], after: Sequence[Report]) -> Answer:
    """\\param before, after the launches of A and of B in the order in which they ran"""
    pairs = list(zip(before, after, strict=False))
    if len(pairs) < FEWEST_PAIRS:
        return answer_of_few(pairs)
    return answer_of_pairs(pairs, after[0].data["rule"]["tolerance"])
