# SPDX-License-Identifier: BSD-3-Clause
"""What a row of a page's table opens, as `mpiaudit explain` has it: times over sizes, conditions, how sure
the row is, what to do instead, and commands."""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from . import page_words, units
from .fields import Check, OverviewRow, Problem, Verdict
from .heatmap import compared_s, effect
from .page_operations import Operation
from .reports import Report

ROOTED = re.compile(r"MPI_I?(gatherv?|scatterv?|bcast|reduce)(_init)?(?![a-z_])", re.IGNORECASE)
REDUCING = re.compile("reduce|scan", re.IGNORECASE)
# The commands of a report begin with how its launcher starts the ranks.
SUBCOMMAND = " run "


@dataclass(frozen=True, slots=True)
class Compared:
    """The times of an operation and of another way on one problem, in seconds, with their ratio."""

    way: str
    takes_s: float
    instead_s: float
    ratio: float


@dataclass(frozen=True, slots=True)
class Point:
    """An operation on one problem: the check with the largest ratio, and the check against the replacement of
    the row."""

    problem: Problem
    bytes: int | None
    largest: Compared
    instead: Compared | None
    verdict: Verdict


def compared(check: Check, criterion: str) -> list[Compared]:
    """Returns the times of a measured check: of its right side and of its remedy."""
    ratio = effect(check)
    if not ratio:
        return []
    takes_s, found = compared_s(check["left_statistics"], criterion), []
    remedy = check.get("remedy")
    if remedy is None or remedy["contestant"] != check["right"]:
        found.append(Compared(check["right"], takes_s, takes_s / ratio, ratio))
    if remedy is not None and "left_s" in remedy:
        found.append(Compared(remedy["contestant"], remedy["left_s"], remedy["instead_s"], remedy["factor"]))
    return found


def checks_by_operation(report: Report) -> dict[str, list[Check]]:
    found: dict[str, list[Check]] = {}
    for check in report.verdicts:
        if "left_statistics" in check:
            found.setdefault(report.operation(check["left"]), []).append(check)
    return found


def bytes_of(problem: Problem, row: OverviewRow) -> int | None:
    """Returns the bytes of one block or of all blocks, as the row counts them; None without data."""
    if "bytes" not in row:
        return None
    everything = problem["total"] * problem["element_bytes"]
    return everything // max(1, problem["ranks"]) if row["is_per_block"] else everything


def point_of(checks: list[Check], problem: Problem, row: OverviewRow, criterion: str) -> Point | None:
    """Returns the point of all checks of an operation on one problem; None if they have no times."""
    times = [each for check in checks for each in compared(check, criterion)]
    if not times:
        return None

    verdicts = {check["verdict"] for check in checks}
    times.sort(key=lambda each: -each.ratio)
    instead = [each for each in times if each.way == row.get("contestant")]
    return Point(problem, bytes_of(problem, row), times[0], instead[0] if instead else None,
                 "violated" if "violated" in verdicts else "holds" if "holds" in verdicts else "undecided")


def points_of(operation: Operation) -> list[Point]:
    """Returns the points of a row in ascending sizes."""
    report, row = operation.report, operation.row
    by_problem: dict[str, list[Check]] = {}
    for check in report.once(checks_by_operation).get(operation.name, []):
        by_problem.setdefault(check["problem"], []).append(check)
    criterion = report.data["rule"]["criterion"]
    made = (point_of(checks, report.problems[problem], row, criterion)
            for problem, checks in by_problem.items())
    return sorted((each for each in made if each is not None),
                  key=lambda each: (each.bytes or 0, each.problem["id"]))


def where(operation: Operation) -> str:
    """Returns the problem of the row in the words of MPI: 2 MiB; blocks: spikes; MPI_DOUBLE, MPI_MAX, root 0.
    """
    row, report = operation.row, operation.report
    problem, name = report.problems[row["problem"]], operation.name
    size = bytes_of(problem, row)
    parts = [] if size is None else [units.amount_of_bytes(size)]
    if size is not None and (row["is_per_block"] or "reduce_scatter" in name.lower()):
        parts.append(f"blocks: {page_words.blocks_of(report, problem)}")
    words = [page_words.name_in_mpi(problem["element"])]
    if REDUCING.search(name) and "operator" in problem:
        words.append(page_words.name_in_mpi(problem["operator"]))
    if ROOTED.match(name):
        words.append(f"root {problem['root']}")
    buffers = report.data["options"].get("buffers")
    words += [f"buffers: {buffers}"] if buffers else []
    return "; ".join([*parts, ", ".join(words)])


def sure(operation: Operation, evidence: Callable[[Check], str]) -> str:
    """Returns how many launches say so, and the interval of the row's ratio."""
    row, check, report = operation.row, operation.check, operation.report
    launches = check.get("launches", [])
    if launches:
        accusing = sum(each["verdict"] == "violated" for each in launches)
        text = f"{accusing} of {page_words.launches(len(launches))} that compared the two ways say so"
    elif report.is_simulated:
        return "a simulation repeats itself exactly"
    else:
        text = f"one launch{', ' if evidence(check) else ''}{evidence(check)}"
    if "factor_low" in row and "factor_high" in row:
        low, high = units.ratio(row["factor_low"]), units.ratio(row["factor_high"])
        text += f"; the ratio lies within {low} to {high}"
    return text


def setting_in_words(operation: Operation) -> str:
    """Returns for which size a setting was measured, and where it harms; empty if this is not known."""
    setting = operation.faster_setting
    if setting is None:
        return ""
    size = f" at {units.amount_of_bytes(setting['bytes'])}" if "bytes" in setting else ""
    text = f"a call takes {units.microseconds(setting['saved_s'])} µs less{size}"
    if setting.get("slower_at_bytes"):
        slower = ", ".join(units.amount_of_bytes(each) for each in setting["slower_at_bytes"])
        text += f", but more at {slower}: {100 * (setting['slower_by'] - 1):.0f} % more"
    return text


def commands_of(operation: Operation) -> list[tuple[str, str]]:
    """Returns commands with what they are for: that measure the row again, and that makes a C program."""
    report, check, found = operation.report, operation.check, []
    folders = [str(folder) for folder in report.folders]
    again = check.get("reproduce")
    if again:
        found.append(("Measure again", again))
    start, subcommand, _ = (again or "").partition(SUBCOMMAND)
    if subcommand and not report.is_simulated:
        found.append(("In a new launch",
                      f"{start} run --confirm {shlex.quote(folders[0])} --row {operation.code}"))
    if not operation.row.get("lacks_program"):
        found.append(("C program", f"mpiaudit reproduce {shlex.join(folders)} --row {operation.code} "
                                   f"--output {operation.code}.c"))
    return found
