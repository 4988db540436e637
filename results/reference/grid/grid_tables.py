#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables and plots of Figures 8 to 11 of the paper on Min3-Allgather, from grid_figures.

    ./grid_figures networks/three-sites.json > figures.csv
    results/reference/grid/grid_tables.py figures.csv -o plots
"""

import argparse
import csv
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from analysis import pictures, units  # noqa: E402
from analysis.errors import InputError  # noqa: E402

TITLES = {
    "8a": "Figure 8 (a): complete grid, single port half duplex",
    "8b": "Figure 8 (b): complete grid, single port full duplex",
    "10": "Figure 10: European sites, single port full duplex",
    "11": "Figure 11: Netherlands cluster, single port full duplex",
}
# Section 6.3 and the abstract.
PAPER = {"8a": "42 %", "8b": "52 %"}

Times = dict[str, dict[int, float]]  # by strategy and message size


def times_of(rows: list[dict[str, str]], figure: str) -> Times:
    times: Times = {}
    for row in rows:
        if row["figure"] == figure:
            times.setdefault(row["strategy"], {})[int(float(row["bytes"]))] = float(row["time_s"])
    return times


def improvement(times: Times, others: list[str]) -> float:
    """Mean over sizes and other strategies of the share of their time that Min3 saves, in %."""
    saved = [1 - time_s / times[other][size]
             for size, time_s in times["Min3"].items() for other in others]
    return 100 * sum(saved) / len(saved)


def print_table(figure: str, times: Times) -> None:
    print(f"\n{TITLES[figure]}; seconds\n")
    print("| bytes | " + " | ".join(times) + " |")
    print("|--:" * (len(times) + 1) + "|")
    for size in times["Min3"]:
        least = min(column[size] for column in times.values())
        cells = [f"**{column[size]:.3g}**" if column[size] == least else f"{column[size]:.3g}"
                 for column in times.values()]
        print(f"| {units.amount_of_bytes(size)} | " + " | ".join(cells) + " |")
    others = [name for name in times if name != "Min3"]
    paper = f" (the paper: {PAPER[figure]})" if figure in PAPER else ""
    print(f"\nMin3 saves {improvement(times, others):.0f} % on average{paper}: "
          + ", ".join(f"{improvement(times, [name]):.0f} % over {name}" for name in others))


def plot_times(figure: str, times: Times, folder: Path) -> None:
    picture = pictures.new_figure(5.4, 3.9, TITLES[figure])
    axes = picture.subplots()
    styles = pictures.styles_of(list(times), {})
    handles = [axes.plot(list(column), list(column.values()), color=styles[name].colour,
                         marker=styles[name].marker, markeredgewidth=0)[0]
               for name, column in times.items()]
    axes.set(xlabel="message size", ylabel="time [s]", xscale="log", yscale="log")
    pictures.label_bytes(axes.xaxis, list(times["Min3"]))
    pictures.legend_below(picture, handles, list(times))
    pictures.save(picture, folder / f"figure-{figure}.png")


def plot_messages(rows: list[dict[str, str]], folder: Path) -> None:
    """Figure 9: wide-area messages under way over time; a line has the number as its last field."""
    mine = [row for row in rows if row["figure"] == "9"]
    sizes = sorted({int(float(row["bytes"])) for row in mine})
    names = list(dict.fromkeys(row["strategy"] for row in mine))
    styles = pictures.styles_of(names, {})
    picture = pictures.new_figure(5.4 * len(sizes), 3.6, "Figure 9: simultaneous wide-area messages")
    panels = pictures.panels(picture, len(sizes), len(sizes))
    handles = {}
    for axes, size in zip(panels, sizes, strict=True):
        axes.set_title(units.amount_of_bytes(size), loc="left")
        axes.set(xlabel="time [s]", ylabel="wide-area messages")
        for name in names:
            points = [(float(row["time_s"]), int(row["wide_area_messages"])) for row in mine
                      if row["strategy"] == name and int(float(row["bytes"])) == size]
            handles[name] = axes.step([0.0] + [at for at, _ in points],
                                      [0] + [number for _, number in points], where="post",
                                      color=styles[name].colour)[0]
            busy = sum(number * (later - at) for (at, number), (later, _)
                       in zip(points, points[1:], strict=False))
            print(f"Figure 9, {units.amount_of_bytes(size)}, {name}: at most "
                  f"{max(number for _, number in points)} wide-area messages at a time, "
                  f"{busy / points[-1][0]:.1f} on average")
    pictures.legend_below(picture, list(handles.values()), list(handles))
    pictures.save(picture, folder / "figure-9.png")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, metavar="FIGURES.csv")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="also draw plots there")
    options = parser.parse_args()
    with options.figures.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    try:
        for figure in TITLES:
            times = times_of(rows, figure)
            print_table(figure, times)
            if options.output:
                plot_times(figure, times, options.output)
        if options.output:
            print()
            plot_messages(rows, options.output)
    except InputError as error:
        print(f"grid_tables: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
