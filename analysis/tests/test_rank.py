# SPDX-License-Identifier: BSD-3-Clause
"""Which way `rank` finds the fastest under which condition."""

import copy
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import InputError
from analysis.rank import ranking
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit


@pytest.fixture
def document() -> dict[str, Any]:
    return make_report(sizes=(100,), distributions=("same",))[0]


def contestants(document: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["problems"][0]["contestants"]
    return found


def under(document: dict[str, Any], arrivals: str, *medians: float) -> dict[str, Any]:
    """Returns an audit with these medians in microseconds, between the same two layouts."""
    changed = copy.deepcopy(document)
    changed["options"] |= {"arrivals": arrivals,
                           "sync": "barrier" if arrivals == "together" else "global"}
    kept = [each for each in contestants(changed) if "statistics" in each][:len(medians)]
    for name, each, median in zip("ABCD", kept, medians):
        each |= {"name": f"{name}(m)", "from": "scattered", "to": "rooted"}
        each["statistics"]["median_s"] = median * 1e-6
    changed["problems"][0]["contestants"] = kept
    changed["checks"] = []
    return changed


def test_places_under_each_condition(document: dict[str, Any], tmp_path: Path) -> None:
    folders = [write_audit(tmp_path / name, under(document, name, *medians))
               for name, medians in (("together", (3.0, 1.0, 2.0, 9.0)),
                                     ("sorted", (1.0, 2.0, 3.0, 9.0)))]
    sheet = ranking(read_all(folders), most=2)
    assert [heading.title for heading in sheet.headings] == ["arrivals together", "arrivals sorted"]
    # D is never among the first two; the others are the first or second under one condition.
    assert [(row.stub[2], *(cell.text for cell in row.cells)) for row in sheet.rows] == [
        ("B", "1.000", "1", "2.000", "2"), ("C", "2.000", "2", "3.000", "3"),
        ("A", "3.000", "3", "1.000", "1")]
    assert [row.stub[0] for row in sheet.rows] == ["same/b=100", "", ""]
    assert len(ranking(read_all(folders), most=0).rows) == 4


def test_nothing_to_rank(document: dict[str, Any], tmp_path: Path, command: Command) -> None:
    other = make_report(sizes=(7,), distributions=("same",))[0]
    folders = [write_audit(tmp_path / "a", document), write_audit(tmp_path / "b", other)]
    with pytest.raises(InputError, match="no problem in common"):
        ranking(read_all(folders), most=5)
    result = command("rank", *folders)
    assert result.code == 2
    assert result.err.startswith("rank: the reports have no problem in common")


def test_formats(document: dict[str, Any], tmp_path: Path, command: Command) -> None:
    folder = write_audit(tmp_path / "a", document)
    assert "| Problem" in command("rank", folder, folder, "--format", "markdown").out
    assert command("rank", folder, "--format", "csv").out.startswith("Problem,Layouts,Way,")
