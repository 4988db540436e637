# SPDX-License-Identifier: BSD-3-Clause
"""The counts of results/reference/before-after/README.md follow from its data."""

import csv
import math
import statistics
from collections import defaultdict

from analysis import audit_files
from analysis.before_after import undecided_of
from analysis.exchanges import FEWEST_PAIRS, Judgement, judge, without_outliers
from analysis.operations import Group
from analysis.tests.kept import REFERENCE

FOLDER = REFERENCE / "before-after"
WINDOW, TOLERANCE = 11, 0.05


def judged(window: list[dict[Group, float]], planned: set[Group]) -> tuple[set[str], bool]:
    """Returns the operations that a window of pairs reports, and whether it leaves some undecided."""
    values = {group: without_outliers({pair: each[group] for pair, each in enumerate(window)
                                       if group in each})
              for group in sorted({group for each in window for group in each}, key=str)
              if sum(group in each for each in window) >= FEWEST_PAIRS}
    judgement = judge(values, len(window)) if values else Judgement(set(), {})
    means = {group: statistics.fmean(each.values()) for group, each in values.items()}
    real = {group for group in judgement.real if abs(means[group]) > math.log1p(TOLERANCE)}
    sizes = {group.block_size: (0, 0) for group in planned if group.block_size is not None}
    reported = {group.operation for group in real}
    return reported, any(each.operation not in reported
                         for each in undecided_of(planned, means, judgement, sizes))


def counted() -> dict[str, tuple[int, ...]]:
    """Returns for each series: pairs, windows, and windows that report nothing, MPI_Gatherv alone, or
    anything else, and windows that leave an operation undecided."""
    series: dict[str, dict[int, dict[Group, float]]] = defaultdict(lambda: defaultdict(dict))
    text = audit_files.content(FOLDER / "ratios.csv.xz").decode()
    for row in csv.DictReader(text.splitlines()):
        group = Group(row["operation"], int(row["block_size"]) if row["block_size"] else None)
        series[row["series"]][int(row["pair"])][group] = float(row["log_ratio"])
    counts: dict[str, tuple[int, ...]] = {}
    for name, pairs in series.items():
        planned = {group for each in pairs.values() for group in each}
        found = [judged([pairs[pair] for pair in range(first, first + WINDOW)], planned)
                 for first in range(1, max(pairs) - WINDOW + 2)]
        counts[name] = (max(pairs), len(found), sum(not each for each, _ in found),
                        sum(each == {"MPI_Gatherv"} for each, _ in found),
                        sum(bool(each - {"MPI_Gatherv"}) for each, _ in found),
                        sum(is_open for _, is_open in found))
    return counts


def test_the_table() -> None:
    said = {}
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7 and cells[1].isdigit():
            said[cells[0]] = tuple(int(cell.split(" ")[0]) for cell in cells[1:])
    assert said == counted()
