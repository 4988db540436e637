# SPDX-License-Identifier: BSD-3-Clause
"""Tests that the scripts of jobs/ use the program of a binary archive, with a program that only notes its
arguments."""

import shutil
import unittest

from command import NOTES, NotedTest, make_program
from folder import ROOT

PROGRAM = NOTES.replace('in local', 'in "${REFUSES:-}") echo "no program suits" >&2; exit 2 ;; local') + """
note "$0" "$@"
output=${given[--output]:-}
[[ -z $output ]] || { mkdir -p "$output" && touch "$output"/{samples.jsonl,report.json}; }
"""
BUILD = """#!/usr/bin/env bash
echo "${0##*/}|" >>"$NOTES"
"""


class Archive(NotedTest):
    def setUp(self):
        super().setUp()
        self.archive = self.folder / "archive"
        shutil.copytree(ROOT / "jobs", self.archive / "jobs", ignore=shutil.ignore_patterns("__pycache__"))
        (self.archive / "analysis").symlink_to(ROOT / "analysis")
        (self.archive / "bin").mkdir()
        self.program = str(self.archive / "bin/mpiaudit")
        make_program(self.archive / "bin/mpiaudit", PROGRAM)
        for script in ("setup", "build"):
            make_program(self.archive / "jobs" / script, BUILD)

    def run_script(self, script, *words, **how):
        return super().run_script(self.archive / "jobs" / script, *words, **how)

    def started(self):
        """Returns the programs that have been started."""
        return [words[0] for words in self.noted()]

    def test_local_builds_nothing(self):
        self.run_script("local", "--ranks", "2", "--confirmations", "0")
        self.assertEqual(self.started(), [self.program])

    def test_local_ends_if_no_program_of_the_archive_suits(self):
        done = self.run_script("local", REFUSES="local", code=2)
        self.assertEqual(done.stderr, "no program suits\n")
        self.assertFalse(self.notes.exists())

    def test_before_after_builds_nothing(self):
        self.run_script("before-after", "default", "A=1", "--pairs", "7", "--ranks", "2", code=None)
        self.assertEqual(set(self.started()), {self.program})

    def test_libraries_need_no_program(self):
        self.write("file", "[One]\n[Other]\nlauncher = mpirun\n")
        self.run_script("libraries", self.folder / "file", "--launches", "1", "--name", self.out, code=None)
        self.assertEqual(set(self.started()), {self.program})

    def test_slurm_starts_the_program_with_the_interface_that_the_user_names(self):
        words = ("submit", "--name", "night", "--nodes", "1", "--ppn", "2", "--dry-run")
        program = f"\nprogram={self.program}\n"
        said = self.run_script("slurm", *words, "--mpi", "mpich").stdout
        self.assertIn(program, said)
        self.assertIn("\nexport MPIAUDIT_INTERFACE=mpich\n", said)
        self.assertIn(f"##### {self.archive}/results/night/nodes-1/job.sh\n", said)
        said = self.run_script("slurm", *words).stdout
        self.assertIn(program, said)
        self.assertNotIn("MPIAUDIT_INTERFACE", said)

    def test_jobs_in_python_say_that_python_is_missing(self):
        for command in ("bash", "date", "dirname", "readlink"):
            (self.folder / command).symlink_to(shutil.which(command))
        for job, words, said in (
                ("slurm", [], " needs python3, from version 3.11 on\n"),
                ("libraries", [], " needs python3, from version 3.11 on\n"),
                ("before-after", ["default", "A=1", "--name", "x"],
                 ": Python 3.11 compares the launches: put its python3 into PATH\n")):
            done = self.run_here(self.archive / "jobs" / job, *words, code=2,
                                 environment={"PATH": str(self.folder)})
            self.assertEqual(done.stderr, f"jobs/{job}{said}")


if __name__ == "__main__":
    unittest.main()
