# SPDX-License-Identifier: BSD-3-Clause
"""Raw samples of a check: their distributions, and the ratio round by round."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import audit_files, pictures, units
from .errors import InputError
from .fields import Check
from .plain import parse
from .reports import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


WIDE = 7.0  # inches: room for two panels side by side
LONGEST_S = 1e9  # nobody waits for thirty years


@dataclass(frozen=True, slots=True)
class Pair:
    """Times in seconds; sample k of both sides was taken in round k. The rounds of several launches follow
    each other; `ends` has the number of rounds up to the end of each launch."""

    left: list[float]
    right: list[float]
    ends: tuple[int, ...] = ()


def samples_file(report: Report) -> Path:
    """Returns the path of the samples beside the report, which need not exist."""
    folder = report.path.parent
    return audit_files.samples_in(folder) or folder / audit_files.SAMPLES


def launches_of(report: Report) -> list[Report]:
    """Returns the report in the place of each of its launches that has samples, first the audit itself, then
    its confirmations. The report of an audit judges them together."""
    folder = report.path.parent
    confirmations = sorted(folder.glob("confirmation-*"), key=lambda each: (len(each.name), each.name))
    return [report, *(Report(place / audit_files.REPORT, report.data) for place in confirmations
                      if audit_files.samples_in(place))]


def entries(report: Report, wanted: set[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yields the lines of the wanted problems and their places. A torn last line is ignored."""
    path = samples_file(report)
    try:
        with audit_files.opened(path) as stream:
            for number, line in enumerate(stream, start=1):
                try:
                    entry: Any = parse(line)
                except ValueError as error:
                    if not line.endswith(b"\n"):
                        break  # an interrupted audit: the line was being written
                    raise InputError(f"{path}:{number}: not JSON: {error}") from None
                if isinstance(entry, dict) and entry.get("id") in wanted:
                    yield entry, f"{path}:{number}"
    except OSError as error:
        raise InputError(f"{path}: the raw samples of the report cannot be read: "
                         f"{error.strerror}") from None


def read_problems(report: Report, wanted: set[str]) -> dict[str, dict[str, list[float]]]:
    """Returns samples by problem and contestant."""
    return {entry["id"]: samples_of(entry, where) for entry, where in entries(report, wanted)}


def samples_of(entry: dict[str, Any], where: str) -> dict[str, list[float]]:
    """Returns the samples of one line. Raises InputError if the line is damaged."""
    found: dict[str, list[float]] = {}
    contestants = entry.get("contestants", [])
    if not isinstance(contestants, list):
        raise InputError(f"{where}: its contestants are no list")
    for item in contestants:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            raise InputError(f"{where}: a contestant has no name")
        values = item.get("samples_s", [])
        if not isinstance(values, list) or not all(
                type(value) in (int, float) and 0 <= value < LONGEST_S for value in values):
            raise InputError(f"{where}: the samples of {item['name']} are no times")
        if values:
            found[item["name"]] = values
    return found


def of_checks(report: Report, checks: Iterable[Check], most: int,
              ) -> dict[str, dict[str, list[float]]]:
    """Returns samples by problem and name for as many of the checks, in their order, as `most` allows.

    Returns nothing without samples beside the report, so that a page needs no samples.
    """
    if not samples_file(report).is_file():
        return {}
    known: dict[str, dict[str, list[float]]] = {}
    try:
        for launch in launches_of(report):
            for problem, contestants in read_problems(launch, set(report.problems)).items():
                for name, values in contestants.items():
                    known.setdefault(problem, {}).setdefault(name, []).extend(values)
    except InputError:
        return {}
    kept: dict[str, dict[str, list[float]]] = {}
    for check in checks:
        sides = known.get(check["problem"], {})
        mine = kept.setdefault(check["problem"], {})
        new = [name for name in (check["left"], check["right"])
               if name in sides and name not in mine]
        most -= sum(len(sides[name]) for name in new)
        if most < 0:
            break
        mine.update((name, sides[name]) for name in new)
    return kept


def pair_of(report: Report, check: Check) -> Pair:
    """Returns the samples of both sides of a check, of all launches that measured both."""
    problem, sides = check["problem"], (check["left"], check["right"])
    left: list[float] = []
    right: list[float] = []
    ends = []
    for launch in launches_of(report):
        samples = read_problems(launch, {problem}).get(problem)
        missing = [side for side in sides if not (samples or {}).get(side)]
        if launch is report and (samples is None or missing):
            what = f"the problem {problem}" if samples is None else f"{missing[0]} on {problem}"
            raise InputError(f"{samples_file(report)}: no samples of {what}")
        if samples and not missing:
            rounds = min(len(samples[side]) for side in sides)
            left += samples[sides[0]][:rounds]
            right += samples[sides[1]][:rounds]
            ends.append(len(left))
    return Pair(left, right, tuple(ends))


