# SPDX-License-Identifier: BSD-3-Clause
"""An operation that writes or reads outside of its buffers, by up to a page, is found and named."""

from program import ProgramTest, main

PROBLEM = ["--distributions", "random", "--block-sizes", "10"]
OPERATION = r"MPI_Gatherv(\(m\)|_init| #)?.*on random/b=10"


class Bounds(ProgramTest):
    def said_of(self, command, how, far):
        """What is printed when MPI_Gatherv touches a byte so far from its buffer."""
        if command == "run":
            arguments = ["run", *PROBLEM, "--max-rounds", "4", "--output", f"out{how}{far}"]
        else:
            arguments = ["verify", *PROBLEM, "--collectives", "MPI_Gatherv"]
        done = self.expect_code(3, *arguments, ranks=2, fault="outside",
                                environment={"FAULT_HOW": how, "FAULT_BYTES": str(far)})
        return done.stdout + done.stderr

    def test_writes_and_reads(self):
        for command in ("verify", "run"):
            for far in (0, 100, 4095):
                for how, word in (("write", "wrote"), ("read", "read")):
                    with self.subTest(f"{command} {how} {far} bytes behind"):
                        said = self.said_of(command, how, far)
                        self.assertRegex(said, OPERATION)
                        self.assertRegex(said, rf"rank 1.*\n?.* {word} behind\s+the\s+end\s+of\s+a\s+buffer")
            for far in (-1, -100, -4096):
                with self.subTest(f"{command} {far} bytes before"):
                    said = self.said_of(command, "write", far)
                    self.assertRegex(said, OPERATION)
                    self.assertRegex(
                        said, r"rank 1.*\n?.*(wrote|read) before\s+the\s+start\s+of\s+a\s+buffer")
                    said = self.said_of(command, "read", far)
                    self.assertRegex(said, OPERATION)
                    self.assertRegex(said, r"rank 1.*\n?.*read before\s+the\s+start\s+of\s+a\s+buffer")


main()
