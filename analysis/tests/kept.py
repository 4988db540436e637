# SPDX-License-Identifier: BSD-3-Clause
"""The audits of results/reference, which are kept compressed and without the reports that mpiaudit makes of
their samples. The fixture `reference` is the only place that unpacks and judges them."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from analysis import audit_files, reports

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "results" / "reference"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def audits(pattern: str = "") -> list[Path]:
    """Returns the folders of audits in results/reference, or in its folders of this pattern, relative to
    results/reference."""
    found = {file.parent.relative_to(REFERENCE) for start in REFERENCE.glob(pattern or "*")
             for name in (audit_files.REPORT, audit_files.SAMPLES) for file in start.rglob(f"{name}*")}
    assert found, pattern
    return sorted(found)


def program() -> Path:
    """Returns the mpiaudit that judges kept samples."""
    build = Path(os.environ.get("MPIAUDIT_BUILD", ROOT / "build" / "release-openmpi")).resolve()
    if not (build / "mpiaudit").exists():
        pytest.fail("no program is built: jobs/build release-openmpi, or MPIAUDIT_BUILD=FOLDER")
    return build / "mpiaudit"


def make_readable(folder: Path) -> None:
    """Unpacks the files below a folder, and judges samples that have no report."""
    for packed in folder.rglob(f"*{audit_files.COMPRESSED}"):
        packed.with_suffix("").write_bytes(audit_files.content(packed))
        packed.unlink()
    for samples in folder.rglob(audit_files.SAMPLES):
        report = samples.parent / audit_files.REPORT
        if not report.exists():
            done = subprocess.run([program(), "judge", samples.parent, "--report", report],
                                  capture_output=True, text=True, check=False)
            assert report.exists(), done.stderr


def document_in(folder: Path) -> Any:
    """Returns the report in a folder, to be changed at will: with objects in place of rows, and without the
    first screen, which has to agree with the checks."""
    document: dict[str, Any] = {**next(reports.read(folder)).data}
    return {key: value for key, value in document.items() if key not in ("overview", "operations")}


def without_last_digits(text: str, kept: str) -> str:
    """Returns `text` with the numbers of `kept` where the two differ by one in the last digit. Kept tables
    come from reports with more digits than reports have since 2.0, and were rounded only once."""
    numbers = iter(NUMBER.findall(kept))

    def kept_number(match: re.Match[str]) -> str:
        mine, other = match[0], next(numbers, "")
        digits = len(mine.partition(".")[2])
        is_near = (len(mine), digits) == (len(other), len(other.partition(".")[2])) and abs(
            float(mine) - float(other)) < 1.5 * 10.0 ** -digits
        return other if is_near else mine

    return NUMBER.sub(kept_number, text)
