# SPDX-License-Identifier: BSD-3-Clause
"""Merges the finished audits into one report and names the others."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

from batch import packages, submission
from batch.errors import UsageError
from batch.files import audit_files
from batch.outcome import MERGED, OBSTACLE, Outcome, end_of_log, outcome
from batch.place import ANALYSIS, COMMAND, IS_INSTALLED, PROGRAMS, ROOT

# Lines on the screen; a file beside the report has all lines.
MOST_LINES = 60
MOST_LOGS = 2
FINDING = "! "


def analysis_command() -> list[str]:
    """Returns the words that start the analysis."""
    if IS_INSTALLED:
        return [str(PROGRAMS / "mpiaudit-report")]
    return [packages.python(), "-m", "analysis"]


def analysis(words: list[str]) -> str:
    """Returns the output of `python3 -m analysis ...`. Raises UsageError with its error message."""
    done = subprocess.run([*analysis_command(), *words], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    if done.returncode != 0:
        raise UsageError(done.stderr.strip() or f"analysis {words[0]}: code {done.returncode}")
    return done.stdout


def merge(folders: list[Path], program: str, output: Path) -> None:
    """Writes the merged report. An earlier report stays until the new one is complete."""
    part = output.with_name(f"{output.name}.{os.getpid()}.part")
    try:
        if len(folders) == 1:
            part.write_bytes(audit_files.content(audit_files.report_in(folders[0])))
        else:
            analysis(["merge", *map(str, folders), "--mpiaudit", program, "-o", str(part)])
        part.replace(output)
    finally:
        part.unlink(missing_ok=True)


def in_words(outcomes: list[Outcome]) -> list[str]:
    """Returns a line for each incomplete job, for the first ones with the end of the log."""
    lines: list[str] = []
    logs = 0
    for each in outcomes:
        if each.is_complete:
            continue
        nodes = f"{each.job.nodes} node{'s' if each.job.nodes > 1 else ''}"
        lines.append(f"missing: {nodes}: job {each.job.number} is {each.state}, {each.progress}")
        if each.state.is_over and logs < MOST_LOGS:
            logs += 1
            lines += ["  " + line for line in end_of_log(each.job.folder / "job.log")]
    return lines


def advice(outcomes: list[Outcome], name: str) -> list[str]:
    """Returns the commands that continue the incomplete jobs."""
    lines = []
    open_ones = [each for each in outcomes if not each.is_complete]
    ended = [each for each in open_ones if each.state.is_over]
    if any(each.was_refused for each in ended):
        lines.append("mpiaudit refuses its options (exit code 2), and would do so again: submit "
                     "with other options under another --name")
    if any(not each.was_refused for each in ended):
        lines.append(f"to continue the jobs that have ended: {COMMAND} resume {name}")
    if len(ended) < len(open_ones):
        lines.append(f"the other jobs are not over yet: {COMMAND} status {name} --watch")
    return lines


def fitted(answer: str, room: int, file: Path) -> list[str]:
    """Returns the beginning of the answer: at most `room` lines, and whole findings only."""
    lines = answer.splitlines()
    if len(lines) <= room:
        return lines
    starts = [number for number, line in enumerate(lines) if line.startswith(FINDING)]
    ends = [number for number in starts if number < room]
    end = ends[-1] if ends else max(room - 1, 0)
    left = sum(number >= end for number in starts)
    return [*lines[:end], f"and {left} more: {file}" if left else f"the rest: {file}"]


def shown(file: Path) -> Path:
    """Returns the path relative to the current folder if the file is below the current folder."""
    try:
        return file.resolve().relative_to(Path.cwd())
    except ValueError:
        return file


def merge_and_answer(folders: list[Path], record: dict[str, Any], output: Path) -> str:
    """Writes the merged report and the answer beside it; returns the answer. Raises UsageError."""
    merge(folders, record["program"], output)
    answer = analysis(["scales", str(output)])
    submission.save(output.with_suffix(".txt"), answer)
    return answer


def collect(folder: Path, wanted_output: Optional[str]) -> int:
    """Returns 0 if all jobs are complete, else 1."""
    record, jobs = submission.read(folder)
    output = Path(wanted_output) if wanted_output else folder / MERGED
    if wanted_output and output.exists() and not audit_files.is_report(output):
        raise UsageError(f"--output {output}: exists and is no report; give another file")
    if not output.parent.is_dir():
        raise UsageError(f"--output {output}: there is no folder {output.parent}")
    outcomes = [outcome(job) for job in jobs]
    # A launch that confirms has no folder for a number of nodes without a violation.
    complete = [folder for each in outcomes for launch in each.complete
                for folder in each.job.folders_of(launch.folder) if audit_files.report_in(folder)]
    below = in_words(outcomes)
    if below:
        below += advice(outcomes, folder.name)
    if complete:
        answer_file = output.with_suffix(".txt")
        try:
            answer = merge_and_answer(complete, record, output)
        except UsageError as error:
            submission.save(folder / OBSTACLE, f"{error}\n")
            raise
        (folder / OBSTACLE).unlink(missing_ok=True)
        below += [f"merged: {shown(output)}", f"this answer: {shown(answer_file)}",
                  f"a page with pictures: {ANALYSIS} html {shown(output)} \\",
                  f"  -o {shown(output.with_suffix('.html'))}"]
        print("\n".join(fitted(answer, MOST_LINES - len(below), shown(answer_file))))
    print("\n".join(below))
    if not complete:
        print("nothing is complete yet: nothing is merged", file=sys.stderr)
    return 0 if all(each.is_complete for each in outcomes) else 1
