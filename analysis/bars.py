# SPDX-License-Identifier: BSD-3-Clause
"""Bars of the medians of all implementations at one block size; a tick marks each minimum."""

from typing import TYPE_CHECKING

from . import pictures, units
from .contestants import Collectives, distributions_of, named
from .curves import violated_left_sides
from .errors import InputError
from .fields import Problem
from .reports import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_panel(axes: "Axes", problem: Problem, names: list[str],
               styles: dict[str, pictures.Style], violated: set[tuple[str, str]]) -> None:
    """Draws a horizontal bar for each implementation, with its time."""
    ends = [0.0]
    for position, name in enumerate(names):
        contestant = named(problem, name)
        if contestant is None or "statistics" not in contestant:
            reason = "absent" if contestant is None else contestant.get(
                "skipped", f"wrong result: {contestant.get('wrong', 'not measured')}")
            axes.text(0, position, f" {reason}", va="center", fontsize=7, style="italic")
            continue
        numbers = contestant["statistics"]
        median, minimum = 1e6 * numbers["median_s"], 1e6 * numbers["minimum_s"]
        is_violated = (problem["id"], name) in violated
        axes.barh(position, median, height=0.66, color=styles[name].colour,
                  edgecolor=pictures.VIOLATED if is_violated else "none", linewidth=1.6)
        axes.plot([minimum], [position], marker="|", markersize=8, color=pictures.INK)
        ends.append(median)
        axes.annotate(units.short(median) + (" violated" if is_violated else ""),
                      (median, position), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=7.5, annotation_clip=False,
                      color=pictures.VIOLATED if is_violated else pictures.INK,
                      weight="bold" if is_violated else "normal")
    axes.set_xlim(0, (max(ends) or 1.0) * 1.42)
    axes.locator_params(axis="x", nbins=4)


def draw(report: Report, collectives: Collectives, collective: str, block_size: int,
         names: list[str] | None = None, distributions: list[str] | None = None) -> "Figure":
    """Returns a figure of the bars of one collective at one block size, a panel per distribution."""
    names = names or collectives.members[collective]
    styles = pictures.styles_of(names, collectives.kinds)
    problems = [
        problem for name, group in distributions_of(report.data["problems"]).items()
        if not distributions or name in distributions
        for problem in group if problem["block_size"] == block_size
    ]
    if not problems:
        sizes = sorted({problem["block_size"] for problem in report.data["problems"]})
        raise InputError(f"{report.path}: no problem with block size {block_size}; it has "
                         f"{', '.join(map(str, sizes))}")
    columns = min(3, len(problems))
    rows = -(-len(problems) // columns)
    figure = pictures.new_figure(
        2.0 + 2.6 * columns, 0.7 + rows * (0.55 + 0.25 * len(names)),
        f"{collective}: block size b = {units.elements(block_size)} — {report.title}")
    violated = violated_left_sides(report, collectives, collective)
    axes = pictures.panels(figure, len(problems), columns, sharey=True)
    for axis, problem in zip(axes, problems, strict=True):
        amount = units.amount_of_bytes(problem["total"] * problem["element_bytes"])
        axis.set_title(f"{problem['distribution']}, m = {amount}", loc="left")
        axis.grid(axis="y", visible=False)
        draw_panel(axis, problem, names, styles, violated)
        pictures.label_time(axis.xaxis)
    axes[0].set_yticks(range(len(names)), [report.label(name).replace(" + ", " +\n") for name in names])
    axes[0].set_ylim(len(names) - 0.4, -0.6)
    pictures.label_outer(axes, columns, "median time, tick: minimum [µs]", "")
    return figure
