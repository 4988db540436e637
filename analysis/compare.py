# SPDX-License-Identifier: BSD-3-Clause
"""The command `compare`: two audits, guideline by guideline and implementation by implementation.

Only problems that are the same in both audits are compared. Which verdict a check has is what
the reports say; this module only puts the two beside each other.
"""

import argparse
import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from . import output, units
from .contestants import label
from .errors import InputError, require
from .fields import Check, Problem, Statistics, Verdict
from .heatmap import effect
from .operations import OPERATION, Answer, answer, identity
from .reports import Report, read
from .summary import warnings
from .sheet import Cell, Heading, Mark, Row, Sheet, to_markdown, to_text

EXAMPLES = """examples:
  python3 -m analysis compare results/openmpi results/mpich
  python3 -m analysis compare before after --fail-on slowdown
  python3 -m analysis compare before after --format html -o difference.html

Says first which operations of the library became slower or faster. Two launches of one library differ
by up to a quarter, so less than that is not told of one launch each. jobs/before-after measures in
several launches; of folders with at least seven launches each, the smallest change that can be told is
said.
A check is new (held in A, violated in B), fixed (violated in A, holds in B), still violated, unclear
(violated in one, neither violated nor holding in the other), or unchanged. Times are listed of the
operations that changed; --limit 0 lists all.

--fail-on slowdown:   exit code 1 when an operation became slower
--fail-on regression: when a guideline is violated that held, and the operation became slower"""

Change = str
WIDEST = 100.0  # a logarithm: an interval as wide as that says nothing
CHANGES: tuple[Change, ...] = ("new", "still violated", "unclear", "fixed", "unchanged")


def change_of(before: Verdict, after: Verdict) -> Change:
    if "violated" not in (before, after):
        return "unchanged"
    if before == after:
        return "still violated"
    if "holds" not in (before, after):
        return "unclear"
    return "new" if after == "violated" else "fixed"


@dataclass(frozen=True, slots=True)
class CheckPair:
    change: Change
    before: Check
    after: Check


@dataclass(frozen=True, slots=True)
class Speed:
    """The time of an implementation in B over its time in A, with a 95 % interval."""

    problem: Problem
    name: str
    before: Statistics
    after: Statistics
    ratio: float
    low: float
    high: float


@dataclass
class Comparison:
    before: Report
    after: Report
    problems: int
    checks: list[CheckPair] = field(default_factory=list)
    remarks: list[CheckPair] = field(default_factory=list)
    speeds: list[Speed] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)

    @cached_property
    def answer(self) -> Answer:
        return answer([self.before], [self.after])

    def concerns(self, name: str, ratio: float) -> bool:
        """Whether the operation of this name changed in this direction."""
        match = OPERATION.fullmatch(name)
        return match is not None and any(
            change.operation == match[1] and (change.ratio > 1) == (ratio > 1)
            for change in self.answer.changes)

    @property
    def regressions(self) -> list[CheckPair]:
        """New violations whose left side became slower."""
        return [pair for pair in self.checks
                if pair.change == "new" and self.concerns(pair.after["left"], 2.0)]

    @property
    def tolerance(self) -> float:
        return self.after.data["rule"]["tolerance"]

    @property
    def counts(self) -> dict[Change, int]:
        counter = Counter(pair.change for pair in self.checks)
        return {change: counter[change] for change in CHANGES}

    @property
    def slower(self) -> list[Speed]:
        """Of the operations that became slower."""
        return sorted((speed for speed in self.speeds
                       if speed.low > 1 + self.tolerance and self.concerns(speed.name, speed.ratio)),
                      key=lambda speed: -speed.ratio)

    @property
    def faster(self) -> list[Speed]:
        return sorted((speed for speed in self.speeds
                       if speed.high < 1 / (1 + self.tolerance) and self.concerns(speed.name, speed.ratio)),
                      key=lambda speed: speed.ratio)


def relative_half_width(statistics: Statistics) -> float:
    return (statistics["mean_high_s"] - statistics["mean_low_s"]) / (2 * statistics["mean_s"])


