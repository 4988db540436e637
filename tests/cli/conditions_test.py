# SPDX-License-Identifier: BSD-3-Clause
"""Audits under unusual conditions, and their records."""

import json
import math
import os
import re

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

    def test_slowness_after_another_call_only_is_no_violation(self):
        statements = {"gather": "MPI_Gather(m) <= MPI_Gatherv(m)",
                      "gatherv": "MPI_Gatherv(m) <= MPI_Gather(m)"}
        guidelines = {"title": "t", "source": "s", "guidelines": [
            {"id": name, "statement": statement} for name, statement in statements.items()]}
        (self.folder / "two.json").write_text(json.dumps(guidelines), encoding="utf-8")
        # A busy machine may still accuse one check in 1/alpha.
        audit = ["run", "--guidelines", "two.json", "--distributions", "same", "--block-sizes", "1,10,100",
                 "--alpha", "0.0001"]
        done = self.expect_code(DONE, *audit, "--output", "after", ranks=2, fault="after")
        report = self.valid_report("after")
        self.assertEqual(report["summary"]["violated"], 0)
        reason = "MPI_Gather(m) is slower only after MPI_Gatherv(m), not after itself"
        dependent = [each for each in report["checks"] if each.get("depends_on_order")]
        # On a busy machine, the evidence of a check may be the other side of the fault.
        other_side = "MPI_Gatherv(m) is faster only after MPI_Gather(m), not after itself"
        self.assertEqual({(each["guideline"], each["verdict"]) for each in dependent},
                         {("gather", "undecided")})
        self.assertLessEqual({each["reason"] for each in dependent}, {reason, other_side})
        number = [each["reason"] for each in dependent].count(reason)
        self.assertGreater(number, 0)
        self.assertIn(f"No violation: {reason} ({number} check", " ".join(done.stdout.split()))
        # An operation that is also slower after itself is a violation.
        self.expect_code(DONE, *audit, "--output", "slow", ranks=2, fault="slow")
        checks = self.report("slow")["checks"]
        self.assertIn("violated", [each["verdict"] for each in checks if each["guideline"] == "gatherv"])
        self.assertFalse([each for each in checks if "depends_on_order" in each])

    def test_clocks_that_are_coarse_or_set_back(self):
        for fault, words in (("coarse", "the clock mpi has steps of 1e+03 us"),
                             ("set-back", "the clock mpi goes backwards")):
            with self.subTest(fault):
                done = self.expect_code(DONE, "run", *QUICK, "--output", fault, ranks=2, fault=fault)
                self.assertIn(words, " ".join((done.stdout + done.stderr).split()))
                self.assertNotIn("nan", done.stdout)
                self.valid_report(fault)
                self.expect_code(DONE, "judge", fault)

    def test_the_watchdog_has_a_thread_only_where_the_library_allows_it(self):
        warning = "the MPI library allows a single thread (MPI_THREAD_SINGLE), so hangs are not detected"
        done = self.expect_code(DONE, "run", *QUICK, "--output", "one", ranks=2, fault="one-thread")
        self.assertIn(warning, " ".join(done.stderr.split()))
        done = self.expect_code(DONE, "run", *QUICK, "--output", "two", ranks=2)
        self.assertNotIn("MPI_THREAD_SINGLE", done.stderr)

    def test_a_rank_without_a_processor_does_not_hang(self):
        """Rank 0 waits three times as long as the limit for a rank that is stopped."""
        done = self.expect_code(DONE, "run", *QUICK, "--hang-after", "1s", "--output", "out", ranks=2,
                                fault="stopped")
        self.assertNotIn("hang", done.stderr)

    def test_a_crash_outside_of_tested_operations_says_what_was_being_done(self):
        done = self.expect_code(None, "run", *QUICK, "--output", "out", ranks=2, fault="processor-name")
        self.assertRegex(done.stderr, r"mpiaudit: rank \d: SIGABRT while setting up\n")

    def test_a_reduction_that_crashes_ends_no_audit_without_reductions(self):
        self.expect_code(DONE, "run", *QUICK, "--output", "out", ranks=2, fault="reduce-local")
        self.assertGreater(self.report()["cost_model"]["gamma_s_per_byte"], 0)

    def test_a_reduction_that_crashes_is_named_and_left_out(self):
        """MPI_Reduce_local is a part of a right side of MPI_Scan; both are verified before they are timed."""
        words = ["run", "--guidelines", "self-consistent", "derived", "--collectives", "scan",
                 "--distributions", "same", "--block-sizes", "10", "--max-rounds", "8", "--output", "out"]
        done = self.expect_code(None, *words, ranks=2, fault="reduce-local")
        self.assertRegex(" ".join(done.stderr.split()), r"rank \d: SIGABRT in .*MPI_Reduce_local.* on ")
        codes, reasons = [], []
        for _ in range(12):
            done = self.expect_code(None, *words, "--resume", ranks=2, fault="reduce-local")
            codes.append(done.returncode)
            if done.returncode in (*DONE, 3):
                break
        self.assertIn(codes[-1], (*DONE, 3), done.stdout + done.stderr)
        for problem in self.valid_report()["problems"]:
            reasons += [(each["name"], each["wrong"][:16]) for each in problem["contestants"]
                        if "wrong" in each]
        self.assertIn(("MPI_Exscan(m) + MPI_Reduce_local(m)", "crashes: SIGABRT"), reasons)

    def rotated(self, fault=None):
        """Returns the report of an audit with blocks of 98 pages for each rank, and 196 for the data that the
        root gathers, and a function that returns the sets of buffers for these bytes of caches."""
        own_bytes, root_bytes, most_bytes = 98 * 4096, (98 + 196) * 4096, 400_000_000
        self.expect_code(DONE, "run", *ONE_CHECK, "--block-sizes", "100000", "--buffers", "rotate",
                         "--memory", str(most_bytes), "--overwrite", "--output", "out", ranks=2, fault=fault)
        return self.valid_report(), lambda cache_bytes: min(
            math.ceil(2 * cache_bytes / (own_bytes + root_bytes)), most_bytes // root_bytes, 1024)

    def test_the_sets_are_twice_as_large_as_the_outermost_caches_or_fill_the_memory(self):
        report, sets_for = self.rotated()
        topology = report["machine"]["hosts"][0]["topology"]
        one_cache = topology.get("l3_cache_bytes") or topology.get("l2_cache_bytes")
        if one_cache is not None:  # a node may have several such caches
            self.assertIn(report["problems"][0]["buffer_sets"],
                          [sets_for(caches * one_cache) for caches in range(1, 65)])

    def test_caches_that_the_kernel_does_not_describe_are_assumed_and_named(self):
        # The C library may know a cache that the kernel does not describe.
        for fault, origins in (("unknown-caches", r"\(assumed\)$"),
                               ("undescribed-caches", r"\((assumed|one cache for each package, .*)\)$")):
            with self.subTest(fault):
                report, sets_for = self.rotated(fault)
                [warning] = [each for each in report["warnings"] if "how large the caches are" in each]
                self.assertRegex(warning, origins)
                mebibytes = re.search(r"as for (\d+) MiB of outermost cache", warning)[1]
                self.assertEqual(report["problems"][0]["buffer_sets"], sets_for(int(mebibytes) * 2**20))
        self.expect_code(DONE, "run", *ONE_CHECK, "--block-sizes", "10", "--output", "same", ranks=2,
                         fault="unknown-caches")
        self.assertNotIn("how large the caches are", " ".join(self.report("same")["warnings"]))

    def test_wrong_results_on_other_buffers_are_found(self):
        """The first three are the usual buffer and the buffers between protected pages."""
        problem = [*ONE_CHECK, "--block-sizes", "10"]
        self.expect_code(DONE, "run", *problem, "--output", "usual", ranks=2, fault="elsewhere")
        done = self.expect_code(WRONG_RESULT, "run", *problem, "--buffers", "rotate", ranks=2,
                                fault="elsewhere")
        self.assertIn("MPI_Gatherv", done.stdout)


if __name__ == "__main__":
    main()
