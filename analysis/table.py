# SPDX-License-Identifier: BSD-3-Clause
"""The command `table`: problems down, implementations across, as in the papers."""

import argparse
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from . import latex, output, units
from .contestants import (
    Collectives,
    by_name,
    choose_problems,
    collectives_of,
    distributions_of,
)
from .errors import InputError
from .fields import Check, Contestant, Statistics
from .reports import Report, read_all
from .sheet import SIGNS, Cell, Heading, Row, Sheet, to_csv, to_markdown, to_text
from .marks import JUDGED, MARKS, Mark, mark_of
from .page_words import plural
from .violated_rows import violated_sheets

EXAMPLES = """examples:
  python3 -m analysis table results/laptop
  python3 -m analysis table results/laptop --rows violated
  python3 -m analysis table results/laptop --collective gather --distribution spikes
  python3 -m analysis table results/*/report.json --guideline irregular-2
  python3 -m analysis table results/laptop --format latex --standalone -o gather.tex \\
      --column "MPI_Gather(m)" --column "Guideline (2)=MPI_Allreduce(1) + MPI_Gather(m')"

Marks stand beside the numbers of the left side of a guideline. They are the verdicts of the report:
  !  violated            ?  undecided
  *  violated by the evidence of all rounds, and this number does not say so
  ^  the average is larger by more than the tolerance, and the evidence does not accuse
  ~  a reference algorithm of mpiaudit is slower than another way: nothing about the library
The audit's rule decides which numbers are judged: all of them by evidence; with --judge averages or
minima each by itself. Times are in microseconds, with as many digits as on the console; b and m in
elements, and m in bytes. Problems with the same blocks are measured once; each has a row."""

MOST_NOTES = 8
MOST_CELLS = 2000
STATISTICS = {"average": "avg", "minimum": "min", "median": "median", "interval": "95% interval"}


def value(statistics: Statistics, name: str, time: Callable[[float], str]) -> str:
    if name == "interval":
        return f"{time(statistics['mean_low_s'])}-{time(statistics['mean_high_s'])}"
    # the minimum of all samples, as in the paper; older reports have the minimum without outliers
    if name == "minimum":
        return time(statistics.get("raw_minimum_s", statistics["minimum_s"]))
    key = {"average": "mean_s", "median": "median_s"}[name]
    return time(statistics[key])  # type: ignore[literal-required]


def marks_of(report: Report, checks: Iterable[Check],
             statistics: Iterable[str]) -> dict[tuple[str, str, str], Mark]:
    """Returns the mark of each left side, by problem, name and statistic; the worst mark of its checks."""
    marks: dict[tuple[str, str, str], Mark] = {}
    for check in checks:
        for statistic in statistics:
            mark = mark_of(check, report.data["rule"], statistic)
            key = (check["problem"], check["left"], statistic)
            if mark and MARKS.index(mark) < MARKS.index(marks.get(key, MARKS[-1])):
                marks[key] = mark
            elif mark:
                marks.setdefault(key, mark)
    return marks


def cells_of(contestant: Contestant | None, statistics: list[str], marks: list[Mark],
             time: Callable[[float], str]) -> list[Cell]:
    if contestant is None or "statistics" not in contestant:
        return [Cell("wrong" if contestant and "wrong" in contestant else "-")
                for _ in statistics]
    return [Cell(value(contestant["statistics"], name, time), mark)
            for name, mark in zip(statistics, marks, strict=True)]


WORDS: dict[Mark, str] = {
    "violated": "violates", "remark": "of a reference algorithm, no verdict:",
    "evidence only": "violated by the evidence of all rounds, not by this number:",
    "number only": "the average is larger by more than the tolerance, the evidence does not accuse:",
    "undecided": "undecided:"}


def problems_in_words(counts: dict[str, int]) -> str:
    """Returns "4 problems" or "4 problems by avg, 5 by min"."""
    numbers = set(counts.values())
    if len(numbers) == 1:
        return plural(numbers.pop(), "problem")
    first, *others = counts.items()
    return ", ".join([f"{plural(first[1], 'problem')} by {STATISTICS[first[0]]}",
                      *(f"{count} by {STATISTICS[statistic]}" for statistic, count in others)])


