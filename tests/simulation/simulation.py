# SPDX-License-Identifier: BSD-3-Clause
"""Starts simulations as a user does, in a folder of its own."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SIMULATE = os.environ["SIMULATE"]
BUILD = os.environ["MPIAUDIT_BUILD"]


class SimulationTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mpiaudit-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def simulate(self, *arguments, code=0):
        """Runs jobs/simulate, which has to end with this exit code, or one of these."""
        done = subprocess.run(
            [SIMULATE, "--build", BUILD, *map(str, arguments)], cwd=self.folder,
            capture_output=True, text=True, timeout=280, check=False)
        self.assertIn(done.returncode, code if isinstance(code, tuple) else (code,),
                      f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def audit(self, name, nodes, ppn, *arguments, simulator=()):
        """The lines of samples.jsonl and the report of an audit."""
        output = self.folder / name
        self.simulate("--nodes", nodes, "--ppn", ppn, *simulator, "--output", output, "--",
                      *arguments)
        return ((output / "samples.jsonl").read_bytes().splitlines(),
                json.loads((output / "report.json").read_text(encoding="utf-8")))
