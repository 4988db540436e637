# SPDX-License-Identifier: BSD-3-Clause
"""Fills the templates of jobs/templates: replaces each @NAME@ by its value."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from batch import packages
from batch.audit_options import check_known, is_given
from batch.errors import UsageError
from batch.place import COMMAND, IS_ARCHIVE, IS_INSTALLED, PROGRAMS, REPORTS, ROOT, TEMPLATES
from batch.request import Request, in_shell

# Exit codes of mpiaudit: options refused; nothing selected.
REFUSALS = (2, 4)
PLAN_S = 60

# Slurm warns a job before its end: a share of the job's time, within these limits in seconds. In this time a
# problem has to end and the report has to be written.
WARNING_SHARE, WARNING_LEAST_S, WARNING_MOST_S = 0.1, 20, 300
# Seconds before the end of the job at which the job gives up a problem that does not end.
LAST_CHANCE_MOST_S = 30


def in_one_line(words: list[str]) -> str:
    """Returns the words for a comment in a script, without line breaks, which would start commands."""
    return shlex.join(words).translate({number: f"\\x{number:02x}" for number in (*range(32), 127)})


def fill(template: str, values: dict[str, str]) -> str:
    """Returns the template with its values; lines with an empty value are left out. Raises UsageError for a
    line break in a comment or in a directive for sbatch."""
    def value(found: "re.Match[str]") -> str:
        return values[found[1]]

    lines = []
    for line in (TEMPLATES / template).read_text(encoding="utf-8").splitlines():
        filled = re.sub(r"@([A-Z_]+)@", value, line)
        if line.startswith("#") and len(filled.splitlines()) > 1:
            raise UsageError(f"{filled!r}: a line break cannot stand in a script's comment")
        if filled or not line:
            lines.append(filled)
    return "\n".join(lines) + "\n"


def warning_s(time_s: int) -> int:
    return round(min(max(WARNING_SHARE * time_s, WARNING_LEAST_S), WARNING_MOST_S))


def mpirun_template(request: Request) -> str:
    """Returns the template for this mpirun: that of Open MPI or that of MPICH."""
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
    """Returns whole minutes, rounded up. Slurm counts in minutes."""
    return str(-(-time_s // 60))


def common(request: Request, folder: Path, kind: str, log: str) -> dict[str, str]:
    """Returns the values that all templates of jobs have."""
    return {
        "JOB_NAME": shlex.quote(f"{request.name}-{kind}"),
        "START": shlex.quote(os.getcwd()),
        "LOG": shlex.quote(str(folder / log)),
        "DIRECTIVES": "\n".join(f"#SBATCH {option}" for option in request.directives),
        "SETUP": "\n".join(request.setup),
    }


def audit_script(request: Request, program: Path, folder: Path, nodes: int, command: str) -> str:
    """Returns the script for one number of nodes. The results land in `folder`."""
    ranks = nodes * request.ranks_per_node
    values = {
        **common(request, folder, f"{nodes}-nodes", "job.log"),
        "SCALES": " ".join(map(str, request.scales)),
        "NODES": str(nodes), "RANKS": str(ranks), "RANKS_PER_NODE": str(request.ranks_per_node),
        "TIME": slurm_time(request.time_s), "WARNING_S": str(warning_s(request.time_s)),
        "LAST_CHANCE_S": str(min(warning_s(request.time_s) // 2, LAST_CHANCE_MOST_S)),
        "COMMAND": command,
        "FOLDER": shlex.quote(str(folder)), "PROGRAM": shlex.quote(str(program)),
        "AUDIT_FILES": shlex.quote(str(REPORTS / "audit_files.py")),
        "LAUNCHES": str(request.launches), "RESTARTS": str(request.restarts),
        "AUDIT_OPTIONS": shlex.join(request.audit_options),
        "HAS_OWN_BUDGET": str(is_given(request.audit_options, "budget")).lower(),
        "COLLECTS": str(request.collects).lower(),
        "PACKAGES": packages.command(), "NEED": packages.NEED,
        "HAS_FAIL_ON": str(is_given(request.audit_options, "fail-on")).lower(),
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
    """Returns the path of the program, which may not be built yet."""
    if request.program:
        return Path(request.program).resolve()
    if IS_INSTALLED or IS_ARCHIVE:
        return PROGRAMS / "mpiaudit"
    return ROOT / "build" / preset(request) / "mpiaudit"


def check_options(request: Request, program: Path) -> None:
    """Lets the program check its options for each number of nodes. Raises UsageError."""
    quoted = shlex.quote(str(program))
    try:
        table = in_shell(request, f"{quoted} list options")
    except FileNotFoundError:
        return  # without a shell there is no Slurm either, as it is going to say
    # An earlier version of the program has no such list, and the program may not run on this host.
    if table.returncode == 0:
        check_known(request.audit_options, table.stdout)
    for nodes in request.nodes:
        ranks = nodes * request.ranks_per_node
        try:
            plan = in_shell(request, f"exec timeout {PLAN_S} {quoted} run --dry-run --ranks {ranks} "
                            f"{shlex.join(request.audit_options)}")
        except FileNotFoundError:
            return
        if plan.returncode in REFUSALS:
            complaint = "\n".join(line.removeprefix("mpiaudit: ")
                                  for line in plan.stderr.splitlines() if line.strip())
            raise UsageError(f"mpiaudit run on {ranks} ranks refuses what follows --:\n{complaint}")
        if plan.returncode != 0:
            print(f"{COMMAND}: the options could not be tried on this host (`{program.name} run "
                  f"--dry-run` ends with exit code {plan.returncode}); the jobs will",
                  file=sys.stderr)
            return


def check_library(request: Request, program: Path) -> None:
    """Raises UsageError if the program is linked with another MPI library than --mpi names. Accepts a program
    whose library is unknown, such as a static program."""
    try:
        linked = in_shell(request, f"ldd {shlex.quote(str(program))}").stdout
    except FileNotFoundError:
        return
    # MPICH and its descendants use libmpi.so.12; Open MPI uses numbers from 20 on, Debian's from 40 on.
    found = re.search(r"\blibmpi(?:(ch)\.so|\.so\.(\d+))", linked)
    if found is None or request.mpi == "default":
        return
    is_mpich = found[1] is not None or int(found[2]) < 20
    if is_mpich != (request.mpi == "mpich"):
        raise UsageError(f"--mpi {request.mpi}: but {program} is linked with {found[0]}, of "
                         f"{'MPICH' if is_mpich else 'Open MPI'}; give another --mpi or --program")


def build(request: Request) -> None:
    """Builds the program if needed, after the shell commands of the site file."""
    text = fill("build.sh", {"ROOT": shlex.quote(str(ROOT)), "SETUP": "\n".join(request.setup),
                             "MPI": request.mpi, "PRESET": preset(request)})
    done = subprocess.run(["bash", "-c", text], check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise UsageError(f"the program cannot be built (exit code {done.returncode}); build it "
                         "yourself and give --program FILE")
