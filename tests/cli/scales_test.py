# SPDX-License-Identifier: BSD-3-Clause
"""Several numbers of ranks in one launch: --ranks and --nodes."""

import json
import os
import signal
import subprocess
from pathlib import Path

from folder import GUARD_S, HAS_CHECKER
from program import DONE, MPIAUDIT, QUICK, ProgramTest, command, descendants, main, send

OTHER = "MPI_Gather(m) + MPI_Bcast(m)"
KNOWN = """{"title": "Known answers", "source": "test", "guidelines": [
    {"id": "false", "statement": "MPI_Allgather(m) <= MPI_Gather(m) + MPI_Bcast(m)"}]}"""
ONE = ["--guidelines", "./known.json", "--distributions", "same", "--block-sizes", "10,20", "--max-rounds",
       "8"]


class Scales(ProgramTest):
    def error_of(self, *arguments, **how):
        done = self.expect_code(2, "run", *arguments, **how)
        self.assertEqual(done.stdout, "")
        return done.stderr.partition("mpiaudit: ")[2].rstrip("\n")

    def scaling(self, name="out/scaling.json"):
        document = json.loads(self.read(name))
        self.assertEqual(document["kind"], "mpiaudit scaling")
        return document["reports"]

    def pretend(self, folder, slow):
        """Puts times into an audit that leave no doubt: one contestant is slow."""
        header, *problems = map(json.loads, self.sample_lines(folder))
        problems = [each for each in problems if each["kind"] == "problem"]
        for problem in problems:
            for contestant in problem["contestants"]:
                contestant["samples_s"] = 20 * [2e-6 if contestant["name"] == slow else 1e-6]
            problem["order"] = 20 * [list(range(len(problem["contestants"])))]
        lines = [json.dumps(each) for each in [header, *problems]]
        self.write(f"{folder}/samples.jsonl", "\n".join(lines) + "\n")

    def test_each_number_has_the_report_of_a_launch_of_its_own(self):
        done = self.expect_code(DONE, "run", *QUICK, "--ranks", "2,3,all", "--output", "out", ranks=4)
        self.assertIn("report: out/scaling.json", done.stdout)
        self.assertEqual(max(map(len, done.stdout.splitlines())) <= 80, True, done.stdout)
        self.expect_code(DONE, "run", *QUICK, "--output", "alone", ranks=3)
        alone = self.report("alone")
        for ranks in (2, 3, 4):
            report = self.valid_report(f"out/ranks-{ranks}")
            self.assertEqual(report["machine"]["ranks"], ranks)
            self.assertEqual(report.get("launch_ranks"), None if ranks == 4 else 4)
            self.assertEqual(report["options"]["ranks"], str(ranks))
            self.assertTrue(report["complete"])
            # The cost model says how many ranks work at one time, unless all do.
            units = len(os.sched_getaffinity(0))
            nodes = report["cost_model"]["nodes"]
            self.assertEqual(nodes.get("processors"), units if units < ranks else None)
        report = self.report("out/ranks-3")
        self.assertEqual([each["id"] for each in report["problems"]],
                         [each["id"] for each in alone["problems"]])
        # Alpha is divided over the three audits.
        self.assertEqual(report["rule"]["checks"], 3 * alone["rule"]["checks"])
        self.assertEqual([each["machine"]["ranks"] for each in self.scaling()], [2, 3, 4])
        self.assertEqual([each["folders"] for each in self.scaling()],
                         [["ranks-2"], ["ranks-3"], ["ranks-4"]])

    def test_default_audits_share_the_budget(self):
        audit = ["run", "--ranks", "2,3", "--budget", "6s", "--output", "out"]
        # A generated call may crash in the library; the next session leaves the call out.
        for _ in range(12):
            done = self.expect_code(None, *audit, ranks=3)
            if done.returncode in (0, 3, 5):
                break
            self.assertIn("on generated calls", done.stderr)
            audit += ["--resume"] if "--resume" not in audit else []
        self.assertIn(done.returncode, (0, 3, 5), done.stderr)
        for ranks in (2, 3):
            report = self.valid_report(f"out/ranks-{ranks}")
            self.assertTrue(report["complete"])
            self.assertIn(report["options"]["budget"], ("3000ms", "6000ms"))
            # A call that crashes leaves no number of ranks without measurements.
            self.assertEqual("generated_calls" in report, HAS_CHECKER and ranks == 3)

    def test_a_single_number_has_the_folder_and_the_screen_of_an_audit(self):
        self.write("known.json", KNOWN)
        done = self.expect_code(DONE, "run", *ONE, "--ranks", "2", "--output", "out", ranks=3)
        self.assertIn("2 of 3 ranks", done.stdout)
        self.pretend("out", "MPI_Allgather(m)")
        self.expect_code(0, "judge", "out", "--report", "out/report.json")
        report = self.valid_report()
        self.assertEqual((report["machine"]["ranks"], report["launch_ranks"]), (2, 3))
        commands = [each["reproduce"] for each in report["checks"] if "reproduce" in each]
        self.assertTrue(commands)
        for each in commands:
            self.assertRegex(each, r" -n 3 .* --ranks 2( |$)")

    def test_first_nodes(self):
        self.expect_code(DONE, "run", *QUICK, "--node-size", "2", "--nodes", "1,all", "--output", "out",
                         ranks=4)
        self.assertEqual([self.valid_report(f"out/nodes-{nodes}")["machine"]["ranks"] for nodes in (1, 2)],
                         [2, 4])

    def test_answer_says_from_which_number_on(self):
        self.write("known.json", KNOWN)
        self.expect_code(DONE, "run", *ONE, "--ranks", "1..3:+1", "--output", "out", ranks=3)
        for ranks, slow in ((1, OTHER), (2, "MPI_Allgather(m)"), (3, "MPI_Allgather(m)")):
            self.pretend(f"out/ranks-{ranks}", slow)
        done = self.expect_code(0, "judge", "out", "--report", "joint.json")
        self.assertRegex(done.stdout, r"\nOperation +1 +2 +3\nMPI_Allgather +- +(2\.00|slow) +(2\.00|slow)\n"
                         r"  from 2 ranks on: slower than")
        self.assertEqual([each["folders"] for each in self.scaling("joint.json")],
                         [[f"out/ranks-{ranks}"] for ranks in (1, 2, 3)])
        # An option that changes the rule has an effect on each number.
        done = self.expect_code(0, "judge", "out", "--tolerance", "1.5")
        self.assertIn("No operation is slower", done.stdout)
        # Violations of all numbers are measured again in one launch.
        for folder, layout in (("again", "again/ranks-2"), (None, "out/ranks-2/confirmation")):
            output = ["--output", folder] if folder else []
            self.expect_code(DONE, "run", "--confirm", "out", *output, ranks=3)
            self.assertEqual(self.report(layout)["machine"]["ranks"], 2)
            self.assertTrue(self.report(layout)["confirms"]["suspects"])
        # On one rank nothing is violated.
        self.assertFalse((self.folder / "again/ranks-1").exists())
        for ranks in (2, 3):
            self.pretend(f"out/ranks-{ranks}", OTHER)
        done = self.expect_code(0, "run", "--confirm", "out", "--output", "nothing", ranks=3)
        self.assertIn("out/ranks-3 has no violation to confirm", done.stdout)
        self.assertFalse((self.folder / "nothing").exists())

    def test_wrong_values(self):
        for value, words in (("0", "--ranks: 0 is out of range; give 1 or more, as in 2,4,8,all"),
                             ("two", "--ranks: 'two'"), ("", "--ranks"),
                             ("2,3", "--ranks: 3 were expected, but the launcher has made an MPI job of 2; "
                              "start more, or give numbers up to 2")):
            self.assertIn(words, self.error_of(*QUICK, "--ranks", value, "--output", "out", ranks=2))
        self.assertIn("--nodes: the launch has 1 node, not 2; start more, or give numbers up to 1",
                      self.error_of(*QUICK, "--nodes", "1,2", "--output", "out", ranks=2))
        self.assertIn("--nodes: contradicts --ranks; give one of the two",
                      self.error_of("--nodes", "1", "--ranks", "1", ranks=2))
        self.assertIn("--junit: each number of --ranks has a report of its own",
                      self.error_of(*QUICK, "--ranks", "1,2", "--junit", "file", "--output", "out", ranks=2))
        self.assertIn("--resume: there is no audit in out",
                      self.error_of(*QUICK, "--ranks", "1,2", "--output", "out", "--resume", ranks=2))
        self.assertIn("--ranks: a dry run of a single process does not know all; give the number",
                      self.error_of("--dry-run", "--ranks", "2,all"))
        self.assertIn("--nodes: a dry run of a single process needs --ranks-per-node, too",
                      self.error_of("--dry-run", "--nodes", "2"))
        self.assertFalse((self.folder / "out").exists())

    def test_plan_of_several_numbers(self):
        for options in (["--ranks", "2,64"], ["--nodes", "1,32", "--ranks-per-node", "2"]):
            done = self.expect_code(0, "run", *QUICK, "--dry-run", *options)
            self.assertRegex(done.stdout, r"(?s) on 2 ranks\n.* on 64 ranks\n")
        done = self.expect_code(0, "run", *QUICK, "--dry-run", "--ranks", "1,all", ranks=2)
        self.assertRegex(done.stdout, r"(?s) on 1 rank\n.* on 2 ranks\n")

    def test_folders_are_not_mixed(self):
        self.expect_code(DONE, "run", *QUICK, "--ranks", "1,2", "--output", "out", ranks=2)
        self.assertIn("--output: out has an audit of 1 rank, too, which --ranks does not name",
                      self.error_of(*QUICK, "--ranks", "2,3", "--output", "out", "--overwrite", ranks=3))
        self.assertIn("there is an audit in out/ranks-1; give --resume to go on",
                      self.error_of(*QUICK, "--ranks", "1,2", "--output", "out", ranks=2))
        self.expect_code(DONE, "run", *QUICK, "--output", "single", ranks=2)
        self.assertIn("--output: single has an audit of a single number of ranks; give another folder",
                      self.error_of(*QUICK, "--ranks", "1,2", "--output", "single", ranks=2))
        done = self.expect_code(2, "judge", "out", "single")
        self.assertIn("single/ranks-1: is not the folder of an audit", done.stderr)

    def test_signal_to_a_sleeping_rank_ends_the_launch(self):
        """A resumed launch goes on with what is left of each number."""
        audit = ["run", "--guidelines", "irregular", "--distributions", "same,random", "--block-sizes",
                 "10,20,30", "--max-rounds", "20", "--ranks", "2,3", "--output", "out"]
        process = subprocess.Popen(command(audit, 3, "slow"), cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(lambda: send(signal.SIGKILL, descendants(process.pid)))
        self.wait_until(lambda: len(self.sample_lines("out/ranks-2")) >= 2, "two lines")
        ranks = [member for member in descendants(process.pid)
                 if Path(f"/proc/{member}/exe").resolve() == Path(MPIAUDIT).resolve()]
        self.assertEqual(len(ranks), 3)
        os.kill(self.sleeping(ranks), signal.SIGUSR1)
        _, errors = process.communicate(timeout=GUARD_S)
        self.assertEqual(process.returncode, 75, errors)
        self.assertIn("--ranks 2,3 --output out --resume", " ".join(errors.split()))
        self.assertFalse(self.report("out/ranks-2")["complete"])
        self.assertFalse((self.folder / "out/ranks-3").exists())
        before = self.sample_lines("out/ranks-2")
        self.expect_code(DONE, *audit, "--resume", ranks=3)
        self.assertEqual(self.sample_lines("out/ranks-2")[:len(before)], before)
        for number in (2, 3):
            report = self.report(f"out/ranks-{number}")
            self.assertTrue(report["complete"])
            self.assertEqual(len({each["id"] for each in report["problems"]}), 6)
        self.assertEqual(len(self.scaling()), 2)

    @staticmethod
    def sleeping(ranks):
        """Returns the process that has used the least processor time since its start: the sleeping rank."""
        def used(process):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            return int(fields[11]) + int(fields[12])
        return min(ranks, key=used)


main()
