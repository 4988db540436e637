#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what gather and scatter take over the best ordered tree, with its construction, from
report.json of audits of results/reference/optimal-trees/guidelines.json: medians of ratios, and the
mean and the largest of all problems."""

import argparse
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench"))

from audit_runs import read_report  # noqa: E402

Report = dict[str, Any]


def ratios_of(report: Report) -> dict[str, dict[str, float]]:
    """Of each problem, by the operation."""
    ratios: dict[str, dict[str, float]] = {}
    for check in report["checks"]:
        if "ratio" in check:
            ratios.setdefault(check["problem"], {})[check["left"]] = check["ratio"]["median"]
    return ratios


def table_of(report: Report) -> list[str]:
    """A line for each problem, then the mean and the largest."""
    ratios = ratios_of(report)
    operations = list(dict.fromkeys(name for row in ratios.values() for name in row))
    machine = "simulated, " if report["simulated"] else ""
    lines = [f"{report['machine']['ranks']} ranks, {machine}{report['mpi']['library']}",
             f"{'':<18}" + "".join(f"{name.removesuffix('(m)'):>18}" for name in operations)]
    columns = {name: [row[name] for row in ratios.values() if name in row] for name in operations}
    rows = {**ratios, "mean": {name: sum(all_) / len(all_) for name, all_ in columns.items()},
            "largest": {name: max(all_) for name, all_ in columns.items()}}
    for problem, row in rows.items():
        lines.append(f"{problem:<18}" + "".join(
            f"{row[name]:>18.3f}" if name in row else f"{'-':>18}" for name in operations))
    return lines


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="of audits")
    tables = [table_of(read_report(folder / "report.json"))
              for folder in parser.parse_args().folders]
    print("\n\n".join("\n".join(lines) for lines in tables))


if __name__ == "__main__":
    main()
