# SPDX-License-Identifier: BSD-3-Clause
"""The command `rank`: which way is the fastest under which conditions.

Every report is one condition: an arrival pattern, a heap, cold buffers, a library. Of each problem
that all of them have, all ways between the same two layouts are ranked by their medians.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence

from . import units
from .compare_conditions import CONDITIONS
from .errors import InputError
from .fields import Problem
from .operations import problems_of
from .reports import Report, read
from .sheet import Cell, Heading, Row, Sheet, add_output_options, give

EXAMPLES = """examples:
  python3 -m analysis rank together sorted one-late
  python3 -m analysis rank young grown --limit 3 --format markdown

The reports are audits of the same problems under different conditions, for instance
  mpirun -n 4 mpiaudit run --guidelines reference --arrivals sorted --output sorted
A cell is the median time in microseconds, and its place among all ways between these layouts."""

# Medians of the contestants of a problem, by layouts and name.
Ways = dict[tuple[str, str], dict[str, float]]


def conditions(reports: Sequence[Report]) -> list[str]:
    """Returns the conditions that differ between the reports: options, else libraries, else files."""
    sides = [{name: report.data.get("options", {}).get(name, absent)
              for name, absent in CONDITIONS.items()} for report in reports]
    differing = [name for name in CONDITIONS if len({str(side[name]) for side in sides}) > 1]
    if "arrivals" in differing:  # arrivals choose the clock, too
        differing = [name for name in differing if name != "sync"]
    titles = [", ".join(f"{name} {side[name] or 'none'}" for name in differing) for side in sides]
    for others in ([report.library for report in reports], [str(report.path) for report in reports]):
        if len(set(titles)) < len(titles):
            titles = others
    return titles


def ways_of(report: Report, problem: Problem) -> Ways:
    ways: Ways = defaultdict(dict)
    for contestant in problem["contestants"]:
        parts = report.names.get(contestant["name"])
        # A second copy measures the audit itself.
        if "statistics" in contestant and not (parts and parts.get("is_copy")):
            layouts = (contestant["from"], contestant["to"])
            ways[layouts][contestant["name"]] = contestant["statistics"]["median_s"]
    return ways


def rows_of(report: Report, problem: Problem, layouts: tuple[str, str],
            sides: list[dict[str, float]], most: int) -> list[Row]:
    """Returns the best ways under any of the conditions, the best way under the first condition first."""
    places = [{name: place for place, name in enumerate(sorted(side, key=side.__getitem__), 1)}
              for side in sides]
    common = [name for name in places[0] if all(name in side for side in places)]
    shown = [name for name in common
             if most == 0 or min(side[name] for side in places) <= most]
    return [Row((problem["id"] if index == 0 else "",
                 f"{layouts[0]} -> {layouts[1]}" if index == 0 else "", report.label(name)),
                tuple(Cell(text) for side, place in zip(sides, places)
                      for text in (units.microseconds(side[name]), str(place[name]))), index == 0)
            for index, name in enumerate(shown) if len(common) > 1]


def ranking(reports: Sequence[Report], most: int) -> Sheet:
    known = [problems_of(report) for report in reports]
    rows: list[Row] = []
    for key, problem in known[0].items():
        if not all(key in side for side in known):
            continue
        sides = [ways_of(report, side[key]) for report, side in zip(reports, known, strict=True)]
        for layouts in sides[0]:
            if all(layouts in side for side in sides):
                rows += rows_of(reports[0], problem, layouts, [side[layouts] for side in sides], most)
    if not rows:
        raise InputError("the reports have no problem in common with two ways that all of them "
                         "measured: only the same distribution, sizes and ranks can be compared")
    return Sheet("Medians in µs, and places", ("Problem", "Layouts", "Way"),
                 [Heading(title, ("median", "place")) for title in conditions(reports)], rows,
                 left_aligned=3)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "rank", help="which way is the fastest under which conditions", epilog=EXAMPLES,
        description="Ranks the ways of each problem in several audits.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", metavar="REPORT", nargs="+")
    add_output_options(parser)
    parser.add_argument("--limit", type=int, default=5, metavar="N",
                        help="only ways that reach this place under some condition; 0: all; default 5")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    reports = [report for argument in options.reports for report in read(argument)]
    sheet = ranking(reports, options.limit)
    give(sheet, options)
    return 0
