# SPDX-License-Identifier: BSD-3-Clause
"""The launches in a folder, as jobs/before-after leaves them: 1/report.json, 2/report.json, ..."""

from pathlib import Path

from . import audit_files
from .errors import InputError
from .reports import Report, read


def launch_files(argument: str) -> list[Path]:
    """Returns the file of an audit, or those in a folder of launches that jobs/before-after wrote, in their
    order."""
    folder = Path(argument)
    parts = [file for part in folder.glob("*/")
             if part.name.isdigit() and (file := audit_files.report_in(part))]
    if not parts or audit_files.report_in(folder):
        return [folder]
    return sorted(parts, key=lambda part: int(part.parent.name))


def launches(argument: str) -> list[Report]:
    """Returns the report, or the reports in a folder of launches."""
    files = launch_files(argument)
    reports = [report for each in files for report in read(each)]
    if len(files) == 1 and len(reports) != 1:
        raise InputError(f"{argument}: holds {len(reports)} reports, compare takes one on each side")
    return reports
