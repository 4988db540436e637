# SPDX-License-Identifier: BSD-3-Clause
"""Audits under other conditions than the usual ones: what is recorded of them."""

import math
import os

from program import DONE, QUICK, ProgramTest, main

WRONG_RESULT = 3
ONE_CHECK = ["--guidelines", "self-consistent", "--only", "pattern-gather-2", "--distributions", "same",
             "--max-rounds", "8", "--judge", "minima"]


class Conditions(ProgramTest):
    def test_buffers_that_rotate_are_recorded_and_read_again(self):
        self.expect_code(DONE, "run", *QUICK, "--buffers", "rotate", "--output", "out", ranks=2)
        report = self.valid_report()
        self.assertEqual(report["options"]["buffers"], "rotate")
        self.assertEqual(report["machine"]["hosts"][0]["topology"]["kernel"], os.uname().release)
        for problem in report["problems"]:
            self.assertGreaterEqual(problem["buffer_sets"], 2)
        self.expect_code(DONE, "judge", "out", "--report", "again.json")
        again = self.report("again.json")
        self.assertEqual([each["buffer_sets"] for each in again["problems"]],
                         [each["buffer_sets"] for each in report["problems"]])

    def test_buffers_are_used_where_evidence_is_judged_and_the_program_says_so(self):
        for options, expected in (([], "used"), (["--judge", "minima"], "same"),
                                  (["--buffers", "same"], "same")):
            with self.subTest(options):
                self.expect_code(DONE, "run", *QUICK, "--overwrite", *options, "--output", "out", ranks=2)
                self.assertEqual(self.report()["options"]["buffers"], expected)

    def test_clocks_that_are_coarse_or_set_back(self):
        for fault, words in (("coarse", "the clock mpi has steps of 1e+03 us"),
                             ("set-back", "the clock mpi goes backwards")):
            with self.subTest(fault):
                done = self.expect_code(DONE, "run", *QUICK, "--output", fault, ranks=2, fault=fault)
                self.assertIn(words, " ".join((done.stdout + done.stderr).split()))
                self.assertNotIn("nan", done.stdout)
                self.valid_report(fault)
                self.expect_code(DONE, "judge", fault)

    def test_the_sets_are_twice_as_large_as_the_outermost_cache_or_fill_the_memory(self):
        """In whole pages: 98 for the block of each rank, 196 for what the root gathers. A node may have
        several such caches."""
        own_bytes, root_bytes = 98 * 4096, (98 + 196) * 4096
        problem = [*ONE_CHECK, "--block-sizes", "100000", "--buffers", "rotate"]
        self.expect_code(DONE, "run", *problem, "--output", "out", ranks=2)
        report = self.report()
        topology = report["machine"]["hosts"][0]["topology"]
        cache_bytes = topology.get("l3_cache_bytes") or topology["l2_cache_bytes"]
        wanted = [math.ceil(2 * caches * cache_bytes / (own_bytes + root_bytes)) for caches in range(1, 65)]
        self.assertIn(report["problems"][0]["buffer_sets"], [*wanted, 1024])
        self.expect_code(DONE, "run", *problem, "--memory", "5000k", "--output", "less", ranks=2)
        self.assertEqual(self.report("less")["problems"][0]["buffer_sets"], 5000000 // root_bytes)

    def test_what_is_wrong_on_other_buffers_is_found_when_these_are_looked_at(self):
        """The first three are the usual one and those between protected pages."""
        problem = [*ONE_CHECK, "--block-sizes", "10"]
        self.expect_code(DONE, "run", *problem, "--output", "usual", ranks=2, fault="elsewhere")
        done = self.expect_code(WRONG_RESULT, "run", *problem, "--buffers", "rotate", ranks=2,
                                fault="elsewhere")
        self.assertIn("MPI_Gatherv", done.stdout)


if __name__ == "__main__":
    main()
