# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the irregular-gather paper (Träff 2017): its own, or simulated audits beside them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from . import audit_files, reports
from .__main__ import main as show
from .errors import InputError
from .paper_agreement import agreements_text, conclusions
from .paper_libraries import Report, as_one_library, joined, library_of
from .paper_rows import (COLUMNS, HEADINGS, IN_PLACE, LIBRARIES, OTHER_SIDES, PAPER, RANKS, Row, Times,
                         empty_lines, empty_sides, paper_figures, paper_lines, rows_of)

# "Too numerous and not shown" in the paper.
UNMARKED = range(7, 11)


def number(times: Times, column: str, marked: bool, is_empty: bool) -> str:
    """Returns a time with four significant digits, with ! if it violates the guideline of its column."""
    if column not in times:
        return f"{'empty' if is_empty else '-':>8} "
    value = times[column]
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2
    return f"{value:8.{digits}f}{'!' if marked else ' '}"


def table_text(report: Report, table: int) -> str:
    """Returns the table and the paper's conclusions, for the paper and the audit."""
    rows = rows_of(report, table)
    tolerance = report["rule"]["tolerance"]
    ranks = report["machine"]["ranks"]
    library = LIBRARIES.get(table, "Intel MPI")
    lines = [f"Table {table}: simulated on {ranks} ranks, {report['mpi']['library']};",
             f"right of each figure the minimum that the paper has for {library} on "
             f"{RANKS.get(table, 6400)} ranks."]
    lines += [f"{ours} is in the place of {theirs}."
              for theirs, ours in IN_PLACE.get(table, {}).items()]
    stood = library_of(report, table)
    lines += stood.summaries
    if stood.name:
        lines.append(f"Rows of this table to which they are fitted: {len(stood.fitted)}"
                     + (" (marked *)." if stood.fitted else "."))
    marked = [(row.violates(column, row.simulated), row.violates(column, row.simulated, tolerance))
              for row in rows for column in OTHER_SIDES]
    strictly, by_report = ([marks[side] for marks in marked].count(True) for side in (0, 1))
    lines += ["Microseconds, ! violates Guideline (1) in the column of MPI_Gather, on equal blocks, and",
              "Guideline (2) in that of MPI_Gatherv: a longer time, as in the paper. Of the simulated times "
              f"{strictly}",
              f"are marked, {by_report} of them longer by more than the {100 * tolerance:g} % that the "
              "report tolerates."]
    if any(column not in row.simulated.keys() | row.empty.keys() for row in rows for column in COLUMNS):
        lines.append("-: no guideline of these audits asks for it.")
    lines.append("")
    heading = "".join(f"{HEADINGS[column]:^19}" for column in COLUMNS)
    lines.append(f"{'Problem':<11} {'m':>9} {'padded m':>10} {heading.rstrip()}")
    lines.append(" " * 32 + f"{'simulated':>9}{'paper':>9} " * len(COLUMNS))
    named = ""
    for row in rows:
        cells = ""
        for column in COLUMNS:
            for times in (row.simulated, row.paper):
                is_empty = times is row.simulated and column in row.empty
                cells += number(times, column, bool(row.violates(column, times)), is_empty)
            cells += " "
        name = row.problem if row.problem != named else ""
        named = row.problem
        lines.append(f"{name:<11}{'*' if row.is_fitted else ' '}{row.total:>9} "
                     f"{row.padded_total:>10} {cells.rstrip()}")
    return "\n".join([*lines, "", *conclusions(rows)]) + "\n"


def kept_reports(audits: Path) -> list[Report]:
    """Returns the reports below a folder. Table 6 with stand-ins consists of Tables 8 and 9, which have
    both of its operations."""
    if audits.name == "simulated-table-6-stand-ins":
        return as_one_library([report for table in (8, 9) for report in kept_reports(
            audits.parent / f"simulated-table-{table}-stand-ins")], "intel-2017.2")
    folders = [folder for folder in sorted([audits, *audits.rglob("*/")]) if audit_files.report_in(folder)]
    return [cast(Report, report.data) for report in reports.read_all(folders)]


def audits_in(folder: Path) -> list[tuple[int, str, Report]]:
    """Returns the kept audits of tables, named simulated-table-N with a suffix. The audits of the sweep
    stand beside Table 3."""
    found = []
    for audits in [*folder.glob("simulated-table-*"), *folder.glob("simulated-sweep")]:
        report = joined(kept_reports(audits))
        name = audits.name.removeprefix("simulated-table-").replace("simulated-sweep", "3-sweep")
        number_of, _, rest = name.partition("-")
        # Explicit algorithms were measured together with the algorithms of another table.
        for table in {6: (6, 7), 11: (10, 11)}.get(int(number_of), (int(number_of),)):
            if not (rest == "stand-ins" and table == 7):
                found.append((table, f"Table {table} {rest.replace('-', ' ')}".rstrip(), report))
    return sorted(found, key=lambda each: each[:2])


