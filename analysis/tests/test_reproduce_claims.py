# SPDX-License-Identifier: BSD-3-Clause
"""The counts of results/reference/reproduce/README.md follow from its data."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "results" / "reference" / "reproduce"
TOLERANCE = 0.15


def page_in_one_line() -> str:
    return " ".join((FOLDER / "README.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("name", "words"), [
    ("ratios.csv", r"Of (\d+) that .*?(\d+) lie within 15 % of the audit's; in (\d+) the left side"),
    ("ratios-mpich-4.0.2.csv", r"Of (\d+) of MPICH .*?(\d+) lie within 15 %, and in (\d+) the left")])
def test_counts_of_the_page(name: str, words: str) -> None:
    with (FOLDER / name).open(encoding="utf-8") as file:
        rows = [(float(row["audit"]), float(row["program"]), float(row["low"]))
                for row in csv.DictReader(file)]
    said = re.search(words, page_in_one_line())
    assert said
    assert [int(count) for count in said.groups()] == [
        len(rows), sum(abs(program / audit - 1) <= TOLERANCE for audit, program, _ in rows),
        sum(low > 1 for _, _, low in rows)]


def test_verdicts_that_turn_with_the_place_of_the_data() -> None:
    with (FOLDER / "buffers.csv").open(encoding="utf-8") as file:
        violated = Counter(tuple(kind for kind in ("same", "used") if row[kind] == "violated")
                           for row in csv.DictReader(file))
    said = re.search(r"(\d+) are violated with both, (\d+) with `used` only, (\d+) with `same` only",
                     page_in_one_line())
    assert said
    assert [int(count) for count in said.groups()] == [
        violated["same", "used"], violated["used",], violated["same",]]


def test_ranges_that_are_found_again() -> None:
    with (FOLDER / "ranges.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    said = re.search(r"`ranges.csv`\), (\d+) of (\d+) confirmed ranges .*?it is (\d+) of (\d+)",
                     page_in_one_line())
    assert said
    decided = [Counter(row[column] for row in rows if row[column])
               for column in ("guideline_there", "operation_there")]
    assert [int(count) for count in said.groups()] == [
        count for each in decided for count in (each["violated"], each.total())]
