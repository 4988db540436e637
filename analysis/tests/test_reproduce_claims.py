# SPDX-License-Identifier: BSD-3-Clause
"""What results/reference/reproduce/README.md counts is what its data give."""

import csv
import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "results" / "reference" / "reproduce"
TOLERANCE = 0.15


def test_counts_of_the_page() -> None:
    page = " ".join((FOLDER / "README.md").read_text(encoding="utf-8").split())
    with (FOLDER / "ratios.csv").open(encoding="utf-8") as file:
        rows = [(float(row["audit"]), float(row["program"]), float(row["low"]))
                for row in csv.DictReader(file)]
    said = re.search(r"Of (\d+) that .* (\d+) lie within 15 % of the audit's; in (\d+) the left side", page)
    assert said
    assert [int(count) for count in said.groups()] == [
        len(rows), sum(abs(program / audit - 1) <= TOLERANCE for audit, program, _ in rows),
        sum(low > 1 for _, _, low in rows)]
