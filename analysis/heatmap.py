# SPDX-License-Identifier: BSD-3-Clause
"""A heat map: guidelines down, problems across, coloured by the ratio of the two sides, verdicts marked.

Plots and pages share the classes of ratios. Blue: the left side is faster, as the guideline asks. Orange to
dark red: the left side is slower. Both ends differ in lightness, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from . import pictures, units
from .contestants import distributions_of
from .errors import require
from .fields import Check, Problem, Statistics, Verdict
from .reports import Report
from .marks import SIGNS, Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Upper ends of the classes of the ratio left / right.
CLASSES = (0.5, 0.8, 0.95, 1.05, 1.25, 2.0, 5.0)
COLOURS = ("#2166ac", "#67a9cf", "#d1e5f0", "#f4f4f2", "#fddbc7", "#f4a582", "#d6604d",
           "#8e1026")
LABELS = ("≤ 0.5", "0.5–0.8", "0.8–0.95", "0.95–1.05", "1.05–1.25", "1.25–2", "2–5", "> 5")
# Colours of remarks on reference algorithms, in place of the last four.
REMARK_COLOURS = ("#e3dcec", "#c4b3d9", "#9a7fc0", "#6b4c9a")
# Rows of a picture; the command names more by --guideline.
MOST_ROWS = 30
# Inches of a letter of size 7.5.
LETTER = 0.065
SEVERITY: dict[Verdict, int] = {"violated": 3, "undecided": 2, "holds": 1, "skipped": 0}


def class_of(value: float) -> int:
    """Returns the index of the class of a ratio."""
    return sum(value > bound for bound in CLASSES)


def colour_of(position: int, kind: Kind) -> str:
    """Returns the colour of a class. Remarks are never red, and cells without a measurement are white."""
    if position < 0:
        return "#ffffff"
    if kind == "remark" and position >= len(COLOURS) - len(REMARK_COLOURS):
        return REMARK_COLOURS[position - len(COLOURS)]
    return COLOURS[position]


def effect(check: Check) -> float | None:
    """Returns the time of the left side over the right side, by what the rule compares: the median of the
    rounds, or the quotient of means or minima. None if not measured."""
    if "factor" in check:
        return check["factor"]
    if "ratio" in check:
        return check["ratio"]["median"]
    if "ratio_of_medians" in check:
        return check["ratio_of_medians"]
    if "left_statistics" in check and "right_statistics" in check:
        right = check["right_statistics"]["mean_s"]
        return check["left_statistics"]["mean_s"] / right if right > 0 else None
    return None


def worst_first(checks: Iterable[Check]) -> list[Check]:
    """Returns the checks by falling ratio of the two sides; checks without a ratio last."""
    return sorted(checks, key=lambda check: -(effect(check) or 0.0))


def interval(check: Check) -> tuple[float, float] | None:
    """Returns the interval of the effect; None if the effect is no median of several rounds."""
    if "ratio" not in check or "factor" in check or check.get("rounds") == 1:
        return None
    return check["ratio"]["low"], check["ratio"]["high"]


def compared_s(statistics: Statistics, criterion: str) -> float:
    """Returns the time of a side that the rule of the report compares, in seconds."""
    if criterion in ("averages", "intervals"):
        return statistics["mean_s"]
    if criterion == "minima":
        return statistics.get("raw_minimum_s", statistics["minimum_s"])
    return statistics["median_s"]


@dataclass(frozen=True)
class HeatMap:
    """The existing cells; rows are guideline ids, columns problems by distribution."""

    rows: list[str]
    columns: list[Problem]
    cells: dict[tuple[str, str], Check]
    omitted: int

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Each distribution with the number of its columns."""
        counts: dict[str, int] = {}
        for problem in self.columns:
            counts[problem["distribution"]] = counts.get(problem["distribution"], 0) + 1
        return list(counts.items())


def is_worse(check: Check, other: Check) -> bool:
    mine, theirs = SEVERITY[check["verdict"]], SEVERITY[other["verdict"]]
    return mine > theirs or (mine == theirs and (effect(check) or 0) > (effect(other) or 0))


def heat_map(report: Report, most_rows: int = 60, most_columns: int = 240,
             guidelines: list[str] | None = None, kind: Kind | None = None) -> HeatMap:
    """Returns a heat map. Of several checks in a cell the worst counts; of many guidelines, the most
    violated are kept.

    Guidelines about reference algorithms come last.
    """
    cells: dict[tuple[str, str], Check] = {}
    violated: dict[str, int] = {}
    checks = {"verdict": report.verdicts, "remark": report.remarks}
    for check in checks[kind] if kind else [*report.verdicts, *report.remarks]:
        if guidelines and check["guideline"] not in guidelines:
            continue
        key = (check["guideline"], check["problem"])
        if key not in cells or is_worse(check, cells[key]):
            cells[key] = check
        violated.setdefault(check["guideline"], 0)
        violated[check["guideline"]] += check["verdict"] == "violated"
    # Guidelines and problems without any measurement are left out.
    measured = [key for key, check in cells.items() if check["verdict"] != "skipped"] or list(cells)
    rows = dict.fromkeys(key[0] for key in measured)
    kept = set(sorted(rows, key=lambda name: -violated[name])[:most_rows])
    known = {key[1] for key in measured if key[0] in kept}
    columns = [problem for group in distributions_of(report.data["problems"]).values()
               for problem in group if problem["id"] in known]
    if len(columns) > most_columns:
        step = len(columns) / most_columns
        columns = [columns[int(index * step)] for index in range(most_columns)]
    shown = {problem["id"] for problem in columns}
    return HeatMap([name for name in violated if name in kept], columns,
                   {key: check for key, check in cells.items()
                    if key[0] in kept and key[1] in shown}, len(violated) - len(kept))


