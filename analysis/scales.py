# SPDX-License-Identifier: BSD-3-Clause
"""The answer over several scales: which operations are slow from how many nodes on.

Ranges of sizes, ratios and replacements are those of the reports (`ranges`); nothing is judged here.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import summary, units
from .reports import Report
from .statements import operation_of

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
        return summary.plural(self.number, self.unit)


@dataclass(frozen=True, slots=True)
class Slow:
    """An operation at one scale: the range of sizes on which a program loses most time."""

    scale: Scale
    range: dict[str, Any]
    number: int  # of ranges

    @property
    def sizes(self) -> str:
        """From 4 KiB, up to 1 KiB, from 4 to 64 KiB or empty for all sizes."""
        has_below, has_above = "below" in self.range, "above" in self.range
        first, last = (size_of(self.scale.report, self.range[end]) for end in ("first", "last"))
        if first == last:
            return f" at {first}"
        if has_below:
            return f" from {first} to {last}" if has_above else f" from {first} on"
        return f" up to {last}" if has_above else " at all sizes"


def size_of(report: Report, identity: str) -> str:
    problem = report.problems[identity]
    return units.amount_of_bytes(problem["total"] * problem["element_bytes"])


def scales_of(reports: Sequence[Report]) -> list[Scale]:
    """By rising number of ranks."""
    rising = sorted(reports, key=lambda report: report.ranks)
    nodes = [report.nodes for report in rising]
    if len(set(nodes)) == len(nodes):
        return [Scale(report, report.nodes, "node") for report in rising]
    return [Scale(report, report.ranks, "rank") for report in rising]


def is_confirmed(report: Report, found: dict[str, Any]) -> bool:
    """Whether all launches have measured the worst violation of a range."""
    launches = len(report.data.get("launches", []))
    return launches < 2 or any(
        check["problem"] == found["problem"] and check["guideline"] == found["guideline"]
        and len(check.get("launches", [])) == launches for check in report.violations)


def slow_operations(scale: Scale) -> dict[str, Slow]:
    """Those with a confirmed violation."""
    ranges: dict[str, list[dict[str, Any]]] = {}
    for each in scale.report.data.get("ranges", []):
        if "factor" in each and is_confirmed(scale.report, each):
            ranges.setdefault(each["operation"], []).append(each)
    return {name: Slow(scale, max(found, key=lambda each: float(each["saved_s"])), len(found))
            for name, found in ranges.items()}


def decided_operations(scale: Scale) -> set[str]:
    """Those about which there is an answer."""
    return {operation_of(check["left"]) for check in scale.report.verdicts
            if check["verdict"] in ("violated", "holds")}


def listed(words: Sequence[object]) -> str:
    """1, 2 and 4."""
    texts = [str(word) for word in words]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def where(slow: Sequence[Slow], scales: Sequence[Scale]) -> str:
    """On which of the scales: from 2 nodes on, up to 2 nodes, on 1 and 4 nodes."""
    numbers, all_numbers = [each.scale.number for each in slow], [each.number for each in scales]
    unit = scales[0].unit
    if len(scales) == 1:
        return ""
    if numbers == all_numbers:
        return f"on all numbers of {unit}s"
    if numbers == all_numbers[-len(numbers):] and len(numbers) > 1:
        return f"from {summary.plural(numbers[0], unit)} on"
    if numbers == all_numbers[:len(numbers)] and len(numbers) > 1:
        return f"up to {summary.plural(numbers[-1], unit)}"
    return f"on {names(slow)}" + ("" if len(numbers) > 1 else " only")


def names(slow: Sequence[Slow]) -> str:
    """1 node, 2 and 4 nodes."""
    return names_of([each.scale for each in slow])


def names_of(scales: Sequence[Scale]) -> str:
    numbers = [each.number for each in scales]
    return f"{listed(numbers)} {scales[0].unit}{'s' if numbers[-1] > 1 else ''}"


def clause(group: Sequence[Slow], is_only: bool) -> str:
    """1.8 to 2.1 times as long as MPI_Gatherv(m) from 4 KiB on (2 and 4 nodes)."""
    factors = [float(each.range["factor"]) for each in group]
    if len(factors) > 2:
        factors = [min(factors), max(factors)]
    few = (" to " if len(group) > 2 else " and ").join(dict.fromkeys(map(units.ratio, factors)))
    text = f"{few} times as long as {group[0].range['instead']}{group[0].sizes}"
    return text if is_only else f"{text} ({names(group)})"


def sentence(name: str, slow: Sequence[Slow], scales: Sequence[Scale], open_at: Sequence[Scale]) -> str:
    """From 2 nodes on, MPI_Gather takes 1.80 times as long as MPI_Gatherv(m) from 4 KiB on."""
    groups: list[list[Slow]] = []
    for each in slow:
        alike = next((group for group in groups if group[0].range["instead"] == each.range["instead"]
                      and group[0].sizes == each.sizes), None)
        if alike is None:
            groups.append([each])
        else:
            alike.append(each)
    place = where(slow, scales)
    start = f"{place[0].upper()}{place[1:]}, {name} takes" if place else f"{name} takes"
    clauses = "; ".join(clause(group, len(groups) == 1) for group in groups)
    most_s = max(float(each.range["saved_s"]) for each in slow)
    lost = f", up to {units.short(most_s * 1e6)} us more per call" if most_s > 0 else ""
    unknown = f"; no answer on {names_of(open_at)}" if open_at else ""
    return f"{start} {clauses}{lost}{unknown}."


def findings(scales: Sequence[Scale]) -> list[str]:
    """A sentence for each operation that is slow at some scale: blocking operations first, what costs
    a program most time per call first."""
    slow = [slow_operations(scale) for scale in scales]
    decided = [decided_operations(scale) for scale in scales]
    others = {name for scale in scales for name in scale.report.other_forms}
    sentences = []
    for name in {name for each in slow for name in each}:
        found = [each[name] for each in slow if name in each]
        open_at = [scale for scale, at, answers in zip(scales, slow, decided, strict=True)
                   if name not in at and name not in answers]
        saved = max(float(each.range["saved_s"]) for each in found)
        sentences.append(((name in others, -saved, name), sentence(name, found, scales, open_at)))
    return [text for _, text in sorted(sentences)]


def head(scale: Scale) -> str:
    """The headline of one scale."""
    report = scale.report
    launches = len(report.data.get("launches", []))
    told = f", {launches} launches" if launches > 1 else ", a single launch"
    text = (f"{summary.plural(report.nodes, 'node')}, {summary.plural(report.ranks, 'rank')}{told}: "
            f"{summary.headline(report)}")
    return textwrap.shorten(text, MOST_CHARACTERS_OF_HEADLINE, placeholder=" ...")


def wrong_results(scales: Sequence[Scale]) -> list[str]:
    """Each form that was wrong once, with its scales."""
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
    """Lines of up to 80 columns: the system, a headline for each scale, a finding for each operation.
    A line that begins a finding begins with `! `."""
    scales = scales_of(reports)
    lines = [f"{reports[0].library}, {summary.occasion(reports)}", *map(head, scales),
             *wrong_results(scales)]
    found = findings(scales)
    text = [textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines]
    text.append("")
    if found:
        text.append("Bytes are those of all blocks. What costs most time per call comes first.")
    text += [textwrap.fill(f"! {line}", WIDTH, subsequent_indent="    ", break_long_words=False,
                           break_on_hyphens=False) for line in found]
    if not found:
        text.append("No operation is slower than another way that was measured, in all launches.")
    return "\n".join(text) + "\n"
