# SPDX-License-Identifier: BSD-3-Clause
"""A number that contradicts the verdict of its check is found, and a row whose numbers differ."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis import shown_rows
from analysis.consistency import contradictions, differences, main, points_that_differ
from analysis.page import render
from analysis.reports import read
from analysis.shown_rows import Shown
from analysis.tests.synthetic import completed, document_around, statistics_of, write_audit


def small_report() -> dict[str, Any]:
    """A violated check with a remedy, whose numbers agree."""
    names = ("MPI_Gather(m)", "MPI_Gatherv(m)")
    problem = {
        "id": "same/b=1", "distribution": "same", "block_size": 1, "ranks": 2, "root": 0, "element": "int",
        "element_bytes": 4, "total": 2, "padded_total": 2, "smallest": 1, "largest": 1, "rounds": 9,
        "contestants": [{"name": name, "from": "scattered", "to": "rooted",
                         "statistics": statistics_of(time, time)}
                        for name, time in zip(names, (3.0, 2.0), strict=True)]}
    check = {
        "kind": "verdict", "guideline": "g", "problem": "same/b=1", "left": names[0], "right": names[1],
        "verdict": "violated", "left_statistics": statistics_of(3.0, 3.0),
        "right_statistics": statistics_of(2.0, 2.0),
        "ratio": {"median": 1.5, "low": 1.4, "high": 1.6, "coverage": 0.96},
        "remedy": {"contestant": names[1], "factor": 1.5, "saved_s": 1e-6, "left_s": 3e-6, "instead_s": 2e-6}}
    return document_around([problem], [check], [{"id": "g", "statement": f"{names[0]} <= {names[1]}"}], [])


def faster_left(check: dict[str, Any]) -> None:
    check["left_statistics"]["median_s"] = 1e-6


def small_ratio(check: dict[str, Any]) -> None:
    check["ratio"]["median"] = 1.04


def large_ratio(check: dict[str, Any]) -> None:
    check["verdict"] = "holds"
    check["ratio"]["median"] = 47.0


def slower_remedy(check: dict[str, Any]) -> None:
    check["remedy"]["instead_s"] = 4e-6


def other_saving(check: dict[str, Any]) -> None:
    check["remedy"]["saved_s"] = 20e-6


@pytest.mark.parametrize(("change", "words"), [
    (faster_left, "violated, and the left side took 1.000 us, the right side 2.000 us"),
    (small_ratio, "violated, with a ratio of 1.04"),
    (large_ratio, "holds, with a ratio of 47.0"),
    (slower_remedy, "MPI_Gatherv(m) is advised, and takes 4.000 us instead of 3.000 us"),
    (other_saving, "MPI_Gatherv(m) saves 20.00 us of 3.000 us, with a ratio of 1.50"),
])
def test_a_contradiction_is_found(change: Callable[[dict[str, Any]], None], words: str, tmp_path: Path,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    document = small_report()
    folder = write_audit(tmp_path, document)
    assert contradictions(next(read(folder))) == []
    assert main([str(folder)]) == 0
    change(document["checks"][0])
    folder = write_audit(tmp_path, document)
    assert contradictions(next(read(folder))) == [
        f"MPI_Gather(m) <= MPI_Gatherv(m) on same/b=1: {words}"]
    assert main([str(folder)]) == 1
    assert words in capsys.readouterr().out


def report_with_row() -> dict[str, Any]:
    """The report with a row of the overview, whose numbers agree."""
    document = completed(small_report())
    row = document["overview"][0]
    row |= {"takes_s": 3e-6, "instead_s": 2e-6, "lost_s": 1e-6, "factor_low": 1.4, "factor_high": 1.6,
            "sentence": "1.50 times as long as MPI_Gatherv(m) at 4 B; a call loses 1 µs",
            "instead": "MPI_Gatherv", "caveat": "blocks of equal size only: 9.00 times as long on spikes",
            "worst": {"factor": 9.0, "problem": "same/b=1", "contestant": "MPI_Gatherv(m)", "bytes": 4}}
    return document


SCREEN = """                 us where most is lost times  slow at
   Operation       takes instead  lost worst  from..to  do instead
