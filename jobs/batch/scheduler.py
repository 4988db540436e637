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
    """What Slurm says about a job; `state` UNKNOWN when it has forgotten it."""

    state: str
    reason: str = ""
    exit_code: str = ""
    restarts: int = 0

    @property
    def is_over(self) -> bool:
        return self.state not in WAITING + RUNNING

    @property
    def code(self) -> Optional[int]:
        """The exit code of a job that has ended by itself."""
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
    """Throws UsageError with Slurm's words, without the names of its programs."""
    lines = [re.sub(r"^(\w+: )?(error|fatal): ", "", line)
             for line in complaint.splitlines() if line]
    raise UsageError(f"Slurm refuses {script.parent.name}/{script.name}: "
                     f"{'; '.join(lines) or 'it does not say why'}")


def test(script: Path) -> None:
    """Throws UsageError when Slurm would refuse the script."""
    done = ask(["sbatch", "--test-only", str(script)])
    if done.returncode != 0:
        refuse(script, done.stderr)


def check_pmi(pmi: str) -> None:
    """Throws UsageError when srun names its ways to start MPI, and this is none of them."""
    done = ask(["srun", "--mpi=list"])
    printed = done.stdout + done.stderr
    # "pmix_v4" stands behind "specific pmix plugin versions available:".
    kinds = re.findall(r"^(?:srun:)?\s+(\w+)\s*$", printed, re.MULTILINE)
    if done.returncode == 0 and kinds and pmi not in re.findall(r"\w+", printed):
        raise UsageError(f"--pmi {pmi}: srun of this Slurm has only {', '.join(kinds)}; "
                         "give one that the MPI library understands, or --launcher mpirun")


def submit(script: Path, after: list[str]) -> str:
    """The number of the job, which starts when those in `after` have ended, however."""
    dependency = [f"--dependency=afterany:{':'.join(after)}"] if after else []
    done = ask(["sbatch", "--parsable", *dependency, str(script)])
    if done.returncode != 0:
        refuse(script, done.stderr)
    # With several clusters it says JOB;CLUSTER.
    return done.stdout.strip().split(";")[0]


def cancel(jobs: list[str]) -> None:
    """Takes jobs back; those that have ended already do not matter."""
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
    """Where the controller has forgotten the job, and the cluster keeps accounts."""
    done = ask(["sacct", "--noheader", "--parsable2", "--allocations", "--jobs", job,
                "--format=State,ExitCode"])
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return None
    state, exit_code = lines[-1].split("|")
    # "CANCELLED by 1000"
    return JobState(state.split()[0], "", exit_code)


def state_of(job: str) -> JobState:
    return from_controller(job) or from_accounting(job) or JobState("UNKNOWN")
