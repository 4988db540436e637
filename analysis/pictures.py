# SPDX-License-Identifier: BSD-3-Clause
"""What all plots share: colours, axes with units, saving, and SVG for a page in light and dark.

Colours are those of Okabe and Ito, which people with any colour vision can tell apart; markers
and line styles differ as well, so that a print in grey stays readable. No pyplot: figures are
made by themselves and nothing is left open.
"""

import io
import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import output, units
from .contestants import Kind
from .errors import InputError, require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Mean widths of letters in inches, generously: of the title of a figure, and of other text of size 8 to 9.
TITLE_LETTER, LETTER = 0.105, 0.072
FORMATS = ("png", "svg", "pdf")

# The colours of a figure on paper. A page replaces them by its own variables, see `embedded`.
INK, FAINT, VIOLATED = "#1b1d21", "#d3d6db", "#b3123a"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#6b4c9a", "#7f7f7f")
# Lines beside the coloured ones; more colours than these cannot be told apart.
OTHERS = "#b5b9c0"
MOST_COLOURED = 7
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")
LINES: dict[Kind, Any] = {"native": "-", "composed": (0, (4, 2)), "reference": (0, (1, 1.6))}
# Bars have the colour of their kind, since their names stand beside them.
KINDS: dict[Kind, tuple[str, str]] = {"native": (SERIES[0], "operation of the library"),
                                      "composed": (SERIES[5], "several calls"),
                                      "reference": (SERIES[2], "reference algorithm")}
WIDTH = 9.9  # of a picture in inches, unless --width gives another one
VARIABLES = {INK: "var(--ink)", FAINT: "var(--rule)", VIOLATED: "var(--violated)", OTHERS: "var(--rule)"} | {
    colour: f"var(--series-{index})" for index, colour in enumerate(SERIES)}

SETTINGS = {
    "font.size": 9.0, "font.family": "sans-serif", "axes.titlesize": 9.5,
    "axes.titleweight": "bold", "axes.labelsize": 9.0, "figure.titlesize": 11.0,
    "xtick.labelsize": 8.0, "ytick.labelsize": 8.0, "legend.fontsize": 8.5,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "axes.titlecolor": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.linewidth": 0.7, "axes.grid": True,
    "grid.color": FAINT, "grid.linewidth": 0.6, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "lines.linewidth": 1.5, "lines.markersize": 4.5, "svg.fonttype": "none",
    "svg.hashsalt": "mpiaudit", "pdf.fonttype": 42, "savefig.dpi": 160,
    # A dollar sign in a name does not begin a formula.
    "text.parse_math": False,
}


@dataclass(frozen=True, slots=True)
class Style:
    """The look of one implementation in every picture of a collective."""

    colour: str
    marker: str
    line: Any


def styles_of(names: Sequence[str], kinds: dict[str, Kind]) -> dict[str, Style]:
    """Returns colours in order; native lines are solid, composed dashed, reference dotted. Many names repeat
    the colours with other markers."""
    return {
        name: Style(SERIES[index % len(SERIES)], MARKERS[index % len(MARKERS)],
                    LINES[kinds.get(name, "composed")])
        for index, name in enumerate(names)
    }


def draw_intervals(axes: "Axes", places: Sequence[float], means: Sequence[float],
                   lows: Sequence[float], highs: Sequence[float], style: Style) -> Any:
    """Draws a line through the means with an upright bar for each interval; returns its legend entry.

    All bars are one path with gaps. matplotlib's own error bars are one element each, which made pictures
    of many curves five times as large and twice as slow.
    """
    gap = float("nan")
    # An interval that reaches 0 has no lower end on a logarithmic axis.
    ends = [value for mean, low, high in zip(means, lows, highs, strict=True)
            for value in (max(low, 0.001 * mean), high, gap)]
    axes.plot([value for place in places for value in (place, place, gap)], ends,
              color=style.colour, linewidth=1.1, solid_capstyle="butt", zorder=2.5)
    return axes.plot(places, means, color=style.colour, marker=style.marker,
                     linestyle=style.line, markeredgewidth=0, zorder=3)[0]


