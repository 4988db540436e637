# SPDX-License-Identifier: BSD-3-Clause
"""The violations that deserve to be read first."""

from collections.abc import Iterable
from dataclasses import dataclass

from .fields import Check
from .heatmap import effect
from .reports import Report
from .statements import Kind


def worst_checks(checks: Iterable[Check]) -> list[Check]:
    """By falling ratio of the two sides; those without a ratio last."""
    return sorted(checks, key=lambda check: -(effect(check) or 0.0))


@dataclass(frozen=True, slots=True)
class Finding:
    """A violated guideline of one audit: its worst check, and how often it is violated."""

    report: Report
    check: Check
    violated: int
    tested: int


def findings(report: Report, kind: Kind = "verdict") -> list[Finding]:
    """One for each violated guideline, the largest ratio first.

    One guideline is often violated on many sizes; told once with its worst problem, the others
    stay visible.
    """
    tested: dict[str, int] = {}
    for check in report.verdicts if kind == "verdict" else report.remarks:
        if check["verdict"] != "skipped":
            tested[check["guideline"]] = tested.get(check["guideline"], 0) + 1
    groups: dict[str, list[Check]] = {}
    found = report.violations if kind == "verdict" else [
        check for check in report.remarks if check["verdict"] == "violated"]
    for check in worst_checks(found):
        groups.setdefault(check["guideline"], []).append(check)
    return [Finding(report, group[0], len(group), tested[guideline])
            for guideline, group in groups.items()]
