# SPDX-License-Identifier: BSD-3-Clause
"""jobs/before-after: silent about a library compared with itself, and loud about one that is slow."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from command import ROOT

RESULT = ROOT / "results" / "before-after-test"


class BeforeAfter(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(RESULT, ignore_errors=True)
        self.addCleanup(shutil.rmtree, RESULT, ignore_errors=True)

    def run_job(self, *words):
        build = Path(os.environ["MPIAUDIT"]).parent
        return subprocess.run(
            [ROOT / "jobs" / "before-after", *words, "--build", build, "--name", RESULT.name, "--ranks", "2",
             "--pairs", "7", "--budget", "4s"], capture_output=True, text=True, timeout=200, check=False,
            # Many times as long as a call takes, and short enough for all calls on a busy machine.
            env={**os.environ, "MPIAUDIT_FAULT": "MPI_Gatherv slow us=200"})

    def test_what_is_slower_is_named(self):
        slow = f"LD_PRELOAD={os.environ['FAULTY_COLLECTIVES']}"
        done = self.run_job("default", slow, "--collectives", "gather")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"^MPI_Gatherv is .+ times slower")
        self.assertIn("LD_PRELOAD: not set in A", done.stdout)

    def test_arguments(self):
        for words, message in (
                (["default"], "give two libraries"),
                (["default", "default", "--pairs", "3"], "--pairs '3': use a number from 7 on"),
                (["default", "/nowhere"], "'/nowhere' is neither a folder with bin/mpirun"),
                (["default", "default", "--what"], "unknown option '--what'")):
            done = subprocess.run([ROOT / "jobs" / "before-after", *words], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_a_launch_that_fails_is_shown(self):
        done = self.run_job("default", "default", "--collectives", "nothing_such")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing_such", done.stderr)
        self.assertIn("launch 1 of 'default' failed with exit code 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
