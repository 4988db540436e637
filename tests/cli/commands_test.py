# SPDX-License-Identifier: BSD-3-Clause
"""Commands that mpiaudit prints show the finding beside them again, on the ranks of their run."""

from xml.etree import ElementTree

from program import LAUNCH, QUICK, ProgramTest, main

# The tests tell mpiaudit how they start ranks; a user does not.
AS_A_USER = {"MPIAUDIT_LAUNCHER": ""}


class Commands(ProgramTest):
    def start(self, code, *arguments, **how):
        return self.expect_code(code, *arguments, ranks=2, environment=AS_A_USER, **how)

    def run_printed(self, command, code):
        return self.run_here("bash", "-c", command, code=code, environment=AS_A_USER)

    def test_the_launcher_is_found(self):
        self.start((0, 5), "run", *QUICK, "--output", "out")
        self.assertEqual(self.report()["job"]["launcher"], [*LAUNCH, "2"])

    def test_wrong_results(self):
        self.start(3, "run", *QUICK, "--output", "out", fault="wrong")
        self.start(3, "judge", "out", "--junit", "checks.xml")
        failures = ElementTree.parse(self.folder / "checks.xml").findall(".//failure[@type='wrong']")
        self.assertEqual(len(failures), 1)
        said = self.run_printed(failures[0].text, 3).stdout
        self.assertRegex(said, r"WRONG MPI_Gatherv\(m\) on same/b=1, root 1: rank 1, rooted")
        self.assertIn("2 ranks, ", said)

    def test_violations(self):
        slow = [*QUICK, "--only", "irregular-native-tuw", "--judge", "minima", "--root", "0", "--warmup", "0"]
        self.start(0, "run", *slow, "--output", "out", fault="very-slow")
        violated = [check for check in self.report()["checks"] if check["verdict"] == "violated"]
        self.assertTrue(violated)
        for number, check in enumerate(violated):
            self.run_printed(f"{check['reproduce']} --output again-{number}", 0)
            again = self.valid_report(f"again-{number}")
            self.assertEqual(again["machine"]["ranks"], 2)
            self.assertEqual([(each["problem"], each["verdict"]) for each in again["checks"]],
                             [(check["problem"], "violated")])

    def test_ranks_that_do_not_see_each_other_are_refused(self):
        for rank, said in (("0", 1), ("1", 0)):
            done = self.expect_code(2, "run", *QUICK, environment={
                **AS_A_USER, "MPI_LOCALNRANKS": "2", "MPI_LOCALRANKID": rank})
            for words in ("a launcher of another MPI library started 2 processes, but each is an MPI job",
                          "use the mpirun of that library"):
                self.assertEqual(done.stderr.count(words), said, done.stderr)

    def test_one_rank_is_warned_of(self):
        self.expect_code((0, 5), "run", *QUICK, "--output", "out", environment=AS_A_USER)
        self.assertIn("there is only 1 rank", " ".join(self.report()["warnings"]))
        self.expect_code((0, 5), "run", "--collectives", "barrier", "--budget", "1s", "--check-calls", "0",
                         "--output", "barrier", environment=AS_A_USER)
        self.assertFalse("exit_skew_s" in self.read("barrier/report.json"))


main()
