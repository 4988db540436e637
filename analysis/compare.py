# SPDX-License-Identifier: BSD-3-Clause
"""The command `compare`: two audits, operation by operation and guideline by guideline.

Only problems that are equal in both audits are compared. The verdicts are those of the reports.
"""

import argparse
import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from . import output, units
from .before_after import Answer, answer
from .compare_conditions import conditions_that_differ, difference, systems_that_differ, unmatched_problems
from .errors import InputError, require
from .fields import Check, Verdict
from .heatmap import effect
from .launches import launches
from .operations import problems_of
from .reports import Report
from .sheet import Cell, Heading, Row, Sheet, to_markdown, to_text
from .marks import Mark
from .page_words import warnings

EXAMPLES = """examples:
  python3 -m analysis compare results/openmpi results/mpich
  python3 -m analysis compare results/NAME/before results/NAME/after --fail-on slowdown
  python3 -m analysis compare before after --format html -o difference.html

A row for each operation of the library: its time in B over that in A. jobs/before-after measures several
launches; of their folders the first sentence says which operations became slower or faster. Two launches
of one library differ by up to a quarter, so one launch each is judged by `mpiaudit judge B --baseline A`.
A check is new (held in A, violated in B), fixed (violated in A, holds in B), still violated, unclear
(violated in one, neither violated nor holding in the other), or unchanged; --checks lists them.

--fail-on slowdown, for several launches of each: exit code 1 if an operation became slower, 5 if none did
and the times cannot tell whether some operation became 1.5 times slower."""

Change = str
UNDECIDED = 5  # the exit code, as of `mpiaudit judge`
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


@dataclass
class Comparison:
    before: Report
    after: Report
    problems: int
    checks: list[CheckPair] = field(default_factory=list)
    remarks: list[CheckPair] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)

    @cached_property
    def answer(self) -> Answer:
        return answer([self.before], [self.after])

    @property
    def counts(self) -> dict[Change, int]:
        counter = Counter(pair.change for pair in self.checks)
        return {change: counter[change] for change in CHANGES}


def compare(before: Report, after: Report) -> Comparison:
    """Returns the checks and times of the common problems beside each other."""
    matches = problems_of(before)
    common = {problem["id"]: matches[key] for key, problem in problems_of(after).items() if key in matches}
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
    return result


def ratio_text(check: Check) -> str:
    value = effect(check)
    return units.ratio(value) if value is not None else "-"


def checks_sheet(pairs: list[CheckPair], caption: str, mark: Mark, most: int) -> Sheet:
    """Returns every check with a verdict that matters, new violations first. `mark` is the mark of checks
    that are violated in B."""
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


def operations_sheet(found: Answer) -> Sheet:
    """Returns a row for each operation; operations that changed come first."""
    changed = {change.operation for change in found.changes}
    rows = sorted(found.rows, key=lambda row: (row.operation not in changed, -abs(math.log(row.ratio))))
    is_judged = not found.too_few
    stub = ("Operation", "Said") if is_judged else ("Operation",)
    headings = ["Problems", "Pairs", "B / A", "launches" if is_judged else "half of the problems"]
    lines = []
    for row in rows:
        cells = [str(row.problems), str(row.pairs), units.ratio(row.ratio),
                 f"{units.ratio(row.low)} to {units.ratio(row.high)}"]
        lines.append(Row((row.operation, found.said_of(row.operation))[:len(stub)],
                         tuple(Cell(text) for text in (cells if is_judged else cells[:1] + cells[2:])), True))
    caption = "Each operation: time in B / time in A" + (", less the common pace" if is_judged else "")
    return Sheet(caption, stub, [Heading(text) for text in headings if is_judged or text != "Pairs"], lines,
                 left_aligned=len(stub))


def sheets_of(comparison: Comparison, options: argparse.Namespace) -> list[Sheet]:
    """Returns the tables that have rows."""
    sheets = [operations_sheet(comparison.answer)]
    if options.checks:
        sheets += [checks_sheet(comparison.checks, "Guidelines, left / right", "violated", options.limit),
                   checks_sheet(comparison.remarks, "Reference algorithms, no verdicts on the library",
                                "remark", options.limit)]
    return [sheet for sheet in sheets if sheet.rows]


