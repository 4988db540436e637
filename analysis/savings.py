# SPDX-License-Identifier: BSD-3-Clause
"""The command `savings`: what an application could save, by the audits of its problems."""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import audit_lines, output, recording, units
from .fields import Check
from .plain import plain
from .reports import Report, read_all

EXAMPLES = """examples:
  python3 -m analysis problems problems.json --commands --most 5 | sh
  python3 -m analysis savings problems.json audits/*

The FILE is what `mpiaudit record` has written; each REPORT is the audit of one of its problems, as
`problems --commands` starts it."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Saving:
    """Of one call: the library's median, and what a way that was found faster saves."""

    library_s: float
    instead: str = ""
    saved_s: float = 0.0
    low_s: float = 0.0
    high_s: float = 0.0


@dataclass(frozen=True)
class Line:
    """A problem with its saving over all calls."""

    problem: Json
    ranks: int
    saving: Saving

    @property
    def calls(self) -> int:
        calls: int = self.problem["calls"]
        return calls


def audit_of_report(report: Report) -> audit_lines.Audit | None:
    """Which problem the report is about, by its options; None when it was made otherwise."""
    options = report.data["options"]
    collectives, counts = options.get("collectives", []), options.get("counts", "")
    if len(collectives) != 1 or len(report.data["problems"]) == 0:
        return None
    collective = "MPI_" + collectives[0].capitalize()
    ranks = report.data["problems"][0]["ranks"]
    if collective == "MPI_Barrier":
        return audit_lines.Audit(collective, (1,) * ranks, "int", "", 0)
    if not counts or not all(part.isdigit() for part in counts.split(",")):
        return None
    is_reduction = "reduce" in collective.lower() or collective in ("MPI_Scan", "MPI_Exscan")
    return audit_lines.Audit(collective, tuple(map(int, counts.split(","))), options["element"],
                             options["op"] if is_reduction else "", int(options["root"]))


def saving_by(check: Check, library_s: float) -> Saving:
    """What the right side saves, from the median of the ratios of the rounds and its interval."""
    ratio = check["ratio"]
    saved, low, high = (library_s * (1 - 1 / each) if each > 0 else 0.0
                        for each in (ratio["median"], ratio["low"], ratio["high"]))
    return Saving(library_s, check["right"], saved, low, high)


def is_alone(contestant: str, collective: str) -> bool:
    """Whether it is the call itself, MPI_Gatherv(m): not one of several, no forced algorithm."""
    return contestant in (collective, f"{collective}(m)")


def saving_of(report: Report, collective: str) -> Saving | None:
    """By the violated guideline about the collective that saves most for sure; None when the audit
    did not measure the collective."""
    times = [contestant["statistics"]["median_s"] for problem in report.data["problems"]
             for contestant in problem["contestants"]
             if is_alone(contestant["name"], collective) and "statistics" in contestant]
    if not times:
        return None
    found = [saving_by(check, times[0]) for check in report.violations
             if is_alone(check["left"], collective) and "ratio" in check]
    return max(found, key=lambda saving: saving.low_s) if found else Saving(times[0])


def lines_of(recorded: Json, reports: Iterable[Report]) -> list[Line]:
    """The problems that were audited, what saves most first."""
    savings = {}
    for report in reports:
        audit = audit_of_report(report)
        saving = saving_of(report, audit.collective) if audit else None
        if audit is not None and saving is not None:
            savings[audit] = saving
    lines = []
    for problem in recorded["problems"]:
        wanted = audit_lines.audit_of(problem, recorded)
        if isinstance(wanted, audit_lines.Audit) and wanted in savings:
            lines.append(Line(problem, wanted.ranks, savings[wanted]))
    return sorted(lines, key=lambda line: -line.saving.saved_s * line.calls)


def sentence_of(line: Line) -> str:
    saving, calls = line.saving, line.calls
    where = (f"{recording.name_of(line.problem)} on {line.ranks} ranks, "
             f"{recording.size_of(line.problem)}")
    per_call = f"{units.microseconds(saving.library_s)} us a call, {calls} calls"
    if not saving.instead:
        return plain(f"  nothing found      {where}: {per_call}")
    return plain(f"  {saving.saved_s * calls:9.3g} s "
                 f"({saving.low_s * calls:.3g} to {saving.high_s * calls:.3g})  {where}: "
                 f"{per_call}; {saving.instead} takes "
                 f"{units.microseconds(saving.library_s - saving.saved_s)} us")


def text_of(recorded: Json, lines: list[Line]) -> str:
    """One screen: the sum, and a line for each problem that was audited."""
    ranks = recording.recorded_ranks(recorded)
    spent = sum(problem["seconds"]["sum"] for problem in recorded["problems"]) / ranks
    audited = sum(line.problem["seconds"]["sum"] for line in lines) / ranks
    # A problem on some of the ranks saves time of these only.
    saved = sum(line.saving.saved_s * line.calls * line.ranks for line in lines) / ranks
    head = [plain(f"{recorded['program']}: of {spent:.4g} s per rank in collectives {saved:.3g} s "
                  "can be saved."),
            f"{len(lines)} problems with {audited:.4g} s are audited. Time in collectives is with "
            "waiting for other ranks;",
            "savings are calls x (the library's time - that of another way) where the audit found a",
            "violation, with the interval of the audit's ratio. Both are estimates.", ""]
    return "\n".join([*head, *map(sentence_of, lines), ""])


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "savings", help="what an application could save", epilog=EXAMPLES,
        description="Ranks the problems of an application by what a faster way would save, as "
                    "audits of these problems found it.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="what mpiaudit record has written")
    parser.add_argument("reports", nargs="+", metavar="REPORT", help="audits of its problems")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    recorded = recording.read(options.file)
    output.give(text_of(recorded, lines_of(recorded, read_all(options.reports))), options.output)
    return 0
