# SPDX-License-Identifier: BSD-3-Clause
"""Calls the scripts of jobs/ as a user does, with results in a folder of its own."""

import json
import os
import sys
import tempfile
from pathlib import Path

from folder import ROOT, FolderTest

COMMAND = [sys.executable, "-B", str(ROOT / "jobs" / "slurm")]
MPIAUDIT = os.environ["MPIAUDIT"]

# An audit that takes a moment.
QUICK = ["--guidelines", "irregular", "--distributions", "same", "--block-sizes", "1,10", "--max-rounds", "5"]


def new_folder(case):
    """A folder that goes when the test, or the class of tests, is over."""
    folder = tempfile.TemporaryDirectory(prefix="mpiaudit-jobs-")
    getattr(case, "addClassCleanup" if isinstance(case, type) else "addCleanup")(folder.cleanup)
    os.chmod(folder.name, 0o755)
    return Path(folder.name)


def make_program(file, text):
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)


# The beginning of a stand-in for the program, which passes commands that start no ranks on to the program.
# `note WORD...` writes a line of notes; `given` has the values of options.
NOTES = """#!/usr/bin/env bash
case ${1:-} in local | list | --version) exec -a "$0" "$MPIAUDIT" "$@" ;; esac
note() { printf '%s|' "$@" >>"$NOTES" && echo >>"$NOTES"; }
declare -A given=()
for word; do
    [[ ${previous:-} != --* ]] || given[$previous]=$word
    previous=$word
done
"""
# mpirun -n N PROGRAM WORD...
LAUNCHER = """#!/usr/bin/env bash
[[ $1 != --version ]] || exit 0
shift 2
exec "$@"
"""


class NotedTest(FolderTest):
    """A script of jobs/ with programs that only note what they are asked for."""

    programs: dict[str, str] = {}  # by name

    def setUp(self):
        super().setUp()
        self.notes, self.out = self.folder / "notes", self.folder / "out"
        for name, text in {"mpirun": LAUNCHER, **self.programs}.items():
            make_program(self.folder / name, text)

    def run_script(self, script, *words, code=0, **environment):
        return self.run_here(ROOT / "jobs" / script, *words, code=code, environment={
            "NOTES": str(self.notes), "MPIAUDIT": MPIAUDIT,
            "PATH": f"{self.folder}:{os.environ['PATH']}", **environment})

    def noted(self):
        """A list of words for each time that a program was started."""
        return [line[:-1].split("|") for line in self.read("notes").splitlines()]


class JobsTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.results = new_folder(self)

    def run_command(self, *words, code=0, **how):
        return self.run_here(*COMMAND, "--results", str(self.results), *map(str, words), code=code, **how)

    def error_of(self, *words, **how):
        """Returns the error message of a command that has to be refused."""
        return self.run_command(*words, code=2, **how).stderr.strip()

    def files(self):
        return sorted(str(file.relative_to(self.results)) for file in self.results.rglob("*"))


def record(folder):
    return json.loads((folder / "submission.json").read_text(encoding="utf-8"))
