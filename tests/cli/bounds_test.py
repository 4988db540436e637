# SPDX-License-Identifier: BSD-3-Clause
"""An operation that writes or reads outside of its buffers, by up to a page, is found, named and left out."""

from program import ProgramTest, main

PROBLEM = ["--distributions", "random", "--block-sizes", "10"]
OPERATION = r"MPI_Gatherv(\(m\)|_init| #)?.*on\s+random/b=10"


class Bounds(ProgramTest):
    def test_writes_and_reads(self):
        """The last bytes of a page: the byte next to the buffer and the last byte of the page."""
        verify = ["verify", *PROBLEM, "--collectives", "MPI_Gatherv"]
        audit = ["run", *PROBLEM, "--max-rounds", "4", "--overwrite", "--output", "out"]
        # A byte before a page is read to be written.
        behind, before = r"behind\s+the\s+end", r"before\s+the\s+start"
        for arguments, how, far, said in (
                (verify, "write", 0, r"wrote\s+" + behind), (verify, "read", 4095, r"read\s+" + behind),
                (verify, "write", -4096, r"(wrote|read)\s+" + before),
                (verify, "read", -1, r"read\s+" + before),
                (audit, "write", 4095, r"wrote\s+" + behind), (audit, "read", -4096, r"read\s+" + before)):
            with self.subTest(f"{arguments[0]} {how} {far}"):
                done = self.expect_code(3, *arguments, ranks=2, fault="outside",
                                        environment={"FAULT_HOW": how, "FAULT_BYTES": str(far)})
                self.assertRegex(done.stdout, OPERATION)
                self.assertRegex(done.stdout, rf"rank\s+1:\s+{said}\s+of\s+a\s+buffer")
                if arguments is audit:
                    self.expect_only_gatherv_left_out()

    def expect_only_gatherv_left_out(self):
        """The audit has a report about everything else."""
        report = self.valid_report()
        self.assertTrue(report["complete"])
        ways = report["problems"][0]["contestants"]
        self.assertEqual({"MPI_Gatherv" in way["name"] for way in ways if "wrong" in way}, {True})
        self.assertIn("MPI_Scatterv(m)", {way["name"] for way in ways if "statistics" in way})


main()