def parts_of(grid: HeatMap) -> list[HeatMap]:
    """Returns the map in parts whose guidelines have measured cells in the same columns: one map would have
    rows whose cells are all far to the right. The columns of the distributions with most rows come first."""
    of_problem = {problem["id"]: problem["distribution"] for problem in grid.columns}
    measured = [key for key, check in grid.cells.items() if check["verdict"] != "skipped"] or list(grid.cells)
    reached: dict[str, set[str]] = {row: set() for row in grid.rows}
    for row, problem in measured:
        reached[row].add(of_problem[problem])
    groups: list[set[str]] = []
    for names in reached.values():
        joined = [group for group in groups if group & names]
        groups = [group for group in groups if not group & names] + [names.union(*joined)]
    parts = []
    for names in groups:
        rows = [row for row in grid.rows if reached[row] and reached[row] <= names]
        shown = {problem for row, problem in measured if row in set(rows)}
        counts = {name: sum(name in reached[row] for row in rows) for name in names}
        columns = sorted((problem for problem in grid.columns if problem["id"] in shown),
                         key=lambda problem: -counts[problem["distribution"]])
        if rows:
            cells = {key: check for key, check in grid.cells.items() if key[0] in rows and key[1] in shown}
            parts.append(replace(grid, rows=rows, columns=columns, cells=cells, omitted=0))
    parts.sort(key=lambda part: grid.rows.index(part.rows[0]))
    return [*parts[:-1], replace(parts[-1], omitted=grid.omitted)] if parts else []


def draw(report: Report, guidelines: list[str] | None = None) -> "Figure | None":
    """Returns the heat map of one report, its parts one below the other; None without checks."""
    parts = parts_of(heat_map(report, MOST_ROWS, guidelines=guidelines))
    if not parts:
        return None
    patches = require("matplotlib.patches", "plot")
    most = max(len(part.columns) for part in parts)
    side = 0.3 if most <= 60 else 18.0 / most
    longest = max(len(report.guidelines[name]["statement"]) for part in parts for name in part.rows)
    figure = pictures.new_figure(
        max(6.5, 0.4 + pictures.LETTER * longest + side * most),
        1.6 + sum(0.3 * len(part.rows) + 1.1 for part in parts), f"Guidelines — {report.title}")
    grid = figure.subplots(len(parts), 1, squeeze=False, height_ratios=[len(part.rows) for part in parts])
    for axes, part in zip(grid.flat, parts, strict=True):
        draw_part(axes, part, report, side, most)
    handles = [patches.Patch(facecolor=colour, edgecolor=pictures.INK, linewidth=0.4)
               for colour in COLOURS]
    title = "time of left / time of right:      ! violated   ? undecided   – skipped"
    if report.remarks:
        title += "   ~ slower, but a reference algorithm (violet)"
    if parts[-1].omitted:
        title += f"      {parts[-1].omitted} guidelines with fewer violations are not shown (--guideline ID)"
    title = pictures.wrapped(title, figure.get_figwidth(), pictures.LETTER)
    pictures.legend_below(figure, handles, LABELS, 8, title, handlelength=1.2,
                          columnspacing=1.0, title_fontsize=8.5, alignment="left")
    return figure


def draw_part(axes: "Axes", grid: HeatMap, report: Report, side: float, most: int) -> None:
    """Draws a part; `side` is the width of a cell in inches, `most` the number of columns of the widest part.
    """
    patches = require("matplotlib.patches", "plot")
    statements = [report.guidelines[name]["statement"].replace("<=", "≤") for name in grid.rows]
    axes.grid(False)
    for row, guideline in enumerate(grid.rows):
        for column, problem in enumerate(grid.columns):
            check = grid.cells.get((guideline, problem["id"]))
            if check is None:
                continue
            value = effect(check)
            position = -1 if value is None else class_of(value)
            axes.add_patch(patches.Rectangle(
                (column, row), 1, 1, linewidth=0.6, edgecolor="white",
                facecolor=colour_of(position, check["kind"])))
            is_dark = position in (0, 6, 7)
            axes.text(column + 0.5, row + 0.5, SIGNS[report.status(check)], ha="center", va="center",
                      fontsize=8, weight="bold", color="white" if is_dark else "#1b1d21")
    start = 0
    for name, count in grid.groups:
        is_narrow = side * count < LETTER * len(name) + 0.1
        axes.text(start + count / 2, -0.25, name, ha="center", va="bottom", weight="bold",
                  fontsize=7.5, rotation=90 if is_narrow else 0)
        axes.vlines(start, 0, len(grid.rows), color=pictures.INK, linewidth=0.8)
        start += count
    axes.set(xlim=(0, most), ylim=(len(grid.rows), 0))
    axes.spines["bottom"].set_visible(False)
    step = max(1, int(0.16 / side + 0.99))
    axes.set_xticks([index + 0.5 for index in range(0, start, step)],
                    [units.elements(problem["block_size"]) for problem in grid.columns[::step]],
                    rotation=90 if side < 0.4 else 0, fontsize=7.5)
    axes.set_yticks([index + 0.5 for index in range(len(grid.rows))], statements)
    axes.tick_params(length=0)
    axes.set_xlabel("block size b [elements]", loc="left")
