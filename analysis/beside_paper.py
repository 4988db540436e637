# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the irregular-gather paper (Träff 2017): its own, or simulated audits beside them."""

import argparse
import copy
import csv
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from .contestants import all_problems
from .fields import Document, Problem

ROOT = Path(__file__).parent.parent
PAPER = Path(__file__).parent / "irregular-gather-tables.csv"
LIBRARIES = {1: "NEC MPI", 2: "MVAPICH2", 3: "Open MPI"}
RANKS = {1: 560, 2: 560, 3: 560, 4: 1600, 5: 3200}
DISTRIBUTIONS = {"Same": "same", "Random": "random", "Spikes": "spikes",
                 "Decreasing": "decreasing", "Alternating": "alternating",
                 "Two blocks": "two-blocks"}
BLOCK_SIZES = (1, 10, 100, 1000, 10000)
# Column of the paper: contestants of the audit. On unequal blocks MPI_Gather has padded blocks.
COLUMNS = {"gather": ("MPI_Gather(m)", "MPI_Gather(m')"),
           "padded": ("MPI_Allreduce(1) + MPI_Gather(m')",),
           "gatherv": ("MPI_Gatherv(m)",), "tuw": ("TUW_Gatherv(m)",)}
# Reference algorithms, since SMPI has no algorithms like those of the paper's tables.
IN_PLACE = {10: {"MPI_Gather": "segmented_binomial_Gather", "MPI_Gatherv": "binomial_Gatherv"},
            11: {"MPI_Gatherv": "binomial_Gatherv"}}
HEADINGS = {"gather": "MPI_Gather", "padded": "Guideline (2)", "gatherv": "MPI_Gatherv",
            "tuw": "TUW_Gatherv"}
# Guideline (1), on equal blocks, in the column of MPI_Gather; Guideline (2) in that of MPI_Gatherv.
OTHER_SIDES = {"gather": "gatherv", "gatherv": "padded"}
SMALL = 100  # up to this block size the paper reports ratios of 5 to more than 20

# "Too numerous and not shown" in the paper.
UNMARKED = range(7, 11)

Report = dict[str, Any]  # report.json, or a part of it
Times = dict[str, float]  # column -> microseconds
Cell = tuple[str, int]  # problem of the paper, block size


@dataclass
class Row:
    """One problem: the times of the audit and the paper's minima."""

    problem: str
    block_size: int
    total: int
    padded_total: int
    simulated: Times
    paper: Times
    is_fitted: bool = False

    def violates(self, column: str, times: Times, tolerance: float = 0.0) -> bool | None:
        """Returns whether the operation of this column breaks its guideline; None if a side is missing."""
        other = OTHER_SIDES.get(column)
        if column == "gather" and self.problem != "Same":
            return None
        if other is None or column not in times or other not in times:
            return None
        return times[column] > (1 + tolerance) * times[other]


def paper_lines(table: int) -> dict[Cell, dict[str, str]]:
    """Returns the lines of one table in the file of the paper's figures."""
    lines: dict[Cell, dict[str, str]] = {}
    with PAPER.open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            if int(line["table"]) == table:
                done = sum(1 for problem, _ in lines if problem == line["problem"])
                lines[line["problem"], BLOCK_SIZES[done]] = line
    return lines


def paper_figures(table: int, statistic: str = "min") -> dict[Cell, Times]:
    """Returns the minima ("min") or averages ("avg") of one table, in microseconds."""
    return {cell: {column: float(line[f"{column}_{statistic}"]) for column in COLUMNS}
            for cell, line in paper_lines(table).items()}


@dataclass
class Library:
    """The stand-ins for the operations of the library in a simulation (jobs/simulate --library)."""

    name: str = ""
    stand_ins: dict[str, str] = field(default_factory=dict)  # operation -> name in the report
    summaries: list[str] = field(default_factory=list)
    fitted: set[Cell] = field(default_factory=set)

    def contestant(self, name: str) -> str:
        """Returns the contestant's name with the library's operations."""
        for operation, stand_in in self.stand_ins.items():
            name = name.replace(f"{operation}(", f"{stand_in}(")
        return name


def library_of(report: Report, table: int) -> Library:
    """Returns the stand-ins of an audit, and the rows to which they were fitted."""
    given = report["options"].get("library", "")
    if not given:
        return Library()
    file = library_file(given)
    described = json.loads(file.read_text(encoding="utf-8"))
    library = Library(file.stem)
    for each in described["stand_ins"]:
        operation = each["operation"]
        library.stand_ins[operation] = f"{operation}[as {library.name}]"
        algorithms = ", ".join(choice["algorithm"] for choice in each["choices"])
        library.summaries.append(f"{library.stand_ins[operation]}, which is {algorithms} with costs "
                                 f"of messages, is in the place of {operation}.")
    library.fitted = {(problem, size) for each in described["fitted"] if each["table"] == table
                      for problem in each["problems"] for size in each["block_sizes"]}
    # Alternating blocks b + floor(b / 2) and b - floor(b / 2): of b = 1 they are those of Same.
    if ("Same", 1) in library.fitted:
        library.fitted.add(("Alternating", 1))
    return library


