# SPDX-License-Identifier: BSD-3-Clause
"""Generated calls of an MPI library with one fault (fault.h): mpiaudit finds the simplest call that fails."""

import os
import re

from program import LAUNCH, MPIAUDIT, ProgramTest, main

IS_MPICH = "mpich" in LAUNCH[0]

DONE, WRONG_RESULT, HANGS = 0, 3, 6
ONE_CALL = ["--call", "operation=MPI_Bcast"]


class Calls(ProgramTest):
    def verify(self, *options, fault="MPI_Exscan noop from=1000000", ranks=2):
        """`mpiaudit verify` on ranks of a library with this fault; the default never hits."""
        preload = ":".join(filter(None, [os.environ["FAULTY_COLLECTIVES"], os.environ.get("LD_PRELOAD")]))
        return self.launch(ranks, "env", f"LD_PRELOAD={preload}", f"MPIAUDIT_FAULT={fault}",
                           MPIAUDIT, "verify", *options, code=None)

    def test_calls_of_a_right_operation_pass(self):
        done = self.verify("--calls", "50", "--collectives", "bcast")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r" 50 calls in .* have \d+ of \d+ pairs of properties; 0 wrong")

    def test_a_wrong_result_is_shrunk_to_the_operation(self):
        done = self.verify("--calls", "50", "--collectives", "bcast", "--hang-after", "60s",
                           fault="MPI_Bcast flip rank=1")
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)
        self.assertIn('verify --call "operation=MPI_Bcast"', done.stdout)

    def test_the_printed_command_makes_the_call_again(self):
        done = self.verify("--call", "operation=MPI_Bcast counts=three", fault="MPI_Bcast flip rank=1")
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)
        self.assertIn("WRONG MPI_Bcast, 2 ranks: rank 1: element 0 of received block 0", done.stdout)

    def test_an_error_code_is_a_finding(self):
        done = self.verify("--call", "operation=MPI_Gather", fault="MPI_Gather code")
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "WRONG MPI_Gather, 2 ranks: rank [01]: the call returns an error")

    def test_a_fault_that_needs_earlier_calls_names_the_seed(self):
        done = self.verify("--calls", "400", "--collectives", "bcast", "--order-seed", "7",
                           fault="MPI_Bcast flip rank=1 every=41")
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)
        self.assertIn("only after earlier calls: --order-seed 7 repeats the search",
                      re.sub(r"\s+", " ", done.stdout))

    def test_a_barrier_that_does_not_wait_is_found(self):
        done = self.verify("--call", "operation=MPI_Barrier arrival=first-late repetition=twelve",
                           fault="MPI_Barrier noop")
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)
        self.assertIn("leaves the barrier before rank 0 arrives", re.sub(r"\s+", " ", done.stdout))

    def test_a_hang_is_shrunk_over_launches(self):
        options = ["--calls", "100", "--collectives", "MPI_Scatter", "--hang-after", "3s", "--output", "out"]
        done = self.verify(*options, fault="MPI_Scatter hang rank=1")
        launches = 1
        while done.returncode == HANGS and launches < 30:
            done = self.verify(*options, "--resume", fault="MPI_Scatter hang rank=1")
            launches += 1
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)
        findings = re.findall(r"^WRONG (.*)$", done.stdout, re.M)
        self.assertEqual(len(findings), 1, done.stdout)
        self.assertRegex(findings[0], r"^MPI_Scatter, 2 ranks: hangs")

    def test_calls_that_are_known_to_end_the_launch_are_named_and_not_made(self):
        """As in audits. The library crashes in any case, so that the test needs no luck. Groups of an
        intercommunicator have two ranks."""
        operation, fault = (("MPI_Scatter", "MPI_Scatter_init segv") if IS_MPICH else
                            ("MPI_Bcast", "MPI_Ibcast segv inter"))
        search = ["--calls", "200", "--collectives", operation, "--order-seed", "3", "--output"]
        done = self.verify(*search, "skips", fault=fault, ranks=4)
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        self.assertRegex(done.stdout, rf"KNOWN {operation[:4]}.*known to end the program; not tested here")
        self.assertRegex(done.stdout, r"; 0 wrong, \d+ known in this version")
        done = self.verify(*search, "tests", "--known", "test", fault=fault, ranks=4)
        self.assertIn("SIGSEGV in operation=" + operation, done.stderr)
        refused = self.verify("--known", "test", "--call", "operation=MPI_Bcast")
        self.assertIn("--call makes the call also if it is known to fail", refused.stderr)

    def test_names_that_are_unknown_are_refused(self):
        done = self.verify("--call", "operation=MPI_Gather counts=two")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown counts 'two'; valid:", done.stderr)
        done = self.verify("--call", "operation=MPI_Gather counts=spike")
        self.assertIn("--call: the operation has equal blocks", done.stderr)

    def test_options_that_do_not_fit_are_refused(self):
        for options, said in [
                (["--check-calls", "1s", "--element", "double"],
                 "--element does not apply to the generated calls"),
                (["--output", "out"],
                 "--output belongs to the generated calls: give --check-calls or --calls"),
                (["--check-calls", "1s", *ONE_CALL], "--call checks one call: leave out --check-calls"),
                (["--calls", "1", *ONE_CALL], "--call checks one call: leave out --calls"),
                (["--calls", "1", "--resume"], "--resume: name the folder")]:
            done = self.verify(*options)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(said, done.stderr)

    def test_an_earlier_search_is_not_overwritten(self):
        search = ["--calls", "10", "--collectives", "bcast", "--output", "out"]
        self.assertEqual(self.verify(*search).returncode, DONE)
        refused = self.verify(*search)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("there are generated calls in out; give --resume", refused.stderr)
        self.assertEqual(self.verify(*search, "--resume").returncode, DONE)


if __name__ == "__main__":
    main()
