# SPDX-License-Identifier: BSD-3-Clause
"""The command `network`: latency and bandwidth of a network file as heat maps."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import checked_file, pictures, units
from .errors import InputError, require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXAMPLES = """examples:
  python3 -m analysis network network.json -o network.png
  python3 -m analysis network networks/three-sites.json -o grid.pdf

`mpiaudit probe` writes the FILE, or you by hand (analysis/network.schema.json). Rows send, columns
receive; in a file about sites the diagonal has the links within each site."""

SCHEMA_FILE = Path(__file__).with_name("network.schema.json")
Matrix = list[list[float | None]]


@dataclass(frozen=True)
class Network:
    """The data of a network file for the picture; None for unknown values."""

    title: str
    names: list[str]
    latency_s: Matrix
    bandwidth_mbit_per_s: Matrix


def read(path: Path) -> Network:
    """Returns the network of a file. Raises InputError with the place of a flaw."""
    data = checked_file.read(path, SCHEMA_FILE, "network")
    sites = [site["name"] for site in data.get("sites", [])]
    hosts = data.get("hosts") or [host for site in data["sites"] for host in site["hosts"]]
    matrices = [data["latency_s"], data["bandwidth_Mbit_per_s"]]
    names = hosts if len(matrices[0]) == len(hosts) else sites
    for matrix in matrices:
        if len(matrix) != len(names) or any(len(row) != len(names) for row in matrix):
            raise InputError(f"{path}: the matrices are neither of {len(hosts)} hosts nor of "
                             f"{len(sites)} sites")
    return Network(data.get("title", path.name), names, *matrices)


def draw_matrix(figure: "Figure", axes: Any, names: list[str], matrix: Matrix, title: str,
                is_dark_large: bool) -> None:
    """Draws one matrix on a logarithmic scale of lightness; dark is slow."""
    numpy = require("numpy", "network")
    colours = require("matplotlib.colors", "network")
    values = numpy.array([[value or numpy.nan for value in row] for row in matrix], dtype=float)
    known = values[numpy.isfinite(values)]
    low, high = (known.min(), known.max()) if known.size else (1.0, 1.0)
    image = axes.imshow(values, cmap="viridis_r" if is_dark_large else "viridis",
                        norm=colours.LogNorm(low, high if high > low else low * 1.01))
    axes.grid(False)
    axes.set_title(title, loc="left")
    step = -(-len(names) // 40)
    ticks = range(0, len(names), step)
    axes.set_xticks(ticks, [names[tick] for tick in ticks], rotation=90)
    axes.set_yticks(ticks, [names[tick] for tick in ticks])
    if len(names) <= 12:
        middle = numpy.sqrt(low * high)
        for row, column in numpy.argwhere(numpy.isfinite(values)):
            value = values[row, column]
            is_dark = (value > middle) == is_dark_large
            axes.text(column, row, units.short(value), ha="center", va="center", fontsize=7,
                      color="white" if is_dark else pictures.INK)
    # matplotlib's own powers of ten are formulas, which pictures.SETTINGS leaves as they are written.
    pictures.label_time(figure.colorbar(image, ax=axes, shrink=0.8).ax.yaxis)


def draw(network: Network) -> "Figure":
    """Returns a figure of latency and bandwidth side by side."""
    side = max(3.6, 0.14 * min(len(network.names), 60))
    figure = pictures.new_figure(2 * side + 1.6, side + 0.9, network.title)
    left, right = figure.subplots(1, 2)
    latency_us: Matrix = [[value * 1e6 if value is not None else None for value in row]
                          for row in network.latency_s]
    draw_matrix(figure, left, network.names, latency_us, "latency [µs]", True)
    draw_matrix(figure, right, network.names, network.bandwidth_mbit_per_s,
                "bandwidth [Mbit/s]", False)
    for axes in (left, right):
        axes.set_xlabel("to")
        axes.set_ylabel("from")
    return figure


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "network", help="heat maps of a measured network", epilog=EXAMPLES,
        description="Draws latency and bandwidth of a network file.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="a network file")
    parser.add_argument("-o", "--output", type=Path, default=Path("network.png"), metavar="FILE",
                        help="the picture: png, svg or pdf by its ending; default network.png")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    require("matplotlib", "network")
    pictures.save(draw(read(options.file)), options.output)
    print(options.output)
    return 0
