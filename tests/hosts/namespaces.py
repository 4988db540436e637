# SPDX-License-Identifier: BSD-3-Clause
"""Hosts on one machine: each one is a set of network, UTS, IPC, mount and time namespaces.

MPI libraries tell hosts apart by name, reach them by address and share memory by /dev/shm and System V
IPC; a clock that is shifted shows who compares clocks of different hosts. What is not separated is
processors, memory and, but for what a test hides, files.
"""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMESPACES = ["--net", "--uts", "--ipc", "--mount", "--time"]
# A host that refuses a connection is reachable.
REACH = """
import socket, sys, time
for _ in range(100):
    try:
        socket.create_connection((sys.argv[1], 9), 1).close()
    except ConnectionRefusedError:
        break
    except OSError:
        time.sleep(0.1)
"""
ENTER = ["-n", "-u", "-i", "-m", "-T"]


def obstacle():
    """Why there can be no hosts here; empty where there can."""
    if os.geteuid() != 0:
        return "only root may make namespaces"
    for tool in ("unshare", "nsenter", "ip", "hostname", "mount"):
        if not any((Path(folder) / tool).exists() for folder in os.get_exec_path()):
            return f"{tool} is not installed"
    try:
        probe = subprocess.run(
            ["unshare", *NAMESPACES, "--monotonic", "1", "--fork", "sh", "-c",
             "hostname probe && mount -t tmpfs tmpfs /dev/shm && ip link set lo up"],
            capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no namespaces: {error}"
    if probe.returncode:
        return "the system allows no namespaces: " + (probe.stderr.strip().splitlines() or ["?"])[-1]
    bridge = f"mb{os.getpid() % 100000}"
    made = subprocess.run(["ip", "link", "add", bridge, "type", "bridge"], capture_output=True, text=True,
                          check=False)
    if made.returncode:
        return "the system allows no bridge: " + made.stderr.strip()
    subprocess.run(["ip", "link", "delete", bridge], check=False)
    return ""


def interrupt(number, _):
    """Handles Ctrl-C, which unittest also passes on. Processes that are alive then are ended once."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


class Hosts:
    """Hosts h1, h2 ... that reach each other, until `down`, which also follows when this process is asked to
    end: SIGTERM is a KeyboardInterrupt from here on.

    offsets_s: of the monotonic clock of each host, whole seconds; missing ones are 0. switch: the command
    of a program that carries the frames (bench/host_switch.c); otherwise a bridge does.
    """

    def __init__(self, number, offsets_s=(), switch=None):
        self.names = [f"h{i + 1}" for i in range(number)]
        self._folder = tempfile.TemporaryDirectory(prefix="hosts-")
        self.folder = Path(self._folder.name)
        self.folder.chmod(0o755)
        identity = os.getpid() % 4000
        self._net = f"10.{200 + identity // 250}.{identity % 250}"
        self._bridge = f"mb{identity}"
        self._holders, self._pids, self._devices = {}, {}, {}
        self._switch = None
        signal.signal(signal.SIGTERM, interrupt)
        lines = ["127.0.0.1 localhost",
                 *(f"{self.address(name)} {name}" for name in self.names)]
        (self.folder / "etc-hosts").write_text("\n".join(lines) + "\n", encoding="ascii")
        try:
            for i, name in enumerate(self.names):
                self._start(name, offsets_s[i] if i < len(offsets_s) else 0)
            if switch:
                self._connect_by(switch)
            else:
                self._connect()
            self._write_agent()
        except BaseException:
            self.down()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.down()

    def _start(self, name, offset_s):
        script = (f"hostname {name} && mount -t tmpfs tmpfs /dev/shm && "
                  f"mount --bind {shlex.quote(str(self.folder))}/etc-hosts /etc/hosts && "
                  "ip link set lo up && echo $$ && exec sleep infinity")
        # The holder is waited for in down().
        holder = subprocess.Popen(  # pylint: disable=consider-using-with
            ["unshare", *NAMESPACES, "--monotonic", str(offset_s), "--boottime", str(offset_s),
             "--fork", "--kill-child", "sh", "-c", script],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self._holders[name] = holder
        line = holder.stdout.readline()
        if not line:
            raise RuntimeError(f"the host {name} could not be made")
        self._pids[name] = int(line)
        (self.folder / f"{name}.pid").write_text(line, encoding="ascii")

    def _ip(self, *words, host=None):
        enter = ["nsenter", "-t", str(self._pids[host]), "-n"] if host else []
        subprocess.run([*enter, "ip", *words], check=True)

    def address(self, name):
        return f"{self._net}.{self.names.index(name) + 1}"

    def _set_address(self, name):
        self._ip("address", "add", f"{self.address(name)}/24", "dev", "eth0", host=name)
        self._ip("link", "set", "eth0", "up", host=name)

    def _connect(self):
        self._ip("link", "add", self._bridge, "type", "bridge")
        self._ip("link", "set", self._bridge, "up")
        for i, name in enumerate(self.names):
            device = f"{self._bridge}-{i + 1}"
            self._ip("link", "add", device, "type", "veth", "peer", "name", "eth0", "netns",
                     str(self._pids[name]))
            self._ip("link", "set", device, "master", self._bridge, "up")
            self._devices[name] = device
            self._set_address(name)

    def _connect_by(self, switch):
        pids = [str(self._pids[name]) for name in self.names]
        self._switch = subprocess.Popen(  # pylint: disable=consider-using-with
            [*switch, *pids], stdout=subprocess.PIPE, text=True, start_new_session=True)
        if self._switch.stdout.readline() != "ready\n":
            raise RuntimeError(f"{shlex.join(switch)} did not start")
        for name in self.names:
            self._set_address(name)

    def _write_agent(self):
        self.agent = self.folder / "agent"
        self.agent.write_text(
            "#!/bin/sh\n# A remote shell: options, host, command.\n"
            'while case $1 in -*) true ;; *) false ;; esac; do shift; done\n'
            'host=$1; shift\n'
            f'exec nsenter -t "$(cat {shlex.quote(str(self.folder))}/"$host.pid")" {" ".join(ENTER)} '
            '--wd="$PWD" sh -c "$*"\n', encoding="ascii")
        self.agent.chmod(0o755)

    def entered(self, name, words, folder="."):
        """The command that runs these words on a host, in a folder."""
        return ["nsenter", "-t", str(self._pids[name]), *ENTER, f"--wd={Path(folder).absolute()}", *words]

    def run(self, name, words, **how):
        return subprocess.run(self.entered(name, words), check=True, **how)

    def hide(self, folder, names):
        """Makes a folder empty on some hosts."""
        for name in names:
            self.run(name, ["mount", "-t", "tmpfs", "tmpfs", str(folder)])

    def show(self, folder, names):
        for name in names:
            self.run(name, ["umount", str(folder)])

    def set_link(self, name, state):
        """Takes the link of a host "down", or "up" again; then it waits until the host reaches others."""
        self._ip("link", "set", self._devices[name], state)
        if state == "up":
            other = next(each for each in self.names if each != name)
            for source, target in ((name, other), (other, name)):
                self.run(source, [sys.executable, "-c", REACH, target])

    def processes(self, name):
        """Returns the ids of all processes on a host with their command lines, except for the process that
        holds the namespace."""
        own = os.readlink(f"/proc/{self._pids[name]}/ns/net")
        holders = (self._pids[name], self._holders[name].pid)
        found = {}
        for each in Path("/proc").glob("[0-9]*"):
            pid = int(each.name)
            with contextlib.suppress(OSError):
                if pid not in holders and os.readlink(each / "ns/net") == own:
                    found[pid] = (each / "cmdline").read_text().replace("\0", " ").strip()
        return found

    def kill(self, name, pattern=""):
        """Kills the processes on a host whose command lines contain the pattern; returns how many."""
        killed = 0
        for pid, command in self.processes(name).items():
            with contextlib.suppress(ProcessLookupError):
                if pattern in command:
                    os.kill(pid, 9)
                    killed += 1
        return killed

    def down(self):
        # Further signals are ignored.
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)
        for name in self._pids:
            with contextlib.suppress(OSError):
                deadline = time.monotonic() + 5
                while self.kill(name) and time.monotonic() < deadline:
                    time.sleep(0.05)
        for holder in self._holders.values():
            holder.kill()
            holder.wait()
            holder.stdout.close()
        for name, pid in self._pids.items():
            with contextlib.suppress(OSError):
                if f"{name}" and "sleep" in Path(f"/proc/{pid}/cmdline").read_text():
                    os.kill(pid, 9)
        if self._switch:
            self._switch.kill()
            self._switch.wait()
            self._switch.stdout.close()
        subprocess.run(["ip", "link", "delete", self._bridge], check=False, capture_output=True)
        self._folder.cleanup()
