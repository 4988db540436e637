# SPDX-License-Identifier: BSD-3-Clause
"""Bars of the medians of all implementations at one block size; a tick marks each minimum."""

import statistics
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import pictures, units
from .contestants import Collectives, distributions_of, named
from .curves import measured, violated_left_sides
from .errors import InputError, require
from .fields import Contestant, Problem
from .reports import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL = 2.6  # inches, of which the axes have at least:
AXES = 2.1
ROW = 0.17  # inches, of a line of a label
# Inches of a letter beside a bar.
LETTER = 0.066
# A bar that is longer by this factor than the median bar is cut, so that the others can be compared.
LONGEST = 8.0
MOST_NAMES = 4


def best_size(report: Report, names: Sequence[str], distributions: list[str] | None) -> int | None:
    """Returns the block size with most measured times, of several the largest; None without times."""
    counts: dict[int, int] = {}
    for problem in report.data["problems"]:
        if not distributions or problem["distribution"] in distributions:
            number = len(measured([problem], names))
            counts[problem["block_size"]] = counts.get(problem["block_size"], 0) + number
    found = max(counts, key=lambda size: (counts[size], size), default=None)
    return found if found is not None and counts[found] else None


def reason_of(contestant: Contestant) -> str:
    """Returns why there is no time, as a text that fits into a panel."""
    reason = contestant.get("skipped", f"wrong result: {contestant.get('wrong', 'not measured')}")
    return textwrap.shorten(reason, int(AXES / (0.85 * LETTER)), placeholder="…")


def draw_panel(axes: "Axes", problem: Problem, names: list[str], collectives: Collectives,
               violated: set[tuple[str, str]]) -> None:
    """Draws a horizontal bar for each implementation, with its time."""
    contestants = {name: each for name in names if (each := named(problem, name)) is not None}
    known = {name: each["statistics"] for name, each in contestants.items() if "statistics" in each}
    medians = [1e6 * each["median_s"] for each in known.values()]
    limit = LONGEST * statistics.median(medians) if medians else 1.0
    limit = 1.1 * max([median for median in medians if median <= limit], default=1.0)
    ends = []
    for position, name in enumerate(names):
        if name not in known:
            axes.text(0, position, f" {reason_of(contestants[name])}", va="center", fontsize=7,
                      style="italic")
            continue
        median, minimum = 1e6 * known[name]["median_s"], 1e6 * known[name]["minimum_s"]
        is_violated, is_cut = (problem["id"], name) in violated, median > limit
        end = min(median, limit)
        axes.barh(position, end, height=0.66, color=pictures.KINDS[collectives.kinds[name]][0],
                  edgecolor=pictures.VIOLATED if is_violated else "none", linewidth=1.6)
        if minimum <= limit:
            axes.plot([minimum], [position], marker="|", markersize=8, color=pictures.INK)
        text = units.short(median) + (" violated" if is_violated else "") + (", bar cut" if is_cut else "")
        axes.annotate(text, (end, position), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=7.5, annotation_clip=False,
                      color=pictures.VIOLATED if is_violated else pictures.INK,
                      weight="bold" if is_violated else "normal")
        ends.append(end / (1 - min(0.8, (0.1 + LETTER * len(text)) / AXES)))
    axes.set_xlim(0, max(ends, default=1.0) or 1.0)
    axes.locator_params(axis="x", nbins=3)


def draw(report: Report, collectives: Collectives, collective: str, block_size: int,
         names: list[str] | None = None, distributions: list[str] | None = None,
         width: float = pictures.WIDTH) -> "Figure | None":
    """Returns a figure of the bars of one collective at one block size, a panel per distribution; None if
    nothing was measured. Implementations without any time are named below."""
    names = names or collectives.members[collective]
    problems = [
        problem for name, group in distributions_of(report.data["problems"]).items()
        if not distributions or name in distributions
        for problem in group if problem["block_size"] == block_size
    ]
    if not problems:
        sizes = sorted({problem["block_size"] for problem in report.data["problems"]})
        raise InputError(f"{report.path}: no problem with block size {block_size}; it has "
                         f"{', '.join(map(str, sizes))}")
    problems = [problem for problem in problems if measured([problem], names)]
    if not problems:
        return None
    shown = measured(problems, names)
    rows = rows_of(problems, shown)
    labels = {name: report.label(name).replace(" + ", " +\n") for name in shown}
    labels = {name: pictures.wrapped(label, width - PANEL - 0.3, pictures.LETTER)
              for name, label in labels.items()}
    longest = max(len(line) for label in labels.values() for line in label.split("\n"))
    beside = 0.3 + pictures.LETTER * longest
    has_equal_rows = all(each == rows[0] for each in rows)
    columns = pictures.columns_for(len(problems), width, PANEL, beside) if has_equal_rows else 1
    row = 0.08 + ROW * max(label.count("\n") + 1 for label in labels.values())
    heights = [0.6 + row * max(map(len, rows[index:index + columns]))
               for index in range(0, len(rows), columns)]
    figure = pictures.new_figure(
        max(beside + PANEL * columns, 4.0), 1.2 + sum(heights),
        f"{collective}: block size b = {units.elements(block_size)} — {report.title}")
    violated = violated_left_sides(report, collectives, collective)
    axes = pictures.panels(figure, len(problems), columns, sharey=has_equal_rows,
                           height_ratios=[height - 0.6 for height in heights])
    for axis, problem, mine in zip(axes, problems, rows, strict=True):
        amount = units.amount_of_bytes(problem["total"] * problem["element_bytes"])
        axis.set_title(pictures.wrapped(f"{problem['distribution']}, m = {amount}", AXES, pictures.LETTER),
                       loc="left")
        axis.grid(axis="y", visible=False)
        draw_panel(axis, problem, mine, collectives, violated)
        pictures.label_time(axis.xaxis)
        if not has_equal_rows or axis is axes[0]:
            axis.set_yticks(range(len(mine)), [labels[name] for name in mine])
            axis.set_ylim(len(mine) - 0.4, -0.6)
    pictures.label_outer(axes, columns, "median time [µs]", "")
    add_legend(figure, report, collectives, shown, [name for name in names if name not in shown])
    return figure


def rows_of(problems: list[Problem], names: list[str]) -> list[list[str]]:
    """Returns the rows of each panel: equal ones, some with a reason in place of a bar, or the rows with bars
    if the problems have different implementations."""
    if all(named(problem, name) is not None for problem in problems for name in names):
        return [names for _ in problems]
    return [measured([problem], names) for problem in problems]


def add_legend(figure: "Figure", report: Report, collectives: Collectives, shown: list[str],
               missing: list[str]) -> None:
    patches = require("matplotlib.patches", "plot")
    kinds = [kind for kind in pictures.KINDS if kind in {collectives.kinds[name] for name in shown}]
    title = "tick: minimum"
    if missing:
        few = ", ".join(report.label(name) for name in missing[:MOST_NAMES])
        more = f" and {len(missing) - MOST_NAMES} more" if len(missing) > MOST_NAMES else ""
        title = pictures.wrapped(f"{title}; not measured: {few}{more}", figure.get_figwidth(),
                                 pictures.LETTER)
    pictures.legend_below(figure, [patches.Patch(color=pictures.KINDS[kind][0]) for kind in kinds],
                          [pictures.KINDS[kind][1] for kind in kinds], title=title, title_fontsize=8,
                          alignment="left", handlelength=1.2)
