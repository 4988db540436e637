# SPDX-License-Identifier: BSD-3-Clause
"""Finds a Python that is new enough for `collect`. `collect` needs no packages."""

import shlex
import subprocess
import sys

from batch.errors import UsageError
from batch.request import Request, in_shell

# The least version for `analysis merge` and `analysis scales`.
IMPORT = "import sys; sys.exit(sys.version_info < (3, 11))"
SYSTEM_PYTHON = "/usr/bin/python3"
NEED = "Python 3.11"
REMEDY = "put a newer python3 into the PATH"


def python() -> str:
    """Returns a Python that is new enough, of PATH or of the system. Raises UsageError without one."""
    for each in (sys.executable, SYSTEM_PYTHON):
        try:
            done = subprocess.run([each, "-c", IMPORT], capture_output=True, check=False)
        except OSError:
            continue
        if done.returncode == 0:
            return each
    raise UsageError(f"collect needs {NEED}, which neither {sys.executable} nor {SYSTEM_PYTHON} "
                     f"has: {REMEDY}")


def command() -> str:
    """Returns a shell command that succeeds if the host has a Python for `collect`."""
    return " || ".join(f"{each} -c {shlex.quote(IMPORT)}" for each in ("python3", SYSTEM_PYTHON))


def check(request: Request) -> None:
    """Raises UsageError if this host has no Python for `collect`. Called before any job is submitted."""
    try:
        done = in_shell(request, command())
    except FileNotFoundError:
        return  # without a shell there is no Slurm either, as it is going to say
    if done.returncode != 0:
        raise UsageError(f"the job that collects the results needs {NEED}, which neither python3 "
                         f"nor {SYSTEM_PYTHON} of this host has: {REMEDY}; or give --no-collect")
