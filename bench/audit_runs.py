# SPDX-License-Identifier: BSD-3-Clause
"""Launches `mpiaudit run` and reads its report: what the benchmarks of whole audits share."""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))
from analysis import audit_files, rows  # noqa: E402


@dataclass
class Audit:
    """One launch: its report and the seconds from the call of mpirun to its return."""

    report: dict[str, Any]
    wall_s: float
    folder: Path

    def count(self, verdict: str) -> int:
        return sum(check["verdict"] == verdict for check in self.report["checks"])

    @property
    def measured(self) -> list[dict[str, Any]]:
        return measured(self.report)


def measured(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The checks that were not skipped."""
    return [check for check in report["checks"] if check["verdict"] != "skipped"]


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options that all benchmarks of audits have; what follows `--` goes to mpiaudit run."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--mpirun", default="mpirun", metavar="COMMAND",
                         help="launcher with its options (default: %(default)s)")
    options.add_argument("--mpiaudit", default=str(ROOT / "build" / "release" / "mpiaudit"),
                         metavar="PROGRAM", help="default: %(default)s")
    options.add_argument("--ranks", type=int, default=2, help="default: %(default)s")
    options.add_argument("--launches", type=int, default=1, help="default: %(default)s")
    options.add_argument("--keep", type=Path, metavar="FOLDER",
                         help="keep the results of the launches in FOLDER/launch-1, ...")
    options.add_argument("audit_options", nargs="*", metavar="-- OPTION...",
                         help="for mpiaudit run")
    return options


def environment() -> dict[str, str]:
    """Open MPI refuses to run as root, as in a container, without these."""
    return os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def output_of(command: Sequence[str]) -> str:
    """What a program prints on standard output. Ends this one when it fails."""
    done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    # 3: what the library does wrong is not timed; 5: a few rounds may decide nothing.
    if done.returncode not in (0, 3, 5):
        sys.exit(f"{done.stderr}{shlex.join(command)}\nended with exit code {done.returncode}")
    return done.stdout


def read_report(file: Path) -> dict[str, Any]:
    """Returns the JSON in a file, which may be compressed by xz, with objects in place of rows."""
    report: dict[str, Any] = rows.expanded(json.loads(audit_files.content(file)))
    return report


def launches(arguments: argparse.Namespace, options: Sequence[str]) -> Iterator[Audit]:
    """Runs the audits one after the other. Ends the program when one of them fails."""
    with tempfile.TemporaryDirectory(prefix="mpiaudit-bench-") as temporary:
        parent = arguments.keep or Path(temporary)
        for number in range(1, arguments.launches + 1):
            yield _launch(arguments, options, parent / f"launch-{number}")


def _launch(arguments: argparse.Namespace, options: Sequence[str], folder: Path) -> Audit:
    command = [*shlex.split(arguments.mpirun), "-n", str(arguments.ranks), arguments.mpiaudit,
               "run", *options, *arguments.audit_options, "--output", str(folder)]
    start = time.monotonic()
    try:
        output_of(command)
    except OSError as error:
        sys.exit(f"--mpirun {arguments.mpirun}: {error.strerror}")
    wall_s = time.monotonic() - start
    return Audit(read_report(folder / "report.json"), wall_s, folder)
