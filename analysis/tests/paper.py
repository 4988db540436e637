# SPDX-License-Identifier: BSD-3-Clause
"""Turns the figures of Traeff's tables (irregular gather, 2017, Tables 1-11) into reports.

The tables know averages and minima only. The statistics that the schema asks for beyond these
are set so that they claim nothing: the interval of the mean has no width, the median is the
average. The paper's column MPI_Gather runs on m' elements; it appears here as MPI_Gather(m).
"""

import csv
from pathlib import Path
from typing import Any

from analysis.tests.synthetic import compared, document_around, statistics_of

TABLES = Path(__file__).parents[1] / "irregular-gather-tables.csv"
GATHER, GATHERV, TUW = "MPI_Gather(m)", "MPI_Gatherv(m)", "TUW_Gatherv(m)"
PADDED = "MPI_Allreduce(1) + MPI_Gather(m')"
COLUMNS = {"gather": GATHER, "padded": PADDED, "gatherv": GATHERV, "tuw": TUW}
LIBRARIES = {1: "NEC MPI", 2: "MVAPICH", 3: "Open MPI"} | {n: "Intel MPI" for n in range(4, 12)}
RANKS = {1: 560, 2: 560, 3: 560, 4: 1600, 5: 3200} | {n: 6400 for n in range(6, 12)}
GUIDELINES = [
    {"id": "1", "statement": "MPI_Gather(m) <= MPI_Gatherv(m)", "advice": "call MPI_Gatherv"},
    {"id": "2", "statement": "MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')",
     "advice": "agree on the largest block, pad, and call MPI_Gather"},
]


def rows_of(table: int) -> list[dict[str, str]]:
    """The lines of one table as the CSV has them."""
    with TABLES.open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["table"] == str(table)]


def is_violated(row: dict[str, str], left: str, right: str, column: str = "avg") -> bool:
    """The rule of the paper: the average of the left side is larger."""
    return float(row[f"{left}_{column}"]) > float(row[f"{right}_{column}"])


def problem_of(row: dict[str, str], block_size: int, ranks: int) -> dict[str, Any]:
    return {
        "id": f"{row['problem']}/b={block_size}", "distribution": row["problem"],
        "block_size": block_size, "ranks": ranks, "root": 0, "element": "MPI_INT",
        "element_bytes": 4, "total": int(row["m"]), "padded_total": int(row["m_padded"]),
        "smallest": 0, "largest": int(row["m_padded"]) // ranks, "rounds": 75,
        "contestants": [
            {"name": name, "from": "scattered", "to": "rooted",
             "statistics": statistics_of(mean_us=float(row[f"{column}_avg"]),
                                         minimum_us=float(row[f"{column}_min"]))}
            for column, name in COLUMNS.items()
        ],
    }


def check_of(row: dict[str, str], problem: str, guideline: str, left: str, right: str,
             criterion: str) -> dict[str, Any]:
    column = {"averages": "avg", "minima": "min"}[criterion]
    violated = is_violated(row, left, right, column)
    statistics = {f"{side}_statistics": statistics_of(float(row[f"{name}_avg"]), float(row[f"{name}_min"]))
                  for side, name in (("left", left), ("right", right))}
    check = {"guideline": guideline, "problem": problem, "left": COLUMNS[left], "right": COLUMNS[right],
             "kind": "verdict", "verdict": "violated" if violated else "holds"}
    return check | statistics | {"verdicts": {"evidence": "undecided", **compared(statistics, 0.0)}}


def paper_report(table: int, criterion: str = "averages") -> dict[str, Any]:
    """One table as a report: Guideline (1) on the problems Same, Guideline (2) everywhere."""
    problems, checks = [], []
    block_sizes: dict[str, int] = {}
    for row in rows_of(table):
        block_size = block_sizes.get(row["problem"], 1)
        block_sizes[row["problem"]] = block_size * 10
        problem = problem_of(row, block_size, RANKS[table])
        problems.append(problem)
        if row["problem"] == "Same":
            checks.append(check_of(row, problem["id"], "1", "gather", "gatherv", criterion))
        checks.append(check_of(row, problem["id"], "2", "gatherv", "padded", criterion))
    implementations = [
        {"name": name.removesuffix("(m)"), "collective": "gather", "from": "scattered",
         "to": "rooted", "native": name != TUW, "summary": ""} for name in (GATHER, GATHERV, TUW)
    ]
    document = document_around(problems, checks, GUIDELINES, implementations,
                               library=LIBRARIES[table], ranks=RANKS[table], criterion=criterion)
    document["rule"]["tolerance"] = 0.0
    return document
