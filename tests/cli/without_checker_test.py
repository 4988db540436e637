# SPDX-License-Identifier: BSD-3-Clause
"""A program built with MPIAUDIT_CHECKER=OFF, which generates no calls."""

from program import DONE, ProgramTest, main

CALL = "operation=MPI_Gather"
FAST = ["--collectives", "gather", "--budget", "1s", "--output", "out"]


class WithoutChecker(ProgramTest):
    def test_options_of_the_checker_are_refused_by_name(self):
        for words in (["verify", "--check-calls", "1s"], ["verify", "--calls", "1"],
                      ["verify", "--call", CALL], ["verify", "--known", "test"],
                      ["run", *FAST, "--check-calls", "1s"],
                      ["reproduce", "--call", CALL]):
            with self.subTest(words):
                said = self.expect_code(2, *words).stderr
                self.assertIn(f"{words[-2]}: this mpiaudit generates no calls; build it with "
                              "MPIAUDIT_CHECKER\n", said)
        said = self.expect_code(2, "list", "properties").stderr
        self.assertIn("list properties: this mpiaudit has none", said)

    def test_an_audit_generates_no_calls(self):
        done = self.expect_code(DONE, "run", *FAST, "--check-calls", "0", ranks=2)
        self.assertNotIn("generated calls", done.stdout)
        self.expect_code(DONE, "run", *FAST, "--overwrite", ranks=2)
        report = self.report()
        self.assertNotIn("generated_calls", report)
        self.assertEqual(report["options"]["check-calls"], "0")


main()
