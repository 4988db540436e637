# SPDX-License-Identifier: BSD-3-Clause
"""The MPI library that runs is newer than the one that the program was built with: see mpi_4_gather.c."""

import os
import re

from program import LAUNCH, MPIAUDIT, ProgramTest, main

MISSING = "not in this MPI library"
VERIFY = ["verify", "--collectives", "gather", "--distributions", "same", "--block-sizes", "10"]


class NewerLibrary(ProgramTest):
    def description(self, *program):
        """Returns what a program says about MPI_Gather_c."""
        return re.search(r"MPI_Gather_c\n(.*)", self.run_here(*program, "list", "collectives").stdout)[1]

    def test_functions_that_the_header_lacks_are_verified(self):
        self.assertIn(MISSING, self.description(MPIAUDIT))
        newer = ["env", f"LD_PRELOAD={os.environ['MPI_4_GATHER']}", MPIAUDIT]
        self.assertNotIn(MISSING, self.description(*newer))
        done = self.run_here(*LAUNCH, "2", *newer, *VERIFY, code=3)
        self.assertIn("MPI_Gather_c", done.stdout + done.stderr)


if __name__ == "__main__":
    main()
