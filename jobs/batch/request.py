# SPDX-License-Identifier: BSD-3-Clause
"""The checked options of `jobs/slurm submit`, from the command line and the site file."""

import argparse
import configparser
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from batch import audit_options as given_options
from batch.errors import UsageError
from batch.place import IS_ARCHIVE

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Options of sbatch that are passed on unchanged.
PASSED_ON = ("partition", "account", "qos", "reservation", "constraint", "nodelist", "exclude",
             "gres", "mem")
SITE_KEYS = ("mpi", "launcher", "pmi", "mpirun", "program", "time", "exclusive", *PASSED_ON)
DEFAULT_PMI = {"openmpi": "pmix", "mpich": "pmi2", "default": "pmix"}


@dataclass(frozen=True)
class Request:
    """One audit over numbers of nodes."""

    name: str
    nodes: list[int]
    is_one_job: bool
    ranks_per_node: int
    mpi: str
    launcher: str
    pmi: str
    mpirun: str
    time_s: int
    launches: int
    restarts: int
    is_chained: bool
    collects: bool
    program: Optional[str]
    directives: list[str]
    setup: list[str]
    audit_options: list[str]

    @property
    def jobs(self) -> list[int]:
        """The numbers of nodes of the jobs."""
        return [max(self.nodes)] if self.is_one_job else self.nodes

    @property
    def scales(self) -> list[int]:
        """The numbers of nodes that a single job audits; empty if each number has a job."""
        return sorted(self.nodes) if self.is_one_job and len(self.nodes) > 1 else []


def seconds(text: str, option: str) -> int:
    """Returns seconds. Reads the notations of mpiaudit (90s, 1h30m) and Slurm (minutes, [D-]H:M:S)."""
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text)
    if text and found:
        hours, minutes, rest = (int(group or 0) for group in found.groups())
        return 3600 * hours + 60 * minutes + rest
    if re.fullmatch(r"\d+", text):
        return 60 * int(text)
    found = re.fullmatch(r"(?:(\d+)-)?(\d+):(\d+):(\d+)", text)
    if found:
        days, hours, minutes, rest = (int(group or 0) for group in found.groups())
        return 86400 * days + 3600 * hours + 60 * minutes + rest
    raise UsageError(f"{option} '{text}': use 90s, 30m or 1h30m, or as in Slurm 30 (minutes) "
                     "or 1-12:00:00")


def node_counts(text: str) -> list[int]:
    counts = []
    for word in text.split(","):
        if not re.fullmatch(r"[1-9]\d*", word):
            raise UsageError(f"--nodes '{text}': use positive numbers with commas, as in 1,2,4")
        if int(word) in counts:
            raise UsageError(f"--nodes '{text}': {word} is there twice; --launches repeats")
        counts.append(int(word))
    return counts


@dataclass(frozen=True)
class Site:
    """The contents of a site file."""

    values: dict[str, str]
    setup: list[str]


def read_site(file: Optional[str]) -> Site:
    """Reads the file of --site or the variable MPIAUDIT_SITE. Returns an empty Site without a file."""
    name = file or os.environ.get("MPIAUDIT_SITE")
    if not name:
        return Site({}, [])
    parser = configparser.ConfigParser(interpolation=None)
    try:
        with Path(name).open(encoding="utf-8") as stream:
            parser.read_file(stream, name)
    except OSError as error:
        raise UsageError(f"--site {name}: cannot be read: {error.strerror}") from None
    except (configparser.Error, UnicodeDecodeError) as error:
        raise UsageError(f"--site {name}: {error}") from None
    for section in parser.sections():
        known = {"submit": SITE_KEYS, "setup": ("commands",)}.get(section)
        if known is None:
            raise UsageError(f"--site {name}: unknown section [{section}]; use [submit], [setup]")
        for key in parser[section]:
            if key not in known:
                raise UsageError(f"--site {name}: unknown key '{key}' in [{section}]; "
                                 f"use {', '.join(known)}")
    commands = parser.get("setup", "commands", fallback="").strip().splitlines()
    return Site(dict(parser["submit"]) if "submit" in parser else {}, commands)


def is_yes(value: str, name: str) -> bool:
    if value.lower() in ("yes", "true", "1", "no", "false", "0"):
        return value.lower() in ("yes", "true", "1")
    raise UsageError(f"{name} '{value}': use yes or no")


def choice(value: str, option: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise UsageError(f"{option} '{value}': use {', '.join(allowed[:-1])} or {allowed[-1]}")
    return value


def in_one_line(value: str, option: str) -> str:
    """Returns `value`, which becomes part of one line of a script. Raises UsageError for a line break."""
    if not value.isprintable():
        raise UsageError(f"{option} {value!r}: has a line break or another control character")
    return value


def make_request(options: argparse.Namespace, audit_options: list[str]) -> Request:
    """Takes values from the command line, then the site file, then the defaults. Raises UsageError."""
    site = read_site(options.site)

    def value(name: str, default: str = "") -> str:
        given: Optional[str] = getattr(options, name)
        return given if given is not None else site.values.get(name, default)

    if not NAME.fullmatch(options.name):
        raise UsageError(f"--name '{options.name}': use letters, digits, '.', '_' and '-' only, "
                         "it becomes results/NAME")
    given_options.check(audit_options, options.one_job)
    mpi = choice(value("mpi", "default"), "--mpi", ("default", "openmpi", "mpich"))
    launcher = choice(value("launcher", "srun"), "--launcher", ("srun", "mpirun"))
    directives = [f"--{name}={shlex.quote(in_one_line(value(name), '--' + name))}"
                  for name in PASSED_ON if value(name)]
    if options.exclusive or is_yes(site.values.get("exclusive", "no"), "exclusive"):
        directives.append("--exclusive")
    time_s = seconds(value("time", "30m"), "--time")
    if time_s < 60:
        raise UsageError(f"--time '{value('time')}': Slurm counts in minutes, one at least")
    setup = list(site.setup)
    if IS_ARCHIVE and mpi != "default" and not value("program"):
        setup.append(f"export MPIAUDIT_INTERFACE={mpi}")  # srun does not tell which library is meant
    return Request(
        name=options.name, nodes=node_counts(options.nodes), is_one_job=options.one_job,
        ranks_per_node=options.ppn, mpi=mpi,
        launcher=launcher, pmi=value("pmi", DEFAULT_PMI[mpi]),
        mpirun=value("mpirun", "mpirun" if mpi == "default" else f"mpirun.{mpi}"), time_s=time_s,
        launches=options.launches, restarts=options.restarts,
        is_chained=options.order == "chained", collects=not options.no_collect,
        program=value("program") or None,
        directives=directives + [in_one_line(each, "--sbatch") for each in options.sbatch],
        setup=setup, audit_options=audit_options)


def in_shell(request: Request, command: str) -> "subprocess.CompletedProcess[str]":
    """Runs a command after the shell commands of the site file, which may load modules for the command.

    The caller quotes the words of the command.
    """
    return subprocess.run(["bash", "-c", "\n".join([*request.setup, command])], text=True,
                          capture_output=True, check=False)
