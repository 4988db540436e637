# SPDX-License-Identifier: BSD-3-Clause
"""Wrong use of jobs/simulate: exit code 2 and a message with a remedy."""

import os
import unittest
import unittest.mock
from pathlib import Path

from simulation import SimulationTest


class BadInput(SimulationTest):
    def expect(self, message, *arguments):
        done = self.simulate(*arguments, code=2)
        self.assertIn(message, done.stderr)

    def test_more_than_the_platform_has(self):
        self.expect("--nodes 37: the platform has 36 nodes",
                    "--nodes", 37, "--ppn", 1, "--platform", "qdr-36x16")
        self.expect("--ppn 17: node-0 has 16 cores", "--nodes", 2, "--ppn", 17)
        for ranks in ("16", "33", "x"):
            self.expect(f"--ranks '{ranks}': use a number from 17 to 32", "--nodes", 2, "--ppn", 16,
                        "--ranks", ranks)
        self.expect("--nodes 21: the platform has 20 nodes",
                    "--nodes", 21, "--ppn", 1, "--platform", "grid3")

    def test_unknown_names_are_answered_with_the_valid_ones(self):
        self.expect("use ompi, mpich, mvapich2, impi or default",
                    "--nodes", 1, "--ppn", 2, "--library", "lam")
        self.expect("use one of qdr-36x16 qdr-400x16 grid3", "--nodes", 1, "--ppn", 2, "--platform", "vsc")
        self.expect("the parameters are nodes cores network_GB_per_s",
                    "--nodes", 1, "--ppn", 2, "--set", "speed=3")
        self.expect("Valid algorithms: default, ompi, ompi_basic_linear",
                    "--nodes", 1, "--ppn", 2, "--algorithm", "gather=fast")
        self.expect("SMPI has a choice for gather scatter",
                    "--nodes", 1, "--ppn", 2, "--algorithm", "gatherv=linear")

    def test_a_machine_without_the_simulator(self):
        for folder in os.environ["PATH"].split(os.pathsep):
            for program in Path(folder).glob("*"):
                link = self.folder / program.name
                if program.name != "smpirun" and not link.is_symlink():
                    link.symlink_to(program)
        with unittest.mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            self.expect("SimGrid is missing: install libsimgrid-dev", "--nodes", 1, "--ppn", 2)

    def test_what_smpirun_cannot_pass_on(self):
        self.expect("cannot hand on blanks", "--nodes", 1, "--ppn", 2, "--", "--counts", "1, 2")

    def test_wrong_use_of_the_audit_itself(self):
        self.expect("--block-sizes", "--nodes", 2, "--ppn", 2, "--", "--block-sizes", "none")


if __name__ == "__main__":
    unittest.main(verbosity=2)
