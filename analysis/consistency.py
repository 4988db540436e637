# SPDX-License-Identifier: BSD-3-Clause
"""Checks whether a number of a report contradicts the verdict beside it: python3 -m analysis.consistency
REPORT...

Prints every contradiction; the exit code is 1 if there is one. Reports before 1.8 may have some.
"""

import math
import sys
from collections.abc import Iterator, Sequence

from . import units
from .errors import InputError
from .fields import Check, Remedy, Rule
from .heatmap import compared_s, effect
from .reports import Report, read_all


def of_remedy(remedy: Remedy, tolerance: float) -> Iterator[str]:
    name, factor = remedy["contestant"], remedy["factor"]
    if factor <= 1 + tolerance:
        yield f"{name} is advised, with a ratio of {units.ratio(factor)}"
    if "left_s" not in remedy:
        return
    if remedy["left_s"] <= remedy["instead_s"]:
        yield (f"{name} is advised, and takes {units.microseconds(remedy['instead_s'])} us instead of "
               f"{units.microseconds(remedy['left_s'])} us")
    # Each number of a report is rounded.
    if not math.isclose(remedy["saved_s"], remedy["left_s"] * (1 - 1 / factor),
                        abs_tol=1e-3 * remedy["left_s"]):
        yield (f"{name} saves {units.microseconds(remedy['saved_s'])} us of "
               f"{units.microseconds(remedy['left_s'])} us, with a ratio of {units.ratio(factor)}")


def of_check(check: Check, rule: Rule) -> Iterator[str]:
    verdict, ratio, bound = check["verdict"], effect(check), 1 + rule["tolerance"]
    if verdict == "violated" and "left_statistics" in check and "right_statistics" in check:
        left, right = (compared_s(side, rule["criterion"])
                       for side in (check["left_statistics"], check["right_statistics"]))
        if left <= right:
            yield (f"violated, and the left side took {units.microseconds(left)} us, the right side "
                   f"{units.microseconds(right)} us")
    if verdict == "violated" and ratio is not None and ratio <= bound:
        yield f"violated, with a ratio of {units.ratio(ratio)}"
    if verdict == "holds" and ratio is not None and ratio > bound and rule["criterion"] == "evidence":
        yield f"holds, with a ratio of {units.ratio(ratio)}"
    if verdict == "violated" and "remedy" in check:
        yield from of_remedy(check["remedy"], rule["tolerance"])


def contradictions(report: Report) -> list[str]:
    """Returns a line for each number that contradicts the verdict of its check."""
    return [f"{check['left']} <= {check['right']} on {check['problem']}: {words}"
            for check in report.data["checks"] for words in of_check(check, report.data["rule"])]


def main(arguments: Sequence[str]) -> int:
    try:
        reports = read_all(arguments)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    found = [f"{report.path}: {line}" for report in reports for line in contradictions(report)]
    print("\n".join([*found, f"{len(found)} contradictions in {len(reports)} reports"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
