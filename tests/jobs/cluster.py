# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm of its own on this machine: munged, slurmctld and one slurmd for each node.

Needs neither systemd nor cgroups, and writes only below its folder. As root every node has its own
host name and its own shared memory. As an ordinary user the nodes have only their names in Slurm.
"""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import time
import unittest
from pathlib import Path

from folder import GUARD_S

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "srun")
SEARCH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

# cred_expire is also how long a requeued job waits; a shorter one keeps the job from starting at all. PMIx
# fences: Open MPI 4.1 now and then crashes in MPI_Init with the default fence.
CONFIGURATION = """\
ClusterName=mpiaudit-test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=1,batch_sched_delay=0,sched_interval=2
KillWait=5
ReturnToService=2
KillOnBadExit=1
EnforcePartLimits=ALL
MinJobAge=86400
TmpFS={folder}/tmp-%n
{nodes}
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=10 State=UP
"""


def missing_programs():
    """Those that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=SEARCH) is None]


def free_ports(count):
    """Returns the first of `count` neighbouring ports on which nobody listens."""
    for _ in range(100):
        first = random.randrange(20000, 32000)
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
    raise RuntimeError(f"there are no {count} free ports in a row")


class Cluster:
    """`user`: root starts the cluster as this user. `is_isolated`: MPI sees different hosts."""

    def __init__(self, folder, nodes=4, processors=4, user=None, is_isolated=True):
        self.folder, self.daemons = Path(folder), []
        self.user = pwd.getpwnam(user) if user else pwd.getpwuid(os.getuid())
        self.identity = ({"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
                         if user else {})
        self.names = [f"n{number + 1}" for number in range(nodes)]
        self.is_isolated = is_isolated and os.getuid() == 0 and user is None and subprocess.run(
            ["unshare", "--uts", "--ipc", "--mount", "true"], capture_output=True).returncode == 0
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("SLURM_")}
        # All nodes share the network of this machine, which need not have more than this.
        self.environment |= {
            "PATH": SEARCH, "SLURM_CONF": str(self.folder / "slurm.conf"),
            "OMPI_MCA_btl_tcp_if_include": "lo", "OMPI_MCA_oob_tcp_if_include": "lo",
            "UCX_NET_DEVICES": "lo"}
        if not self.is_isolated:
            # Files of shared memory are named by host and rank, so the files of two nodes collide.
            self.environment["OMPI_MCA_btl"] = "tcp,self"
        self.port = free_ports(nodes + 1)
        self.write_configuration(processors)

    def write_configuration(self, processors):
        lines = []
        for number, name in enumerate(self.names):
            for folder in (f"spool-{name}", f"tmp-{name}"):
                (self.folder / folder).mkdir()
            host = name if self.is_isolated else "localhost"
            lines.append(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 "
                         f"Port={self.port + 1 + number} CPUs={processors} State=UNKNOWN")
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], port=self.port, user=self.user.pw_name,
            folder=self.folder, nodes="\n".join(lines)))
        # slurmd loads a plug-in for cgroups though nothing uses them; this one needs none to load.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        (self.folder / "mpi.conf").write_text("PMIxCollFence=ring\n")
        (self.folder / "hosts").write_text(
            "".join(f"127.0.0.1 {name}\n" for name in ("localhost", *self.names)))
        for place in (self.folder, *self.folder.iterdir()):
            os.chown(place, self.user.pw_uid, self.user.pw_gid)

    def run(self, *words, **how):
        """Runs a command that sees this cluster. Returns the ended process."""
        how = {"capture_output": True, "text": True, "timeout": GUARD_S, "check": False, **how}
        environment = {**self.environment, **how.pop("environment", {})}
        return subprocess.run([str(word) for word in words], env=environment, **self.identity, **how)

    def require_pmix(self):
        """Skips tests where srun cannot start Open MPI, as in Debian testing."""
        if "pmix" not in self.run("srun", "--mpi=list").stdout:
            raise unittest.SkipTest("this Slurm has no pmix")

    def launch(self, *words):
        log = (self.folder / f"{Path(words[0]).name}.out").open("ab")
        with log:
            self.daemons.append(subprocess.Popen(
                words, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, **self.identity))

    def wait_until(self, condition, seconds, what):
        deadline = time.monotonic() + seconds
        while not condition():
            if any(daemon.poll() is not None for daemon in self.daemons):
                raise RuntimeError(f"a daemon of Slurm has ended\n{self.logs()}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} took more than {seconds} s\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        text = []
        for log in sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")]):
            text += [f"--- {log.name}", *log.read_text(errors="replace").splitlines()[-8:]]
        return "\n".join(text)

    def start(self):
        folder = self.folder
        key, munge = folder / "munge.key", folder / "munge.socket"
        self.run("mungekey", "--create", f"--keyfile={key}")
        self.launch("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={munge}",
                    f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/munged.seed",
                    f"--log-file={folder}/munged.log", "--num-threads=2")
        self.wait_until(munge.exists, GUARD_S, "munged")
        self.launch("slurmctld", "-D", "-c", "-f", folder / "slurm.conf")
        for name in self.names:
            daemon = ["slurmd", "-D", "-N", name, "-f", folder / "slurm.conf"]
            if self.is_isolated:
                inside = ('hostname "$1" && mount -t tmpfs tmpfs /dev/shm && '
                          'mount --bind "$2" /etc/hosts && shift 2 && exec "$@"')
                daemon = ["unshare", "--uts", "--ipc", "--mount", "sh", "-c", inside, "sh", name,
                          folder / "hosts", *daemon]
            self.launch(*daemon)
        self.wait_until(lambda: self.run("sinfo", "-h", "-N", "-t", "idle", "-o", "%N")
                        .stdout.split() == self.names, GUARD_S, "the start of Slurm")

    def stop(self):
        """Ends the jobs, then the daemons, then processes that jobs have left behind."""
        if self.daemons and all(daemon.poll() is None for daemon in self.daemons):
            jobs = self.run("squeue", "-h", "-o", "%A").stdout.split()
            self.run("scancel", "--quiet", *jobs)
            self.run("scancel", "--quiet", "--full", "--signal=KILL", *jobs)
            try:
                self.wait_until(lambda: not self.run("squeue", "-h").stdout, 10, "the end of jobs")
            except TimeoutError as error:
                print(error)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process in self.processes():
            os.kill(process, signal.SIGKILL)

    def processes(self):
        """Returns the running processes that this cluster has started: they have the environment of its
        jobs."""
        mark = f"SLURM_CONF={self.folder / 'slurm.conf'}".encode()
        found = []
        for file in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in file.read_bytes().split(b"\0"):
                    found.append(int(file.parent.name))
            except OSError:
                continue  # the process has just ended, or belongs to another user
        return found
