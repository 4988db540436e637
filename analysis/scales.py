# SPDX-License-Identifier: BSD-3-Clause
"""The command `scales`: which operations are slow from how many nodes on.

Sizes, ratios and replacements are those of the reports (`overview`); nothing is judged here.
"""

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import output, page_words, units
from .fields import OverviewRow
from .reports import Report, read_all

WIDTH = 80
MOST_WRONG = 3
MOST_CHARACTERS_OF_HEADLINE = 3 * WIDTH


@dataclass(frozen=True, slots=True)
class Scale:
    """A report by the name that tells the scales apart: its number of nodes, else of ranks."""

    report: Report
    number: int
    unit: str  # node or rank

    @property
    def name(self) -> str:
        return page_words.plural(self.number, self.unit)

    @property
    def is_silent(self) -> bool:
        """Whether no check has a verdict."""
        summary = self.report.data["summary"]
        return summary["violated"] + summary["holds"] == 0


@dataclass(frozen=True, slots=True)
class Slow:
    """An operation at one scale, with its row of the overview."""

    scale: Scale
    row: OverviewRow

    @property
    def sizes(self) -> str:
        """The sizes: "from 4 KiB on", "up to 1 KiB", "from 4 KiB to 64 KiB", "at all sizes"; empty for a
        single size."""
        if "low_bytes" not in self.row or self.row["low_bytes"] == self.row["high_bytes"]:
            return ""
        low, high = map(units.amount_of_bytes, (self.row["low_bytes"], self.row["high_bytes"]))
        is_lowest, is_highest = self.row.get("is_lowest", False), self.row.get("is_highest", False)
        if is_lowest and is_highest:
            return ", at all sizes"
        return f", up to {high}" if is_lowest else f", from {low} " + ("on" if is_highest else f"to {high}")

    @property
    def size(self) -> str:
        """The size of the row's problem; empty without data."""
        return units.amount_of_bytes(self.row["bytes"]) if "bytes" in self.row else ""

    @property
    def replacement(self) -> str:
        return str(self.row.get("contestant", "another way"))

    @property
    def data(self) -> str:
        return f" ({self.row['data']})" if self.row.get("data") else ""


def scales_of(reports: Sequence[Report]) -> list[Scale]:
    """Returns the scales by rising number of ranks."""
    rising = sorted(reports, key=lambda report: report.ranks)
    nodes = [report.nodes for report in rising]
    if len(set(nodes)) == len(nodes):
        return [Scale(report, report.nodes, "node") for report in rising]
    return [Scale(report, report.ranks, "rank") for report in rising]


def is_confirmed(report: Report, row: OverviewRow) -> bool:
    """Returns whether all launches have measured the violation of a row."""
    launches = len(report.data.get("launches", []))
    return launches < 2 or any(
        check["problem"] == row["problem"] and check["guideline"] == row["guideline"]
        and len(check.get("launches", [])) == launches for check in report.violations)


def slow_operations(scale: Scale) -> dict[str, Slow]:
    """Returns the operations with a confirmed violation, by their first row."""
    found: dict[str, Slow] = {}
    for row in scale.report.overview:
        if is_confirmed(scale.report, row):
            found.setdefault(row["operation"], Slow(scale, row))
    return found


def decided_operations(scale: Scale) -> set[str]:
    """Returns the operations with a verdict."""
    return {each["operation"] for each in scale.report.operations if each["violated"] + each["holds"]}


def listed(words: Sequence[object]) -> str:
    """Returns "1, 2 and 4"."""
    texts = [str(word) for word in words]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def where(slow: Sequence[Slow], scales: Sequence[Scale], has_gaps: bool) -> str:
    """Returns on which of the scales: "from 2 nodes on", "up to 2 nodes", "on 1 and 4 nodes". `has_gaps`:
    some scales have no answer, so nothing is said about all, about others and about what lies between."""
    numbers, all_numbers = [each.scale.number for each in slow], [each.number for each in scales]
    unit = scales[0].unit
    if len(scales) == 1:
        return ""
    if has_gaps:
        return f"on {names(slow)}"
    if numbers == all_numbers:
        return f"on all numbers of {unit}s"
    if numbers == all_numbers[-len(numbers):] and len(numbers) > 1:
        return f"from {page_words.plural(numbers[0], unit)} on"
    if numbers == all_numbers[:len(numbers)] and len(numbers) > 1:
        return f"up to {page_words.plural(numbers[-1], unit)}"
    return f"on {names(slow)}" + ("" if len(numbers) > 1 else " only")


def names(slow: Sequence[Slow]) -> str:
    """Returns "1 node" or "2 and 4 nodes"."""
    return names_of([each.scale for each in slow])


def names_of(scales: Sequence[Scale]) -> str:
    numbers = [each.number for each in scales]
    return f"{listed(numbers)} {scales[0].unit}{'s' if numbers[-1] > 1 else ''}"


def times(group: Sequence[Slow]) -> str:
    """Returns "1.80 and 2.10 times as long as MPI_Gatherv(m) at 16 KiB"; each ratio with its size if sizes
    differ."""
    rows = [each for each in group if "factor" in each.row]
    if not rows:
        return f"longer than {group[0].replacement}"
    sizes = {each.size for each in rows}
    ratios = [units.ratio(float(each.row["factor"])) for each in rows]
    if len(rows) > 2:
        ordered = sorted(float(each.row["factor"]) for each in rows)
        few = " to ".join(dict.fromkeys(map(units.ratio, (ordered[0], ordered[-1]))))
    elif len(sizes) > 1:
        few = " and ".join(f"{ratio} ({each.size})" for ratio, each in zip(ratios, rows, strict=True))
    else:
        few = " and ".join(dict.fromkeys(ratios))
    size = next(iter(sizes)) if len(sizes) == 1 else ""
    return f"{few} times as long as {rows[0].replacement}{f' at {size}' if size else ''}"


