# SPDX-License-Identifier: BSD-3-Clause
"""Time over size: one picture per collective, a panel per distribution."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import heatmap, pictures
from .contestants import Collectives, distributions_of, named
from .fields import Problem, Statistics
from .reports import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL = 3.2  # inches


def violated_left_sides(report: Report, collectives: Collectives, collective: str,
                        ) -> set[tuple[str, str]]:
    """Returns problem and name of every operation of the library that violates a guideline."""
    return {(check["problem"], check["left"]) for check in collectives.checks[collective]
            if check["verdict"] == "violated" and check["kind"] == "verdict"}


def measured(problems: Sequence[Problem], names: Sequence[str]) -> list[str]:
    """Returns the names that were measured on one of the problems, in their order."""
    found = {each["name"] for problem in problems for each in problem["contestants"] if "statistics" in each}
    return [name for name in names if name in found]


def told_apart(collectives: Collectives, collective: str, names: Sequence[str]) -> list[str]:
    """Returns the implementations with colours: of many the native ones, then those of the worst violations.
    """
    if len(names) <= pictures.MOST_COLOURED:
        return list(names)
    worst = heatmap.worst_first(check for check in collectives.checks[collective]
                                if check["verdict"] == "violated" and check["kind"] == "verdict")
    accused = dict.fromkeys(name for check in worst for name in (check["left"], check["right"]))
    native = [name for name in names if collectives.kinds.get(name) == "native"]
    wanted = [name for name in (*(name for name in native if name in accused), *accused, *native, *names)
              if name in names]
    kept = list(dict.fromkeys(wanted))[:pictures.MOST_COLOURED]
    return [name for name in names if name in kept]


def points_of(problems: Sequence[Problem], name: str) -> list[tuple[Problem, Statistics]]:
    """Returns the problems on which an implementation was measured, by rising size."""
    points = []
    for problem in problems:
        contestant = named(problem, name)
        if contestant and "statistics" in contestant:
            points.append((problem, contestant["statistics"]))
    return sorted(points, key=lambda point: point[0]["total"])


def draw_series(axes: "Axes", problems: list[Problem], name: str, style: pictures.Style | None,
                violated: set[tuple[str, str]]) -> Any | None:
    """Draws the medians of one implementation, with bars down to the minima; without a style, faintly.
    Returns None if nothing was measured.

    Verdicts are about medians; one disturbed sample would move a mean.
    """
    points = points_of(problems, name)
    if not points:
        return None
    sizes = [problem["total"] * problem["element_bytes"] for problem, _ in points]
    medians = [1e6 * item["median_s"] for _, item in points]
    if style is None:
        return pictures.draw_faintly(axes, sizes, medians)
    pictures.ring(axes, [(size, median) for size, median, (problem, _)
                         in zip(sizes, medians, points, strict=True)
                         if (problem["id"], name) in violated])
    return pictures.draw_intervals(axes, sizes, medians,
                                   [1e6 * item["minimum_s"] for _, item in points], medians,
                                   style)


def panels_of(report: Report, names: Sequence[str], distributions: list[str] | None,
              ) -> dict[str, list[Problem]]:
    """Returns the problems of each distribution with a curve: with times at two sizes at least, else all
    distributions with times."""
    groups = {name: [problem for problem in group if measured([problem], names)]
              for name, group in distributions_of(report.data["problems"]).items()
              if not distributions or name in distributions}
    longer = {name: group for name, group in groups.items() if len({each["total"] for each in group}) > 1}
    return longer or {name: group for name, group in groups.items() if group}


def draw(report: Report, collectives: Collectives, collective: str, names: list[str] | None = None,
         distributions: list[str] | None = None, width: float = pictures.WIDTH) -> "Figure | None":
    """Returns the curves of one collective: of the named implementations, else of all, of which few have
    colours. Returns None if nothing was measured."""
    groups = panels_of(report, names or collectives.members[collective], distributions)
    if not groups:
        return None
    known = measured([problem for group in groups.values() for problem in group],
                     names or collectives.members[collective])
    coloured = known if names else told_apart(collectives, collective, known)
    styles = pictures.styles_of(coloured, collectives.kinds)
    columns = pictures.columns_for(len(groups), width, PANEL)
    rows = -(-len(groups) // columns)
    figure = pictures.new_figure(min(width, max(5.2, 3.3 * columns)),
                                 0.5 + 2.35 * rows + 0.22 * (-(-(len(coloured) + 2) // columns)) + 0.2,
                                 f"{collective}: time over size — {report.title}")
    axes = pictures.panels(figure, len(groups), columns, sharex=False, sharey=True)
    violated = violated_left_sides(report, collectives, collective)
    handles: dict[str, Any] = {}
    for axis, (distribution, problems) in zip(axes, groups.items(), strict=True):
        axis.set_title(pictures.wrapped(distribution, figure.get_figwidth() / columns - 0.5, pictures.LETTER),
                       loc="left")
        sizes = [problem["total"] * problem["element_bytes"] for problem in problems]
        axis.set_xscale("log", base=2) if min(sizes) > 0 else axis.set_xscale(
            "symlog", base=2, linthresh=min([size for size in sizes if size > 0] or [1]))
        axis.set_yscale("log")
        for name in known:
            handle = draw_series(axis, problems, name, styles.get(name), violated)
            if handle is not None:
                handles.setdefault(name, handle)
        pictures.label_bytes(axis.xaxis, sizes)
        pictures.label_time(axis.yaxis)
    pictures.label_outer(axes, columns, "total size of all blocks, m", "median time [µs]")
    entries = [(handles[name], report.label(name)) for name in coloured]
    if others := [name for name in known if name not in styles]:
        entries.append((handles[others[0]], f"{len(others)} others (--implementation NAME)"))
    if violated:
        entries.append((pictures.ring_entry(), "violates a guideline"))
    pictures.legend_below(figure, [handle for handle, _ in entries],
                          [text for _, text in entries], title="bars: from the minimum to the median",
                          title_fontsize=8, alignment="left")
    return figure
