# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a history: the time of each operation over the audits, in times of the first audit."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

from . import pictures, units
from .errors import require
from .operations import ALL_OPERATIONS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .history_changes import History

# Colours that people tell apart; the other changes are in the table.
MOST_COLOURED = 6
WIDTH, HEIGHT = 7.2, 4.4  # inches
OTHERS = "#b5b9c0"


def coloured_operations(history: "History") -> list[str]:
    """Returns the operations with the largest changes."""
    largest: dict[str, float] = {}
    for found in history.changes:
        name, factor = found.change.operation, abs(math.log(found.change.ratio))
        if name in history.values:
            largest[name] = max(largest.get(name, 0.0), factor)
    return sorted(largest, key=lambda name: -largest[name])[:MOST_COLOURED]


def draw_line(axes: "Axes", history: "History", name: str, colour: str, width: float) -> None:
    times = history.times_of(name)
    gaps = [float("nan") if time is None else time for time in times]
    axes.plot(range(len(gaps)), gaps, color=colour, linewidth=width, marker="o" if width > 1 else None,
              zorder=2 + width)


def draw(history: "History") -> "Figure":
    """Returns the figure: operations with changes in colours, their changes ringed, all others grey."""
    ticker = require("matplotlib.ticker", "history --picture")
    names = [audit.name for audit in history.audits]
    chosen = coloured_operations(history)
    title = f"Time of operations over {len(names)} audits — {history.audits[-1].report.title}"
    figure = pictures.new_figure(WIDTH, HEIGHT, title)
    axes = figure.subplots()
    rest = [name for name in history.values if name not in (*chosen, ALL_OPERATIONS)]
    for name in rest:
        draw_line(axes, history, name, OTHERS, 0.8)
    for name, colour in zip(chosen, pictures.SERIES, strict=False):
        draw_line(axes, history, name, colour, 1.8)
        times = history.times_of(name)
        pictures.ring(axes, [(found.place, time) for found in history.changes
                             if found.change.operation == name and (time := times[found.place]) is not None])
    axes.set_yscale("log", base=2)
    pictures.label_ratio(axes.yaxis)
    axes.set_xlim(-0.4, len(names) - 0.6)
    step = -(-len(names) // 20)
    axes.xaxis.set_major_locator(ticker.FixedLocator(range(0, len(names), step)))
    axes.set_xticklabels([names[index] for index in range(0, len(names), step)],
                         rotation=90 if max(map(len, names)) * len(names) > 60 else 0)
    axes.set_ylabel("time / time in the first audit")
    lines = require("matplotlib.lines", "history --picture")
    entries = [(lines.Line2D([], [], color=colour, marker="o", linewidth=1.8), label(history, name))
               for name, colour in zip(chosen, pictures.SERIES, strict=False)]
    if chosen:
        entries.append((pictures.ring_entry(), "changed from here on"))
    if rest:
        entries.append((lines.Line2D([], [], color=OTHERS, linewidth=0.8),
                        f"{len(rest)} {'other ' if chosen else ''}operation{'' if len(rest) == 1 else 's'}"))
    pictures.legend_below(figure, [handle for handle, _ in entries], [text for _, text in entries], 2)
    return figure


def label(history: "History", name: str) -> str:
    """Returns MPI_Bcast, 1.31 times slower from 5.0.6 on."""
    said = []
    for found in history.changes:
        if found.change.operation == name:
            ratio = found.change.ratio
            said.append(f"{units.ratio(max(ratio, 1 / ratio))} times {'slower' if ratio > 1 else 'faster'} "
                        f"from {history.audits[found.place].name} on")
    return ", ".join([name, *dict.fromkeys(said)])


def save(history: "History", path: Path) -> None:
    pictures.save(draw(history), path)
