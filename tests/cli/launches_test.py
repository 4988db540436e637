# SPDX-License-Identifier: BSD-3-Clause
"""A second launch, whole or to confirm the first one, and both judged together."""

import json

from program import DONE, AuditedTest, main

TWICE = "MPI_Allgather(m) + MPI_Allgather(m)"
GUIDELINES = """{"title": "Known answers", "source": "test", "guidelines": [
    {"id": "false", "statement": "MPI_Allgather(m) + MPI_Allgather(m) <= MPI_Allgather(m)"},
    {"id": "true", "statement": "MPI_Allgather(m) <= MPI_Allgather(m) + MPI_Allgather(m)"}]}"""


class Launches(AuditedTest):
    files = {"known.json": GUIDELINES}
    audit = ["--guidelines", "./known.json", "--distributions", "same", "--block-sizes", "10", "--max-rounds",
             "8"]
    output = "first"

    def setUp(self):
        super().setUp()
        self.pretend(TWICE)

    def pretend(self, slow):
        """Puts times into the first audit that leave no doubt: one contestant is slow."""
        header, problem = map(json.loads, self.sample_lines("first")[:2])
        for contestant in problem["contestants"]:
            contestant["samples_s"] = 20 * [2.0 if contestant["name"] == slow else 1.0]
        problem["order"] = 20 * [list(range(len(problem["contestants"])))]
        self.write("first/samples.jsonl", f"{json.dumps(header)}\n{json.dumps(problem)}\n")

    def joint(self, *folders, code=0):
        done = self.expect_code(code, "judge", *folders, "--report", "joint.json", fault="forbidden")
        return self.valid_report("joint.json"), done.stdout

    def test_confirmation_measures_the_violations_and_controls(self):
        done = self.expect_code(DONE, "run", "--confirm", "first", ranks=2)
        self.assertRegex(done.stdout, r"1\s+(of\s+\d+\s+decided\s+)?checks?\s+is\s+violated")
        again = self.report("first/confirmation")
        self.assertEqual([each["guideline"] for each in again["confirms"]["suspects"]], ["false"])
        self.assertEqual([each["guideline"] for each in again["confirms"]["controls"]], ["true"])
        self.assertEqual(again["options"]["block-sizes"], "10")
        self.assertNotEqual(again["options"]["order-seed"],
                            self.report("first")["options"]["order-seed"])
        # The second launch may decide nothing on a busy machine.
        report, _ = self.joint("first", "first/confirmation", code=DONE)
        check = next(each for each in report["checks"] if each["guideline"] == "false")
        self.assertEqual([each["launch"] for each in check["launches"]], [1, 2])
        self.assertEqual(check["launches"][0]["verdict"], "violated")
        # The folder alone stands for both launches, except for a launch that was broken off.
        self.assertEqual(self.joint("first", code=DONE)[0]["checks"], report["checks"])
        header, *_ = self.sample_lines("first/confirmation")
        self.write("first/confirmation/samples.jsonl", header.decode())
        self.assertNotIn("launches", self.joint("first", code=DONE)[0])

    def test_a_row_is_explained_and_confirmed_by_its_code(self):
        done = self.expect_code(0, "explain", "first", "S1", fault="forbidden")
        self.assertIn(f"S1 {TWICE.replace('(m)', '')}: 2.00 times as long as MPI_Allgather(m)",
                      " ".join(done.stdout.split()).replace("\u00a0", " "))
        self.assertRegex(done.stdout, r"40 B !same/b=10 +2M +1M +1M +2.00  ########\n")
        self.assertIn("run --confirm first --row S1", " ".join(done.stdout.replace("\\\n", " ").split()))
        self.assertEqual(self.expect_code(0, "explain", "first", fault="forbidden").stdout, done.stdout)
        refused = self.expect_code(2, "explain", "first", "S2", fault="forbidden")
        self.assertIn("row S2: the screen has the row S1", refused.stderr)
        self.expect_code(DONE, "run", "--confirm", "first", "--row", "S1", "--output", "second", ranks=2)
        suspects = self.report("second")["confirms"]["suspects"]
        self.assertEqual([each["guideline"] for each in suspects], ["false"])
        refused = self.expect_code(2, "run", "--confirm", "first", "--row", "S2", "--output", "third",
                                   ranks=2)
        self.assertIn("--row S2: the screen has the row S1", refused.stderr)

    def test_confirmation_has_every_option_of_the_audit(self):
        self.write("net.json", '{"hosts": ["a", "b"], "latency_s": [[0, 1e-6], [1e-6, 0]], '
                   '"placement": "cyclic", "bandwidth_Mbit_per_s": [[null, 10], [10, null]]}')
        self.expect_code(DONE, "run", *self.audit, "--network", "net.json", "--setting", "SOMETHING=1",
                         "--warmup", "3", "--memory", "1Gi", "--sync", "global", "--output", "first",
                         "--overwrite", ranks=2)
        self.pretend(TWICE)
        done = self.expect_code(2, "run", "--confirm", "first", ranks=2)
        self.assertIn("the audit in first had --setting SOMETHING=1, here is no --setting",
                      done.stderr)
        self.expect_code(DONE, "run", "--confirm", "first", "--setting", "SOMETHING=1", ranks=2)
        own = ("confirm", "order-seed", "output", "overwrite")
        options = [{name: value for name, value in self.report(folder)["options"].items()
                    if name not in own} for folder in ("first", "first/confirmation")]
        self.assertEqual(options[0]["network"], "net.json")
        self.assertEqual(options[0], options[1])

    def test_whole_launches(self):
        self.expect_code(DONE, "run", *self.audit, "--output", "second", ranks=2)
        # Measurements of the second launch may contradict the first.
        report, console = self.joint("first", "second", code=DONE)
        self.assertEqual(len(report["launches"]), 2)
        self.assertIn(", 2 launches, ", console)

    def test_independent_audits_by_default(self):
        """docs/jobs.md describes this for other schedulers: each audit chooses its own sizes."""
        names = ("night-1", "night-2")
        for name in names:
            self.expect_code((0, 3, 5), "run", "--budget", "4s", "--output", name, ranks=2)
        report, console = self.joint(*names, code=(0, 3, 5))
        self.assertEqual(len(report["launches"]), 2)
        first, second = ({problem["id"]: problem.get("chosen", False)
                          for problem in self.report(name)["problems"]} for name in names)
        judged = {problem["id"] for problem in report["problems"]}
        self.assertLessEqual(judged, first.keys() & second.keys())
        self.assertLessEqual({name for name, is_chosen in first.items() if not is_chosen}, judged)
        alone = len((first.keys() | second.keys()) - judged)
        self.assertEqual(report["summary"].get("measured_alone", 0), alone)
        if alone > 0:
            self.assertRegex(" ".join(console.split()),
                             rf" {alone} problems? measured by one launch only and left out")
        for check in report["checks"]:
            self.assertEqual([each["launch"] for each in check.get("launches", [])],
                             [] if check["verdict"] == "skipped" else [1, 2])

    def test_confirmation_with_the_same_order(self):
        """Wrong use is found even if everything is measured."""
        seed = str(self.report("first")["options"]["order-seed"])
        done = self.expect_code(2, "run", "--confirm", "first", "--order-seed", seed, ranks=2)
        self.assertIn("have the same order-seed", done.stderr)

    def test_folders_that_cannot_be_confirmed(self):
        done = self.expect_code(2, "run", "--confirm", "first", ranks=1)
        self.assertIn("the audit in first ran on 2 ranks, not 1", done.stderr)
        self.write("known.json", GUIDELINES.replace('"test"', '"another"'))
        done = self.expect_code(2, "run", "--confirm", "first", ranks=2)
        self.assertIn("the guidelines of the audit in first have changed", done.stderr)


