# SPDX-License-Identifier: BSD-3-Clause
"""What a check is a statement about, and what its user had better call.

A check with an operation of the library on its left side is a verdict on the library. One with a
reference algorithm there is a remark: it tells where that algorithm is slow, accuses nobody, and
is neither counted as a violation nor a reason for a gate to close.
"""

import re
from dataclasses import dataclass
from typing import Literal

from .fields import VERDICTS, Check, Verdict

Kind = Literal["verdict", "remark"]
# What is shown of a check: its verdict, but a violated remark is no violation.
Status = Literal["violated", "undecided", "holds", "skipped", "remark"]
STATUSES: tuple[Status, ...] = (*VERDICTS, "remark")
# The same on the console, in tables, plots and pages.
SIGNS: dict[Status, str] = {"violated": "!", "undecided": "?", "holds": "", "skipped": "–",
                            "remark": "~"}


def status_of(verdict: Verdict, kind: Kind) -> Status:
    return "remark" if verdict == "violated" and kind == "remark" else verdict


@dataclass(frozen=True, slots=True)
class Remedy:
    """The fastest way to which guidelines lead from the left side of a violated check."""

    contestant: str
    factor: float  # how many times as long the left side takes
    saved_s: float  # by each call
    code: str = ""  # a line to paste; empty where the report has none


def remedy_of(check: Check) -> Remedy | None:
    """What to call instead in a violated check, where the report recommends something."""
    said = check.get("remedy")
    if said is None:
        return None
    return Remedy(said["contestant"], said["factor"], said["saved_s"], said.get("code", ""))


def advice_of(check: Check, remedy: Remedy | None) -> str:
    """The guideline's own words, unless they are about something slower than the remedy."""
    words = check.get("advice", "")
    if not words or remedy is None:
        return words
    return words if remedy.contestant.partition("#")[0] == check["right"].partition("#")[0] else ""


def operation_of(left: str) -> str:
    """MPI_Scatter + MPI_Allgather of MPI_Scatter(m) + MPI_Allgather(m), as the console has it."""
    return re.sub(r"\([^)]*\)?", "", left.partition("#")[0])
