# SPDX-License-Identifier: BSD-3-Clause
"""Fills the templates of jobs/templates: @NAME@ is replaced, all else stays."""

import os
import re
import shlex
import subprocess
from pathlib import Path

from batch.audit_options import check_known, is_given
from batch.errors import UsageError
from batch.request import Request

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "jobs" / "templates"

# Slurm warns a job this share of its time before the end, in seconds within these limits: a problem
# has to end in it, and the report has to be written.
WARNING_SHARE, WARNING_LEAST_S, WARNING_MOST_S = 0.1, 20, 300


def fill(template: str, values: dict[str, str]) -> str:
    """The template with its values; a line whose value is empty goes."""
    def value(found: "re.Match[str]") -> str:
        return values[found[1]]

    lines = []
    for line in (TEMPLATES / template).read_text(encoding="utf-8").splitlines():
        filled = re.sub(r"@([A-Z_]+)@", value, line)
        if filled or not line:
            lines.append(filled)
    return "\n".join(lines) + "\n"


def warning_s(time_s: int) -> int:
    return round(min(max(WARNING_SHARE * time_s, WARNING_LEAST_S), WARNING_MOST_S))


def in_shell(request: Request, command: str) -> "subprocess.CompletedProcess[str]":
    """Runs a command after those of the site file, whose modules it may need."""
    return subprocess.run(["bash", "-c", "\n".join([*request.setup, command])], text=True,
                          capture_output=True, check=False)


def mpirun_template(request: Request) -> str:
    """Whose options mpirun takes."""
    if request.mpi != "default":
        return f"launcher-mpirun-{request.mpi}"
    done = in_shell(request, f"{shlex.quote(request.mpirun)} --version")
    if "Open MPI" in done.stdout or "OpenRTE" in done.stdout:
        return "launcher-mpirun-openmpi"
    if "HYDRA" in done.stdout or "Intel" in done.stdout:
        return "launcher-mpirun-mpich"
    raise UsageError(f"--launcher mpirun: `{request.mpirun} --version` tells neither Open MPI nor "
                     "MPICH; give --mpi openmpi or --mpi mpich, or --launcher srun")


def slurm_time(time_s: int) -> str:
    """Whole minutes, rounded up, as Slurm counts them."""
    return str(-(-time_s // 60))


def common(request: Request, folder: Path, kind: str, log: str) -> dict[str, str]:
    """What the templates of all jobs need."""
    return {
        "JOB_NAME": shlex.quote(f"{request.name}-{kind}"),
        "START": shlex.quote(os.getcwd()),
        "LOG": shlex.quote(str(folder / log)),
        "DIRECTIVES": "\n".join(f"#SBATCH {option}" for option in request.directives),
        "SETUP": "\n".join(request.setup),
    }


def audit_script(request: Request, program: Path, folder: Path, nodes: int, command: str) -> str:
    """The job of one number of nodes; `folder` is where its results land."""
    ranks = nodes * request.ranks_per_node
    values = {
        **common(request, folder, f"{nodes}-nodes", "job.log"),
        "NODES": str(nodes), "RANKS": str(ranks), "RANKS_PER_NODE": str(request.ranks_per_node),
        "TIME": slurm_time(request.time_s), "WARNING_S": str(warning_s(request.time_s)),
        "COMMAND": command,
        "FOLDER": shlex.quote(str(folder)), "PROGRAM": shlex.quote(str(program)),
        "LAUNCHES": str(request.launches), "RESTARTS": str(request.restarts),
        "AUDIT_OPTIONS": shlex.join(request.audit_options),
        "HAS_OWN_BUDGET": str(is_given(request.audit_options, "budget")).lower(),
        "COLOR": "" if is_given(request.audit_options, "color") else " --color never",
        "PMI": shlex.quote(request.pmi), "MPIRUN": shlex.quote(request.mpirun),
    }
    launcher = "launcher-srun" if request.launcher == "srun" else mpirun_template(request)
    values["LAUNCHER"] = fill(launcher, values).strip()
    return fill("audit.sh", values)


def collect_script(request: Request, folder: Path) -> str:
    return fill("collect.sh", {**common(request, folder, "collect", "collect.log"),
                               "NAME": shlex.quote(request.name),
                               "RESULTS": shlex.quote(str(folder.parent)),
                               "ROOT": shlex.quote(str(ROOT))})


def preset(request: Request) -> str:
    return "release" if request.mpi == "default" else f"release-{request.mpi}"


def program_of(request: Request) -> Path:
    """Where the program is, or will be when it is built."""
    if request.program:
        return Path(request.program).resolve()
    return ROOT / "build" / preset(request) / "mpiaudit"


def check_options(request: Request, program: Path) -> None:
    """Lets the program look at the names of its options. Throws UsageError."""
    try:
        done = in_shell(request, f"{shlex.quote(str(program))} list options")
    except FileNotFoundError:
        return  # without a shell there is no Slurm either, as it is going to say
    # A program of an earlier version has no such list, and one may not run on this host.
    if done.returncode == 0:
        check_known(request.audit_options, done.stdout)


def build(request: Request) -> None:
    """Builds the program where that is needed."""
    text = fill("build.sh", {"ROOT": shlex.quote(str(ROOT)), "SETUP": "\n".join(request.setup),
                             "MPI": request.mpi, "PRESET": preset(request)})
    done = subprocess.run(["bash", "-c", text], check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise UsageError(f"the program cannot be built (exit code {done.returncode}); build it "
                         "yourself and give --program FILE")
