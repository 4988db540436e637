# SPDX-License-Identifier: BSD-3-Clause
"""Finds and opens the files of audits, as mpiaudit writes them or compressed by xz (report.json.xz).

Nothing else in `analysis` and `jobs` opens a report.json or a samples.jsonl. As a program it says by its
exit code whether the audit in a folder is complete:

    python3 analysis/audit_files.py FOLDER

Jobs of clusters call it with a Python that may be too old for the rest of the package, so it uses nothing
else of the package, and no syntax that Python 3.9 does not know.
"""

import contextlib
import errno
import json
import lzma
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Optional

REPORT, SAMPLES = "report.json", "samples.jsonl"
COMPRESSED = ".xz"


def existing(file: Path) -> Optional[Path]:
    """Returns the file or its compressed form; None if there is neither."""
    for each in (file, file.with_name(file.name + COMPRESSED)):
        if each.is_file():
            return each
    return None


def report_in(folder: Path) -> Optional[Path]:
    """Returns the report of the audit in a folder; None if there is none."""
    return existing(folder / REPORT)


def samples_in(folder: Path) -> Optional[Path]:
    """Returns the samples of the audit in a folder; None if there are none."""
    return existing(folder / SAMPLES)


def judging(folders: Sequence[Path], report: Path) -> str:
    """Returns the command line that judges the samples in folders together and writes the report. mpiaudit
    reads no compressed samples, so the command unpacks such samples first."""
    packed = [str(file) for folder in folders if (file := samples_in(folder)) and file.suffix == COMPRESSED]
    judge = shlex.join(["mpiaudit", "judge", *map(str, folders), "--report", str(report)])
    return f"{shlex.join(['xz', '-dk', *packed])} && {judge}" if packed else judge


@contextlib.contextmanager
def opened(file: Path) -> Iterator[IO[bytes]]:
    """Opens a file to read its bytes. Damage in a compressed file raises OSError, as a disk's would."""
    try:
        with lzma.open(file) if file.suffix == COMPRESSED else file.open("rb") as stream:
            yield stream
    except (lzma.LZMAError, EOFError) as error:
        raise OSError(errno.EIO, f"it is damaged: {error}", str(file)) from None


def content(file: Path) -> bytes:
    with opened(file) as stream:
        return stream.read()


def document(file: Path) -> Any:
    """Returns the JSON value in a file, None if the file is absent, unreadable or damaged. For questions
    about single members of a report; reports.read() reads whole reports."""
    try:
        return json.loads(content(file))
    except (OSError, ValueError):
        return None


def is_report(file: Path) -> bool:
    """Returns whether a file holds a report or a scaling document of any version."""
    found = document(file)
    return isinstance(found, dict) and "schema_version" in found


def decided_checks(folder: Path) -> int:
    """Returns the number of checks with a verdict in the report of a folder; 0 without a report."""
    file = report_in(folder)
    found = document(file) if file else None
    summary = found.get("summary") if isinstance(found, dict) else None
    counts = [summary.get(name, 0) for name in ("violated", "holds")] if isinstance(summary, dict) else []
    return sum(count for count in counts if isinstance(count, int))


def is_complete(folder: Path) -> bool:
    """Returns whether a folder has the report of an audit that measured all that it planned."""
    file = report_in(folder)
    found = document(file) if file else None
    return isinstance(found, dict) and found.get("complete") is True


if __name__ == "__main__":
    sys.exit(not is_complete(Path(sys.argv[1])))
