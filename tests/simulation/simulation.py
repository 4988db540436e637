# SPDX-License-Identifier: BSD-3-Clause
"""Starts simulations as a user does."""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from folder import ROOT, FolderTest  # noqa: E402

SIMULATE = [str(ROOT / "jobs" / "simulate"), "--build", os.environ["MPIAUDIT_BUILD"]]

# The guidelines of few operations, which a simulation checks within seconds.
IRREGULAR = "--guidelines", "irregular"


class SimulationTest(FolderTest):
    def simulate(self, *arguments, code=0):
        """Runs jobs/simulate, which has to end with this exit code, or one of these."""
        return self.run_here(*SIMULATE, *map(str, arguments), code=code)

    def guideline(self, statement):
        """Returns the options of an audit of this statement alone."""
        own = {"guidelines": [{"id": "test", "statement": statement}]}
        return "--guidelines", self.folder / self.write("guidelines.json", own)

    def audit(self, name, nodes, ppn, *arguments, simulator=()):
        """The lines of samples.jsonl and the report of an audit, of irregular operations by default."""
        if "--guidelines" not in arguments:
            arguments = *IRREGULAR, *arguments
        self.simulate("--nodes", nodes, "--ppn", ppn, *simulator, "--output", self.folder / name, "--",
                      *arguments)
        return self.sample_lines(name), self.report(name)
