# SPDX-License-Identifier: BSD-3-Clause
"""The counts of results/reference/before-after/README.md follow from its data."""

import csv
import math
import statistics
from collections import defaultdict
from pathlib import Path

from analysis.operations import FEWEST_PAIRS, Group, full_pairs, real_changes

FOLDER = Path(__file__).parents[2] / "results" / "reference" / "before-after"
WINDOW, TOLERANCE = 11, 0.05


def counted() -> dict[str, tuple[int, ...]]:
    """Returns for each series: pairs, windows, and windows that report nothing, MPI_Gatherv alone, or
    anything else."""
    series: dict[str, dict[int, dict[Group, float]]] = defaultdict(lambda: defaultdict(dict))
    amounts: dict[str, dict[int, int]] = defaultdict(dict)
    with (FOLDER / "ratios.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            group = Group(row["operation"], int(row["block_size"]) if row["block_size"] else None)
            series[row["series"]][int(row["pair"])][group] = float(row["log_ratio"])
            amounts[row["series"]][int(row["pair"])] = int(row["problems_in_common"])
    counts: dict[str, tuple[int, ...]] = {}
    for name, pairs in series.items():
        numbers = range(1, max(pairs) + 1)
        found = []
        for first in range(1, len(numbers) - WINDOW + 2):
            window = range(first, first + WINDOW)
            full = full_pairs([amounts[name].get(pair, 0) for pair in window])
            if len(full) < FEWEST_PAIRS:
                continue
            each = [pairs[window[index]] for index in full]
            values = {group: [one[group] for one in each]
                      for group in sorted(set(each[0]).intersection(*each[1:]), key=str)}
            real, _ = real_changes(values)
            found.append({group.operation for group in real
                          if abs(statistics.fmean(values[group])) > math.log1p(TOLERANCE)})
        counts[name] = (len(numbers), len(found), sum(not each for each in found),
                        sum(each == {"MPI_Gatherv"} for each in found),
                        sum(bool(each - {"MPI_Gatherv"}) for each in found))
    return counts


def test_the_table() -> None:
    said = {}
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[1].isdigit():
            said[cells[0]] = tuple(int(cell.split(" ")[0]) for cell in cells[1:])
    assert said == counted()
