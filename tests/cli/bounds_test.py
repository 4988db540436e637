# SPDX-License-Identifier: BSD-3-Clause
"""An operation that writes or reads outside of its buffers, by up to a page, is found and named."""

from program import ProgramTest, main

PROBLEM = ["--distributions", "random", "--block-sizes", "10"]
OPERATION = r"MPI_Gatherv(\(m\)|_init| #)?.*on random/b=10"


class Bounds(ProgramTest):
    def test_writes_and_reads(self):
        """What stands where a page ends: the byte next to the buffer and the last one of the page."""
        verify = ["verify", *PROBLEM, "--collectives", "MPI_Gatherv"]
        audit = ["run", *PROBLEM, "--max-rounds", "4", "--overwrite", "--output", "out"]
        # A byte before a page is read to be written.
        behind, before = r"behind\s+the\s+end", r"before\s+the\s+start"
        for arguments, how, far, said in (
                (verify, "write", 0, "wrote " + behind), (verify, "read", 4095, "read " + behind),
                (verify, "write", -4096, "(wrote|read) " + before), (verify, "read", -1, "read " + before),
                (audit, "write", 4095, "wrote " + behind), (audit, "read", -4096, "read " + before)):
            with self.subTest(f"{arguments[0]} {how} {far}"):
                done = self.expect_code(3, *arguments, ranks=2, fault="outside",
                                        environment={"FAULT_HOW": how, "FAULT_BYTES": str(far)})
                self.assertRegex(done.stdout + done.stderr, OPERATION)
                self.assertRegex(done.stdout + done.stderr, rf"rank 1.*\n?.* {said}\s+of\s+a\s+buffer")


main()
