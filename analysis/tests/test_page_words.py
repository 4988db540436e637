# SPDX-License-Identifier: BSD-3-Clause
"""Words that only the page has."""

from pathlib import Path
from typing import Any

import pytest

from analysis import page_words
from analysis.reports import Report, read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit


@pytest.fixture
def document() -> dict[str, Any]:
    return make_report(sizes=(1, 100), distributions=("same", "spikes"))[0]


def only(path: Path) -> Report:
    report, = read_all([path])
    return report


@pytest.mark.parametrize(("names", "text"), [
    (["n1", "n2", "n3", "n4"], "n1-n4"), (["n1", "n3", "m4"], "n1, n3, m4"), (["host"], "host"),
    (["n08", "n09", "n10", "x"], "n08-n10, x"), ([], ""),
    ([f"h{2 * number}" for number in range(20)], "h0, h2, h4, h6, h8, h10, h12, 13 more")])
def test_names_that_count_on(names: list[str], text: str) -> None:
    assert page_words.in_ranges(names) == text


def test_warnings_of_hosts_are_one_line(document: dict[str, Any], tmp_path: Path) -> None:
    document["machine"]["hosts"] = [{"name": f"n{number}", "ranks": []} for number in range(1, 5)]
    document["warnings"] = ["the same", *(f"n{number}: other programs" for number in range(1, 5)),
                            "n2: two ranks: a core", "elsewhere: x", "the same"]
    audit = only(write_audit(tmp_path, document))
    expected = ["the same", "n1-n4: other programs", "n2: two ranks: a core", "elsewhere: x"]
    assert page_words.warnings(audit) == expected
    assert page_words.warnings_of_all([audit, audit]) == expected


def test_values_are_written_as_a_user_would() -> None:
    assert page_words.words(["a:no", "b"]) == "a:no b"
    assert page_words.words({"x": [1, 2.5], "y": True}) == "x: 1 2.5, y: yes"


def test_a_folder_without_report_names_the_command(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "with space"
    folder.mkdir()
    (folder / "samples.jsonl").write_text("")
    result = command("html", folder)
    assert result.code == 2
    assert (f"the folder has no report.json; make it of its samples: mpiaudit judge "
            f"'{folder}' --report '{folder}/report.json'") in result.err
