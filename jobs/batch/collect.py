# SPDX-License-Identifier: BSD-3-Clause
"""Merges what has finished into one report, and names what has not."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

from batch import submission
from batch.errors import UsageError
from batch.outcome import Outcome, end_of_log, outcome
from batch.place import ANALYSIS, COMMAND, IS_INSTALLED, PROGRAMS, ROOT


def analysis_command() -> list[str]:
    """What makes tables and merges reports."""
    if IS_INSTALLED:
        return [str(PROGRAMS / "mpiaudit-report")]
    return [python(), "-m", "analysis"]


def python() -> str:
    """A Python with the packages of the analysis; a user's own often hides the system's."""
    for each in (sys.executable, "/usr/bin/python3"):
        done = subprocess.run([each, "-c", "import jsonschema"], capture_output=True, check=False)
        if done.returncode == 0:
            return each
    raise UsageError("no Python here has the package jsonschema, which checks reports: "
                     "apt-get install python3-jsonschema, or pip install jsonschema")


def analysis(words: list[str]) -> str:
    """What `python3 -m analysis ...` prints. Throws UsageError with its complaint."""
    done = subprocess.run([*analysis_command(), *words], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    if done.returncode != 0:
        raise UsageError(done.stderr.strip() or f"analysis {words[0]}: code {done.returncode}")
    return done.stdout


def is_report(file: Path) -> bool:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(document, dict) and "schema_version" in document


def merge(folders: list[Path], program: str, output: Path) -> None:
    """Writes the merged report; what was there stays until the new one is complete."""
    part = output.with_name(f"{output.name}.{os.getpid()}.part")
    try:
        if len(folders) == 1:
            part.write_bytes((folders[0] / "report.json").read_bytes())
        else:
            analysis(["merge", *map(str, folders), "--mpiaudit", program, "-o", str(part)])
        part.replace(output)
    finally:
        part.unlink(missing_ok=True)


def in_words(outcomes: list[Outcome]) -> list[str]:
    """The jobs that have not brought all that they should."""
    lines = []
    for each in outcomes:
        if each.is_complete:
            continue
        nodes = f"{each.job.nodes} node{'s' if each.job.nodes > 1 else ''}"
        lines.append(f"missing: {nodes}: job {each.job.number} is {each.state}, {each.progress}")
        if each.state.is_over:
            lines += ["  " + line for line in end_of_log(each.job)]
    return lines


def advice(outcomes: list[Outcome], name: str) -> list[str]:
    """How to get what is missing."""
    lines = []
    open_ones = [each for each in outcomes if not each.is_complete]
    ended = [each for each in open_ones if each.state.is_over]
    if any(each.was_refused for each in ended):
        lines.append("mpiaudit refuses what it was given (exit code 2), and would again: submit "
                     "with other options under another --name")
    if any(not each.was_refused for each in ended):
        lines.append(f"to go on with those that have ended: {COMMAND} resume {name}")
    if len(ended) < len(open_ones):
        lines.append(f"the others are not over yet: {COMMAND} status {name} --watch")
    return lines


def verdicts(output: Path) -> list[str]:
    """One line for each scale of the merged report."""
    document: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    rows = []
    for report in document.get("reports", [document]):
        summary, hosts = report["summary"], len(report["machine"]["hosts"])
        rows.append(f"{hosts} host{'s' if hosts > 1 else ''}, {report['machine']['ranks']} ranks: "
                    f"{summary['checks']} checks, {summary['violated']} violated, "
                    f"{summary['holds']} hold, {summary['undecided']} undecided, "
                    f"{summary['skipped']} skipped, {summary['wrong']} wrong")
    return rows


def collect(folder: Path, wanted_output: Optional[str]) -> int:
    """Returns 0 when all jobs have brought everything, 1 when something is missing."""
    record, jobs = submission.read(folder)
    output = Path(wanted_output) if wanted_output else folder / "scaling.json"
    if wanted_output and output.exists() and not is_report(output):
        raise UsageError(f"--output {output}: exists and is no report; give another file")
    if not output.parent.is_dir():
        raise UsageError(f"--output {output}: there is no folder {output.parent}")
    outcomes = [outcome(job) for job in jobs]
    complete = [launch.folder for each in outcomes for launch in each.complete]
    if complete:
        merge(complete, record["program"], output)
        tables = output.with_suffix(".txt")
        submission.save(tables, analysis(["table", str(output)]))
        print("\n".join(verdicts(output)))
        print(f"merged: {output}\ntables: {tables}")
        print(f"a page with pictures: {ANALYSIS} html {output} -o {output.with_suffix('.html')}")
    missing = in_words(outcomes)
    if missing:
        print("\n".join(missing))
        print("\n".join(advice(outcomes, folder.name)))
    if not complete:
        print("nothing is complete yet: nothing is merged", file=sys.stderr)
    return 1 if missing else 0
