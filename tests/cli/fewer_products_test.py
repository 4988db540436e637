# SPDX-License-Identifier: BSD-3-Clause
"""A program built with MPIAUDIT_CHECKER=OFF and MPIAUDIT_PAPERS=OFF: no generated calls, no networks."""

from program import DONE, ProgramTest, main

CALL = "operation=MPI_Gather"
FAST = ["--collectives", "gather", "--budget", "1s", "--output", "out"]
WITHOUT_PAPERS = ("this mpiaudit is built without src/papers; 'jobs/build PRESET' builds it with them, and "
                  "cmake with -DMPIAUDIT_PAPERS=ON")


class FewerProducts(ProgramTest):
    def test_options_of_the_checker_are_refused_by_name(self):
        for words in (["verify", "--check-calls", "1s"], ["verify", "--calls", "1"],
                      ["verify", "--call", CALL], ["verify", "--known", "test"],
                      ["run", *FAST, "--check-calls", "1s"],
                      ["reproduce", "--call", CALL], ["list", "properties"]):
            with self.subTest(words):
                said = self.expect_code(2, *words).stderr
                asked = "list properties" if words[0] == "list" else words[-2]
                self.assertIn(f"{asked}: this mpiaudit generates no calls; build it with "
                              "MPIAUDIT_CHECKER\n", said)

    def test_an_audit_generates_no_calls(self):
        done = self.expect_code(DONE, "run", *FAST, "--check-calls", "0", ranks=2)
        self.assertNotIn("generated calls", done.stdout)
        self.expect_code(DONE, "run", *FAST, "--overwrite", ranks=2)
        report = self.report()
        self.assertNotIn("generated_calls", report)
        self.assertEqual(report["options"]["check-calls"], "0")

    def test_what_needs_papers_is_refused_with_the_remedy(self):
        for asked, words in (("--network", ["run", "--network", "three-sites"]),
                             ("--network", ["verify", "--network", "three-sites"]),
                             ("list networks", ["list", "networks"]),
                             ("--guidelines grid", ["run", "--guidelines", "grid"]),
                             ("--guidelines grid", ["run", "--protocol", "paper-2007"]),
                             ("--only claim-bruck-mod-basic", ["run", "--protocol", "paper-2014"])):
            with self.subTest(words):
                said = self.expect_code(2, *words).stderr
                self.assertIn(f"{asked}: {WITHOUT_PAPERS}", said)
        said = self.expect_code(2, "probe").stderr
        self.assertIn("; this program lacks the command, and jobs/build makes one with all commands", said)

    def test_protocols_and_guidelines_of_the_auditor_are_there(self):
        done = self.expect_code(0, "run", "--dry-run", "--protocol", "paper-2017", "--distributions", "same",
                                "--block-sizes", "10", ranks=2)
        self.assertIn("  MPI_Gatherv(m)\n", done.stdout)
        self.expect_code(0, "run", "--dry-run", "--guidelines", "all", "--block-sizes", "10", ranks=2)


main()
