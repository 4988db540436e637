# SPDX-License-Identifier: BSD-3-Clause
"""What is drawn: no texts overlap or leave the picture, no panel is empty, few colours."""

import copy
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis import bars, curves, heatmap, network, pictures, samples, scaling, timeline
from analysis.contestants import collectives_of
from analysis.reports import Report, read_all
from analysis.tests.synthetic import make_report, write_audit
from analysis.tests.test_history import audits_of
from analysis.history_changes import history_of

Figures = Callable[[Report, float], "list[Any]"]
WIDTHS = (9.9, 5.0)


def texts_of(figure: Any) -> list[Any]:
    """The texts that are drawn. An axis keeps ticks outside of its range, which are not."""
    from matplotlib.text import Text

    found = [each for legend in figure.legends for each in legend.findobj(Text)]
    found += [*figure.texts, figure._suptitle]
    axes: Any
    for axes in figure.axes:
        found += [*axes.texts, axes.title, axes._left_title, axes._right_title]
        if legend := axes.get_legend():
            found += legend.findobj(Text)
        for axis in (axes.xaxis, axes.yaxis):
            found.append(axis.label)
            found += [each for tick in axis._update_ticks() for each in (tick.label1, tick.label2)]
    unique = {id(text): text for text in found if text is not None}
    return [text for text in unique.values() if text.get_visible() and text.get_text().strip()]


def boxes_of(figure: Any) -> list[tuple[str, Any]]:
    """The texts that are drawn, with their boxes in pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer: Any = canvas.get_renderer()
    return [(text.get_text(), text.get_window_extent(renderer)) for text in texts_of(figure)]


def faults_of(figure: Any) -> list[str]:
    """Texts that overlap by more than a pixel, or leave the picture."""
    boxes = boxes_of(figure)
    width, height = figure.get_size_inches() * figure.dpi
    faults = [f"{text!r} leaves the picture" for text, box in boxes
              if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1]
    for (text, box), (other, others_box) in itertools.combinations(boxes, 2):
        across = min(box.x1, others_box.x1) - max(box.x0, others_box.x0)
        up = min(box.y1, others_box.y1) - max(box.y0, others_box.y0)
        if across > 1 and up > 1:
            faults.append(f"{text!r} over {other!r}")
    return faults


def renamed(document: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The document with other names of contestants and longer reasons."""
    changed = copy.deepcopy(document)
    for problem in changed["problems"]:
        for contestant in problem["contestants"]:
            contestant["name"] = names.get(contestant["name"], contestant["name"])
            if "skipped" in contestant:
                contestant["skipped"] = LONG_REASON
    for check in changed["checks"]:
        for side in ("left", "right"):
            check[side] = names.get(check[side], check[side])
    return changed


def with_more_ways(document: dict[str, Any], number: int) -> dict[str, Any]:
    """The document with further reference algorithms between the layouts of a gather."""
    changed = copy.deepcopy(document)
    for problem in changed["problems"]:
        model = next(each for each in problem["contestants"] if each["name"] == "TUW_Gatherv(m)")
        for index in range(number):
            way = copy.deepcopy(model)
            way["name"] = f"way_{index}_Gatherv(m)"
            way["statistics"] = {key: value * (1 + index) if key.endswith("_s") else value
                                 for key, value in way["statistics"].items()}
            problem["contestants"].append(way)
    changed["implementations"] += [
        {**next(each for each in changed["implementations"] if each["name"] == "TUW_Gatherv"),
         "name": f"way_{index}_Gatherv"} for index in range(number)]
    return changed


def with_fewer_ways(document: dict[str, Any]) -> dict[str, Any]:
    """The document with a distribution that has other implementations than the rest."""
    changed, few = copy.deepcopy(document), ("TUW_Gatherv(m)", "MPI_Bcast(m)")
    for problem in changed["problems"]:
        problem["contestants"] = [
            each for each in problem["contestants"]
            if (problem["distribution"] == "two_blocks") == (each["name"] in few)]
    return changed | {"checks": []}