def sentences(comparison: Comparison) -> list[str]:
    """Returns sentences about what is compared and what came out."""
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
                 + ", ".join(f"{count} {change}" for change, count in counts.items())
                 + " (--checks lists them)")
    if comparison.remarks:
        moved = sum(pair.change != "unchanged" for pair in comparison.remarks)
        lines.append(f"{len(comparison.remarks)} more checks are about reference algorithms, not "
                     f"about the library; {moved} of them changed")
    for name, report in (("A", before), ("B", after)):
        lines += [f"{name}, warning: {text}" for text in warnings(report)]
    return lines


def rendered(comparison: Comparison, options: argparse.Namespace) -> str:
    lines, sheets = sentences(comparison), sheets_of(comparison, options)
    if options.format == "html":
        jinja2 = require("jinja2", "compare --format html")
        folder = Path(__file__).with_name("templates")
        environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True,
                                         trim_blocks=True, lstrip_blocks=True)
        page: str = environment.get_template("compare.html.jinja").render(
            comparison=comparison, lines=lines, sheets=sheets,
            style=(folder / "page.css").read_text(encoding="utf-8"))
        return page
    rest = "\n".join(lines[len(comparison.answer.sentences):])
    if options.format == "markdown":
        head, middle, tail = ("\n".join(f"- {line}" for line in each) for each in (
            comparison.answer.sentences, lines[len(comparison.answer.sentences):], comparison.unmatched))
        parts = [head, *map(to_markdown, sheets[:1]), middle, *map(to_markdown, sheets[1:]),
                 *([f"Not compared:\n\n{tail}"] if tail else [])]
        return "\n\n".join(part.strip() for part in parts) + "\n"
    texts = [to_text(sheet, options.width).strip() for sheet in sheets]
    parts = ["\n".join(comparison.answer.sentences), *texts[:1], rest, *texts[1:]]
    if comparison.unmatched:
        parts.append("Not compared:\n" + "\n".join(f"  {line}" for line in comparison.unmatched))
    return "\n\n".join(parts) + "\n"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "compare", help="which operations became slower or faster between two audits",
        epilog=EXAMPLES, description="Compares audit B with audit A, problem by problem.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="A", help="report.json or the folder that holds it")
    parser.add_argument("after", metavar="B")
    parser.add_argument("--format", choices=["text", "markdown", "html"], default="text")
    parser.add_argument("--fail-on", choices=["slowdown"],
                        help="exit code 1 if there is one, 5 if that cannot be told")
    parser.add_argument("--checks", action="store_true",
                        help="list the checks whose verdict changed, for one launch each")
    parser.add_argument("--limit", type=int, default=20, metavar="N",
                        help="most rows of each list, 0: all; default 20")
    parser.add_argument("--width", type=int, default=0, metavar="COLUMNS",
                        help="fold text tables at this width; default never")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run_over_launches(before: list[Report], after: list[Report], options: argparse.Namespace) -> int:
    if options.format == "html":
        raise InputError("compare --format html: of one launch each; leave --format out for several")
    found = answer(before, after)
    rest = [f"A: {before[0].title} ({options.before})", f"B: {after[0].title} ({options.after})",
            *systems_that_differ(before[0], after[0])]
    is_markdown = options.format == "markdown"
    sheet = operations_sheet(found)
    head, tail = ("\n".join(f"- {line}" if is_markdown else line for line in lines)
                  for lines in (found.sentences, rest))
    table = (to_markdown(sheet) if is_markdown else to_text(sheet, options.width)).strip()
    output.give("\n\n".join([head, table, tail]) + "\n", options.output)
    if not options.fail_on:
        return 0
    return 1 if found.has_slower else 0 if found.is_decided else UNDECIDED


def run(options: argparse.Namespace) -> int:
    before, after = launches(options.before), launches(options.after)
    if len(before) > 1 or len(after) > 1:
        return run_over_launches(before, after, options)
    if options.fail_on:
        raise InputError("compare --fail-on: give several launches of each, as jobs/before-after measures "
                         "them; of one launch each: mpiaudit judge "
                         f"{options.after} --baseline {options.before}")
    output.give(rendered(compare(before[0], after[0]), options), options.output)
    return 0
