# SPDX-License-Identifier: BSD-3-Clause
"""What a submitted audit has brought so far, from its folders and from Slurm."""

import json
from dataclasses import dataclass
from pathlib import Path

from batch import scheduler
from batch.scheduler import JobState
from batch.submission import Job

LOG_LINES = 8
REFUSED = 2  # the exit code of mpiaudit for wrong use


@dataclass(frozen=True)
class Launch:
    """One audit of a job, in a folder of its own."""

    folder: Path
    is_complete: bool
    measured: int
    planned: int


@dataclass(frozen=True)
class Outcome:
    """How far a job is."""

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
        """Whether the program ended because of what it was given, as it would again."""
        return not self.is_complete and self.state.code == REFUSED

    @property
    def progress(self) -> str:
        """3 of 3 launches, or 1 of 3 launches, 5 of 12 problems of the next"""
        count = len(self.launches)
        text = f"{len(self.complete)} of {count} launch{'es' if count > 1 else ''}"
        started = next((launch for launch in self.launches
                        if not launch.is_complete and launch.planned), None)
        if started is None:
            return text
        return f"{text}, {started.measured} of {started.planned} problems of {started.folder.name}"


def look_at(folder: Path) -> Launch:
    """Looks at the folder of one audit, which need not exist."""
    try:
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        is_complete = report["complete"] is True
    except (OSError, ValueError, KeyError, TypeError):
        is_complete = False
    try:
        with (folder / "samples.jsonl").open(encoding="utf-8") as stream:
            planned = int(json.loads(stream.readline())["planned_problems"])
            # Whole lines: the last one may be half-written. A session ends with a line of its own.
            measured = sum('"kind":"problem"' in line and line.endswith("\n") for line in stream)
    except (OSError, ValueError, KeyError):
        planned = measured = 0
    return Launch(folder, is_complete, measured, planned)


def state_of(job: Job, launches: list[Launch]) -> JobState:
    """Slurm's word, and where it has forgotten the job, what the job has left behind."""
    state = scheduler.state_of(job.number)
    if state.state != "UNKNOWN":
        return state
    try:
        code = (job.folder / "exit-code").read_text(encoding="utf-8").strip()
    except OSError:
        return JobState("UNKNOWN", "Slurm has forgotten the job")
    return JobState("COMPLETED" if code == "0" else "FAILED", "", f"{code}:0")


def outcome(job: Job) -> Outcome:
    launches = [look_at(job.folder / f"launch-{number + 1}") for number in range(job.launches)]
    return Outcome(job, state_of(job, launches), launches)


def end_of_log(job: Job) -> list[str]:
    """The last lines that the job has written."""
    log = job.folder / "job.log"
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return [f"there is no {log}: the job has not begun"]
    return [f"the end of {log}:",
            *("    " + line for line in lines if line.strip())][-LOG_LINES - 1:]
