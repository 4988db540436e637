# SPDX-License-Identifier: BSD-3-Clause
"""Where a series of launches changed: one bound on false alarms for all operations, sizes and places.

A history is a series of audits in a fixed order, each with one launch or more. A stretch is a run of
neighbouring audits. Where an operation has not changed within a stretch, the stretch's launches may stand
in any order. So the largest statistic of all operations, sizes and places in random orders is the
distribution that a real change has to exceed (as in operations.py). Every stretch has a share of ALPHA that
depends on the numbers of launches only. The shares add up to ALPHA, so the probability that any stretch
without a change is accused is at most ALPHA, whichever stretches are looked at and however the operations
depend on each other.
"""

import math
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter, mul

from .operations import ALPHA, Group

# A stretch begins and ends at multiples of a step, so that a history has at most 276 stretches.
MOST_ENDS = 24
# Keeps the spread of a few equal times above 0: a thousandth of a time.
LEAST_SPREAD = 1e-3
# In medians of the deviations from the median: 3 standard deviations of normal values.
MOST_DEVIATIONS = 4.4
# The floor of the spread of a group, in median spreads of all groups.
FLOOR = 0.25
# Allowing some orders above the observed statistic costs less power than allowing none.
ORDERS_ABOVE = 4
MOST_ORDERS = 20000


@dataclass(frozen=True, slots=True)
class Stretch:
    """The audits first ... last - 1 of a history, and its share of ALPHA."""

    first: int
    last: int
    share: float


@dataclass(frozen=True, slots=True)
class Step:
    """A change of a group between the audits place - 1 and place; it certainly lies within the stretch."""

    group: Group
    place: int
    stretch: Stretch
    statistic: float


def least_share(launches: Sequence[int]) -> float:
    """Returns the smallest probability that an order of these launches can have: a stretch with a smaller
    share accuses nothing. `launches` has the number of launches of each audit."""
    number = sum(launches)
    return 1 / max((math.comb(number, before) for before in list(accumulate(launches))[:-1]), default=1)


def stretches_of(launches: Sequence[int]) -> list[Stretch]:
    """Returns the stretches that have enough launches, the shortest first.

    The whole history has a half of ALPHA. All shorter stretches have equal shares of the other half.
    """
    number = len(launches)
    step = -(-number // MOST_ENDS)
    ends = [*range(0, number, step), number]
    least = {(first, last): least_share(launches[first:last])
             for index, first in enumerate(ends) for last in ends[index + 1:]
             if last - first > 1 and last - first < number}
    share = ALPHA / 2
    while least:
        share = ALPHA / 2 / len(least)
        enough = {ends: need for ends, need in least.items() if need <= share}
        if len(enough) == len(least):
            break
        least = enough
    of_all = ALPHA / 2 if least else ALPHA
    whole = [Stretch(0, number, of_all)] if least_share(launches) <= of_all else []
    return sorted([Stretch(*ends, share) for ends in least] + whole,
                  key=lambda each: sum(launches[each.first:each.last]))


class Places:
    """The statistic of all places between the audits of a stretch."""

    def __init__(self, launches: Sequence[int]):
        number = sum(launches)
        self.before = list(accumulate(launches))[:-1]
        self.weights = [math.sqrt(number / (count * (number - count))) for count in self.before]
        # itemgetter of one place returns no tuple.
        self.pick = itemgetter(*(count - 1 for count in self.before), -1)

    def statistics(self, values: Sequence[float]) -> Iterator[float]:
        """Returns sqrt(k (N - k) / N) times the difference of the means behind and before each place, where
        k of N launches stand before the place."""
        return map(mul, map(abs, self.pick(list(accumulate(values)))), self.weights)

    def most(self, values: Sequence[float]) -> float:
        """Returns the largest statistic that any order of the values has."""
        return max(*self.statistics(sorted(values)), *self.statistics(sorted(values, reverse=True)))


def without_outliers(values: Sequence[float]) -> list[float]:
    """Returns the values, those far from the median nearer to it: one disturbed launch at an end of a stretch
    would look like a change."""
    middle = statistics.median(values)
    room = MOST_DEVIATIONS * max(LEAST_SPREAD, statistics.median(abs(value - middle) for value in values))
    return [min(max(value, middle - room), middle + room) for value in values]


def spread_of(values: Sequence[float]) -> float:
    """Returns the standard deviation."""
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def scaled(values: dict[Group, Sequence[float]]) -> dict[Group, tuple[float, ...]]:
    """Returns the values of each group less their mean, in units of their spread. All spreads have a floor,
    so that large changes count for more than small ones of quiet groups."""
    kept = {group: without_outliers(each) for group, each in values.items()}
    spreads = {group: spread_of(each) for group, each in kept.items()}
    floor = LEAST_SPREAD + FLOOR * statistics.median(spreads.values())
    made = {}
    for group, each in kept.items():
        mean, spread = math.fsum(each) / len(each), spreads[group] + floor
        made[group] = tuple((value - mean) / spread for value in each)
    return made


def significant(values: dict[Group, Sequence[float]], launches: Sequence[int], share: float,
                candidates: set[Group]) -> dict[Group, tuple[int, float]]:
    """Returns the candidates that changed, with the place that fits best (the number of audits before the
    place) and its statistic. The probability of any candidate, if nothing changed, is at most `share`."""
    places = Places(launches)
    series = scaled(values)
    bounds = {group: places.most(each) for group, each in series.items()}
    observed = {}
    for group in candidates:
        each = list(places.statistics(series[group]))
        # Rounding must not hide an order with an equal statistic.
        observed[group] = (1 - 1e-9) * max(each), 1 + each.index(max(each))
    most = ORDERS_ABOVE if ORDERS_ABOVE / share <= MOST_ORDERS else 1
    orders = math.ceil(most / share) - 1
    above = dict.fromkeys(observed, 0)
    draw, indices = random.Random(len(values)), range(sum(launches))
    rivals: list[tuple[float, ...]] = []
    known = -1
    for _ in range(orders):
        if len(above) != known:
            known, least = len(above), min((observed[group][0] for group in above), default=0.0)
            # The other groups cannot exceed a candidate in any order.
            rivals = [each for group, each in series.items() if bounds[group] >= least]
        if not above:
            break
        order = itemgetter(*draw.sample(indices, len(indices)))
        largest = max(max(places.statistics(order(each))) for each in rivals)
        for group in [group for group in above if observed[group][0] <= largest]:
            above[group] += 1
            if (1 + above[group]) > share * (orders + 1):
                del above[group]
    return {group: (observed[group][1], observed[group][0]) for group in above}


def steps_of(values: dict[Group, Sequence[float]], launches: Sequence[int]) -> list[Step]:
    """Returns the changes of all groups, each in the shortest stretch that shows the change.

    \\param values    the logarithm of the time of each group in each launch, in the order of the history
    \\param launches  the number of launches of each audit
    """
    starts = [0, *accumulate(launches)]
    found: list[Step] = []
    for stretch in stretches_of(launches):
        candidates = {group for group in values if not any(
            stretch.first < step.place < stretch.last for step in found if step.group == group)}
        inside = slice(starts[stretch.first], starts[stretch.last])
        if not candidates:
            continue
        new = significant({group: each[inside] for group, each in values.items()},
                          launches[stretch.first:stretch.last], stretch.share, candidates)
        found += [Step(group, stretch.first + place, stretch, statistic)
                  for group, (place, statistic) in new.items()]
    return found