S1 Gather           3.00    2.00  1.00  9.00  4 B       Gatherv *
* under conditions: explain the row
"""
JUNIT = """<testsuites><testsuite>
<testcase classname="g" name="MPI_Gather(m) &lt;= MPI_Gatherv(m) on same/b=1">
<failure message="1.50 times as long as MPI_Gatherv(m) at 4 B; a call loses 1 µs">Instead: 7.00 times as fast
</failure></testcase></testsuite></testsuites>"""


def shown_of(document: dict[str, Any], folder: Path, page: Callable[[str], str] = str, screen: str = SCREEN,
             junit: str = JUNIT) -> list[Shown]:
    """The numbers of the only row, wherever a user reads them."""
    report = next(read(write_audit(folder, document)))
    places = (shown_rows.of_report(report), shown_rows.of_page(report, page(render([report]))),
              shown_rows.of_screen(report, screen), shown_rows.of_junit(report, junit))
    return [each for [row] in places for each in row]


def test_the_numbers_of_a_row_agree(tmp_path: Path) -> None:
    shown = shown_of(report_with_row(), tmp_path)
    assert list(differences(shown)) == []
    assert {each.place for each in shown if each.what == "ratio"} == {
        "report.json", "times of report.json", "sentence of the page", "ways of the page", "JUnit's XML"}
    assert {each.place for each in shown if each.what == "worst"} == {
        "report.json", "row of the page", "screen"}
    assert {each.place for each in shown if each.what == "takes"} == {
        "report.json", "row of the page", "ways of the page", "screen"}


def other_factor(document: dict[str, Any]) -> None:
    document["overview"][0]["factor"] = 1.7


def other_loss(document: dict[str, Any]) -> None:
    document["overview"][0]["lost_s"] = 2e-6


def other_table(document: dict[str, Any]) -> None:
    document["overview"][0]["ways"][0]["time_s"] = 1.8e-6


def other_sentence(document: dict[str, Any]) -> None:
    document["overview"][0]["sentence"] = "1.40 times as long as MPI_Gatherv(m); a call loses 1 µs"


@pytest.mark.parametrize(("change", "words"), [
    (other_factor, "ratio is 1.70 in report.json, 1.50 in times of report.json"),
    (other_loss, "lost is 2.000 us in report.json, 1.000 us in times of report.json"),
    (other_table, "ratio is 1.50 in report.json, 1.67 in ways of the page"),
    (other_sentence, "ratio is 1.50 in report.json, 1.40 in sentence of the page"),
])
def test_a_row_that_differs_is_found(change: Callable[[dict[str, Any]], None], words: str,
                                     tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = report_with_row()
    change(document)
    assert words in differences(shown_of(document, tmp_path))
    assert main([str(tmp_path)]) == 1
    assert "1 of 1 rows differ" in capsys.readouterr().out


@pytest.mark.parametrize(("place", "before", "after"), [
    ("screen", "S1 Gather           3.00", "S1 Gather           3.10"),
    ("screen", "2.00  1.00", "2.00  1.10"),
    ("screen", "9.00  4 B", "8.00  4 B"),
    ("junit", "1.50 times as long", "1.40 times as long"),
    ("page", "MPI_Gatherv(m) at 4 B; a call loses 1 µs", "MPI_Gatherv(m) at 4 B; a call loses 2 µs"),
    ("page", ">3.00</td>", ">4.00</td>"),
    ("page", ">9.00</td>", ">1.50</td>"),
])
def test_a_printer_that_differs_is_found(place: str, before: str, after: str, tmp_path: Path) -> None:
    def changed(text: str) -> str:
        assert before in text
        return text.replace(before, after)

    texts: dict[str, Any] = {"screen": changed(SCREEN)} if place == "screen" else (
        {"junit": changed(JUNIT)} if place == "junit" else {"page": changed})
    assert len(list(differences(shown_of(report_with_row(), tmp_path, **texts)))) == 1


EXPLANATION = """    bytes  problem     takes  instead  fastest  times  (us per call)
      4 B !same/b=1    3.000    2.000    2.000   1.50  #####
! slower, with evidence   ? not decided   fastest: of all ways compared
"""


@pytest.mark.parametrize(("before", "after", "words"), [
    ("", "", ""),
    ("  2.000   1.50", "  1.000   1.50",
     "S1, point 1: fastest is 2.000 us in picture of the page, 1.000 us in mpiaudit explain"),
    ("3.000", "30.00", "S1, point 1: takes is 3.000 us in picture of the page, 30.00 us in mpiaudit explain"),
    ("!same/b=1", "no size", "S1: 1 points in the picture of the page, 0 sizes in mpiaudit explain")])
def test_a_picture_that_differs_is_found(before: str, after: str, words: str, tmp_path: Path) -> None:
    report = next(read(write_audit(tmp_path, report_with_row())))
    explanation = EXPLANATION.replace(before, after) if before else EXPLANATION
    assert explanation != EXPLANATION or not before
    assert points_that_differ(report, render([report]), explanation) == ([words] if words else [])
