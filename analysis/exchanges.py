# SPDX-License-Identifier: BSD-3-Clause
"""Which groups of times changed from A to B, judged by exchanging A and B within pairs of launches.

Two launches of one program differ by more than the intervals that each of them computes, so launches are the
unit of evidence. Where nothing has changed, A and B may be exchanged within any pair. So the largest
statistic of all groups, with every choice of exchanges, is the distribution that a real change has to exceed:
one bound on false alarms for the whole comparison, without an assumption about the shape of the noise
(P. Westfall, S. Young, 1993: max-T). A group takes part with the pairs that have measured it on both sides,
which an exchange does not change.
"""

import itertools
import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .operations import ALL_OPERATIONS, ALPHA, Group

# One of 2^(n-1) exchanges is then less than ALPHA: 6 pairs have only 32 exchanges.
FEWEST_PAIRS = 7
MOST_PAIRS_EXHAUSTED = 11
# Larger values are brought down to this number of medians of the absolute values: 3 standard deviations of
# normal values. One disturbed launch hides no change then.
MOST_DEVIATIONS = 4.4
# Keeps the spread of a few equal numbers above 0.
LEAST_SPREAD = 1e-3

Values = Mapping[int, float]  # log(time in B / time in A), by the number of the pair


@dataclass(frozen=True, slots=True)
class Judgement:
    """The groups that changed, and how far the mean of each group may be from the true change."""

    real: set[Group]
    reach: dict[Group, float]

    @property
    def least(self) -> float:
        """The least factor that a typical operation shows as a change; infinite if none is judged."""
        known = [reach for group, reach in self.reach.items() if group.operation != ALL_OPERATIONS]
        return math.exp(statistics.median(known)) if known else math.inf


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one group."""

    pairs: Sequence[int]
    values: Sequence[float]
    squares: float
    floor: float

    def spread(self, mean: float) -> float:
        """Returns the standard deviation about a mean, and the floor."""
        number = len(self.values)
        return math.sqrt(max(0.0, self.squares - number * mean * mean) / (number - 1)) + self.floor

    def statistic(self, signs: Sequence[int]) -> float:
        """Returns Student's t after exchanges: `signs` has -1 for each pair that is exchanged."""
        mean = sum(signs[pair] * value for pair, value in zip(self.pairs, self.values, strict=True)
                   ) / len(self.values)
        return abs(mean) * math.sqrt(len(self.values)) / self.spread(mean)

    def reach(self, limit: float) -> float:
        """Returns the least mean whose statistic exceeds the limit at this spread."""
        return limit * self.spread(statistics.fmean(self.values)) / math.sqrt(len(self.values))


def without_outliers(values: Values) -> dict[int, float]:
    """Returns the values, those much larger than the others made smaller. Exchanges turn signs only, so they
    find the same values before and after."""
    most = MOST_DEVIATIONS * max(LEAST_SPREAD, statistics.median(abs(value) for value in values.values()))
    return {pair: min(max(value, -most), most) for pair, value in values.items()}


def series_of(values: Mapping[Group, Values]) -> dict[Group, Series]:
    # The median keeps groups whose few times are equal by chance from large statistics.
    floor = LEAST_SPREAD + statistics.median(statistics.stdev(each.values()) for each in values.values())
    return {group: Series(list(each), list(each.values()), sum(value**2 for value in each.values()), floor)
            for group, each in values.items()}


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


def judge(values: Mapping[Group, Values], pairs: int) -> Judgement:
    """Returns the groups whose statistic exceeds the largest statistics of exchanges.

    \\param values  groups that at least FEWEST_PAIRS of the pairs have measured, without_outliers()
    \\param pairs   the number of pairs of launches
    """
    series = series_of(values)
    exchanges = exchanges_of(pairs)
    of_exchanges = {group: [each.statistic(signs) for signs in exchanges] for group, each in series.items()}
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
    return Judgement(real, {group: each.reach(limit) for group, each in series.items()})
