# SPDX-License-Identifier: BSD-3-Clause
"""The MPI library that runs is newer than the one that the program was built with: see mpi_4_gather.c."""

import os

from program import LAUNCH, MPIAUDIT, ProgramTest, main

MISSING = r"MPI_Gather_c\n[^\n]*not in this MPI library"
VERIFY = ["verify", "--collectives", "gather", "--distributions", "same", "--block-sizes", "10"]


class NewerLibrary(ProgramTest):
    def test_functions_that_the_header_lacks_are_verified(self):
        listed = self.expect_code(0, "list", "collectives").stdout
        self.assertRegex(listed, MISSING)
        newer = ["env", f"LD_PRELOAD={os.environ['MPI_4_GATHER']}", MPIAUDIT]
        listed = self.run_here(*newer, "list", "collectives").stdout
        self.assertNotRegex(listed, MISSING)
        done = self.run_here(*LAUNCH, "2", *newer, *VERIFY, code=3)
        self.assertIn("MPI_Gather_c", done.stdout + done.stderr)


if __name__ == "__main__":
    main()