def draw_faintly(axes: "Axes", places: Sequence[float], times: Sequence[float]) -> Any:
    """Draws a line that is no more than a background; returns its legend entry."""
    return axes.plot(places, times, color=OTHERS, linewidth=0.8, zorder=1.5)[0]


def ring(axes: "Axes", points: Sequence[tuple[float, float]]) -> None:
    """Draws rings around the points of violated checks."""
    if points:
        axes.plot([x for x, _ in points], [y for _, y in points], linestyle="none", marker="o",
                  markersize=10, markerfacecolor="none", markeredgecolor=VIOLATED,
                  markeredgewidth=1.3, zorder=4)


def ring_entry() -> Any:
    """Returns the legend entry of a ring."""
    lines = require("matplotlib.lines", "plot")
    return lines.Line2D([], [], linestyle="none", marker="o", markersize=9,
                        markerfacecolor="none", markeredgecolor=VIOLATED, markeredgewidth=1.3)


def wrapped(text: str, width: float, letter: float) -> str:
    """Returns the text in lines that fit into a width; `letter` is the width of a letter. Both in inches."""
    most = max(8, int(width / letter))
    return "\n".join(textwrap.fill(line, most) for line in text.split("\n"))


def new_figure(width: float, height: float, title: str) -> "Figure":
    """Returns an empty figure with its title, size in inches; its axes never overlap. A title that is wider
    than the figure is broken."""
    matplotlib = require("matplotlib", "plot")
    figure_module = require("matplotlib.figure", "plot")
    matplotlib.rcParams.update(SETTINGS)
    figure: Figure = figure_module.Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(wrapped(title, width, TITLE_LETTER), x=0.01, ha="left", weight="bold")
    return figure


