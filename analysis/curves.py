# SPDX-License-Identifier: BSD-3-Clause
"""Time over size: one picture per collective, a panel per distribution."""

from typing import TYPE_CHECKING, Any

from . import pictures
from .contestants import Collectives, distributions_of, named
from .fields import Problem
from .reports import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def violated_left_sides(report: Report, collectives: Collectives, collective: str,
                        ) -> set[tuple[str, str]]:
    """Returns problem and name of every operation of the library that violates a guideline."""
    return {(check["problem"], check["left"]) for check in collectives.checks[collective]
            if check["verdict"] == "violated" and check["kind"] == "verdict"}


def draw_series(axes: "Axes", problems: list[Problem], name: str, style: pictures.Style,
                violated: set[tuple[str, str]]) -> Any | None:
    """Draws the medians of one implementation, with bars down to the minima. Returns None if nothing was
    measured.

    Verdicts are about medians; one disturbed sample would move a mean.
    """
    points = []
    for problem in problems:
        contestant = named(problem, name)
        if contestant and "statistics" in contestant:
            points.append((problem, contestant["statistics"]))
    if not points:
        return None
    points.sort(key=lambda point: point[0]["total"])
    sizes = [problem["total"] * problem["element_bytes"] for problem, _ in points]
    medians = [1e6 * item["median_s"] for _, item in points]
    pictures.ring(axes, [(size, median) for size, median, (problem, _)
                         in zip(sizes, medians, points, strict=True)
                         if (problem["id"], name) in violated])
    return pictures.draw_intervals(axes, sizes, medians,
                                   [1e6 * item["minimum_s"] for _, item in points], medians,
                                   style)


def draw(report: Report, collectives: Collectives, collective: str,
         names: list[str] | None = None, distributions: list[str] | None = None) -> "Figure":
    """Returns the curves of one collective, of all its implementations unless names are given."""
    names = names or collectives.members[collective]
    styles = pictures.styles_of(names, collectives.kinds)
    groups = {name: group for name, group in distributions_of(report.data["problems"]).items()
              if not distributions or name in distributions}
    columns = min(3, len(groups))
    rows = -(-len(groups) // columns)
    legend_height = 0.22 * (-(-(len(names) + 1) // 3)) + 0.2
    figure = pictures.new_figure(max(5.2, 3.3 * columns), 0.5 + 2.35 * rows + legend_height,
                                 f"{collective}: time over size — {report.title}")
    axes = pictures.panels(figure, len(groups), columns, sharex=False, sharey=True)
    violated = violated_left_sides(report, collectives, collective)
    handles: dict[str, Any] = {}
    for axis, (distribution, problems) in zip(axes, groups.items(), strict=True):
        axis.set_title(distribution, loc="left")
        sizes = [problem["total"] * problem["element_bytes"] for problem in problems]
        axis.set_xscale("log", base=2) if min(sizes) > 0 else axis.set_xscale(
            "symlog", base=2, linthresh=min([size for size in sizes if size > 0] or [1]))
        axis.set_yscale("log")
        for name in names:
            handle = draw_series(axis, problems, name, styles[name], violated)
            if handle is not None:
                handles.setdefault(name, handle)
        pictures.label_bytes(axis.xaxis, sizes)
        pictures.label_time(axis.yaxis)
    pictures.label_outer(axes, columns, "total size of all blocks, m", "median time [µs]")
    entries = [(handles[name], report.label(name)) for name in names if name in handles]
    if violated:
        entries.append((pictures.ring_entry(), "violates a guideline"))
    pictures.legend_below(figure, [handle for handle, _ in entries],
                          [text for _, text in entries], title="bars: from the minimum to the median",
                          title_fontsize=8, alignment="left")
    return figure
