# SPDX-License-Identifier: BSD-3-Clause
"""The command `merge`: several launches of an audit into one report, several scales into one.

`mpiaudit judge`, which this command calls, combines the evidence of several launches. Reports at different
numbers of ranks are put into one document unchanged.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from . import audit_files, output
from .errors import InputError
from .reports import SCALING_KIND, Report, read, read_all

EXAMPLES = """examples:
  python3 -m analysis merge results/launch1 results/launch2 -o results/merged.json
  python3 -m analysis merge results/p8 results/p16 results/p32 -o scaling.json
  python3 -m analysis html scaling.json -o scaling.html

Reports with the same number of ranks are launches of one audit: `mpiaudit judge` judges them together,
from their samples (the program of --mpiaudit FILE, of the variable MPIAUDIT, or in the PATH). Reports
with different numbers of ranks become one scaling document, which every command
reads."""

# The report is complete after exit code 0, 1 (violations) and 5 (nothing decided).
EXIT_CODES_OF_JUDGEMENTS = (0, 1, 5)


def require_kinship(reports: list[Report]) -> None:
    """Raises InputError unless all reports are about one library under equal conditions."""
    first = reports[0]
    for report in reports[1:]:
        if report.is_simulated != first.is_simulated:
            raise InputError(f"{first.path} and {report.path} do not belong together: one is "
                             "simulated, the other measured")
        if report.library != first.library:
            raise InputError(f"{first.path} and {report.path} do not belong together: one is "
                             f"about {first.library}, the other about {report.library}; the "
                             "command compare is for that")


def is_found() -> bool:
    """Returns whether judge(None) finds an executable."""
    return shutil.which(os.environ.get("MPIAUDIT") or "mpiaudit") is not None


def judge(program: str | None) -> str:
    """Returns the mpiaudit executable: the option, the variable MPIAUDIT, or the PATH."""
    named = program or os.environ.get("MPIAUDIT")
    found = shutil.which(named or "mpiaudit")
    if found is None:
        where = f"{named!r} is not an executable" if named else "mpiaudit is not on the PATH"
        raise InputError(f"launches are merged by `mpiaudit judge`, but {where}: give its place "
                         "with --mpiaudit FILE or in the variable MPIAUDIT")
    return found


def merged_launches(reports: list[Report], program: str | None) -> Report:
    """Returns one report, judged by mpiaudit from all launches."""
    folders = [report.path.parent for report in reports]
    for folder in folders:
        samples = audit_files.samples_in(folder)
        if samples is None:
            raise InputError(f"{folder}: has no samples.jsonl, from which launches are judged "
                             "together; give the folders of the audits")
        if samples.suffix == audit_files.COMPRESSED:
            raise InputError(f"{samples}: `mpiaudit judge` reads no compressed samples: "
                             f"xz -dk {shlex.quote(str(samples))}")
    with tempfile.TemporaryDirectory() as temporary:
        joint = Path(temporary) / audit_files.REPORT
        command = [judge(program), "judge", *map(str, folders),
                   "--report", str(joint)]
        try:
            result = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                    check=False)
        except OSError as error:
            raise InputError(f"{command[0]}: cannot be run: {error.strerror}") from None
        if result.returncode not in EXIT_CODES_OF_JUDGEMENTS or not joint.exists():
            words = (result.stderr or result.stdout).split()
            raise InputError(f"`{' '.join(command[:2])}` failed with code {result.returncode}: "
                             f"{' '.join(words) if words else 'it said nothing'}")
        return next(read(joint))


def folders_of(launches: list[Report], output_file: Path) -> list[str]:
    """Returns the folders of the launches of a scale, relative to the scaling document."""
    start = output_file.resolve().parent
    return [os.path.relpath(report.path.parent.resolve(), start) for report in launches]


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "merge", help="several launches into one report, several scales into one document",
        epilog=EXAMPLES, description="Puts reports together.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT",
                        help="report.json or the folder that holds it; two at least")
    parser.add_argument("--mpiaudit", metavar="FILE", help="the executable that judges launches")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    reports = read_all(options.reports)
    if len(reports) < 2:
        raise InputError("merge needs two reports at least, one was given")
    require_kinship(reports)
    scales: dict[int, list[Report]] = {}
    for report in reports:
        scales.setdefault(report.ranks, []).append(report)
    merged = [launches[0] if len(launches) == 1 else merged_launches(launches, options.mpiaudit)
              for _, launches in sorted(scales.items())]
    scaling: dict[str, Any] = {
        "kind": SCALING_KIND, "schema_version": merged[0].data["schema_version"],
        "reports": [{**report.data, "folders": folders_of(scales[report.ranks], options.output)}
                    for report in merged]}
    document = merged[0].data if len(merged) == 1 else scaling
    output.write_text(options.output, json.dumps(document, indent=1) + "\n")
    what = (f"one report from {len(reports)} launches" if len(merged) == 1 else
            f"{len(merged)} scales from {len(reports)} reports")
    print(f"{options.output}: {what}")
    return 0