def audit_times(problem: Problem, table: int, library: Library) -> Times:
    """Returns the medians of the contestants that the table shows, in microseconds."""
    times = {}
    measured = {contestant["name"]: 1e6 * contestant["statistics"]["median_s"]
                for contestant in problem["contestants"] if "statistics" in contestant}
    for column, names in COLUMNS.items():
        for theirs, ours in IN_PLACE.get(table, {}).items():
            names = tuple(name.replace(f"{theirs}(", f"{ours}(") for name in names)
        names = tuple(library.contestant(name) for name in names)
        found = [measured[name] for name in names if name in measured]
        if found:
            times[column] = found[0]
    return times


def rows_of(report: Report, table: int) -> list[Row]:
    """Returns the problems that the paper also has, in its order."""
    paper = paper_figures(table)
    library = library_of(report, table)
    simulated = {(problem["distribution"], problem["block_size"]): problem
                 for problem in all_problems(cast(Document, report))}
    rows = []
    for (name, size), figures in paper.items():
        problem = simulated.get((DISTRIBUTIONS[name], size))
        if problem is not None:
            rows.append(Row(name, size, problem["total"], problem["padded_total"],
                            audit_times(problem, table, library), figures,
                            (name, size) in library.fitted))
    return rows


def number(times: Times, column: str, marked: bool) -> str:
    """Returns a time with four significant digits, with ! if it violates the guideline of its column."""
    if column not in times:
        return f"{'-':>8} "
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
              "report tolerates.", ""]
    heading = "".join(f"{HEADINGS[column]:^19}" for column in COLUMNS)
    lines.append(f"{'Problem':<11} {'m':>9} {'padded m':>10} {heading.rstrip()}")
    lines.append(" " * 32 + f"{'simulated':>9}{'paper':>9} " * len(COLUMNS))
    named = ""
    for row in rows:
        cells = ""
        for column in COLUMNS:
            for times in (row.simulated, row.paper):
                cells += number(times, column, bool(row.violates(column, times)))
            cells += " "
        name = row.problem if row.problem != named else ""
        named = row.problem
        lines.append(f"{name:<11}{'*' if row.is_fitted else ' '}{row.total:>9} "
                     f"{row.padded_total:>10} {cells.rstrip()}")
    return "\n".join([*lines, "", *conclusions(rows)]) + "\n"


