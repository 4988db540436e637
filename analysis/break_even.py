# SPDX-License-Identifier: BSD-3-Clause
"""The command `break-even`: from how many uses on a persistent operation pays.

An audit of the guidelines `amortised` has measured each operation as it is, its persistent form
started, and the same initialised, started and freed at once. The difference of the last two is what
the initialisation takes.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from . import units
from .errors import InputError
from .fields import Problem
from .reports import Report, read
from .sheet import Cell, Heading, Row, Sheet, add_output_options, give

EXAMPLES = """examples:
  python3 -m analysis break-even results/amortised
  python3 -m analysis break-even results/amortised --format csv -o uses.csv

The report is of an audit such as
  mpirun -n 4 mpiaudit run --guidelines amortised --output results/amortised
Times are medians in microseconds. k uses pay off if the initialisation and k starts take no longer
than k calls of the usual operation."""


class Times(NamedTuple):
    """Medians in seconds."""

    usual: float
    once: float
    started: float

    def break_even(self) -> int | None:
        """Returns the number of uses; None if no number is enough."""
        if self.once <= self.usual:
            return 1
        gain = self.usual - self.started
        return max(2, math.ceil((self.once - self.started) / gain)) if gain > 0 else None


def operations(report: Report, problem: Problem) -> Iterator[tuple[str, Times]]:
    """The operations of a problem that were measured in all three forms."""
    medians: dict[str, dict[str, float]] = {}  # seconds, by function and start
    for each in problem["contestants"]:
        parts = report.names.get(each["name"])
        if parts and "start" in parts and "statistics" in each:
            medians.setdefault(parts["function"], {})[parts["start"]] = each["statistics"]["median_s"]
    for function, starts in medians.items():
        if {"blocking", "persistent", "persistent once"} <= starts.keys():
            yield function, Times(starts["blocking"], starts["persistent once"], starts["persistent"])


def row(problem: str, operation: str, times: Times, is_first: bool) -> Row:
    uses = times.break_even()
    initialisation = max(0.0, times.once - times.started)
    cells = [units.microseconds(each) for each in (times.usual, times.started, initialisation)]
    cells.append("never" if uses is None else str(uses))
    return Row((problem if is_first else "", operation), tuple(map(Cell, cells)), is_first)


def break_even(reports: Sequence[Report]) -> Sheet:
    rows = [row(problem["id"], operation, times, index == 0)
            for report in reports for problem in report.data["problems"]
            for index, (operation, times) in enumerate(operations(report, problem))]
    if not rows:
        older = next((report for report in reports if "names" not in report.data), None)
        raise InputError("no persistent operation was measured in all three ways: "
                         + ("audit with --guidelines amortised" if older is None else
                            f"an older mpiaudit wrote {older.path}; {older.judged_again()}"))
    return Sheet("Medians in µs, and from how many uses on the persistent operation pays",
                 ("Problem", "Operation"),
                 [Heading(title, ("",)) for title in ("usual", "a start", "initialised", "uses")],
                 rows, left_aligned=2)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "break-even", help="after how many uses a persistent operation pays", epilog=EXAMPLES,
        description="Says what the initialisation of a persistent operation takes, and how many "
                    "uses pay for it.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", metavar="REPORT", nargs="+")
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    sheet = break_even([report for argument in options.reports for report in read(argument)])
    give(sheet, options)
    return 0
