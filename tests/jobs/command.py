# SPDX-License-Identifier: BSD-3-Clause
"""Calls jobs/slurm as a user does, with results in a folder of its own."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-B", str(ROOT / "jobs" / "slurm")]
MPIAUDIT = os.environ["MPIAUDIT"]

# An audit that takes a moment.
QUICK = ["--guidelines", "irregular", "--distributions", "same", "--block-sizes", "1,10", "--max-rounds", "5"]


def new_folder(case, prefix="mpiaudit-slurm-"):
    """A folder that goes when the test, or the class of tests, is over."""
    folder = tempfile.TemporaryDirectory(prefix=prefix)
    getattr(case, "addClassCleanup" if isinstance(case, type) else "addCleanup")(folder.cleanup)
    os.chmod(folder.name, 0o755)
    return Path(folder.name)


# mpirun -n N PROGRAM WORD...
LAUNCHER = """#!/usr/bin/env bash
[[ $1 != --version ]] || exit 0
shift 2
exec "$@"
"""


class NotedTest(unittest.TestCase):
    """A script of jobs/ with programs that only note what they are asked for."""

    maxDiff = None
    programs: dict[str, str] = {}  # by name

    def setUp(self):
        self.folder = new_folder(self, "mpiaudit-jobs-")
        self.notes, self.out = self.folder / "notes", self.folder / "out"
        for name, text in {"mpirun": LAUNCHER, **self.programs}.items():
            (self.folder / name).write_text(text, encoding="utf-8")
            (self.folder / name).chmod(0o755)

    def run_script(self, script, *words, **environment):
        return subprocess.run(
            [ROOT / "jobs" / script, *words], capture_output=True, text=True, timeout=120, check=False,
            env={**os.environ, "NOTES": str(self.notes), "PATH": f"{self.folder}:{os.environ['PATH']}",
                 **environment})

    def noted(self):
        """A list of words for each time that a program was started."""
        return [line[:-1].split("|") for line in self.notes.read_text(encoding="utf-8").splitlines()]


class JobsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.results = new_folder(self)

    def run_command(self, *words, environment=None, cwd=None):
        return subprocess.run(
            [*COMMAND, "--results", str(self.results), *map(str, words)], capture_output=True,
            text=True, timeout=60, check=False, cwd=cwd, env={**os.environ, **(environment or {})})

    def error_of(self, *words, **how):
        """What a command says that has to be refused."""
        done = self.run_command(*words, **how)
        self.assertEqual(done.returncode, 2, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stderr.strip()

    def files(self):
        return sorted(str(file.relative_to(self.results)) for file in self.results.rglob("*"))


def record(folder):
    return json.loads((folder / "submission.json").read_text(encoding="utf-8"))