@dataclass
class Agreement:
    """Rows by the paper's answer and the simulated one to a question that both answer."""

    both: int
    only_paper: int
    only_simulated: int
    neither: int

    @property
    def rows(self) -> int:
        """The number of compared rows."""
        return self.both + self.only_paper + self.only_simulated + self.neither

    @property
    def same(self) -> int:
        """The number of rows with equal answers."""
        return self.both + self.neither

    @property
    def best_constant(self) -> int:
        """The number of rows in which the better of "always violated" and "never violated" equals the
        paper."""
        yes = self.both + self.only_paper
        return max(yes, self.rows - yes)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960): 0 by chance, 1 for equal answers; None if chance alone makes all answers
        equal."""
        paper, simulated = self.both + self.only_paper, self.both + self.only_simulated
        chance = paper * simulated + (self.rows - paper) * (self.rows - simulated)
        if chance == self.rows**2:
            return None
        return (self.same * self.rows - chance) / (self.rows**2 - chance)


def agreement(answers: list[tuple[bool, bool]]) -> Agreement:
    """Counts the agreement of pairs (paper, simulated)."""
    return Agreement(*(answers.count(pair) for pair in ((True, True), (True, False),
                                                        (False, True), (False, False))))


def split_by_fit(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    """Returns the rows to which stand-ins were fitted, and the rows that were left for the test."""
    if not any(row.is_fitted for row in rows):
        return []
    return [("of these, those fitted", [row for row in rows if row.is_fitted]),
            ("of these, those held out", [row for row in rows if not row.is_fitted])]


def agreement_lines(rows: list[Row]) -> list[str]:
    """Returns how often both agree about the guidelines, beside the agreement of a constant answer."""
    equal = [row for row in rows if row.problem == "Same"]
    others = [row for row in rows if row.problem != "Two blocks"]
    return [*lines_of_agreement("Does MPI_Gather violate Guideline (1)?", "gather", "gatherv",
                                [("equal blocks", equal)]),
            *lines_of_agreement("Is MPI_Gather slower than TUW_Gatherv?", "gather", "tuw",
                                [("equal blocks", equal)]),
            *lines_of_agreement("Does MPI_Gatherv violate Guideline (2)?", "gatherv", "padded",
                                [("all problems", rows), ("all but two blocks", others),
                                 *split_by_fit(others)])]


def lines_of_agreement(question: str, left: str, right: str,
                       choices: list[tuple[str, list[Row]]]) -> list[str]:
    """Returns the lines about one question: is the left column slower than the right one?"""
    lines = [question]
    for title, rows in choices:
        chosen = [row for row in rows if {left, right} <= row.simulated.keys()]
        if not chosen:
            continue
        found = agreement([(row.paper[left] > row.paper[right],
                            row.simulated[left] > row.simulated[right]) for row in chosen])
        kappa = "undefined" if found.kappa is None else f"{found.kappa:.2f}"
        lines += [f"  {title}: same answer in {found.same} of {found.rows} rows, kappa {kappa}; "
                  f"the best constant answer: {found.best_constant}",
                  f"    yes in both {found.both}, in the paper only {found.only_paper}, "
                  f"simulated only {found.only_simulated}, in neither {found.neither}"]
        if found.same <= found.best_constant:
            lines.append("    so this table says nothing about it that a constant would not")
    return lines


# The question of each guideline: is the left column slower than the right one?
GUIDELINES = {"(1)": ("gather", "gatherv"), "(2)": ("gatherv", "padded")}


def agreement_of(rows: list[Row], paper: dict[Cell, Times], sides: tuple[str, str]) -> Agreement:
    """Compares with figures of the paper, on the rows for which both have both sides."""
    left, right = sides
    return agreement([
        (paper[row.problem, row.block_size][left] > paper[row.problem, row.block_size][right],
         row.simulated[left] > row.simulated[right])
        for row in rows if {left, right} <= row.simulated.keys()
        and (left != "gather" or row.problem == "Same")])


def agreements_text(audits: list[tuple[int, str, Report]]) -> str:
    """Returns kappa for both guidelines and both statistics of the paper, beside the best constant answer."""
    lines = ["Whether a simulated audit and the paper answer alike to: is the guideline violated? Rows of",
             "all problems; Guideline (1) on equal blocks; the paper's by averages and by minima. Cohen's",
             "kappa is 0 by chance and 1 for equal answers, - where chance alone makes all answers equal.",
             "",
             f"{'table':<24} {'guideline':<10} {'statistic':<10} {'same answer':>12} {'best constant':>14} "
             f"{'kappa':>6}"]
    for table, title, report in audits:
        rows = rows_of(report, table)
        for guideline, sides in GUIDELINES.items():
            for statistic, words in (("avg", "averages"), ("min", "minima")):
                found = agreement_of(rows, paper_figures(table, statistic), sides)
                if not found.rows:
                    continue
                kappa = "-" if found.kappa is None else f"{found.kappa:.2f}"
                lines.append(f"{title:<24} {guideline:<10} {words:<10} "
                             f"{f'{found.same} of {found.rows}':>12} {found.best_constant:>14} {kappa:>6}")
    return "\n".join(lines) + "\n"


def kept_reports(audits: Path) -> list[Report]:
    """Returns the reports below a folder. Table 6 with stand-ins consists of Tables 8 and 9, which have
    both of its operations."""
    if audits.name == "simulated-table-6-stand-ins":
        return as_one_library([report for table in (8, 9) for report in kept_reports(
            audits.parent / f"simulated-table-{table}-stand-ins")], "intel-2017.2")
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(audits.rglob("report.json"))]


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


def slower_line(rows: list[Row]) -> str:
    """Returns the paper's main claim: how often TUW_Gatherv loses."""
    chosen = [row for row in rows if row.problem != "Two blocks"
              and {"gatherv", "tuw"} <= row.simulated.keys()]
    simulated = sum(row.simulated["tuw"] > row.simulated["gatherv"] for row in chosen)
    paper = sum(row.paper["tuw"] > row.paper["gatherv"] for row in chosen)
    return (f"TUW_Gatherv is slower than MPI_Gatherv in {simulated} of {len(chosen)} rows, in the "
            f"paper in {paper}, all but two blocks.")


def conclusions(rows: list[Row]) -> list[str]:
    """Returns ratios for small blocks, and whether paper and audit agree about the paper's conclusions."""
    lines = [f"MPI_Gatherv / TUW_Gatherv for b <= {SMALL}, simulated (paper):"]
    for problem in DISTRIBUTIONS:
        ratios = [f"{row.simulated['gatherv'] / row.simulated['tuw']:.1f} "
                  f"({row.paper['gatherv'] / row.paper['tuw']:.1f})"
                  for row in rows if row.problem == problem and row.block_size <= SMALL
                  and {"gatherv", "tuw"} <= row.simulated.keys()]
        if ratios:
            lines.append(f"  {problem:<11} {', '.join(ratios)}")
    return [*lines, slower_line(rows), *agreement_lines(rows)]


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


