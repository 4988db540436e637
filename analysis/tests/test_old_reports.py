# SPDX-License-Identifier: BSD-3-Clause
"""Reports of earlier versions are read as they were. tests/data/reports has parts of one report of each."""

from pathlib import Path

import pytest

from analysis import audit_files, reports
from analysis.tests.conftest import Command
from analysis.tests.kept import ROOT

REPORTS = sorted((ROOT / "tests" / "data" / "reports").glob("*.json"))


@pytest.mark.parametrize("file", REPORTS, ids=lambda file: str(file.stem))
def test_every_version_is_read(file: Path, command: Command) -> None:
    report, = reports.read(file)
    assert audit_files.document(file)["schema_version"] == file.stem
    assert len(report.violations) == report.data["summary"]["violated"] > 0
    table = command("table", file, "--rows", "all").out
    exported = command("export", "violations", file).out
    assert command("export", "checks", file).out.count("\n") == 1 + len(report.data["checks"])
    for check in report.violations:
        assert report.label(check["left"]) in table
        assert check["problem"] in exported and check["left"] in exported


def test_there_is_a_report_of_each_kind() -> None:
    assert [file.stem for file in REPORTS] == ["1.1", "1.7", "2.1"]
