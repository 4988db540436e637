# SPDX-License-Identifier: BSD-3-Clause
"""The changes of the operations of MPI in a history.

The statistics are those of stretches.py. Operations and sizes are grouped, and the pace of the machine is
taken away, as in operations.py.
"""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .errors import InputError
from .before_after import LARGEST_UNSEEN
from .history_audits import Audit, Times, ordered
from .operations import ALL_OPERATIONS, LARGEST_PACE, Change, Group, Identity, groups_of, pace_of, without
from .stretches import Step, steps_of, stretches_of

REMEDY = "give audits with more launches or longer ones (--budget), or of a machine where nothing else runs"
# Share of the sizes that have to change before an operation has changed on all sizes.
MOST_SIZES = 0.8


@dataclass(frozen=True, slots=True)
class Found:
    """A change of an operation between the audits place - 1 and place, both counted from 0."""

    change: Change
    place: int
    earliest: int
    latest: int


@dataclass
class History:
    audits: list[Audit]
    order: str
    changes: list[Found] = field(default_factory=list)
    values: dict[str, list[float | None]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    not_judged: list[str] = field(default_factory=list)  # operations that too few launches have measured

    @property
    def starts(self) -> list[int]:
        """The first launch of each audit, and the number of all launches."""
        counts = [0]
        for audit in self.audits:
            counts.append(counts[-1] + len(audit.launches))
        return counts

    def times_of(self, operation: str) -> list[float | None]:
        """Returns the time of an operation in each audit over its time in the first audit with this
        operation, less the pace of the machine; None if the audit did not measure it."""
        middles = []
        for first, last in zip(self.starts, self.starts[1:], strict=False):
            known = [value for value in self.values[operation][first:last] if value is not None]
            middles.append(statistics.median(known) if known else None)
        base = next((value for value in middles if value is not None), 0.0)
        return [None if value is None else math.exp(value - base) for value in middles]

    def is_slower(self, operation: str) -> bool:
        """Returns whether the reported changes of an operation add up to a slowdown at its end."""
        product = math.prod(found.change.ratio for found in self.changes
                            if found.change.operation == operation)
        return product > 1 + self.audits[-1].report.data["rule"]["tolerance"]

    @property
    def has_slower(self) -> bool:
        return any(self.is_slower(found.change.operation) for found in self.changes)

    @property
    def can_show_changes(self) -> bool:
        """Whether there are enough launches to tell any change from chance."""
        return bool(stretches_of([len(audit.launches) for audit in self.audits]))

    @property
    def undecided(self) -> list[str]:
        """The operations that look slower in the last audit than in the first one, though that is not shown,
        and those that too few launches or not the last audit have measured."""
        found = set(self.not_judged)
        for name in self.values:
            last = self.times_of(name)[-1]
            if (last is None or last > LARGEST_UNSEEN) and not self.is_slower(name):
                found.add(name)
        return sorted(found)


def deviations_of(launches: Sequence[Times]) -> list[dict[str, dict[Identity, float]]]:
    """Returns for each launch log(time / median time of all launches) by operation and problem, of the
    problems that at least half of the launches have measured."""
    times: dict[tuple[str, Identity], dict[int, float]] = {}
    for index, launch in enumerate(launches):
        for problem, each in launch.items():
            for name, seconds in each.items():
                if seconds > 0:
                    times.setdefault((name, problem), {})[index] = math.log(seconds)
    found: list[dict[str, dict[Identity, float]]] = [{} for _ in launches]
    for (name, problem), logs in times.items():
        if 2 * len(logs) >= len(launches):
            middle = statistics.median(logs.values())
            for index, value in logs.items():
                found[index].setdefault(name, {})[problem] = value - middle
    return found


def complete(values: Iterable[float | None]) -> list[float]:
    """Returns the values, those of launches without this group replaced by the mean of the others, which
    changes no order of launches into an unlikely one."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    mean = statistics.fmean(known)
    return [mean if value is None else value for value in listed]


def grouped(launches: Sequence[Times]) -> dict[Group, list[float | None]]:
    """Returns the value of each group in each launch, less the pace of the launch; None where the launch has
    not measured the group. Groups that less than half of the launches have are left out."""
    deviations = deviations_of(launches)
    paces = [pace_of(each) for each in deviations]
    each_launch = [groups_of(without(pace, each)) for pace, each in zip(paces, deviations, strict=True)]
    names = sorted(dict.fromkeys(group for each in each_launch for group in each),
                   key=lambda group: (group.operation, group.block_size or 0))
    found: dict[Group, list[float | None]] = {
        group: [each.get(group) for each in each_launch] for group in names}
    if any(paces):
        found[Group(ALL_OPERATIONS)] = list(paces)
    return {group: each for group, each in found.items()
            if 2 * sum(value is not None for value in each) >= len(launches)}


def clusters_of(steps: Sequence[Step], directions: dict[Step, int]) -> list[list[Step]]:
    """Returns the steps of one operation that may be one change: steps in one direction whose stretches hold
    the place of the clearest of them, which comes first."""
    left = sorted(steps, key=lambda step: (step.group.block_size is not None, -step.statistic))
    clusters = []
    while left:
        chief = left[0]
        members = [step for step in left if directions[step] == directions[chief]
                   and step.stretch.first < chief.place < step.stretch.last]
        clusters.append(members)
        left = [step for step in left if step not in members]
    return clusters


def jump(values: Sequence[float | None], starts: Sequence[int], bounds: tuple[int, int, int]) -> float:
    """Returns the mean of the launches from `bounds[1]` to `bounds[2]` less that from `bounds[0]` to
    `bounds[1]`, in places of audits."""
    before, after = ([value for value in values[starts[first]:starts[last]] if value is not None]
                     for first, last in (bounds[:2], bounds[1:]))
    return statistics.fmean(after) - statistics.fmean(before) if before and after else 0.0


def covers_most_sizes(name: str, values: dict[Group, list[float | None]], starts: Sequence[int],
                      bounds: tuple[int, int, int], least: float) -> bool:
    """Returns whether the means of most sizes of an operation change by `least` at least, in its direction.
    Not every size has to show this by itself, since single sizes have more noise."""
    jumps = [jump(each, starts, bounds) / least for group, each in values.items()
             if group.operation == name and group.block_size is not None]
    return MOST_SIZES * len(jumps) <= sum(each >= 1 for each in jumps)


def changes_of(name: str, steps: Sequence[Step], history: History, values: dict[Group, list[float | None]],
               sizes: dict[int, tuple[int, int]]) -> list[Found]:
    """Returns the changes of one operation in the order of their places."""
    starts = history.starts
    directions = {}
    for step in steps:
        bounds = step.stretch.first, step.place, step.stretch.last
        directions[step] = 1 if jump(values[step.group], starts, bounds) > 0 else -1
    clusters = sorted(clusters_of(steps, directions), key=lambda each: each[0].place)
    places = [0, *(each[0].place for each in clusters), len(history.audits)]
    least = math.log(LARGEST_PACE) if name == ALL_OPERATIONS else math.log1p(
        history.audits[-1].report.data["rule"]["tolerance"])
    found = []
    for index, cluster in enumerate(clusters, start=1):
        place = places[index]
        bounds = (max(each for each in places[:index] if each < place), place,
                  min(each for each in places[index:] if each > place))
        where = sorted(step.group.block_size for step in cluster if step.group.block_size is not None)
        is_everywhere = cluster[0].group.block_size is None and (not where or covers_most_sizes(
            name, values, starts, bounds, least * directions[cluster[0]]))
        means = [jump(values[step.group], starts, bounds) for step in cluster
                 if cluster[0].group.block_size is not None or step is cluster[0]]
        ratio = math.exp(statistics.fmean(means))
        if abs(math.log(ratio)) >= least:
            span = None if is_everywhere else (sizes[where[0]][0], sizes[where[-1]][1])
            change = Change(name, ratio, ratio, ratio, span)
            found.append(Found(change, place, cluster[0].stretch.first + 1, cluster[0].stretch.last - 1))
    return found


def not_measured(audits: Sequence[Audit]) -> list[str]:
    """Returns a line about the operations that the last audit has not measured, and most of the others have.
    """
    measured = [{name for launch in audit.launches for each in launch.values() for name in each}
                for audit in audits]
    missing = sorted(name for name in set().union(*measured) - measured[-1]
                     if 2 * sum(name in each for each in measured) >= len(audits))
    return [f"{audits[-1].name} has no time of {', '.join(missing)}: for want of time or because of an error"
            ] if missing else []


def history_of(audits: Sequence[Audit], by: str | None = None) -> History:
    """Returns the changes in a history. Raises InputError if the audits have nothing to compare."""
    if len({audit.report.is_simulated for audit in audits}) > 1:
        raise InputError("history needs audits that are all measured or all simulated")
    if len(ranks := sorted({audit.report.ranks for audit in audits})) > 1:
        raise InputError(f"history needs audits at one number of ranks, these have "
                         f"{', '.join(map(str, ranks))}; make a history of each")
    kept, order = ordered(audits, by)
    if len(kept) < 2:
        raise InputError("history needs two audits at least, which are of different versions or times; "
                         f"{'all are of ' if order == 'version' else 'there is only '}{kept[0].name}")
    history = History(kept, order)
    launches = [launch for audit in kept for launch in audit.launches]
    values = grouped(launches)
    if not values:
        raise InputError("history: no operation was measured on equal problems in half of the audits: "
                         f"{REMEDY}")
    history.values = {group.operation: each for group, each in values.items() if group.block_size is None}
    sizes: dict[int, tuple[int, int]] = {}
    for audit in kept:
        for (_, block_size), amount in audit.byte_sizes.items():
            low, high = sizes.get(block_size, (amount, amount))
            sizes[block_size] = min(low, amount), max(high, amount)
    steps = steps_of({group: complete(each) for group, each in values.items()},
                     [len(audit.launches) for audit in kept])
    for name in history.values:
        mine = [step for step in steps if step.group.operation == name]
        history.changes += changes_of(name, mine, history, values, sizes)
    history.changes.sort(key=lambda found: (found.place, -abs(math.log(found.change.ratio))))
    measured = {name for launch in launches for each in launch.values() for name in each}
    history.not_judged = sorted(measured - history.values.keys())
    history.remarks += not_measured(kept)
    return history