def library_file(name: str) -> Path:
    """Returns the path of a file in libraries/, or of the user's file."""
    return Path(name) if name.endswith(".json") else ROOT / "libraries" / f"{name}.json"


def costs_in(library: Report) -> dict[str, Any]:
    """Returns for each operation with a stand-in the algorithms and their costs."""
    return {each["operation"]: [{key: value for key, value in choice.items() if key != "reason"}
                                for choice in each["choices"]] for each in library["stand_ins"]}


def as_library(report: Report, name: str) -> Report:
    """Returns the audit as if its library were another one on the same simulated cluster: stand-ins of both
    libraries get the operation's name, stand-ins of its own library alone are left out."""
    files = [library_file(each) for each in (report["options"]["library"], name)]
    own, other = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    for key in ("base", "parameters"):
        if own[key] != other[key]:
            raise ValueError(f"{files[1].stem} has another {key} than {files[0].stem}")
    shared = [operation for operation, costs in costs_in(other).items()
              if costs == costs_in(own).get(operation)]
    said = copy.deepcopy(report)
    said["options"]["library"] = name
    for problem in said["problems"]:
        for each in problem["contestants"]:
            for operation in shared:
                each["name"] = each["name"].replace(*(f"{operation}[as {file.stem}]" for file in files))
        problem["contestants"] = [each for each in problem["contestants"]
                                  if "[as " not in each["name"] or f"[as {files[1].stem}]" in each["name"]]
    return said


def as_one_library(reports: list[Report], name: str) -> list[Report]:
    """Returns all audits of one simulated cluster as_library() of the first one."""
    clusters = [{key: report["simulation"][key] for key in ("settings", "platform_parameters")}
                for report in reports]
    if any(cluster != clusters[0] for cluster in clusters):
        raise ValueError("these audits are of different simulated clusters")
    return [as_library(report, name) for report in reports]


def joined(reports: list[Report]) -> Report:
    """Returns all problems of several audits. If audits share a problem, the fastest time of each
    contestant counts."""
    best = copy.deepcopy(reports[0])
    libraries = dict.fromkeys(report["mpi"]["library"] for report in reports)
    best["mpi"]["library"] = " or ".join(
        library if i == 0 else library.rpartition(", ")[2] for i, library in enumerate(libraries))
    for report in reports[1:]:
        known = {problem["id"]: problem for problem in best["problems"]}
        best.setdefault("duplicates", []).extend(report.get("duplicates", []))
        for other in report["problems"]:
            mine = known.get(other["id"])
            if mine is None:
                best["problems"].append(other)
                continue
            contestants = {each["name"]: each for each in mine["contestants"]}
            for theirs in other["contestants"]:
                ours = contestants.get(theirs["name"])
                if ours is None:
                    mine["contestants"].append(theirs)
                elif "statistics" in theirs and (
                        "statistics" not in ours or theirs["statistics"]["median_s"]
                        < ours["statistics"]["median_s"]):
                    ours["statistics"] = theirs["statistics"]
    return best


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m analysis.beside_paper", description=__doc__)
    parser.add_argument("table", choices=[*map(str, range(1, 12)), "agreement"],
                        help="number of the paper's table; agreement: kappa of all tables in a folder")
    parser.add_argument("reports", nargs="*", type=Path,
                        help="folders of simulated audits, all problems of which are in the table, with "
                             "the best time of each operation; without any, the table as the paper has it")
    parser.add_argument("--library", metavar="NAME",
                        help="take the audits for audits of this library, as far as theirs have the same "
                             "stand-ins (jobs/paper-tables does so for Table 6)")
    given = parser.parse_args()
    if not PAPER.is_file():
        parser.error("the figures of the paper are in the repository only")
    if given.table == "agreement":
        if len(given.reports) != 1:
            parser.error("agreement needs a folder with simulated-table-N, such as results/reference")
        sys.stdout.write(agreements_text(audits_in(given.reports[0])))
        return 0
    table = int(given.table)
    if not given.reports:
        sys.stdout.write(own_table_text(table))
        return 0
    reports = [json.loads((folder / "report.json").read_text(encoding="utf-8"))
               for folder in given.reports]
    if not all(report["simulated"] for report in reports):
        parser.error("these are tables of simulated audits, and a report is of a measured one")
    if given.library:
        try:
            reports = as_one_library(reports, given.library)
        except ValueError as error:
            parser.error(f"--library: {error}")
    sys.stdout.write(table_text(joined(reports), table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