def speed_of(problem: Problem, name: str, before: Statistics, after: Statistics) -> Speed | None:
    """The quotient of two independent means; its interval by the delta method on its logarithm.

    The variance of log(x/y) is to first order the sum of the squared relative standard errors,
    so the relative half widths of the two 95 % intervals add as squares.
    """
    if before["mean_s"] <= 0 or after["mean_s"] <= 0:
        return None
    ratio = after["mean_s"] / before["mean_s"]
    spread = math.hypot(relative_half_width(before), relative_half_width(after))
    width = math.exp(min(spread, WIDEST))
    return Speed(problem, name, before, after, ratio, ratio / width, ratio * width)


def difference(mine: dict[Any, str], theirs: dict[Any, str], where: str, what: str) -> list[str]:
    """One line about the things that only one audit has."""
    names = [text for key, text in mine.items() if key not in theirs]
    if not names:
        return []
    shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    return [f"only in {where}: {len(names)} {what}{'' if len(names) == 1 else 's'}: {shown}"]


def unmatched_problems(before: Report, after: Report) -> list[str]:
    mine = {identity(item): f"{item['id']} at p={item['ranks']}" for item in
            before.data["problems"]}
    theirs = {identity(item): f"{item['id']} at p={item['ranks']}" for item in
              after.data["problems"]}
    return (difference(mine, theirs, "A", "problem") + difference(theirs, mine, "B", "problem"))


def compare(before: Report, after: Report) -> Comparison:
    """Puts the checks and times of the common problems beside each other."""
    matches = {identity(problem): problem for problem in before.data["problems"]}
    common = {problem["id"]: matches[identity(problem)] for problem in after.data["problems"]
              if identity(problem) in matches}
    if not common:
        raise InputError(
            f"{before.path} and {after.path} have no problem in common (p = {before.ranks} and "
            f"{after.ranks}): only the same distribution, sizes and ranks can be compared")
    result = Comparison(before, after, len(common))
    result.unmatched = unmatched_problems(before, after)
    mine = {(check["guideline"], check["problem"], check["left"], check["right"]): check
            for check in before.data["checks"]
            if check["problem"] in {item["id"] for item in common.values()}}
    theirs = {(check["guideline"], common[check["problem"]]["id"], check["left"],
               check["right"]): check
              for check in after.data["checks"] if check["problem"] in common}
    for key, check in theirs.items():
        if key in mine:
            change = change_of(mine[key]["verdict"], check["verdict"])
            pairs = result.checks if check["kind"] == "verdict" else result.remarks
            pairs.append(CheckPair(change, mine[key], check))
    names = [{key: f"{key[0]} on {key[1]}" for key in side} for side in (mine, theirs)]
    result.unmatched += difference(names[0], names[1], "A", "check")
    result.unmatched += difference(names[1], names[0], "B", "check")
    for problem in after.data["problems"]:
        if problem["id"] not in common:
            continue
        # Between several pairs of layouts, a contestant stands there several times.
        for contestant in {item["name"]: item for item in problem["contestants"]}.values():
            other = before.contestants.get((common[problem["id"]]["id"], contestant["name"]))
            if other and "statistics" in other and "statistics" in contestant:
                speed = speed_of(problem, contestant["name"], other["statistics"],
                                 contestant["statistics"])
                result.speeds += [speed] if speed else []
    return result


def ratio_text(check: Check) -> str:
    value = effect(check)
    return units.ratio(value) if value is not None else "-"


def checks_sheet(pairs: list[CheckPair], caption: str, mark: Mark, most: int) -> Sheet:
    """Every check whose verdict matters, new violations first; mark: of a violated one in B."""
    listed = [pair for change in CHANGES[:-1] for pair in pairs if pair.change == change]
    rows, previous = [], ""
    for pair in listed[:most or None]:
        after = pair.after
        rows.append(Row(
            (pair.change, f"{after['left']} <= {after['right']}", after["problem"]),
            (Cell("slower" if pair.before["verdict"] == "violated" and mark == "remark"
                  else pair.before["verdict"]), Cell(ratio_text(pair.before)),
             Cell("slower" if after["verdict"] == "violated" and mark == "remark"
                  else after["verdict"], mark if after["verdict"] == "violated" else ""),
             Cell(ratio_text(after))), pair.change != previous))
        previous = pair.change
    notes = [("", f"and {len(listed) - most} more: --limit 0 lists all")] if (
        most and len(listed) > most) else []
    return Sheet(caption, ("Change", "Left <= right", "Problem"),
                 [Heading("A", ("verdict", "ratio")), Heading("B", ("verdict", "ratio"))],
                 rows, notes, left_aligned=3)


