# SPDX-License-Identifier: BSD-3-Clause
"""Time and ratios over the number of ranks, from reports of the same audit at several scales."""

import math
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from . import pictures, units
from .contestants import collectives_of, named
from .curves import told_apart
from .errors import InputError, require
from .fields import Check, Statistics
from .heatmap import effect
from .reports import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


WIDE = 7.0  # inches: room for two panels side by side
LABEL = 0.55  # inches of a number of nodes


def by_ranks(reports: list[Report]) -> list[Report]:
    """Returns the reports by rising number of ranks. Raises InputError unless there are several scales."""
    ranks = [report.ranks for report in reports]
    if len(set(ranks)) < 2:
        raise InputError("scaling needs reports at two numbers of ranks at least, all of these "
                         f"have {ranks[0]}")
    if len(set(ranks)) < len(ranks):
        twice = next(count for count in ranks if ranks.count(count) > 1)
        raise InputError(f"scaling needs one report for each number of ranks, two have {twice}: "
                         "merge launches first (the command merge)")
    if len({report.is_simulated for report in reports}) > 1:
        raise InputError("scaling needs reports that are all measured or all simulated")
    return sorted(reports, key=lambda report: report.ranks)


def common_sizes(reports: list[Report], distribution: str, names: Collection[str]) -> list[int]:
    """Returns the block sizes of a distribution that all reports have measured."""
    found = [{problem["block_size"] for problem in report.data["problems"]
              if problem["distribution"] == distribution
              and any("statistics" in each and each["name"] in names for each in problem["contestants"])}
             for report in reports]
    return sorted(set.intersection(*found)) if found else []


def measured(report: Report, identity: str, name: str) -> Statistics | None:
    problem = report.problems.get(identity)
    contestant = named(problem, name) if problem else None
    return contestant.get("statistics") if contestant else None


def draw_times(axes: "Axes", reports: list[Report], identity: str,
               styles: dict[str, pictures.Style]) -> list[tuple[Any, str]]:
    entries = []
    for name, style in styles.items():
        points = [(report.ranks, numbers) for report in reports
                  if (numbers := measured(report, identity, name))]
        if not points:
            continue
        medians = [1e6 * item["median_s"] for _, item in points]
        handle = pictures.draw_intervals(axes, [ranks for ranks, _ in points], medians,
                                         [1e6 * item["minimum_s"] for _, item in points],
                                         medians, style)
        label = next((report.label(name) for report in reports if name in report.names), name)
        entries.append((handle, label))
    axes.set_yscale("log")
    pictures.label_time(axes.yaxis)
    axes.set_ylabel("median time [µs]")
    axes.set_title("time, bars to the minimum", loc="left")
    return entries


def worst_series(series: dict[str, list[tuple[int, Check]]], is_found: Callable[[Check], bool],
                 ) -> dict[str, list[tuple[int, Check]]]:
    """Returns as many guidelines as have colours: those that are violated, then those with large ratios."""
    def severity(statement: str) -> tuple[bool, float]:
        checks = [check for _, check in series[statement]]
        return any(map(is_found, checks)), max(effect(check) or 0.0 for check in checks)

    kept = sorted(series, key=severity, reverse=True)[:pictures.MOST_COLOURED]
    return {statement: points for statement, points in series.items() if statement in kept}


def draw_ratios(axes: "Axes", series: dict[str, list[tuple[int, Check]]],
                found: Callable[[Check], bool], tolerance: float) -> list[tuple[Any, str]]:
    entries = []
    for index, (statement, points) in enumerate(series.items()):
        style = pictures.Style(pictures.SERIES[index % len(pictures.SERIES)],
                               pictures.MARKERS[index % len(pictures.MARKERS)], "-")
        values = [effect(check) or 0.0 for _, check in points]
        low = [check["ratio"]["low"] if "ratio" in check else value
               for (_, check), value in zip(points, values, strict=True)]
        high = [check["ratio"]["high"] if "ratio" in check else value
                for (_, check), value in zip(points, values, strict=True)]
        handle = pictures.draw_intervals(axes, [ranks for ranks, _ in points], values, low, high,
                                         style)
        pictures.ring(axes, [(ranks, value) for (ranks, check), value
                             in zip(points, values, strict=True)
                             if found(check)])
        entries.append((handle, statement.replace("<=", "≤")))
    axes.axhline(1 + tolerance, color=pictures.INK, linewidth=1.0, linestyle=(0, (3, 2)))
    axes.set_yscale("log", base=2)
    pictures.label_ratio(axes.yaxis)
    axes.set_ylabel("left / right, median with interval")
    axes.set_title(f"guidelines; dashed: {1 + tolerance:g}", loc="left")
    return entries


