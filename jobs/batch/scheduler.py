# SPDX-License-Identifier: BSD-3-Clause
"""Talks to Slurm: submits scripts, asks for the states of jobs."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Optional

from batch.errors import UsageError

WAITING = ("PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "SUSPENDED",
           "STOPPED")
RUNNING = ("RUNNING", "COMPLETING", "CONFIGURING", "SIGNALING", "STAGE_OUT", "RESIZING")


@dataclass(frozen=True)
class JobState:
    """A job as Slurm describes it. `state` is UNKNOWN if Slurm has forgotten the job."""

    state: str
    reason: str = ""
    exit_code: str = ""
    restarts: int = 0

    @property
    def is_over(self) -> bool:
        return self.state not in WAITING + RUNNING

    @property
    def code(self) -> Optional[int]:
        """The exit code of a job that no signal has ended."""
        found = re.fullmatch(r"(\d+):0", self.exit_code)
        return int(found[1]) if found and self.is_over else None

    def __str__(self) -> str:
        details = [self.reason if self.reason not in ("", "None") else "",
                   f"exit code {self.code}" if self.code else ""]
        found = ", ".join(filter(None, details))
        return f"{self.state} ({found})" if found else self.state


def ask(words: list[str]) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UsageError(f"{words[0]}: not found; is this a host of a cluster with Slurm?"
                         ) from None


def refuse(script: Path, complaint: str) -> NoReturn:
    """Raises UsageError with the error message of Slurm, without the names of Slurm's programs."""
    lines = [re.sub(r"^(\w+: )?(error|fatal): ", "", line)
             for line in complaint.splitlines() if line]
    raise UsageError(f"Slurm refuses {script.parent.name}/{script.name}: "
                     f"{'; '.join(lines) or 'it does not say why'}")


def test(script: Path) -> None:
    """Raises UsageError if Slurm would refuse the script."""
    done = ask(["sbatch", "--test-only", str(script)])
    if done.returncode != 0:
        refuse(script, done.stderr)


def check_pmi(pmi: str) -> None:
    """Raises UsageError if `srun --mpi=list` lists its plugins and `pmi` is not in the list."""
    done = ask(["srun", "--mpi=list"])
    printed = done.stdout + done.stderr
    # The list also names versions: "specific pmix plugin versions available: pmix_v4".
    kinds = re.findall(r"^(?:srun:)?\s+(\w+)\s*$", printed, re.MULTILINE)
    if done.returncode == 0 and kinds and pmi not in re.findall(r"\w+", printed):
        raise UsageError(f"--pmi {pmi}: srun of this Slurm has only {', '.join(kinds)}; "
                         "give one that the MPI library understands, or --launcher mpirun")


def submit(script: Path, after: list[str]) -> str:
    """Submits a script, to start when the jobs in `after` have ended. Returns the number of the job."""
    dependency = [f"--dependency=afterany:{':'.join(after)}"] if after else []
    done = ask(["sbatch", "--parsable", *dependency, str(script)])
    if done.returncode != 0:
        refuse(script, done.stderr)
    # sbatch prints JOB;CLUSTER if there are several clusters.
    return done.stdout.strip().split(";")[0]


def cancel(jobs: list[str]) -> None:
    """Cancels jobs. Jobs that have ended already are ignored."""
    done = ask(["scancel", *jobs])
    if done.returncode != 0:
        raise UsageError(f"scancel {' '.join(jobs)}: {done.stderr.strip()}")


def from_controller(job: str) -> Optional[JobState]:
    done = ask(["scontrol", "show", "job", "--oneliner", job])
    if done.returncode != 0:
        return None
    fields = dict(word.split("=", 1) for word in done.stdout.split() if "=" in word)
    return JobState(fields.get("JobState", "UNKNOWN"), fields.get("Reason", ""),
                    fields.get("ExitCode", ""), int(fields.get("Restarts", "0")))


def from_accounting(job: str) -> Optional[JobState]:
    """Returns the state from the accounting database, which remembers jobs longer than the controller."""
    done = ask(["sacct", "--noheader", "--parsable2", "--allocations", "--jobs", job,
                "--format=State,ExitCode"])
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return None
    state, exit_code = lines[-1].split("|")
    # sacct prints "CANCELLED by 1000".
    return JobState(state.split()[0], "", exit_code)


def state_of(job: str) -> JobState:
    return from_controller(job) or from_accounting(job) or JobState("UNKNOWN")
