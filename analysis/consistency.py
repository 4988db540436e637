# SPDX-License-Identifier: BSD-3-Clause
"""Checks whether the numbers of a report agree: python3 -m analysis.consistency REPORT...

Prints every number that contradicts the verdict beside it, every number of a row of the overview that differs
between report.json, the page, the screen and JUnit's XML, and every time in the picture of the first row that
differs from `mpiaudit explain`. `mpiaudit judge` makes screen and XML from the samples (the program of
--mpiaudit FILE, of the variable MPIAUDIT, or in the PATH). The exit code is 1 if something differs. Reports
before 1.8 may have contradictions, reports before 2.2 rows that differ.
"""

import argparse
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import merge, shown_rows, units
from .errors import InputError
from .fields import Check, Remedy, Rule
from .heatmap import compared_s, effect
from .page import render
from .reports import Report, read, read_all
from .shown_rows import Shown

# Each number is rounded to three digits where users read it.
ROUNDING = 0.011


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


def differences(shown: Sequence[Shown]) -> Iterator[str]:
    """Yields a line for each number that differs from the first of its kind."""
    first: dict[str, Shown] = {}
    for each in shown:
        known = first.setdefault(each.what, each)
        if not math.isclose(each.value, known.value, rel_tol=ROUNDING):
            is_time = each.what not in ("ratio", "worst")
            words = [f"{units.microseconds(one.value)} us" if is_time else units.ratio(one.value)
                     for one in (known, each)]
            yield f"{each.what} is {words[0]} in {known.place}, {words[1]} in {each.place}"


@dataclass(frozen=True, slots=True)
class Judged:
    """What mpiaudit makes of the samples of a report."""

    report: Report
    screen: str
    junit: str
    explanation: str  # of the first row; empty without rows


def judged_again(report: Report, program: str) -> Judged:
    with tempfile.TemporaryDirectory() as temporary:
        made, junit = Path(temporary) / "report.json", Path(temporary) / "junit.xml"
        command = [program, "judge", *map(str, report.folders), "--report", str(made), "--junit", str(junit),
                   "--fail-on", "violation,communicators", "--color", "never", "--all"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if not made.exists() or not junit.exists():
            raise InputError(f"`{' '.join(command[:2])}` failed with code {done.returncode}: {done.stderr}")
        again = next(read(made))
        explained = subprocess.run([program, "explain", *map(str, report.folders), "S1", "--color", "never"],
                                   capture_output=True, text=True, errors="replace", check=False)
        return Judged(again, done.stdout, junit.read_text(encoding="utf-8"),
                      explained.stdout if again.overview else "")


def points_that_differ(report: Report, page: str, explanation: str) -> list[str]:
    """Returns a line for each size of the first row whose times differ between the picture of the page and
    `mpiaudit explain`."""
    if not report.overview:
        return []
    drawn = shown_rows.points_of_page(shown_rows.findings_of(report, page)[0])
    explained = shown_rows.points_of_explanation(explanation)
    if len(drawn) != len(explained):
        return [f"S1: {len(drawn)} points in the picture of the page, {len(explained)} sizes in mpiaudit "
                "explain"]
    return [f"S1, point {number}: {words}"
            for number, (one, other) in enumerate(zip(drawn, explained, strict=True), 1)
            for words in differences([*one, *other])]


def rows_that_differ(report: Report, program: str | None) -> list[str]:
    """Returns a line for each row whose numbers differ between report.json, page, screen and JUnit."""
    has_samples = all((folder / "samples.jsonl").is_file() for folder in report.folders)
    judged = judged_again(report, program) if program is not None and has_samples else None
    report = judged.report if judged else report
    page = render([report])
    places = [shown_rows.of_report(report), shown_rows.of_page(report, page)]
    lines: list[str] = []
    if judged:
        places += [shown_rows.of_screen(report, judged.screen), shown_rows.of_junit(report, judged.junit)]
        lines += points_that_differ(report, page, judged.explanation)
    for row, *shown in zip(report.overview, *places, strict=True):
        found = list(differences([each for place in shown for each in place]))
        if found:
            lines.append(f"{row['operation']} on {row['problem']}: {'; '.join(found)}")
    return lines


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m analysis.consistency")
    parser.add_argument("reports", nargs="+", metavar="REPORT")
    parser.add_argument("--mpiaudit", metavar="FILE", help="the executable that judges samples")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    options = parsed(arguments)
    try:
        reports = read_all(options.reports)
        program = merge.judge(options.mpiaudit) if options.mpiaudit or merge.is_found() else None
        found = [f"{report.path}: {line}" for report in reports for line in contradictions(report)]
        rows = [(report, rows_that_differ(report, program)) for report in reports
                if "operations" in report.data]
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    differing = [f"{report.path}: {line}" for report, lines in rows for line in lines]
    if program is None:
        print("mpiaudit is not on the PATH: neither screens nor JUnit's XML were compared (--mpiaudit FILE)")
    print("\n".join([*found, *differing, f"{len(found)} contradictions in {len(reports)} reports",
                     f"{len(differing)} of {sum(len(report.overview) for report, _ in rows)} rows differ"]))
    return 1 if found or differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
