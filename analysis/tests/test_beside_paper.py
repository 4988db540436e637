# SPDX-License-Identifier: BSD-3-Clause
"""The kept simulated tables are what `beside_paper` makes of the audits kept with them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "results" / "reference"
KEPT = sorted(each.parent.name for each in REFERENCE.glob("simulated-table-*/report.json"))


def beside_paper(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Runs it as jobs/paper-tables does."""
    return subprocess.run([sys.executable, "-m", "analysis.beside_paper", *map(str, arguments)],
                          cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", KEPT)
def test_kept_tables_come_from_the_kept_audits(name: str) -> None:
    done = beside_paper(name.rsplit("-", 1)[1], REFERENCE / name)
    assert done.stdout == (REFERENCE / name / "beside-paper.txt").read_text(encoding="utf-8")


def test_a_reference_algorithm_stands_in_for_what_the_simulator_lacks(tmp_path: Path) -> None:
    kept = (REFERENCE / "simulated-table-1" / "report.json").read_text(encoding="utf-8")
    (tmp_path / "report.json").write_text(
        kept.replace('"MPI_Gatherv(m)"', '"binomial_Gatherv(m)"'), encoding="utf-8")
    done = beside_paper("11", tmp_path)
    assert "binomial_Gatherv is in the place of MPI_Gatherv.\n" in done.stdout
    same = next(line.split() for line in done.stdout.splitlines() if line.startswith("Same"))
    assert same[7:9] == ["984.2!", "124.0!"]


def test_of_several_audits_the_best_is_taken(tmp_path: Path) -> None:
    one = REFERENCE / "simulated-table-1"
    report = json.loads((one / "report.json").read_text(encoding="utf-8"))
    report["mpi"]["library"] += ", gather another"
    for problem in report["problems"]:
        for contestant in problem["contestants"]:
            if "statistics" in contestant:
                factor = 0.5 if contestant["name"] == "TUW_Gatherv(m)" else 2
                contestant["statistics"]["median_s"] *= factor
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    done = beside_paper("1", one, tmp_path)
    assert "algorithms of mpich or gather another;" in done.stdout
    same = next(line.split() for line in done.stdout.splitlines() if line.startswith("Same"))
    assert same[3::2] == ["23.96", "48.50", "984.2!", "19.55"]
