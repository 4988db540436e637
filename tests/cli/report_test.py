# SPDX-License-Identifier: BSD-3-Clause
"""The files of an audit."""

from program import DONE, QUICK, ProgramTest, main

MINIMA = ["run", "--guidelines", "irregular", "--distributions", "same,decreasing", "--block-sizes",
          "1,10", "--max-rounds", "12", "--judge", "minima"]


class Report(ProgramTest):
    def test_report_is_valid_and_says_how_it_was_made(self):
        self.expect_code(DONE, "run", *QUICK, "--output", "out", "--sync", "dissemination", "--clock",
                         "monotonic", ranks=2, environment={"MPIR_CVAR_TEST": "a b"})
        report = self.valid_report()
        self.assertTrue(report["complete"])
        self.assertEqual(report["machine"]["ranks"], 2)
        self.assertEqual(report["clock"]["name"], "monotonic")
        self.assertEqual(report["clock"]["synchronisation"], "dissemination")
        self.assertEqual(report["environment"]["MPIR_CVAR_TEST"], "a b")
        self.assertIn("--sync", report["command"])
        for option, value in (("max-rounds", 8), ("block-sizes", "1,10"), ("element", "int"),
                              ("root", "half"), ("seed", 1), ("alpha", 0.05)):
            self.assertEqual(report["options"][option], value)
        self.assertIsInstance(report["options"]["order-seed"], int)
        # Long calls of each operation, with and without a pause, count as checks.
        self.assertEqual(report["rule"]["checks"],
                         sum(check["verdict"] != "skipped" for check in report["checks"])
                         + 2 * len(["MPI_Gather", "MPI_Gatherv"]))

    def test_memory_that_a_call_takes(self):
        taken = {}
        for fault in (None, "memory"):
            done = self.expect_code(DONE, "run", "--only", "irregular-native-tuw", "--counts",
                                    "20000,20000", "--max-rounds", "2", "--output", f"out-{fault}",
                                    ranks=2, fault=fault)
            for each in self.report(f"out-{fault}")["problems"][0]["contestants"]:
                if each["name"] == "MPI_Gatherv(m)":
                    taken[fault] = each.get("call_bytes", 0) / 2 ** 20
            self.assertEqual(fault is not None, "MEMORY: MPI_Gatherv(m) takes " in done.stdout,
                             done.stdout)
        self.assertLess(taken[None], 1)
        self.assertGreaterEqual(taken["memory"], 7)

    def test_times_stand_beside_those_of_the_cost_model(self):
        self.expect_code(DONE, "run", "--only", "irregular-native-tuw", "--counts", "1000,3000",
                         "--root", "0", "--max-rounds", "2", "--output", "out", ranks=2)
        report = self.valid_report()
        model = report["cost_model"]
        data_s = model["alpha_s"] + model["beta_s_per_byte"] * 4 * 3000
        # Two ranks tell each other of their blocks in 24 bytes, through one memory, and one block is sent
        # while the root copies its own, which is shorter.
        exchange_s = model["alpha_s"] + model["beta_s_per_byte"] * 2 * 24
        contestants = {each["name"]: each for each in report["problems"][0]["contestants"]}
        self.assertNotIn("predicted_s", contestants["MPI_Gatherv(m)"])
        # A report has six digits.
        self.assertAlmostEqual(contestants["TUW_Gatherv(m)"]["predicted_s"] / (exchange_s + data_s), 1,
                               delta=1e-5)
        for contestant in contestants.values():
            self.assertAlmostEqual(contestant["lower_bound_s"] / data_s, 1, delta=1e-5)
        self.expect_code(DONE, "run", "--only", "irregular-native-tuw", "--max-rounds", "2",
                         "--output", "alone")
        self.assertNotIn("cost_model", self.report("alone"))

    def test_datatypes_alone_where_nothing_is_sent(self):
        statements = {"types": "zeroBruck_Alltoall(m) <= modBruck_Alltoall(m)",
                      "native": "MPI_Alltoall(m) <= zeroBruck_Alltoall(m)"}
        file = self.write("types.json", {"guidelines": [
            {"id": name, "statement": statement} for name, statement in statements.items()]})
        # A library that delivers garbage makes no difference.
        self.expect_code(DONE, "run", "--guidelines", "./" + file, "--distributions", "same",
                         "--block-sizes", "4", "--max-rounds", "2", "--no-communication",
                         "--output", "out", ranks=2, fault="wrong")
        report = self.valid_report()
        self.assertIn("--no-communication", " ".join(report["warnings"]))
        self.assertNotIn("cost_model", report)
        contestants = {each["name"]: each for each in report["problems"][0]["contestants"]}
        self.assertIn("statistics", contestants["zeroBruck_Alltoall(m)"])
        self.assertIn("statistics", contestants["modBruck_Alltoall(m)"])
        self.assertIn("--no-communication", contestants["MPI_Alltoall(m)"]["skipped"])

    def test_reports_of_other_verdicts_are_valid(self):
        slow = ["run", *QUICK, "--judge", "minima", "--output"]
        self.expect_code(DONE, *slow, "violated", ranks=2, fault="slow")
        self.assertGreater(self.valid_report("violated")["summary"]["violated"], 0)
        self.expect_code(3, *slow, "wrong", ranks=2, fault="wrong")
        self.valid_report("wrong")
        self.expect_code(DONE, "run", *QUICK, "--memory", "1", "--output", "skipped")
        self.valid_report("skipped")
        self.expect_code(DONE, "run", "--distributions", "same", "--block-sizes", "1", "--max-rounds",
                         "1", "--output", "undecided")
        self.assertGreater(self.valid_report("undecided")["summary"]["undecided"], 0)

    def test_samples_are_kept_in_full(self):
        """Rounds call each contestant once, and the problems that tell most come first."""
        self.expect_code(DONE, *MINIMA, "--output", "out", ranks=2)
        names = ["same/b=10", "same/b=1", "decreasing/b=10", "decreasing/b=1"]
        self.assertEqual([problem["id"] for problem in self.problems()], names)
        self.assertCountEqual([problem["id"] for problem in self.report()["problems"]], names)
        for problem in self.problems():
            measured = {k: each["samples_s"] for k, each in enumerate(problem["contestants"])
                        if "samples_s" in each}
            self.assertEqual([sorted(order) for order in problem["order"]], 12 * [list(measured)])
            self.assertEqual({len(samples_s) for samples_s in measured.values()}, {12})

    def test_order_seed_is_drawn_anew_where_none_is_given(self):
        for folder in ("a", "b"):
            self.expect_code(DONE, *MINIMA, "--output", folder)
        self.assertNotEqual(self.report("a")["options"]["order-seed"],
                            self.report("b")["options"]["order-seed"])

    def test_colour_only_on_a_terminal_or_when_asked_for(self):
        slow = ["run", *QUICK, "--only", "irregular-native-tuw", "--judge", "minima", "--output"]
        self.assertNotIn("\033[", self.expect_code(DONE, *slow, "a", ranks=2, fault="slow").stdout)
        asked = self.expect_code(DONE, *slow, "b", "--color", "always", ranks=2, fault="slow")
        self.assertIn("\033[1;31m", asked.stdout)


main()
