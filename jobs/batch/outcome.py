# SPDX-License-Identifier: BSD-3-Clause
"""The progress of a submitted audit, from its folders and from Slurm."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batch import scheduler
from batch.files import audit_files
from batch.scheduler import JobState
from batch.submission import Job

LOG_LINES = 8
MERGED = "scaling.json"
# The job leaves this file if the first launch has no violation, so that no launch has to confirm one.
NOTHING_TO_CONFIRM = "nothing-to-confirm"
# Members of a problem's line in samples.jsonl. Quotes in texts are escaped, so a text cannot have them.
PROBLEM, CHOSEN = b'"kind":"problem"', b'"chosen":true'
ID = re.compile(rb'"id":"([^"]*)"')
NO_VERDICT = "but no check has a verdict: submit again with more time (--time)"
REFUSED = 2  # the exit code of mpiaudit for wrong use


@dataclass(frozen=True)
class Launch:
    """One launch of a job, in a folder of its own."""

    folder: Path
    is_complete: bool
    measured: int  # of the planned problems
    planned: int
    chosen: int  # problems that were measured beyond the planned ones
    decided: int  # checks with a verdict

    @property
    def progress(self) -> str:
        """Returns for example: 5 of 12 problems of launch-1, and 3 that it chose on the way"""
        text = f"{self.measured} of {self.planned} problems of {self.folder.name}"
        return text + (f", and {self.chosen} that it chose on the way" if self.chosen else "")


@dataclass(frozen=True)
class Outcome:
    """The progress of a job."""

    job: Job
    state: JobState
    launches: list[Launch]

    @property
    def complete(self) -> list[Launch]:
        return [launch for launch in self.launches if launch.is_complete]

    @property
    def is_complete(self) -> bool:
        return len(self.complete) == len(self.launches)

    @property
    def was_refused(self) -> bool:
        """Whether the program has refused its options, as it would do again."""
        return not self.is_complete and self.state.code == REFUSED

    @property
    def progress(self) -> str:
        """Returns for example: 1 of 3 launches, and the progress of the next launch"""
        count = len(self.launches)
        if self.is_complete and not any(launch.decided for launch in self.launches):
            return f"{count} of {count} launch{'es' if count > 1 else ''}, {NO_VERDICT}"
        text = f"{len(self.complete)} of {count} launch{'es' if count > 1 else ''}"
        started = next((launch for launch in self.launches
                        if not launch.is_complete and launch.planned), None)
        if started is None:
            return text
        return f"{text}, {started.progress}"


def look_at_launch(job: Job, folder: Path) -> Launch:
    """Reads the folder of one launch. The folder need not exist."""
    parts = [look_at(each) for each in job.folders_of(folder)]
    # `mpiaudit run` writes this file when all numbers of nodes are over.
    is_complete = (folder / MERGED).exists() if job.scales else parts[0].is_complete
    return Launch(folder, is_complete, *(sum(getattr(part, name) for part in parts)
                                         for name in ("measured", "planned", "chosen", "decided")))


def look_at(folder: Path) -> Launch:
    """Reads the folder of one audit. The folder need not exist."""
    measured: set[bytes] = set()
    chosen: set[bytes] = set()
    planned = 0
    samples = audit_files.samples_in(folder)
    try:
        with audit_files.opened(samples or folder) as stream:
            planned = int(json.loads(stream.readline())["planned_problems"])
            for line in stream:
                # The last line may be incomplete. A problem that was cut short has two lines.
                found = ID.search(line) if PROBLEM in line and line.endswith(b"\n") else None
                if found:
                    (chosen if CHOSEN in line else measured).add(found[1])
    except (OSError, ValueError, KeyError):
        pass  # the audit has not begun, or its first line is damaged
    return Launch(folder, audit_files.is_complete(folder), len(measured), planned, len(chosen),
                  audit_files.decided_checks(folder))


def state_of(job: Job, launches: list[Launch]) -> JobState:
    """Returns the state that Slurm knows; if Slurm has forgotten the job, the state in the job's files."""
    state = scheduler.state_of(job.number)
    if state.state != "UNKNOWN":
        return state
    try:
        code = (job.folder / "exit-code").read_text(encoding="utf-8").strip()
    except OSError:
        return JobState("UNKNOWN", "Slurm has forgotten the job")
    return JobState("COMPLETED" if code == "0" else "FAILED", "", f"{code}:0")


def outcome(job: Job) -> Outcome:
    launches = [look_at_launch(job, job.folder / f"launch-{number + 1}") for number in range(job.launches)]
    if (job.folder / NOTHING_TO_CONFIRM).exists():
        launches = [launch for launch in launches if launch.planned]
    return Outcome(job, state_of(job, launches), launches)


def end_of_log(log: Path) -> list[str]:
    """Returns the last lines of a job's log."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return [f"there is no {log}: the job has not begun"]
    return [f"the end of {log}:",
            *("    " + line for line in lines if line.strip())][-LOG_LINES - 1:]


# A file with the reason why `collect` cannot merge the results. `collect` and the jobs write the file.
OBSTACLE = "cannot-collect"


def obstacle_to_collect(folder: Path, record: dict[str, Any]) -> list[str]:
    """Returns the reason why the results cannot be collected; no lines if there is none."""
    try:
        return (folder / OBSTACLE).read_text(encoding="utf-8").splitlines()
    except OSError:
        pass
    number = record.get("collect_job")
    state = scheduler.state_of(number) if number else JobState("UNKNOWN")
    # Exit code 1: `collect` has merged the complete jobs.
    has_ended_well = state.state in ("COMPLETED", "CANCELLED", "UNKNOWN") or state.code == 1
    if not state.is_over or has_ended_well or (folder / MERGED).exists():
        return []
    return [f"its job {number} is {state}", *end_of_log(folder / "collect.log")]