def notes_of(checks: list[Check], report: Report, statistics: list[str],
             skipped: int) -> list[tuple[str, str]]:
    """Returns the meaning of the marks: for violations each guideline with its number of problems by each
    judged statistic, for other marks the number of checks."""
    rule = report.data["rule"]
    judged = [each for each in statistics if each in JUDGED[rule["criterion"]]]
    found: dict[Mark, dict[str, Counter[str]]] = {}
    checks_with: Counter[Mark] = Counter()
    for check in checks:
        marks = {statistic: mark_of(check, rule, statistic) for statistic in judged}
        checks_with.update(set(marks.values()))
        for statistic, mark in marks.items():
            found.setdefault(mark, {}).setdefault(check["guideline"], Counter())[statistic] += 1
    notes = []
    for mark in MARKS:
        if mark not in found:
            continue
        if mark not in ("violated", "remark"):
            notes.append((SIGNS[mark], f"{WORDS[mark]} {plural(checks_with[mark], 'check')}"))
            continue
        guidelines = sorted(found[mark].items(), key=lambda item: -max(item[1].values()))
        for name, counts in guidelines[:MOST_NOTES]:
            told = problems_in_words({each: counts[each] for each in judged})
            notes.append((SIGNS[mark],
                          f"{WORDS[mark]} {report.guidelines[name]['statement']} [{name}]: {told}"))
        if len(guidelines) > MOST_NOTES:
            notes.append((SIGNS[mark], f"and {len(guidelines) - MOST_NOTES} other guidelines"))
    if skipped:
        notes.append(("-", "not measured: the implementation was skipped or does not apply"))
    return notes


def sheet_of(report: Report, columns: list[tuple[str, str]], checks: list[Check],
             options: argparse.Namespace, subject: str) -> Sheet:
    """Returns the sheet of one report; columns are pairs of heading and contestant."""
    marks = marks_of(report, checks, options.statistics)
    time = units.exact_microseconds if options.format == "csv" else units.microseconds
    rows, blanks = [], 0
    problems = choose_problems(report, options.distribution, options.size, twice=True)
    for group in distributions_of(problems).values():
        starts_group = True
        for problem in group:
            found = by_name(problem, {name for _, name in columns})
            cells: list[Cell] = []
            for _, name in columns:
                own = [marks.get((problem["id"], name, each), "") for each in options.statistics]
                cells += cells_of(found.get(name), options.statistics, own, time)
            if all(cell.text == "-" for cell in cells):
                continue
            blanks += any(cell.text == "-" for cell in cells)
            amount = problem["total"] * problem["element_bytes"]
            stub = (problem["distribution"], str(problem["block_size"]), str(problem["total"]),
                    str(problem["padded_total"]),
                    str(amount) if options.format == "csv" else units.amount_of_bytes(amount))
            rows.append(Row(stub, tuple(cells), starts_group))
            starts_group = False
    names = tuple(STATISTICS[name] for name in options.statistics)
    caption = (f"{subject}{report.title}; times in µs; b, m and m' in elements of "
               f"{problems[0]['element']}, bytes of m")
    return Sheet(caption, ("Problem", "b", "m", "m'", "bytes"),
                 [Heading(heading, names) for heading, _ in columns], rows,
                 notes_of(checks, report, options.statistics, blanks))


def named_columns(report: Report, wanted: list[str]) -> list[tuple[str, str]]:
    """Returns columns from --column NAME or HEADING=NAME; a name may leave out its (m)."""
    known = list(dict.fromkeys(name for _, name in report.contestants))
    columns = []
    for item in wanted:
        heading, equals, name = item.partition("=")
        target = name if equals else item
        match = next((name for name in known if target in (name, report.label(name))), None)
        if match is None:
            raise InputError(f"{report.path}: no implementation {target!r}; it has "
                             f"{', '.join(known)}")
        columns.append((heading if equals else report.label(match), match))
    return columns


def guideline_columns(report: Report, wanted: list[str],
                      ) -> tuple[list[tuple[str, str]], list[Check]]:
    """Returns the left sides and then the right sides of these guidelines, and their checks."""
    for name in wanted:
        if name not in report.guidelines:
            raise InputError(f"{report.path}: no guideline {name!r}; it has "
                             f"{', '.join(report.guidelines)}")
    checks = [check for check in report.data["checks"] if check["guideline"] in wanted]
    names = dict.fromkeys([*(check["left"] for check in checks),
                           *(check["right"] for check in checks)])
    return [(report.label(name), name) for name in names], checks


def chosen_collectives(collectives: Collectives, wanted: list[str] | None) -> list[str]:
    return [collectives.find(name) for name in wanted] if wanted else list(collectives.members)