def speeds_sheet(comparison: Comparison, speeds: list[Speed], caption: str, most: int) -> Sheet:
    rows, previous = [], ""
    for speed in speeds[:most or None]:
        name = label(speed.name)
        rows.append(Row((name, speed.problem["id"]), (
            Cell(units.microseconds(speed.before["mean_s"])),
            Cell(units.microseconds(speed.after["mean_s"])),
            Cell(units.ratio(speed.ratio)),
            Cell(f"{units.ratio(speed.low)} to {units.ratio(speed.high)}")), name != previous))
        previous = name
    notes = [("", f"and {len(speeds) - most} more: --limit 0 lists all")] if (
        most and len(speeds) > most) else []
    return Sheet(caption, ("Implementation", "Problem"),
                 [Heading("A [µs]"), Heading("B [µs]"), Heading("B / A"), Heading("95 %")],
                 rows, notes, left_aligned=2)


def sheets_of(comparison: Comparison, most: int) -> list[Sheet]:
    """The tables that have rows."""
    percent = f"{100 * comparison.tolerance:g} %"
    sheets = [checks_sheet(comparison.checks, "Guidelines; ratio is left / right, of what the rule compares",
                           "violated", most),
              checks_sheet(comparison.remarks, "Reference algorithms, no verdicts on the library",
                           "remark", most),
              speeds_sheet(comparison, comparison.slower, f"Slower in B by more than {percent}",
                           most),
              speeds_sheet(comparison, comparison.faster, f"Faster in B by more than {percent}",
                           most)]
    if most == 0:
        rest = [speed for speed in comparison.speeds
                if speed not in comparison.slower and speed not in comparison.faster]
        sheets.append(speeds_sheet(comparison, rest, "All other times", 0))
    return [sheet for sheet in sheets if sheet.rows]


# What means another time for the same call; what earlier versions had where they have no option.
CONDITIONS = {"sync": "barrier", "heap": "free", "buffers": "same", "arrivals": "together",
              "bind": "core", "setting": [], "warmup": "auto"}


def conditions_that_differ(before: Report, after: Report) -> list[str]:
    """The options about the conditions of the measurement that the audits have not in common."""
    sides = [report.data.get("options", {}) for report in (before, after)]
    differing = []
    for name, absent in CONDITIONS.items():
        values = [side.get(name, absent) for side in sides]
        if values[0] != values[1]:
            texts = [",".join(value) if isinstance(value, list) else str(value) for value in values]
            differing.append(f"--{name} {texts[0] or 'none'} in A, {texts[1] or 'none'} in B")
    return differing


def systems_that_differ(before: Report, after: Report) -> list[str]:
    """Builds of a library, and variables that steer it."""
    mine, theirs = before.data["mpi"], after.data["mpi"]
    lines = []
    if mine["library"] == theirs["library"] and mine.get("checksum") != theirs.get("checksum"):
        lines.append("The same version of the library, but other files: "
                     f"{mine.get('file', 'not recorded')} in A, {theirs.get('file', 'not recorded')} in B")
    variables = [report.data.get("environment", {}) for report in (before, after)]
    lines += [f"{name}: {variables[0].get(name, 'not set')} in A, {variables[1].get(name, 'not set')} in B"
              for name in sorted({*variables[0], *variables[1]})
              if variables[0].get(name) != variables[1].get(name)]
    return lines


def sentences(comparison: Comparison) -> list[str]:
    """What is compared and what came out, in words."""
    before, after = comparison.before, comparison.after
    counts = comparison.counts
    lines = [*comparison.answer.sentences,
             f"A: {before.title} ({before.path})", f"B: {after.title} ({after.path})",
             *systems_that_differ(before, after)]
    if before.is_simulated != after.is_simulated:
        lines.append("One audit is simulated and the other measured: the ratios of times compare "
                     "a model with a machine.")
    rules = [report.data["rule"] for report in (before, after)]
    if any(rules[0][key] != rules[1][key]  # type: ignore[literal-required]
           for key in ("criterion", "tolerance", "alpha")):
        lines.append("The audits judged by different rules: " + " and ".join(
            f"{rule['criterion']} with tolerance {100 * rule['tolerance']:g} %, "
            f"alpha {rule['alpha']:g}" for rule in rules))
    if differing := conditions_that_differ(before, after):
        lines.append("The audits measured under different conditions: " + "; ".join(differing))
    lines.append(f"{comparison.problems} problems and {len(comparison.checks)} checks in common: "
                 + ", ".join(f"{count} {change}" for change, count in counts.items()))
    if comparison.remarks:
        moved = sum(pair.change != "unchanged" for pair in comparison.remarks)
        lines.append(f"{len(comparison.remarks)} more checks are about reference algorithms, not "
                     f"about the library: {moved} of them not unchanged")
    for name, report in (("A", before), ("B", after)):
        lines += [f"{name}, warning: {text}" for text in warnings(report)]
    return lines


