# SPDX-License-Identifier: BSD-3-Clause
"""Tests every exit code of the program, which is the same on every rank."""

import re
import unittest
from xml.etree import ElementTree

from folder import DONE, needs_checker
from program import LAUNCH, QUICK, ProgramTest, command, main

# The faults concern these operations; cli.verify has all operations.
GATHERS = ["--collectives", "gather", "--distributions", "same", "--block-sizes", "1"]


class ExitCodes(ProgramTest):
    def expect_of_both(self, code, *arguments, fault=None):
        """Two ranks, which have to end with this exit code each, as a shell around each sees: where one has
        another one than 0 the launcher kills the other."""
        words = command(arguments, 2, fault)
        launch, program = words[: len(LAUNCH) + 1], words[len(LAUNCH) + 1:]
        shell = '"$@"; echo $? > code.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}'
        done = self.run_here(*launch, "sh", "-c", shell, "sh", *program, code=None)
        codes = [int(self.read(f"code.{rank}")) for rank in (0, 1)]
        self.assertEqual(codes, [code, code], done.stderr)
        return done

    def test_0_done(self):
        # Plain comparisons decide, however busy the machine is.
        done = self.expect_of_both(0, "run", *QUICK, "--judge", "minima", "--output", "out")
        self.assertIn("report: out/report.json", done.stdout)

    def test_1_violations_only_when_asked_for(self):
        # 200 ms more than any gather of a few bytes takes: a violation for sure.
        slow = ["run", *QUICK, "--only", "irregular-native-tuw", "--judge", "minima",
                "--warmup", "0", "--output"]
        done = self.expect_code(0, *slow, "a", ranks=2, fault="very-slow")
        said = " ".join(done.stdout.split())
        # Too few samples for the evidence.
        self.assertIn("SLOW: none of 1 blocking operation; 1 by this rule alone", said)
        self.assertIn("4 of 4 decided checks are violated; another launch may differ", said)
        self.expect_of_both(1, *slow, "b", "--fail-on", "violation", "--junit", "checks.xml",
                            fault="very-slow")
        suite = ElementTree.parse(self.folder / "checks.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("4", "4"))
        self.expect_code(0, "judge", "b")
        self.expect_code(1, "judge", "b", "--fail-on", "violation")
        self.expect_code(0, "judge", "b", "--fail-on", "ratio>1000000000")
        self.expect_code(1, "judge", "b", "--fail-on", "ratio>=1.5")

    def test_2_wrong_use(self):
        for arguments in ([], ["rnu"], ["list"], ["judge"], ["run", "--warmup", "-1"]):
            self.expect_code(2, *arguments)
        for option, value, said in (("--root", "2", "--root: there is no rank 2 among 2 ranks; give 0 to 1"),
                                    ("--guidelines", "iregular", "'irregular'"),
                                    ("--warmup", "-1", "--warmup: ")):
            done = self.expect_of_both(2, "run", option, value)
            self.assertEqual(done.stderr.count(said), 1, done.stderr)

    def test_3_wrong_result(self):
        done = self.expect_of_both(3, "run", *QUICK, "--output", "out", fault="wrong")
        self.assertRegex(done.stdout, r"WRONG: MPI_Gatherv\(m\) gives a wrong result on same/b=1: "
                                      r"rank 1, rooted: element\s+0 of block 0 is ")
        report = self.report()
        self.assertEqual(report["summary"]["wrong"], 4)
        for problem in report["problems"]:
            for contestant in problem["contestants"]:
                # A wrong result is never timed.
                self.assertFalse("wrong" in contestant and "statistics" in contestant)
        reasons = {check.get("reason", "") for check in report["checks"]
                   if "MPI_Gatherv(m)" in (check["left"], check["right"])}
        self.assertTrue(any(reason.startswith("MPI_Gatherv(m) is wrong: rank 1, rooted: element 0")
                            for reason in reasons), reasons)
        done = self.expect_code(3, "verify", *GATHERS, ranks=2, fault="wrong")
        self.assertRegex(done.stdout, r"WRONG MPI_Gatherv\(m\) on same/b=1, root 1: rank 1, rooted")
        self.assertRegex(done.stdout, r"runs verified, [1-9]\d* wrong")

    def test_4_nothing_selected(self):
        done = self.expect_of_both(4, "run", "--only", "irregular-2", "--collectives", "MPI_Gather")
        self.assertEqual(done.stderr.count("nothing selected"), 1)

    def test_remarks_fail_nobody(self):
        self.write("own.json", """{"guidelines": [
            {"id": "own", "statement": "TUW_Gatherv(m) <= linear_Gatherv(m)"}]}""")
        own = ["run", "--guidelines", "./own.json", "--distributions", "same,random",
               "--block-sizes", "1,10", "--max-rounds", "8", "--judge", "averages",
               "--output", "out", "--fail-on"]
        done = self.expect_code(0, *own, "violation", ranks=2)
        self.assertIn("No check of this audit is about the library.", " ".join(done.stdout.split()))
        self.assertEqual(self.report()["summary"]["checks"], 0)
        self.assertEqual(self.report()["summary"]["remarks"]["checks"], 4)
        self.expect_code(0, *own, "never", "--overwrite", ranks=2)

    def test_5_nothing_decided(self):
        unclear = ["run", *GATHERS, "--guidelines", "irregular", "--max-rounds", "1", "--output"]
        done = self.expect_of_both(5, *unclear, "out")
        self.assertIn("Nothing was decided: none of ", done.stdout)
        self.expect_code(5, *unclear, "gate", "--fail-on", "violation", ranks=2)
        done = self.expect_code(5, "run", *QUICK, "--budget", "1ms", "--output", "none", ranks=2)
        report = self.valid_report("none")
        self.assertTrue(report["complete"])
        self.assertEqual(len(report["checks"]), len(report["problems"]) * len(report["guidelines"]))
        self.assertIn("no time was left to measure it (--budget)",
                      {check["reason"] for check in report["checks"]})
        self.assertIn("Nothing was measured", done.stdout)
        self.assertNotIn("Problem ", done.stdout)
        self.expect_code(5, "judge", "out", "--fail-on", "ratio>2")

    def test_a_baseline_fails_for_what_became_slower(self):
        """The planted fault takes 200 ms on each of six problems, on any machine more than a quarter."""
        slow = ["run", "--guidelines", "irregular", "--distributions", "same,random", "--block-sizes",
                "1,10,100", "--max-rounds", "8", "--judge", "minima", "--warmup", "0", "--output"]
        self.expect_code(0, *slow, "old", ranks=2)
        done = self.expect_code(1, *slow, "new", "--baseline", "old", ranks=2, fault="very-slow")
        self.assertRegex(" ".join(done.stdout.split()),
                         r"The baseline is A, this audit B: .*MPI_Gatherv is [0-9.]+ times slower")
        # The operation is slow in both audits, so the violations of the library are known.
        self.expect_code(0, "judge", "new", "--baseline", "new", "--fail-on", "violation")
        done = self.expect_code(1, "judge", "new", "--fail-on", "violation", "--baseline", "old")
        self.assertRegex(done.stdout, r"\d+ violations? that fails?:\n(  .+\n)+$")

    def test_a_gate_that_cannot_be_used(self):
        slow = ["run", *QUICK, "--only", "irregular-native-tuw", "--judge", "minima", "--output"]
        self.expect_code(0, *slow, "old", ranks=2)
        done = self.expect_code(2, *slow, "newer", "--baseline", "nowhere", ranks=2)
        self.assertEqual(done.stderr.count("--baseline: there is no report nowhere"), 1)
        done = self.expect_code(2, *slow, "newer", "--junit", "no/where.xml", ranks=2)
        self.assertIn("--junit: no/where.xml: cannot be written", done.stderr)
        done = self.expect_code(2, "judge", "old", "--junit", "one", "--report", "./one")
        self.assertIn("--report and --junit both name ./one; give each a file of its own", done.stderr)

    def test_3_arguments_of_the_caller_are_changed(self):
        """The message names the operation that changes the counts, not another operation with the same
        counts."""
        done = self.expect_code(3, "verify", *GATHERS, ranks=2, fault="counts")
        self.assertRegex(done.stdout, r"WRONG MPI_Gatherv\(m\) on same/b=1, root 1: rank 1: changed the cou")
        wrong = set(re.findall(r"^WRONG (.*?) on ", done.stdout, re.MULTILINE))
        self.assertEqual([name for name in wrong if "MPI_Gatherv" not in name], [])

    @needs_checker
    @unittest.skipIf("mpich" in LAUNCH[0], "the fault is Open MPI's")
    def test_0_a_fault_that_is_known_from_elsewhere_is_no_wrong_result(self):
        """With default options, generated calls leave out what ends the program."""
        # A fault that the table lacks may end a launch.
        for going_on in [[], *[["--resume"]] * 11]:
            # The generated calls end when they have had all pairs of properties, however long they take.
            done = self.expect_code(None, "run", "--collectives", "allgather", "--budget", "2s",
                                    "--check-calls", "1h", "--order-seed", "1", "--output", "out", *going_on,
                                    ranks=3)
            if (self.folder / "out" / "report.json").exists():
                break
        self.assertEqual(done.stdout.count("\nKnown in this version"), 1, done.stdout)
        found = [(each["operation"], each.get("known", False))
                 for each in self.report()["generated_calls"]["findings"]]
        self.assertIn(("MPI_Allgatherv", True), found)
        named = {each["operation"] for each in self.report()["generated_calls"]["findings"]
                 if not each.get("known")}
        if not named:
            self.expect_code(DONE, "judge", "out", "--fail-on", "ratio>1000000000")

    def test_3_error_inside_a_collective(self):
        done = self.expect_code(3, "run", *QUICK, "--output", "out", ranks=2, fault="error")
        self.assertRegex(done.stdout, r"WRONG: MPI_Gatherv\(m\) gives a wrong result on same/b=1:\s+"
                                      r"rank\s+0:\s+returned\s+the\s+error\s+")
        self.expect_code(3, "verify", *GATHERS, ranks=2, fault="error")


main()