def draw_distributions(axes: "Axes", pair: Pair, check: Check, report: Report) -> None:
    """Draws the share of samples that took no longer than a time, for both sides."""
    sides = ((check["left"], pair.left, pictures.SERIES[1], "-"),
             (check["right"], pair.right, pictures.SERIES[0], (0, (4, 1.5))))
    for name, values, colour, line in sides:
        ordered = sorted(1e6 * value for value in values)
        shares = [100 * (index + 1) / len(ordered) for index in range(len(ordered))]
        axes.step([ordered[0], *ordered], [0, *shares], where="post", color=colour,
                  linestyle=line, label=report.label(name))
        middle = ordered[(len(ordered) - 1) // 2]
        axes.plot([middle], [50], marker="o", color=colour, markeredgewidth=0)
    everything = [1e6 * value for value in (*pair.left, *pair.right)]
    if max(everything) > 20 * min(everything) > 0:
        axes.set_xscale("log")
    pictures.label_time(axes.xaxis)
    axes.set(xlabel="time [µs]", ylabel="samples not slower [%]", ylim=(0, 101))
    axes.set_title("distribution of the samples; dot: median", loc="left")


def draw_rounds(axes: "Axes", pair: Pair, check: Check, tolerance: float) -> None:
    """Draws the ratio of every round, with the interval of its median."""
    ratios = [left / right for left, right in zip(pair.left, pair.right, strict=False)
              if right > 0]
    rounds = range(1, len(ratios) + 1)
    slower = [ratio > 1 + tolerance for ratio in ratios]
    for is_slower, colour, marker in ((True, pictures.VIOLATED, "^"),
                                      (False, pictures.SERIES[0], "v")):
        chosen = [(number, ratio) for number, ratio, above in zip(rounds, ratios, slower,
                                                                  strict=True)
                  if above == is_slower]
        if chosen:
            axes.plot(*zip(*chosen, strict=True), linestyle="none", marker=marker, color=colour,
                      markersize=5, markeredgewidth=0)
    if "ratio" in check:
        axes.axhspan(check["ratio"]["low"], check["ratio"]["high"], color=pictures.SERIES[4],
                     alpha=0.3, linewidth=0)
        axes.axhline(check["ratio"]["median"], color=pictures.SERIES[0], linewidth=1.2)
    axes.axhline(1 + tolerance, color=pictures.INK, linewidth=1.0, linestyle=(0, (3, 2)))
    for end in pair.ends[:-1]:
        axes.axvline(end + 0.5, color=pictures.INK, linewidth=0.5, linestyle=(0, (1, 2)))
    axes.set_yscale("log", base=2)
    pictures.label_ratio(axes.yaxis)
    launches = f"; dotted: between {len(pair.ends)} launches" if len(pair.ends) > 1 else ""
    axes.set(xlabel=f"round{launches}", ylabel="left / right", xlim=(0.5, max(len(ratios), 1) + 0.5))
    if len(ratios) > 1:
        axes.locator_params(axis="x", integer=True, nbins=8)
    else:
        axes.set_xticks([1])
    axes.set_title("▲ slower than dashed 1 + tolerance   ▼ not", loc="left")


def draw(report: Report, check: Check, pair: Pair | None = None,
         width: float = pictures.WIDTH) -> "Figure":
    """Returns a figure with two panels about one check; reads the samples unless they are given. In a narrow
    picture the panels stand one below the other."""
    pair = pair or pair_of(report, check)
    statement = f"{report.label(check['left'])} ≤ {report.label(check['right'])}"
    median = (f", ratio {units.ratio(check['ratio']['median'])}" if "ratio" in check else "")
    figure = pictures.new_figure(
        min(width, 9.6), 3.6 if width >= WIDE else 6.0,
        f"{statement} on {check['problem']}: {report.status(check)}{median}\n{report.title}")
    axes = figure.subplots(1, 2) if width >= WIDE else figure.subplots(2, 1)
    draw_distributions(axes[0], pair, check, report)
    draw_rounds(axes[1], pair, check, report.data["rule"]["tolerance"])
    handles, labels = axes[0].get_legend_handles_labels()
    pictures.legend_below(figure, handles, labels, columns=2)
    return figure