def sheets_of(report: Report, options: argparse.Namespace) -> list[Sheet]:
    """Returns one sheet for the chosen columns, or one for each collective."""
    if options.column or options.guideline:
        columns, checks = guideline_columns(report, options.guideline or [])
        if not options.guideline:
            checks = report.data["checks"]
        if options.column:
            columns = named_columns(report, options.column)
        shown = {name for _, name in columns}
        problems = {problem["id"] for problem in
                    choose_problems(report, options.distribution, options.size, twice=True)}
        checks = [check for check in checks
                  if check["left"] in shown and check["problem"] in problems]
        return [sheet_of(report, columns, checks, options, "")]
    collectives = collectives_of(report)
    problems = {problem["id"] for problem in
                choose_problems(report, options.distribution, options.size, twice=True)}
    return [
        sheet_of(report, [(report.label(name), name) for name in collectives.members[collective]],
                 [check for check in collectives.checks[collective]
                  if check["problem"] in problems], options, f"{collective}: ")
        for collective in chosen_collectives(collectives, options.collective)
    ]


def chosen_sheets(report: Report, options: argparse.Namespace) -> list[Sheet]:
    """Returns all rows; of a very large report, the rows of violations."""
    sheets = [sheet for sheet in sheets_of(report, options) if sheet.rows]
    is_narrowed = options.column or options.guideline or options.collective
    cells = sum(len(row.cells) for sheet in sheets for row in sheet.rows)
    if options.rows == "all" or (options.rows is None and (is_narrowed or cells <= MOST_CELLS)):
        return sheets
    problems = choose_problems(report, options.distribution, options.size, twice=False)
    return violated_sheets(report, problems, options.format == "csv")


def statistics_list(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in STATISTICS:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(STATISTICS)}")
    return names


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "table", help="tables as in the papers: text, Markdown, CSV, LaTeX", epilog=EXAMPLES,
        description="Prints a table for each report and collective: a row per problem, average "
                    "and minimum per implementation, violations marked.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT",
                        help="report.json, the folder that holds it, or a scaling document")
    parser.add_argument("--format", choices=["text", "markdown", "csv", "latex"], default="text")
    parser.add_argument("--guideline", action="append", metavar="ID",
                        help="columns are the two sides of this guideline; may be repeated")
    parser.add_argument("--column", action="append", metavar="[HEADING=]NAME",
                        help="an implementation as a column; may be repeated")
    parser.add_argument("--collective", action="append", metavar="NAME",
                        help="only this collective; may be repeated")
    parser.add_argument("--distribution", action="append", metavar="NAME",
                        help="only problems of this distribution; may be repeated")
    parser.add_argument("--size", action="append", type=int, metavar="B",
                        help="only problems of this block size; may be repeated")
    parser.add_argument("--rows", choices=["violated", "all"], default=None,
                        help="violated: a row for each operation of the library and problem on which it is "
                             f"violated; default: all if at most {MOST_CELLS} numbers, else violated")
    parser.add_argument("--statistics", type=statistics_list, default=["average", "minimum"],
                        metavar="LIST", help=f"of {','.join(STATISTICS)}; default "
                                             "average,minimum")
    parser.add_argument("--width", type=int, default=None, metavar="COLUMNS",
                        help="fold text at this width, 0: never; default that of the terminal")
    parser.add_argument("--standalone", action="store_true",
                        help="LaTeX: a complete document instead of tables to include")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def rendered(sheets: list[Sheet], options: argparse.Namespace) -> str:
    if options.format == "latex":
        bodies = [latex.to_latex(sheet, options.standalone) for sheet in sheets]
        return latex.document(bodies) if options.standalone else "\n".join(bodies)
    if options.format == "text":
        width = options.width
        if width is None:
            width = shutil.get_terminal_size((80, 24)).columns
        is_coloured = (options.output is None and sys.stdout.isatty()
                       and "NO_COLOR" not in os.environ)
        return "\n".join(to_text(sheet, width, is_coloured) for sheet in sheets)
    to_format = {"markdown": to_markdown, "csv": to_csv}[options.format]
    return "\n".join(to_format(sheet) for sheet in sheets)


def run(options: argparse.Namespace) -> int:
    sheets = [sheet for report in read_all(options.reports) for sheet in chosen_sheets(report, options)]
    if not any(sheet.rows for sheet in sheets):
        raise InputError("no problem with a measured implementation is left by these options, or with "
                         "--rows violated no violation")
    text = rendered(sheets, options)
    output.give(text, options.output)
    return 0