def with_what_is_only_verified(document: dict[str, Any]) -> dict[str, Any]:
    """The document with problems without times, which are larger than all others."""
    changed = copy.deepcopy(document)
    for name in ("verify-same", "verify-types-two-blocks"):
        problem = copy.deepcopy(changed["problems"][-1])
        problem |= {"id": f"{name}/b=1000000", "distribution": name, "block_size": 1000000}
        for contestant in problem["contestants"]:
            contestant.pop("statistics", None)
            contestant["skipped"] = "it is only verified, since no time was left to measure it (--budget)"
        changed["problems"].append(problem)
    return changed


def noisy(document: dict[str, Any]) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    for problem in changed["problems"]:
        for contestant in problem["contestants"]:
            if contestant["name"] == "linear_Gatherv(m)":
                contestant["statistics"]["median_s"] *= 300
    return changed


LONG_REASON = "it needs equal blocks, and no time was left to measure it (--budget 20s)"
LONG_NAMES = {"MPI_Allreduce(1) + MPI_Gather(m')":
              "MPI_Ireduce_scatter_block[computing and testing](m) + MPI_Wait",
              "TUW_Gatherv(m)": "MPI_Igatherv[2 parts, computing and testing](m) + MPI_Waitall",
              "linear_Gatherv(m)": "near_first_split_binary_Rabenseifner_Gatherv(m)"}
DOCUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "plain": lambda: make_report()[0],
    "long names": lambda: renamed(make_report(sizes=(1, 100))[0], LONG_NAMES),
    "1 problem": lambda: make_report(sizes=(100,), distributions=("same",))[0],
    "40 problems": lambda: make_report(sizes=tuple(4**power for power in range(7)))[0],
    "forms": lambda: with_fewer_ways(make_report(sizes=(1, 100))[0]),
    "15 ways": lambda: with_more_ways(make_report(sizes=(1, 100))[0], 12),
    "only verified": lambda: with_what_is_only_verified(make_report(sizes=(1, 100))[0]),
    "a noisy bar": lambda: noisy(make_report(sizes=(1, 100))[0]),
}


def of_curves(report: Report, width: float) -> list[Any]:
    collectives = collectives_of(report)
    return [curves.draw(report, collectives, name, None, None, width) for name in collectives.members]


def of_bars(report: Report, width: float) -> list[Any]:
    collectives = collectives_of(report)
    sizes = {name: bars.best_size(report, members, None) for name, members in collectives.members.items()}
    return [bars.draw(report, collectives, name, size, None, None, width)
            for name, size in sizes.items() if size is not None]


def of_heat_map(report: Report, _width: float) -> list[Any]:
    return [heatmap.draw(report)]


@pytest.fixture(name="report", scope="module", params=DOCUMENTS)
def fixture_report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    return read_all([write_audit(tmp_path_factory.mktemp("drawn"), DOCUMENTS[request.param]())])[0]


@pytest.mark.parametrize(("draw", "width"), [*itertools.product((of_curves, of_bars), WIDTHS),
                                             (of_heat_map, WIDTHS[0])])
def test_no_texts_overlap(draw: Figures, width: float, report: Report) -> None:
    figures = [figure for figure in draw(report, width) if figure is not None]
    assert figures or draw is of_heat_map and not report.data["checks"]
    for figure in figures:
        assert faults_of(figure) == []
        assert draw is of_heat_map or figure.get_figwidth() <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_no_texts_overlap_in_samples(width: float, tmp_path: Path) -> None:
    report, = read_all([write_audit(tmp_path, DOCUMENTS["long names"]())])
    check = next(each for each in report.data["checks"]
                 if "ratio" in each and each["right"] in LONG_NAMES.values())
    times = [1e-6 * (1 + index % 7) for index in range(60)]
    for pair in (samples.Pair(times, times[::-1]), samples.Pair(times[:1], times[-1:])):
        assert faults_of(samples.draw(report, check, pair, width)) == []


@pytest.mark.parametrize("ranks", [(2, 4, 8), tuple(range(2, 18)), (560, 577)])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_texts_overlap_over_ranks(width: float, ranks: tuple[int, ...], tmp_path: Path) -> None:
    reports = read_all([write_audit(tmp_path / str(number), renamed(
        make_report(ranks=number, sizes=(1,), distributions=("same",))[0], LONG_NAMES))
        for number in ranks])
    assert faults_of(scaling.draw(reports, "gather", "same", 1, width)) == []


