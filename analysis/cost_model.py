# SPDX-License-Identifier: BSD-3-Clause
"""Measured times over those of the linear cost model, for each implementation."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from .contestants import named
from .reports import Report


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and range of a ratio over the problems."""

    median: float
    smallest: float
    largest: float


@dataclass(frozen=True, slots=True)
class Cost:
    """One implementation; no prediction for algorithms of the library."""

    name: str
    to_prediction: Spread | None
    to_bound: Spread | None


def spread(ratios: Sequence[float]) -> Spread | None:
    return Spread(statistics.median(ratios), min(ratios), max(ratios)) if ratios else None


def costs(report: Report, names: Sequence[str]) -> list[Cost]:
    """Returns the implementations for which the model predicts a time; times are medians."""
    found = []
    for name in names:
        predicted, bounded = [], []
        for problem in report.data["problems"]:
            contestant = named(problem, name)
            if contestant is None or "statistics" not in contestant:
                continue
            measured = contestant["statistics"]["median_s"]
            # Without data the bound is 0, and a ratio says nothing.
            if prediction := contestant.get("predicted_s"):
                predicted.append(measured / prediction)
            if bound := contestant.get("lower_bound_s"):
                bounded.append(measured / bound)
        cost = Cost(name, spread(predicted), spread(bounded))
        if cost.to_prediction or cost.to_bound:
            found.append(cost)
    return found