def clause(group: Sequence[Slow], is_only: bool) -> str:
    """Returns "1.80 times as long as MPI_Gatherv(m) at 16 KiB, from 4 KiB on (2 and 4 nodes)"."""
    text = f"{times(group)}{group[0].data}{group[0].sizes}"
    return text if is_only else f"{text} ({names(group)})"


def sentence(name: str, slow: Sequence[Slow], scales: Sequence[Scale], open_at: Sequence[Scale]) -> str:
    """Returns: From 2 nodes on, MPI_Gather takes 1.80 times as long as MPI_Gatherv(m) at 16 KiB, from 4 KiB
    on."""
    groups: dict[tuple[str, str, str], list[Slow]] = {}
    for each in slow:
        groups.setdefault((each.replacement, each.data, each.sizes), []).append(each)
    place = where(slow, scales, bool(open_at) or any(scale.is_silent for scale in scales))
    start = f"{place[0].upper()}{place[1:]}, {name} takes" if place else f"{name} takes"
    clauses = "; ".join(clause(group, len(groups) == 1) for group in groups.values())
    most_s = max(float(each.row["lost_s"]) for each in slow)
    most = f"{'up to ' if len(slow) > 1 else ''}{units.short(most_s * 1e6)}"
    lost = f"; {most} us more per call" if most_s > 0 else ""
    unknown = f"; no answer on {names_of(open_at)}" if open_at else ""
    # A row that advises other calls has named them already.
    advice = dict.fromkeys(each.row["instead"] for each in slow if each.row["kind"] != "calls")
    return f"{start} {clauses}{lost}{unknown}." + "".join(f" Instead: {each}." for each in advice)


def findings(scales: Sequence[Scale]) -> list[str]:
    """Returns a sentence for each operation that is slow at some scale: blocking operations first, then by
    the time that a call loses."""
    slow = [slow_operations(scale) for scale in scales]
    decided = [decided_operations(scale) for scale in scales]
    others = {row["operation"] for scale in scales for row in scale.report.overview if row["is_other_form"]}
    sentences = []
    for name in {name for each in slow for name in each}:
        found = [each[name] for each in slow if name in each]
        open_at = [scale for scale, at, answers in zip(scales, slow, decided, strict=True)
                   if name not in at and name not in answers and not scale.is_silent]
        saved = max(float(each.row["lost_s"]) for each in found)
        sentences.append(((name in others, -saved, name), sentence(name, found, scales, open_at)))
    return [text for _, text in sorted(sentences)]


def no_verdict(report: Report) -> str:
    """Returns how much was measured without a verdict, and what to do."""
    problems = report.data["problems"]
    measured = sum(any("statistics" in each for each in problem["contestants"]) for problem in problems)
    return (f"no check has a verdict; {measured} of {page_words.plural(len(problems), 'problem')} have "
            "times. Give the audit more time: --time of jobs/slurm submit, --budget of mpiaudit run.")


def head(scale: Scale) -> str:
    """Returns the headline of one scale."""
    report = scale.report
    launches = len(report.data.get("launches", []))
    told = f", {launches} launches" if launches > 1 else ", a single launch"
    said = no_verdict(report) if scale.is_silent else report.headline
    text = (f"{page_words.plural(report.nodes, 'node')}, {page_words.plural(report.ranks, 'rank')}{told}: "
            f"{said}")
    return textwrap.shorten(text, MOST_CHARACTERS_OF_HEADLINE, placeholder=" ...")


def wrong_results(scales: Sequence[Scale]) -> list[str]:
    """Returns a line for each wrong form, with its scales."""
    found: dict[str, dict[int, Scale]] = {}
    for scale in scales:
        for problem in scale.report.data["problems"]:
            for contestant in problem["contestants"]:
                if "wrong" in contestant:
                    found.setdefault(contestant["name"], {})[scale.number] = scale
    lines = [f"WRONG: {name} on {names_of(list(at.values()))}" for name, at in found.items()]
    if len(lines) > MOST_WRONG:
        lines[MOST_WRONG:] = [f"WRONG, too: {len(lines) - MOST_WRONG} more forms, on the page"]
    return lines


def answer(reports: Sequence[Report]) -> str:
    """Returns lines of up to 80 columns: the system, a headline for each scale, a finding for each
    operation.

    The first line of a finding begins with `! `.
    """
    scales = scales_of(reports)
    lines = [f"{reports[0].library}, {page_words.occasion(reports)}", *map(head, scales),
             *wrong_results(scales)]
    found = findings(scales)
    text = [textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines]
    text.append("")
    if found:
        text.append("Bytes: of a rank's vector or block. What costs most time per call comes first.")
    text += [textwrap.fill(f"! {line}", WIDTH, subsequent_indent="    ", break_long_words=False,
                           break_on_hyphens=False) for line in found]
    summaries = [scale.report.data["summary"] for scale in scales]
    is_decided = any(each["violated"] + each["holds"] for each in summaries)
    if not found and is_decided:
        text.append("No operation is slower than another way that was measured, in all launches.")
    return "\n".join(text) + "\n"


EXAMPLES = """examples:
  python3 -m analysis scales results/night/scaling.json
  python3 -m analysis scales results/one-node results/two-nodes results/four-nodes

Only verdicts on the library count. `mpiaudit judge RESULTS` shows the answer of one audit; its options
--markdown and --github write that answer for the page of a pipeline."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "scales", help="one answer over all numbers of nodes", epilog=EXAMPLES,
        description="Says which operations are slow, and from how many nodes on.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT",
                        help="report.json, the folder that holds it, or a scaling document")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    output.give(answer(read_all(options.reports)), options.output)
    return 0