def rendered(comparison: Comparison, options: argparse.Namespace) -> str:
    lines, sheets = sentences(comparison), sheets_of(comparison, options.limit)
    if options.format == "html":
        jinja2 = require("jinja2", "compare --format html")
        folder = Path(__file__).with_name("templates")
        environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True,
                                         trim_blocks=True, lstrip_blocks=True)
        page: str = environment.get_template("compare.html.jinja").render(
            comparison=comparison, lines=lines, sheets=sheets,
            style=(folder / "page.css").read_text(encoding="utf-8"))
        return page
    if options.format == "markdown":
        head = "\n".join(f"- {line}" for line in lines)
        tail = "\n".join(f"- {line}" for line in comparison.unmatched)
        parts = [head, *map(to_markdown, sheets), *([f"Not compared:\n\n{tail}"] if tail else [])]
        return "\n\n".join(part.strip() for part in parts) + "\n"
    parts = ["\n".join(lines), *(to_text(sheet, options.width).strip() for sheet in sheets)]
    if comparison.unmatched:
        parts.append("Not compared:\n" + "\n".join(f"  {line}" for line in comparison.unmatched))
    return "\n\n".join(parts) + "\n"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "compare", help="what is new, fixed, slower or faster between two audits",
        epilog=EXAMPLES, description="Compares audit B with audit A, problem by problem.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="A", help="report.json or the folder that holds it")
    parser.add_argument("after", metavar="B")
    parser.add_argument("--format", choices=["text", "markdown", "html"], default="text")
    parser.add_argument("--fail-on", choices=["regression", "slowdown"],
                        help="exit code 1 when there is one")
    parser.add_argument("--limit", type=int, default=20, metavar="N",
                        help="rows of each table, 0: all; default 20")
    parser.add_argument("--width", type=int, default=0, metavar="COLUMNS",
                        help="fold text tables at this width; default never")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def launches(argument: str) -> list[Report]:
    """The report, or those of a folder of launches as jobs/before-after writes it, in their order."""
    folder = Path(argument)
    parts = [part for part in folder.glob("*/report.json") if part.parent.name.isdigit()]
    if not parts or (folder / "report.json").exists():
        reports = list(read(argument))
        if len(reports) != 1:
            raise InputError(f"{argument}: holds {len(reports)} reports, compare takes one on each "
                             "side")
        return reports
    parts.sort(key=lambda part: int(part.parent.name))
    return [report for part in parts for report in read(part)]


def run_over_launches(before: list[Report], after: list[Report], options: argparse.Namespace) -> int:
    if options.format == "html":
        raise InputError("compare --format html: of one launch each; leave --format out for several")
    found = answer(before, after)
    lines = [*found.sentences, f"A: {before[0].title} ({options.before})",
             f"B: {after[0].title} ({options.after})", *systems_that_differ(before[0], after[0])]
    output.give("\n".join(f"- {line}" if options.format == "markdown" else line for line in lines) + "\n",
                options.output)
    return 1 if options.fail_on is not None and found.has_slower else 0


def run(options: argparse.Namespace) -> int:
    before, after = launches(options.before), launches(options.after)
    if len(before) > 1 or len(after) > 1:
        return run_over_launches(before, after, options)
    comparison = compare(before[0], after[0])
    text = rendered(comparison, options)
    output.give(text, options.output)
    has_failed = (options.fail_on == "regression" and bool(comparison.regressions)) or (
        options.fail_on == "slowdown" and comparison.answer.has_slower)
    return 1 if has_failed else 0
