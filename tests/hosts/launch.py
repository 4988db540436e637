# SPDX-License-Identifier: BSD-3-Clause
"""Commands that start ranks on hosts made of namespaces."""

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from folder import LAUNCHERS  # noqa: E402, pylint: disable=wrong-import-position


@functools.cache
def version():
    """Returns the version of Open MPI, which has another launcher since version 5."""
    text = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.search(r" (\d+)\.", text)[1])


def open_mpi(hosts, words, number=None, ranks_per_host=1, variables=(), folder="."):
    """Returns the command that starts ranks on `number` hosts (default: all), from the first host on."""
    names = hosts.names[:number]
    settings = {"--mca": {"btl_tcp_if_include": "eth0", "pml": "ob1", "btl": "tcp,vader,self"}}
    if version() < 5:
        settings["--mca"] |= {"plm": "rsh", "plm_rsh_agent": hosts.agent, "oob_tcp_if_include": "eth0"}
    else:
        settings["--prtemca"] = {"plm": "ssh", "plm_ssh_agent": hosts.agent, "prte_if_include": "eth0"}
    mca = [str(word) for option, values in settings.items() for name, value in values.items()
           for word in (option, name, value)]
    exported = [word for name in variables for word in ("-x", name)]
    where = ",".join(f"{name}:{ranks_per_host}" for name in names)
    return hosts.entered(hosts.names[0], [
        "mpirun", *mca, *exported, "--bind-to", "none", "--host", where, "-np",
        str(ranks_per_host * len(names)), *words], folder)


def mpich(hosts, words, number=None, ranks_per_host=1, variables=(), folder="."):
    """The same with MPICH's launcher, hydra."""
    names = hosts.names[:number]
    exported = [word for name in variables for word in ("-genv", name, variables[name])]
    where = ",".join(f"{name}:{ranks_per_host}" for name in names)
    return hosts.entered(hosts.names[0], [
        "mpirun.mpich", "-launcher", "rsh", "-launcher-exec", str(hosts.agent), *exported, "-hosts", where,
        "-n", str(ranks_per_host * len(names)), *words], folder)


def environment(**more):
    return {**os.environ, **LAUNCHERS, **more}