@pytest.mark.parametrize("number", [2, 8, 60])
def test_no_texts_overlap_in_a_history(number: int) -> None:
    launches = number * [1] if number > 8 else number * [8]
    history = history_of(audits_of(launches, lambda name, _, audit: 1.4 if name in (
        "MPI_Op1", "MPI_Op2") and 2 * audit >= number else 1.0, 1))
    assert history.changes
    assert faults_of(timeline.draw(history)) == []


def test_no_texts_overlap_in_a_network() -> None:
    figure = network.draw(network.read(Path(__file__).parents[2] / "networks" / "three-sites.json"))
    assert faults_of(figure) == []
    assert {"1\u202f000", "10"} <= {text for text, _ in boxes_of(figure)}


def data_of(axes: Any) -> int:
    return sum(len(line.get_xdata()) > 0 for line in axes.get_lines()) + len(axes.patches)


@pytest.mark.parametrize("draw", [of_curves, of_bars, of_heat_map])
def test_no_panel_is_empty(draw: Figures, tmp_path: Path) -> None:
    report, = read_all([write_audit(tmp_path, DOCUMENTS["only verified"]())])
    for figure in draw(report, 9.9):
        assert all(data_of(axes) for axes in figure.axes)
        assert not any("verify" in text for text, _ in boxes_of(figure))


def test_few_of_many_curves_have_colours(tmp_path: Path) -> None:
    report, = read_all([write_audit(tmp_path, DOCUMENTS["15 ways"]())])
    collectives = collectives_of(report)
    assert len(collectives.members["gather"]) == 17
    figure: Any = curves.draw(report, collectives, "gather")
    coloured = {line.get_color() for line in figure.axes[0].get_lines()
                if line.get_linestyle() != "None"} - {pictures.OTHERS}
    assert len(coloured) == pictures.MOST_COLOURED
    assert "10 others (--implementation NAME)" in [text for text, _ in boxes_of(figure)]
    # Those that are asked for by name have colours and markers of their own.
    names = collectives.members["gather"]
    asked: Any = curves.draw(report, collectives, "gather", names)
    styles = {(line.get_color(), line.get_marker()) for line in asked.axes[0].get_lines()
              if line.get_marker() != "None" and line.get_linestyle() != "None"}
    assert len(styles) == len(names)


def test_a_long_bar_is_cut_and_says_so(tmp_path: Path) -> None:
    report, = read_all([write_audit(tmp_path, DOCUMENTS["a noisy bar"]())])
    collectives = collectives_of(report)
    figure: Any = bars.draw(report, collectives, "gather", 100)
    for axes in figure.axes:
        widths = sorted(patch.get_width() for patch in axes.patches)
        assert widths[-1] < bars.LONGEST * 1.2 * widths[len(widths) // 2]
    assert sum(text.endswith("bar cut") for text, _ in boxes_of(figure)) == len(figure.axes)


def with_forms(document: dict[str, Any]) -> dict[str, Any]:
    """The document with a distribution that other guidelines have than the rest, as the forms of calls."""
    changed = copy.deepcopy(document)
    forms = {guideline["id"] for guideline in changed["guidelines"][:2]}
    changed["checks"] = [check for check in changed["checks"]
                         if (check["guideline"] in forms) == check["problem"].startswith("two_blocks")]
    return changed


def test_all_rows_of_a_heat_map_begin_in_its_first_columns(tmp_path: Path) -> None:
    document = with_forms(make_report(sizes=(1, 10, 100, 1000, 10000, 100000))[0])
    report, = read_all([write_audit(tmp_path, document)])
    grid = heatmap.heat_map(report)
    parts = heatmap.parts_of(grid)
    assert [row for part in parts for row in part.rows] == grid.rows
    assert len(parts) == 2
    for part in parts:
        first = {problem["id"] for problem in part.columns[:6]}
        for row in part.rows:
            assert any((row, problem) in part.cells for problem in first)
    measured = {key for key, check in grid.cells.items() if check["verdict"] != "skipped"}
    assert measured <= {key for part in parts for key in part.cells}
