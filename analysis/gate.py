# SPDX-License-Identifier: BSD-3-Clause
"""What makes a pipeline fail: a condition on violations, and what was known before."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass

from .operations import identity
from .fields import Check
from .heatmap import effect
from .reports import Report

CONDITION = re.compile(r"ratio\s*(>=|>)\s*(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Condition:
    """Fails for violations whose ratio of left to right exceeds a limit; 0: for every one."""

    text: str
    limit: float = 0.0
    is_inclusive: bool = False

    def fails(self, check: Check) -> bool:
        """A violation without a ratio, as minima give, fails a limit that it may exceed."""
        value = effect(check)
        if value is None:
            return True
        return value >= self.limit if self.is_inclusive else value > self.limit


def condition(text: str) -> Condition:
    """The argument of --fail-on."""
    if text == "violation":
        return Condition(text)
    match = CONDITION.fullmatch(text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no condition; use violation, or a ratio as in 'ratio>1.5'")
    return Condition(text.strip(), float(match[2]), match[1] == ">=")


Key = tuple[object, ...]


def key_of(report: Report, check: Check) -> Key:
    """What makes a check the same in two audits."""
    problem = report.problems[check["problem"]]
    return (check["guideline"], check["left"], check["right"], *identity(problem))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The violations of an audit: those that fail the gate, and those known before."""

    failing: list[Check]
    known: list[Check]
    tolerated: list[Check]  # violated, but not as much as the condition asks


def outcome(report: Report, wanted: Condition, baseline: Sequence[Report]) -> Outcome:
    """Remarks on reference algorithms are nowhere in it."""
    before = {key_of(old, check) for old in baseline for check in old.violations}
    found = Outcome([], [], [])
    for check in report.violations:
        if before and key_of(report, check) in before:
            found.known.append(check)
        elif wanted.fails(check):
            found.failing.append(check)
        else:
            found.tolerated.append(check)
    return found


def is_undecided(report: Report) -> bool:
    """Whether nothing about the library was decided: no violation, but no answer either."""
    return bool(report.data["checks"]) and not any(
        check["verdict"] in ("violated", "holds") for check in report.verdicts)
