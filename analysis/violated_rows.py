# SPDX-License-Identifier: BSD-3-Clause
"""The table of violations: a row for each operation and problem on which the operation is violated."""

from collections.abc import Sequence

from . import units
from .fields import Check, Problem
from .heatmap import effect
from .reports import Report
from .sheet import Cell, Heading, Row, Sheet


def worst_checks(report: Report, problems: Sequence[Problem]) -> list[Check]:
    """Returns the violated check with the largest ratio for each operation and problem, operation by
    operation."""
    chosen = {problem["id"]: place for place, problem in enumerate(problems)}
    worst: dict[tuple[str, str], Check] = {}
    for check in report.violations:
        key = (check["left"], check["problem"])
        if check["problem"] in chosen and (
                key not in worst or (effect(check) or 0.0) > (effect(worst[key]) or 0.0)):
            worst[key] = check
    operations = list(dict.fromkeys(left for left, _ in worst))
    return sorted(worst.values(),
                  key=lambda check: (operations.index(check["left"]), chosen[check["problem"]]))


def instead(check: Check) -> str:
    """Returns the name of the remedy, else of the right side of the check."""
    return check["remedy"]["contestant"] if "remedy" in check else check["right"]


def row_of(report: Report, check: Check, is_exact: bool) -> Row:
    time = units.exact_microseconds if is_exact else units.microseconds
    problem = report.problems[check["problem"]]
    amount = problem["total"] * problem["element_bytes"]
    remedy = check.get("remedy")
    factor = remedy["factor"] if remedy else effect(check)
    other = instead(check)
    if not is_exact:
        other = other.replace("MPI_", "").replace("(m)", "")
    return Row((problem["id"], str(amount) if is_exact else units.amount_of_bytes(amount)),
               (Cell(time(check["left_statistics"]["median_s"]), "violated"),
                Cell("" if factor is None else repr(factor) if is_exact else f"{factor:.2f}"),
                Cell(time(remedy["saved_s"]) if remedy else ""), Cell(other)), starts_group=True)


def violated_sheets(report: Report, problems: Sequence[Problem], is_exact: bool) -> list[Sheet]:
    """Returns a sheet for each operation: its median, the ratio to the faster way, and what that way saves
    per call, in microseconds. For programs returns one sheet with exact times."""
    headings = [Heading(name) for name in ("median", "times", "saves", "instead")]
    rows: dict[str, list[Row]] = {}
    for check in worst_checks(report, problems):
        rows.setdefault(report.label(check["left"]), []).append(row_of(report, check, is_exact))
    if is_exact:
        together = [Row((name, *row.stub), row.cells, starts_group=True)
                    for name, of_name in rows.items() for row in of_name]
        return [Sheet(report.title, ("Operation", "Problem", "bytes"), headings, together, left_aligned=2)]
    sheets = [Sheet(name, ("Problem", "bytes"), headings, of_name) for name, of_name in rows.items()]
    for sheet in sheets[:1]:
        sheet.caption += (f", {report.title}: violations; median and savings per call in µs, bytes of all "
                          "blocks, names without MPI_")
    for sheet in sheets[-1:]:
        sheet.notes = [("!", "slower than the way beside it"),
                       ("", "--rows all prints every problem and way; --collective gather those of gather")]
    return sheets
