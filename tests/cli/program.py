# SPDX-License-Identifier: BSD-3-Clause
"""Starts mpiaudit as a user does, in a folder of its own."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from folder import DONE, FolderTest, run

MPIAUDIT = os.environ["MPIAUDIT"]
LAUNCH = os.environ["MPIAUDIT_LAUNCH"].split()

# A verification that is not about results may end with this code: persistent collectives of MPICH 4.0.2 are
# wrong (see CMakeLists.txt).
VERIFIED = (0, 3)
# An audit that takes a moment.
QUICK = ["--guidelines", "irregular", "--distributions", "same,random", "--block-sizes", "1,10",
         "--max-rounds", "8"]


def command(arguments, ranks=None, fault=None):
    """The command line; `ranks` None: without a launcher, as one rank."""
    words = [MPIAUDIT, *arguments]
    if fault:
        # Only the program gets the fault, not its launcher.
        preload = ":".join(filter(None, [os.environ["FAULTY_MPI"], os.environ.get("LD_PRELOAD")]))
        words = ["env", f"LD_PRELOAD={preload}", f"FAULT={fault}", *words]
    return words if ranks is None else [*LAUNCH, str(ranks), *words]


def descendants(process_id):
    """Returns the process and the processes that it started, as long as their parents live."""
    children = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = status.read_text()
        except OSError:
            continue  # the process has just ended
        parent = int(text[text.rindex(")") + 1:].split()[1])
        children.setdefault(parent, []).append(int(status.parent.name))
    family = [process_id]
    for member in family:
        family += children.get(member, [])
    return family


def send(number, processes):
    """Sends the signal to the processes that still exist."""
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


class ProgramTest(FolderTest):
    def launch(self, ranks, *words, **how):
        """Other programs than that on ranks."""
        return self.run_here(*LAUNCH, str(ranks), *words, **how)

    def expect_code(self, code, *arguments, ranks=None, fault=None, environment=None):
        """Runs the program, which has to end with this exit code, or one of several, and returns what
        it printed.
        """
        return self.run_here(*command(arguments, ranks, fault), code=code, environment=environment)


class AuditedTest(ProgramTest):
    """Each test of a class has a copy of one audit on two ranks in its folder."""

    files: dict[str, str] = {}  # by name, where the audit is made
    audit: list[str] = []
    output = "out"

    @classmethod
    def setUpClass(cls):
        audited = tempfile.TemporaryDirectory(prefix="mpiaudit-")
        cls.addClassCleanup(audited.cleanup)
        cls.audited = audited.name
        for name, text in cls.files.items():
            (Path(audited.name) / name).write_text(text, encoding="utf-8")
        done = run(command(["run", *cls.audit, "--output", cls.output], ranks=2), audited.name)
        if done.returncode not in DONE:
            raise AssertionError(done.stdout + done.stderr)
        cls.console = done.stdout

    def setUp(self):
        super().setUp()
        shutil.copytree(self.audited, self.folder, dirs_exist_ok=True)


def main():
    unittest.main(verbosity=2, argv=sys.argv)
