# SPDX-License-Identifier: BSD-3-Clause
"""What results/reference/reproduce/README.md counts is what its data give."""

import csv
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "results" / "reference" / "reproduce"
TOLERANCE = 0.15


def counts(name: str) -> tuple[int, int, int]:
    """Programs, those whose left side is slower, those whose ratio is near that of the audit."""
    with (FOLDER / name).open(encoding="utf-8") as file:
        rows = [(float(row["audit"]), float(row["program"]), float(row["low"]))
                for row in csv.DictReader(file)]
    return (len(rows), sum(low > 1 for _, _, low in rows),
            sum(abs(program / audit - 1) <= TOLERANCE for audit, program, _ in rows))


def test_counts_of_the_page() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in ("ratios.csv", "ratios-in-caches.csv"):
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}`"))
        assert tuple(int(cell) for cell in row.split("|")[2:5]) == counts(name)