def own_table_text(table: int) -> str:
    """Returns the paper's own table: averages and minima with their marks."""
    averages, minima = paper_figures(table, "avg"), paper_figures(table)
    library = LIBRARIES.get(table, "Intel MPI")
    marks = ("The paper has no marks in this table." if table in UNMARKED else
             "! violates Guideline (1) in the column of MPI_Gather, (2) in that of MPI_Gatherv.")
    lines = [f"Table {table} of the paper: {library} on {RANKS.get(table, 6400)} ranks.",
             f"Microseconds. {marks}", "",
             f"{'Problem':<11} {'m':>9} {'padded m':>10} "
             + "".join(f"{HEADINGS[column]:^27}" for column in COLUMNS).rstrip(),
             " " * 32 + f"{'average':>12}{'minimum':>13}  " * len(COLUMNS)]
    violated = {column: [0, 0] for column in OTHER_SIDES}
    own = paper_lines(table)
    slower = [sum(times["tuw"] > times["padded"] for times in figures.values())
              for figures in (averages, minima)]
    named = ""
    for (problem, block_size), least in minima.items():
        both = (averages[problem, block_size], least)
        line = own[problem, block_size]
        row = Row(problem, block_size, int(line["m"]), int(line["m_padded"]), {}, least)
        cells = ""
        for column in COLUMNS:
            for side, times in enumerate(both):
                is_violated = bool(row.violates(column, times))
                if is_violated:
                    violated[column][side] += 1
                mark = "!" if is_violated and table not in UNMARKED else " "
                cells += f"{times[column]:12.2f}{mark}"
            cells += " "
        lines.append(f"{problem if problem != named else '':<11} {row.total:>9} {row.padded_total:>10} "
                     f"{cells.rstrip()}")
        named = problem
    equal = sum(problem == "Same" for problem, _ in minima)
    return "\n".join([*lines, "", *(
        f"Guideline ({guideline}): violated by averages in {violated[column][0]} of {rows} rows, by "
        f"minima in {violated[column][1]}."
        for guideline, column, rows in ((1, "gather", equal), (2, "gatherv", len(minima)))),
        f"TUW_Gatherv takes longer than the right side of Guideline (2) in {slower[0]} rows by averages, in "
        f"{slower[1]} by minima."]) + "\n"


def complain(table: str, empty: Sequence[str]) -> int:
    """Names the empty cells of a table; returns the exit code."""
    for line in empty:
        print(f"beside_paper: {table} has empty cells: {line}", file=sys.stderr)
    return 1 if empty else 0


def scatter(folder: Path) -> int:
    """Prints the table of an audit of scatters, for which the paper has no figures; returns the exit code."""
    code = show(["table", str(folder)])
    audit = cast(Report, reports.read_all([folder])[0].data)
    return code or complain("the table", empty_sides(audit))


def beside(table: int, folders: list[Path], library: str | None) -> int:
    """Prints a table with the audits in these folders beside it; returns the exit code."""
    audits = [cast(Report, report.data) for report in reports.read_all(folders)]
    if not all(report["simulated"] for report in audits):
        raise InputError("these are tables of simulated audits, and a report is of a measured one")
    report = joined(as_one_library(audits, library) if library else audits)
    sys.stdout.write(table_text(report, table))
    return complain(f"Table {table}", empty_lines(rows_of(report, table)))


def agreement(folder: Path) -> int:
    """Prints the agreement of all kept tables; returns the exit code."""
    audits = audits_in(folder)
    sys.stdout.write(agreements_text(audits))
    return max(complain(title, empty_lines(rows_of(report, table))) for table, title, report in audits)


def parsed() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python3 -m analysis.beside_paper", description=__doc__)
    parser.add_argument("table", choices=[*map(str, range(1, 12)), "scatter", "agreement"],
                        help="number of the paper's table; scatter: without the paper's figures; "
                             "agreement: kappa of all tables in a folder")
    parser.add_argument("reports", nargs="*", type=Path,
                        help="folders of simulated audits, all problems of which are in the table, with "
                             "the best time of each operation; without any, the table as the paper has it")
    parser.add_argument("--library", metavar="NAME",
                        help="take the audits for audits of this library, as far as theirs have the same "
                             "stand-ins (jobs/paper-tables does so for Table 6)")
    return parser, parser.parse_args()


def main() -> int:
    """The command line. The exit code is 1 if a table has an empty cell."""
    parser, given = parsed()
    if not PAPER.is_file():
        parser.error("the figures of the paper are in the repository only")
    if given.table in ("scatter", "agreement") and len(given.reports) != 1:
        parser.error(f"{given.table} needs one folder")
    try:
        if given.table == "scatter":
            return scatter(given.reports[0])
        if given.table == "agreement":
            return agreement(given.reports[0])
        if given.reports:
            return beside(int(given.table), given.reports, given.library)
    except InputError as error:
        parser.error(str(error))
    sys.stdout.write(own_table_text(int(given.table)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