class RemedyOfAViolation(AuditedTest):
    """The right side of the violated guideline is no replacement; the next contestant is."""

    files = {"chain.json": """{"title": "A chain", "source": "test", "guidelines": [
        {"id": "violated", "statement": "MPI_Allgather(m) + MPI_Allgather(m) <= MPI_Allgather[dup](m)"},
        {"id": "unclear", "statement": "MPI_Allgather[dup](m) <= MPI_Allgather(m)"}]}"""}
    audit = ["--guidelines", "./chain.json", "--distributions", "same", "--block-sizes", "10", "--max-rounds",
             "8"]
    output = "first"

    def pretend(self, folder, times):
        """Puts the times of two rounds, in turns, into an audit."""
        header, problem = map(json.loads, self.sample_lines(folder)[:2])
        for contestant in problem["contestants"]:
            contestant["samples_s"] = 20 * times[contestant["name"]]
        problem["order"] = 40 * [list(range(len(problem["contestants"])))]
        self.write(f"{folder}/samples.jsonl", f"{json.dumps(header)}\n{json.dumps(problem)}\n")
        return problem

    def test_all_launches_measure_it_and_its_numbers_are_of_the_confirmation(self):
        times = {TWICE: [3.0, 3.0], "MPI_Allgather[dup](m)": [1.2, 1.2], "MPI_Allgather(m)": [1.0, 1.25]}
        self.pretend("first", times)
        self.expect_code(DONE, "run", "--confirm", "first", ranks=2)
        confirmation = self.pretend("first/confirmation", times | {TWICE: [2.0, 2.0]})
        self.assertEqual([check["guideline"] for check in confirmation["checks"]], ["violated"])
        self.assertIn("MPI_Allgather(m)", [each["name"] for each in confirmation["contestants"]])
        self.expect_code(0, "judge", "first", "--report", "joint.json", fault="forbidden")
        checks = self.valid_report("joint.json")["checks"]
        check = next(each for each in checks if each["guideline"] == "violated")
        self.assertEqual((check["verdict"], len(check["launches"])), ("violated", 2))
        remedy = check["remedy"]
        self.assertEqual((remedy["contestant"], remedy["left_s"]), ("MPI_Allgather(m)", 2.0))
        self.assertAlmostEqual(remedy["factor"], (2.0 + 2.0 / 1.25) / 2, places=3)
        self.assertAlmostEqual(remedy["saved_s"], 2.0 * (1 - 1 / 1.8), places=3)


main()
