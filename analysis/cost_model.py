# SPDX-License-Identifier: BSD-3-Clause
"""What was measured over what the linear cost model says, for each implementation."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from .contestants import named
from .reports import Report


@dataclass(frozen=True, slots=True)
class Spread:
    """Ratios over the problems."""

    median: float
    smallest: float
    largest: float


@dataclass(frozen=True, slots=True)
class Cost:
    """One implementation; no prediction where the algorithm is the library's own."""

    name: str
    to_prediction: Spread | None
    to_bound: Spread | None


def spread(ratios: Sequence[float]) -> Spread | None:
    return Spread(statistics.median(ratios), min(ratios), max(ratios)) if ratios else None


def costs(report: Report, names: Sequence[str]) -> list[Cost]:
    """Of those implementations that the model says something of; medians of the samples."""
    found = []
    for name in names:
        predicted, bounded = [], []
        for problem in report.data["problems"]:
            contestant = named(problem, name)
            if contestant is None or "statistics" not in contestant:
                continue
            measured = contestant["statistics"]["median_s"]
            # Without data the bound is 0, and no ratio says anything.
            if prediction := contestant.get("predicted_s"):
                predicted.append(measured / prediction)
            if bound := contestant.get("lower_bound_s"):
                bounded.append(measured / bound)
        cost = Cost(name, spread(predicted), spread(bounded))
        if cost.to_prediction or cost.to_bound:
            found.append(cost)
    return found
