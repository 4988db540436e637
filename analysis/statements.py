# SPDX-License-Identifier: BSD-3-Clause
"""What a check is a statement about, and what its user had better call.

A check with an operation of the library on its left side is a verdict on the library. One with a
reference algorithm there is a remark: it tells where that algorithm is slow, accuses nobody, and
is neither counted as a violation nor a reason for a gate to close.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .fields import VERDICTS, Check, Contestant, Implementation, Problem, Verdict

# Medians that differ by no more are taken for the same, as in src/auditor/report/remedy.h.
NEGLIGIBLE = 1.05
Kind = Literal["verdict", "remark"]
# What is shown of a check: its verdict, but a violated remark is no violation.
Status = Literal["violated", "undecided", "holds", "skipped", "remark"]
STATUSES: tuple[Status, ...] = (*VERDICTS, "remark")
# The same on the console, in tables, plots and pages.
SIGNS: dict[Status, str] = {"violated": "!", "undecided": "?", "holds": "", "skipped": "–",
                            "remark": "~"}


def reference_names(implementations: Iterable[Implementation]) -> frozenset[str]:
    """The algorithms that come with mpiaudit.

    Not native are also variants of the library's own operations, as MPI_Igather + MPI_Wait,
    whose prefix only what stands for one of them in a simulation may use, and moves of data
    within a rank.
    """
    return frozenset(item["name"] for item in implementations
                     if not item["native"] and item["collective"] != "local"
                     and ("stands_for" in item or not item["name"].startswith("MPI_")))


def operations_of(name: str, contestant: Contestant | None) -> list[str]:
    """The operations of a path; from its name where the report does not list its steps."""
    if contestant is not None and "steps" in contestant:
        return [step.partition(":")[0] for step in contestant["steps"]]
    return [re.sub(r"^\d+ ", "", part).partition("(")[0].partition("#")[0].strip()
            for part in name.split(" + ")]


def kind_of(check: Check, left: Contestant | None, references: frozenset[str]) -> Kind:
    """As the report says; a report of version 1.0 says it by the operations of the left side."""
    said = check.get("kind")
    if said is not None:
        return said
    if left is not None and left.get("forced"):
        return "verdict"
    is_reference = not references.isdisjoint(operations_of(check["left"], left))
    return "remark" if is_reference else "verdict"


def status_of(verdict: Verdict, kind: Kind) -> Status:
    return "remark" if verdict == "violated" and kind == "remark" else verdict


@dataclass(frozen=True, slots=True)
class Remedy:
    """The fastest way that was measured between the layouts of a violated check."""

    contestant: str
    factor: float  # how many times as long the left side takes
    saved_s: float  # by each call
    code: str = ""  # a line to paste; empty where the report has none


def median_of(contestant: Contestant) -> float | None:
    """None where it was not measured, or not right."""
    if "wrong" in contestant or "skipped" in contestant or "statistics" not in contestant:
        return None
    return contestant["statistics"]["median_s"]


Layouts = tuple[str, str]


class Ways:
    """The contestants of a problem by layouts, the fastest first; made once for many checks.

    A name may stand several times in a problem: an allgather is between scattered and replicated
    data, and where that is compared with a gather, also between scattered and rooted.
    """

    def __init__(self, problem: Problem) -> None:
        self.layouts: dict[str, list[Layouts]] = {}
        self.medians: dict[str, float] = {}
        self.fastest: dict[Layouts, list[tuple[float, str]]] = {}
        for contestant in problem["contestants"]:
            name, layouts = contestant["name"], (contestant["from"], contestant["to"])
            self.layouts.setdefault(name, []).append(layouts)
            median = median_of(contestant)
            if median is not None:
                self.medians[name] = median
                self.fastest.setdefault(layouts, []).append((median, name))
        for ways in self.fastest.values():
            ways.sort()

    def between(self, check: Check) -> Layouts | None:
        """The layouts that both sides of a check have in common."""
        right = self.layouts.get(check["right"], [])
        mine = self.layouts.get(check["left"], [])
        return next((layouts for layouts in mine if layouts in right), mine[0] if mine else None)

    def best(self, check: Check) -> Remedy | None:
        """The fastest between the layouts of a check; None if that is its left side."""
        mine, layouts = self.medians.get(check["left"]), self.between(check)
        if mine is None or layouts is None:
            return None
        itself = check["left"].partition("#")[0]
        for median, name in self.fastest[layouts]:
            if name.partition("#")[0] != itself:
                return Remedy(name, mine / median, mine - median) if 0 < median < mine else None
        return None


def remedy_of(check: Check, ways: Ways) -> Remedy | None:
    """What to call instead in a violated check.

    What the report recommends is shown only as long as nothing else between the same layouts was
    faster; else, and in a report of version 1.0, the fastest is computed. Where a later one
    recommends nothing, the fastest was not shown to be faster.
    """
    if check["verdict"] != "violated":
        return None
    best, said = ways.best(check), check.get("remedy")
    if said is None:
        return best if "kind" not in check else None
    advised = ways.medians.get(said["contestant"])
    if best is not None and (
            advised is None or advised > NEGLIGIBLE * ways.medians[best.contestant]):
        return best
    return Remedy(said["contestant"], said["factor"], said["saved_s"], said.get("code", ""))


def advice_of(check: Check, remedy: Remedy | None) -> str:
    """The guideline's own words, unless they are about something slower than the remedy."""
    words = check.get("advice", "")
    if not words or remedy is None:
        return words
    return words if remedy.contestant.partition("#")[0] == check["right"].partition("#")[0] else ""