def labelled_ranks(reports: list[Report], width: float) -> list[Report]:
    """Returns the reports whose numbers of ranks have room on an axis of this width in inches."""
    span = math.log(reports[-1].ranks / reports[0].ranks)
    kept: list[Report] = []
    for report in reversed(reports):
        if not kept or width * math.log(kept[-1].ranks / report.ranks) / span >= LABEL:
            kept.append(report)
    return kept


def draw(reports: list[Report], collective: str, distribution: str, block_size: int,
         width: float = pictures.WIDTH) -> "Figure":
    """Returns a figure with two panels: the implementations of a collective, and its guidelines. In a narrow
    picture the panels stand one below the other."""
    ticker = require("matplotlib.ticker", "plot")
    reports = by_ranks(reports)
    identity = next((problem["id"] for problem in reports[0].data["problems"]
                     if problem["distribution"] == distribution
                     and problem["block_size"] == block_size), "")
    collectives = collectives_of(reports[0])
    names = told_apart(collectives, collectives.find(collective), [
        name for name in collectives.members[collectives.find(collective)]
        if any(measured(report, identity, name) for report in reports)])
    series: dict[str, list[tuple[int, Check]]] = {}
    for report in reports:
        for check in collectives_of(report).checks.get(collective, []):
            if check["problem"] == identity and effect(check) is not None:
                statement = report.guidelines[check["guideline"]]["statement"]
                series.setdefault(statement, []).append((report.ranks, check))

    def is_found(check: Check) -> bool:
        # A guideline has the same kind, verdict or remark, at every number of ranks.
        return reports[0].status(check) == "violated"

    series = worst_series(series, is_found)
    is_wide = width >= WIDE
    panel = min(width, 9.6) / (2 if is_wide else 1)
    lines = [sum(1 + pictures.wrapped(text, panel - 1.2, pictures.LETTER).count("\n") for text in texts)
             for texts in (names, series)]
    height = 3.9 + 0.2 * max(lines) if is_wide else 7.4 + 0.2 * sum(lines)
    simulated = ", simulated" if reports[0].is_simulated else ""
    figure = pictures.new_figure(min(width, 9.6), height, f"{collective}: {distribution}, b = "
                                 f"{units.elements(block_size)} over ranks — {reports[0].library}{simulated}")
    axes = figure.subplots(1, 2) if is_wide else figure.subplots(2, 1)
    entries = [draw_times(axes[0], reports, identity,
                          pictures.styles_of(names, collectives.kinds)),
               draw_ratios(axes[1], series, is_found, reports[0].data["rule"]["tolerance"])]
    if any(is_found(check) for points in series.values() for _, check in points):
        entries[1].append((pictures.ring_entry(), "violated"))
    for axis, labelled in zip(axes, entries, strict=True):
        axis.set_xscale("log", base=2)
        ticks = labelled_ranks(reports, panel - 1.2)
        axis.xaxis.set_major_locator(ticker.FixedLocator([report.ranks for report in ticks]))
        axis.xaxis.set_major_formatter(ticker.FixedFormatter(
            [f"{report.ranks}\n{report.nodes} node{'s' if report.nodes > 1 else ''}"
             for report in ticks]))
        axis.xaxis.set_minor_locator(ticker.NullLocator())
        axis.set_xlabel("ranks")
        axis.legend([handle for handle, _ in labelled],
                    [pictures.wrapped(text, panel - 1.2, pictures.LETTER) for _, text in labelled],
                    loc="upper left", bbox_to_anchor=(0, -0.2), handlelength=3.2)
    return figure
