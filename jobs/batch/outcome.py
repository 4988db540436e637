# SPDX-License-Identifier: BSD-3-Clause
"""What a submitted audit has brought so far, from its folders and from Slurm."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batch import scheduler
from batch.scheduler import JobState
from batch.submission import Job

LOG_LINES = 8
MERGED = "scaling.json"
# The job leaves this file where the first launch has no violation that others could confirm.
NOTHING_TO_CONFIRM = "nothing-to-confirm"
# Members of a problem's line in samples.jsonl; no text in the line can have such quotes.
PROBLEM, CHOSEN = '"kind":"problem"', '"chosen":true'
ID = re.compile(r'"id":"([^"]*)"')
REFUSED = 2  # the exit code of mpiaudit for wrong use


@dataclass(frozen=True)
class Launch:
    """One audit of a job, in a folder of its own."""

    folder: Path
    is_complete: bool
    measured: int  # of the planned problems
    planned: int
    chosen: int  # problems that were measured beyond the planned ones

    @property
    def progress(self) -> str:
        """5 of 12 problems of launch-1, and 3 that it chose on the way"""
        text = f"{self.measured} of {self.planned} problems of {self.folder.name}"
        return text + (f", and {self.chosen} that it chose on the way" if self.chosen else "")


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
        """3 of 3 launches, or 1 of 3 launches and how far the next one is"""
        count = len(self.launches)
        text = f"{len(self.complete)} of {count} launch{'es' if count > 1 else ''}"
        started = next((launch for launch in self.launches
                        if not launch.is_complete and launch.planned), None)
        if started is None:
            return text
        return f"{text}, {started.progress}"


def look_at(folder: Path) -> Launch:
    """Looks at the folder of one audit, which need not exist."""
    try:
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        is_complete = report["complete"] is True
    except (OSError, ValueError, KeyError, TypeError):
        is_complete = False
    measured: set[str] = set()
    chosen: set[str] = set()
    try:
        with (folder / "samples.jsonl").open(encoding="utf-8") as stream:
            planned = int(json.loads(stream.readline())["planned_problems"])
            for line in stream:
                # The last line may be half-written. A problem that was cut short has two lines.
                found = ID.search(line) if PROBLEM in line and line.endswith("\n") else None
                if found:
                    (chosen if CHOSEN in line else measured).add(found[1])
    except (OSError, ValueError, KeyError):
        planned = 0
    return Launch(folder, is_complete, len(measured), planned, len(chosen))


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
    if (job.folder / NOTHING_TO_CONFIRM).exists():
        launches = [launch for launch in launches if launch.planned]
    return Outcome(job, state_of(job, launches), launches)


def end_of_log(log: Path) -> list[str]:
    """The last lines that a job has written."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return [f"there is no {log}: the job has not begun"]
    return [f"the end of {log}:",
            *("    " + line for line in lines if line.strip())][-LOG_LINES - 1:]


# Why `collect` could not merge the results; written by it and, before it runs, by the jobs.
OBSTACLE = "cannot-collect"


def obstacle_to_collect(folder: Path, record: dict[str, Any]) -> list[str]:
    """Why the results were not collected, or are not going to be; nothing where all is well."""
    try:
        return (folder / OBSTACLE).read_text(encoding="utf-8").splitlines()
    except OSError:
        pass
    number = record.get("collect_job")
    state = scheduler.state_of(number) if number else JobState("UNKNOWN")
    # With exit code 1 `collect` has merged what is complete.
    has_ended_well = state.state in ("COMPLETED", "CANCELLED", "UNKNOWN") or state.code == 1
    if not state.is_over or has_ended_well or (folder / MERGED).exists():
        return []
    return [f"its job {number} is {state}", *end_of_log(folder / "collect.log")]
