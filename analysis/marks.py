# SPDX-License-Identifier: BSD-3-Clause
"""How tables, plots and pages mark a check and the numbers of its left side.

A check with an operation of the library on its left side is a verdict on the library. A check with a
reference algorithm on its left side is a remark: the remark tells where the algorithm is slow, is not
counted as a violation, and fails no gate.
"""

from typing import Literal

from .fields import VERDICTS, Check, Rule, Verdict

Kind = Literal["verdict", "remark"]
# The verdict of a check; a violated remark is no violation.
Status = Literal["violated", "undecided", "holds", "skipped", "remark"]
STATUSES: tuple[Status, ...] = (*VERDICTS, "remark")
# Signs on the console, in tables, plots and pages.
SIGNS: dict[Status, str] = {"violated": "!", "undecided": "?", "holds": "", "skipped": "–",
                            "remark": "~"}


def status_of(verdict: Verdict, kind: Kind) -> Status:
    return "remark" if verdict == "violated" and kind == "remark" else verdict


# The mark of a number in a table. `evidence only`: the evidence of all rounds violates the guideline, and
# this number alone does not. `number only`: this number alone violates the guideline, and the evidence does
# not.
Mark = Literal["", "violated", "undecided", "remark", "evidence only", "number only"]
# If checks of one left side have different marks, the first of these is shown.
MARKS: tuple[Mark, ...] = ("violated", "remark", "evidence only", "number only", "undecided")
# The numbers that each rule judges. The evidence judges the rounds, so its verdict is about all numbers.
JUDGED = {
    "evidence": frozenset({"average", "minimum", "median", "interval"}),
    "averages": frozenset({"average", "minimum", "interval"}),
    "minima": frozenset({"average", "minimum"}),
    "intervals": frozenset({"average", "interval"}),
    "pgmpi": frozenset({"median"}),
}
COMPARED: dict[str, Literal["averages", "minima"]] = {"average": "averages", "minimum": "minima"}


def _compared(check: Check, statistic: str, tolerance: float) -> Verdict | None:
    """Returns the verdict of a report before 1.8, which has no `verdicts`; None for several launches."""
    left, right = check.get("left_statistics"), check.get("right_statistics")
    if left is None or right is None or "launches" in check:
        return None
    if statistic == "average":
        times = left["mean_s"], right["mean_s"]
    else:
        times = (left.get("raw_minimum_s", left["minimum_s"]),
                 right.get("raw_minimum_s", right["minimum_s"]))
    return "violated" if times[0] > (1 + tolerance) * times[1] else "holds"


def verdict_on(check: Check, rule: Rule, statistic: str) -> Verdict | None:
    """Returns the verdict of comparing one statistic of both sides; None if the report has none."""
    if statistic not in COMPARED or check["verdict"] == "skipped":
        return None
    if "verdicts" in check:
        return check["verdicts"][COMPARED[statistic]]
    if rule["criterion"] not in COMPARED.values():
        return None
    return _compared(check, statistic, rule["tolerance"])


def mark_of(check: Check, rule: Rule, statistic: str) -> Mark:
    """Returns the mark of one statistic of the left side of a check, for all tables.

    Rules of papers compare each number by itself. The evidence judges all rounds; a mark tells if a number
    alone says something else.
    """
    criterion, verdict = rule["criterion"], check["verdict"]
    if statistic not in JUDGED[criterion]:
        return ""
    own = verdict_on(check, rule, statistic)
    if criterion in COMPARED.values() and own is not None:
        verdict = own
    if check["kind"] == "remark":
        return "remark" if verdict == "violated" else ""
    if verdict == "violated":
        return "evidence only" if criterion == "evidence" and own not in (None, "violated") else "violated"
    # Minima are noisy, and accuse operations that nothing else accuses: so the paper prefers averages.
    if criterion == "evidence" and statistic == "average" and own == "violated":
        return "number only"
    return "undecided" if verdict == "undecided" else ""