def panels(figure: "Figure", count: int, columns: int, **options: Any) -> "list[Axes]":
    """Returns a grid of axes without unused ones."""
    rows = -(-count // columns)
    grid = figure.subplots(rows, columns, squeeze=False, **options)
    axes: list[Axes] = list(grid.flat)
    for index, axis in enumerate(axes[count:], start=count):
        # The panel above an empty place needs its own tick labels.
        if index - columns >= 0:
            axes[index - columns].xaxis.set_tick_params(labelbottom=True)
        axis.remove()
    return axes[:count]


def columns_for(count: int, width: float, panel: float, beside: float = 0.0) -> int:
    """Returns how many panels stand in a row of a picture. Widths in inches, `beside` that of labels."""
    return max(1, min(count, 3, int((width - beside) / panel)))


def log_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Returns at least three round numbers in a range of a logarithmic axis."""
    if not 0 < low < high < float("inf"):
        return []
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1.0,), (1.0, 2.0, 5.0), (1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0)):
        ticks = [step * 10.0**decade for decade in decades for step in steps
                 if low <= step * 10.0**decade <= high]
        if len(ticks) >= 3:
            return ticks[::-(-len(ticks) // most)]
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    first = math.ceil(low / step)
    return [index * step for index in range(first, first + 8) if index * step <= high]


def locate_logarithmically(axis: Any) -> None:
    """Sets log_ticks() for the limits that the axis has when it is drawn.

    Minor ticks would double the time of a picture.
    """
    ticker = require("matplotlib.ticker", "plot")

    class Locator(ticker.Locator):  # type: ignore[misc, name-defined]
        def __call__(self) -> list[float]:
            low, high = sorted(self.axis.get_view_interval())
            return log_ticks(float(low), float(high))

    axis.set_major_locator(Locator())
    axis.set_minor_formatter(ticker.NullFormatter())
    axis.set_minor_locator(ticker.NullLocator())


def label_time(axis: Any) -> None:
    """Writes ticks in microseconds out, instead of as powers."""
    ticker = require("matplotlib.ticker", "plot")
    if axis.get_scale() == "log":
        locate_logarithmically(axis)
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: units.short(value)))
    axis.set_minor_formatter(ticker.NullFormatter())
    axis.set_minor_locator(ticker.NullLocator())


def label_ratio(axis: Any) -> None:
    """Makes a logarithmic axis of ratios, wide enough that its ticks differ from 1."""
    ticker = require("matplotlib.ticker", "plot")
    low, high = sorted(axis.get_view_interval())
    axis.axes.set_ylim(min(low, 0.9), max(high, 1.2))
    locate_logarithmically(axis)
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: units.ratio(value)))


def label_bytes(axis: Any, values: Sequence[float]) -> None:
    """Makes a logarithmic axis of bytes with ticks at binary units."""
    ticker = require("matplotlib.ticker", "plot")
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: units.amount_of_bytes(value)))
    axis.set_minor_formatter(ticker.NullFormatter())
    axis.set_minor_locator(ticker.NullLocator())
    positive = [value for value in values if value > 0]
    if positive:
        ticks, tick = [], 1.0
        while tick <= max(positive) * 1.01:
            if tick >= min(positive) * 0.99:
                ticks.append(tick)
            tick *= 4
        step = max(1, -(-len(ticks) // 5))
        axis.set_major_locator(ticker.FixedLocator(ticks[::-1][::step][::-1]))


def label_outer(axes: "Sequence[Axes]", columns: int, across: str, up: str) -> None:
    """Writes axis titles once per row and column."""
    for index, axis in enumerate(axes):
        if index + columns >= len(axes):
            axis.set_xlabel(across)
        if index % columns == 0:
            axis.set_ylabel(up)


def legend_below(figure: "Figure", handles: Sequence[Any], labels: Sequence[str],
                 columns: int = 3, title: str | None = None, **options: Any) -> None:
    """Puts a legend into a strip under the axes, so that it never covers data.

    The legend has as many columns as fit; names that are too long are broken.
    """
    letter, handle = LETTER, 0.55  # inches
    width = figure.get_figwidth()
    widest = max(1, int((width - handle - 0.2) / letter))
    labels = [textwrap.fill(text, widest) for text in labels]
    need = handle + letter * max((len(line) for text in labels for line in text.split("\n")),
                                 default=1)
    columns = max(1, min(columns, len(labels), int(width / need)))
    lines = sum(1 + text.count("\n") for text in labels)
    rows = -(-lines // columns) + (title.count("\n") + 1 if title is not None else 0)
    height = (0.21 * rows + 0.12) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, height, 1, 1 - height))
    figure.legend(handles, labels, loc="lower left", bbox_to_anchor=(0.005, 0.0), ncol=columns,
                  title=title, **{"handlelength": 3.2, "borderaxespad": 0.3, **options})


def settle(figure: "Figure") -> None:
    """Lays the axes out once; by default matplotlib draws everything twice to save."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
        figure.set_layout_engine(None)


def save(figure: "Figure", path: Path) -> None:
    """Writes the figure in the format of the file's ending."""
    if path.suffix.removeprefix(".") not in FORMATS:
        raise InputError(f"{path}: its ending is none of {', '.join(FORMATS)}")
    settle(figure)
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(path.suffix[1:])
    stream = io.BytesIO()
    figure.savefig(stream, format=path.suffix[1:], metadata=metadata, facecolor="white")
    output.write_bytes(path, stream.getvalue())


def embedded(figure: "Figure", name: str, description: str) -> str:
    """Returns the figure as an <svg> element that takes its colours from the page.

    Identifiers get the name as a prefix, because all pictures share the identifiers of the page.
    """
    settle(figure)
    stream = io.StringIO()
    figure.savefig(stream, format="svg", transparent=True,
                   metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = stream.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)
    # Nothing refers to the names of groups, which are counters.
    text = re.sub(r'<g id="(figure|axes|patch|line2d|text|xtick|ytick|matplotlib\.axis|legend|'
                  r'LineCollection|PathCollection|PolyCollection)_\d+">', "<g>", text)
    text = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{name}-", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    text = re.sub(r"(-?\d+\.\d\d)\d+", r"\1", text)
    text = re.sub(r' (width|height)="[\d.]+pt"', "", text, count=2)
    label = description.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1).strip()
