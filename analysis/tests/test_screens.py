# SPDX-License-Identifier: BSD-3-Clause
"""The first screens of kept audits: their size, and the numbers of their rows beside those of the checks."""

import math
import os
import subprocess
from pathlib import Path

import pytest

from analysis import export, reports
from analysis.consistency import ROUNDING, rows_that_differ

from .kept import audits, program

LINES, COLUMNS = 24, 80
# The folders with many rows, of which one audit each is enough.
FAMILIES = ("simulated-sweep", "simulated-table-8-stand-ins", "simulated-table-9-stand-ins",
            "simulated-table-6")
ONE_EACH = ("gather-mvapich2_two_level", "random")
AUDITS = [folder for folder in audits() if folder.parts[0] not in FAMILIES or folder.name in ONE_EACH]


def screen_of(folder: Path) -> list[str]:
    done = subprocess.run([program(), "judge", folder], capture_output=True, text=True, check=False,
                          env=dict(os.environ, LINES=str(LINES), COLUMNS=str(COLUMNS)))
    return done.stdout.splitlines()


def test_there_are_ten_audits_of_several_kinds() -> None:
    assert len(AUDITS) >= 10


@pytest.mark.parametrize("folder", AUDITS, ids=str)
def test_a_screen_fits_and_its_rows_are_those_of_the_checks(folder: Path, reference: Path) -> None:
    if not (reference / folder / "samples.jsonl").exists():
        pytest.skip("a report without samples")
    lines = screen_of(reference / folder)
    # The last line belongs to the shell. A command that is pasted may have a longer word.
    assert 0 < len(lines) < LINES, "\n".join(lines)
    assert [line for line in lines if len(line) > COLUMNS and " " in line.strip().removesuffix(" \\")] == []
    report = next(reports.read(reference / folder))
    assert rows_that_differ(report, str(program())) == []
    places = {name: place for place, name in enumerate(export.CHECKS)}
    checks = {(row[places["guideline"]], row[places["problem"]]): row for row in export.check_rows([report])}
    for row in report.overview:
        if "factor" not in row:
            continue
        check = checks[row["guideline"], row["problem"]]
        of_check = [check[places["instead_factor"]], check[places["ratio"]]]
        assert any(isinstance(each, float) and math.isclose(each, row["factor"], rel_tol=ROUNDING)
                   for each in of_check), (row, of_check)
