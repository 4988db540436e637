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
        self.assertIn(message, " ".join(done.stderr.split()))

    def test_names_and_numbers_are_answered_with_the_valid_ones(self):
        ranks = "use a number from 17 to 32"
        for message, nodes, ppn, *options in (
                ("--nodes 37: the platform has 36 nodes", 37, 1, "--platform", "qdr-36x16"),
                ("--nodes 21: the platform has 20 nodes", 21, 1, "--platform", "grid3"),
                ("--ppn 17: node-0 has 16 cores", 2, 17),
                *((f"--ranks '{number}': {ranks}", 2, 16, "--ranks", number) for number in ("16", "33", "x")),
                ("use ompi, mpich, mvapich2, impi or default", 1, 2, "--library", "lam"),
                ("use one of qdr-36x16 qdr-400x16 grid3", 1, 2, "--platform", "vsc"),
                ("the parameters are nodes cores network_GB_per_s", 1, 2, "--set", "speed=3"),
                ("Valid algorithms: default, ompi, ompi_basic_linear", 1, 2, "--algorithm", "gather=fast"),
                ("SMPI has a choice for gather scatter", 1, 2, "--algorithm", "gatherv=linear"),
                ("cannot pass on blanks", 1, 2, "--", "--counts", "1, 2"),
                ("--block-sizes", 2, 2, "--", "--block-sizes", "none"),
                ("'0' is neither a number of rounds from 1 to 999999 nor auto; in a simulation the first",
                 1, 2, "--", "--warmup", "0")):
            with self.subTest(message):
                self.expect(message, "--nodes", nodes, "--ppn", ppn, *options)

    def test_a_machine_without_the_simulator(self):
        for folder in os.environ["PATH"].split(os.pathsep):
            for program in Path(folder).glob("*"):
                link = self.folder / program.name
                if program.name != "smpirun" and not link.is_symlink():
                    link.symlink_to(program)
        with unittest.mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            self.expect("SimGrid is missing: install libsimgrid-dev", "--nodes", 1, "--ppn", 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
