# SPDX-License-Identifier: BSD-3-Clause
"""An audit that is killed in the middle and goes on later."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

from folder import ALL_TIME, GUARD_S
from program import DONE, MPIAUDIT, ProgramTest, command, descendants, main, send

AUDIT = ["run", "--guidelines", "irregular", "--distributions", "same,random,decreasing,alternating",
         "--block-sizes", "10,20,30", "--max-rounds", "20", "--output", "out"]
PROBLEMS = 12


def kill_all(process):
    send(signal.SIGKILL, descendants(process.pid))
    process.wait()


class Resume(ProgramTest):
    def started(self, lines):
        """Returns the process of an audit when its file of samples has this number of lines."""
        # The operation is slow, so that the audit cannot end before it is killed.
        process = subprocess.Popen(command(AUDIT, 2, "slow"), cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(kill_all, process)
        self.wait_until(lambda: len(self.sample_lines()) >= lines, f"{lines} lines")
        return process

    @staticmethod
    def without_load(warnings: list[str]) -> list[str]:
        """Warnings about a shared machine are left out."""
        return [each for each in warnings
                if "other programs" not in each and "changed its pace" not in each]

    def test_signal_ends_an_audit_after_its_problem(self):
        """A batch system sends this signal to the ranks before the time limit."""
        process = self.started(3)
        ranks = [member for member in descendants(process.pid)
                 if Path(f"/proc/{member}/exe").resolve() == Path(MPIAUDIT).resolve()]
        self.assertEqual(len(ranks), 2)
        os.kill(ranks[1], signal.SIGUSR1)
        self.assertEqual(process.wait(GUARD_S), 75)
        report = self.report()
        self.assertFalse(report["complete"])
        self.assertEqual({problem["id"] for problem in report["problems"]},
                         {problem["id"] for problem in self.problems()})
        self.assertLess(len(self.problems()), PROBLEMS)
        left = len(self.problems())
        self.expect_code(DONE, *AUDIT, "--resume", ranks=2)
        continued = [each.get("continued") for each in self.problems()]
        self.assertEqual([index for index, each in enumerate(continued) if each], [left])
        # Another session may find other load on the machine, but no other hosts.
        self.assertEqual(self.without_load(self.report()["warnings"]),
                         self.without_load(report["warnings"]))
        # The same on other hosts is worth a warning.
        lines = self.sample_lines()
        continued[left]["hosts"] = ["elsewhere"]
        problem = self.problems()[left] | {"continued": continued[left]}
        place, = (index for index, line in enumerate(lines) if b'"continued"' in line)
        lines[place] = json.dumps(problem).encode() + b"\n"
        (self.folder / "out" / "samples.jsonl").write_bytes(b"".join(lines))
        self.expect_code(DONE, "judge", "out", "--report", "out/report.json")
        self.assertIn(f"the audit went on with {problem['id']} on other hosts (elsewhere): compare "
                      "its problems with care", self.report()["warnings"])

    def test_killed_audit_goes_on_where_it_was(self):
        kill_all(self.started(4))
        before = self.sample_lines()
        self.assertGreaterEqual(len(before), 4)
        self.assertLess(len(before), 1 + PROBLEMS)
        self.assertFalse((self.folder / "out" / "report.json").exists())
        file = self.folder / "out" / "samples.jsonl"
        file.write_bytes(b"".join(before) + before[-1][: len(before[-1]) // 2])

        done = self.expect_code(DONE, *AUDIT, "--resume", ranks=2)
        self.assertIn("the last line of out/samples.jsonl was half-written and is dropped",
                      done.stderr)
        after = self.sample_lines()
        self.assertEqual(after[: len(before)], before)
        self.assertEqual(b"".join(after), file.read_bytes())
        ids = [problem["id"] for problem in self.problems()]
        self.assertEqual(len(ids), PROBLEMS)
        self.assertEqual(len(set(ids)), PROBLEMS)
        report = self.report()
        self.assertTrue(report["complete"])
        checks = [(check["guideline"], check["problem"]) for check in report["checks"]]
        self.assertEqual(len(checks), PROBLEMS * len(report["guidelines"]))
        self.assertEqual(len(set(checks)), len(checks))

        # A third session has nothing left to measure.
        self.expect_code(DONE, *AUDIT, "--resume", ranks=2)
        self.assertEqual(self.sample_lines(), after)

    def test_problems_without_time_are_measured_with_more_budget(self):
        """The first session has no time for all problems."""
        audit = ["run", "--collectives", "MPI_Gather,MPI_Bcast", "--distributions", "same,random",
                 "--max-rounds", "8", "--output", "out"]
        self.expect_code(DONE, *audit, "--budget", "300ms", ranks=2, fault="slow")
        before = self.report()
        self.assertTrue(before["complete"])
        measured = {check["problem"] for check in before["checks"] if check["verdict"] != "skipped"}
        reasons = {check["reason"] for check in before["checks"] if check["verdict"] == "skipped"}
        self.assertIn("no time was left to measure it (--budget)", reasons)
        self.expect_code(DONE, *audit, *ALL_TIME, "--resume", ranks=2)
        after = self.report()
        self.assertEqual([problem["id"] for problem in after["problems"]],
                         [problem["id"] for problem in before["problems"]])
        self.assertLess(len(measured), len({check["problem"] for check in after["checks"]
                                            if check["verdict"] != "skipped"}))

    def test_no_option_of_a_session_takes_the_checks_beyond_the_bound(self):
        """Alpha is divided by the checks of the first session: each option that may differ in the next one
        (`mpiaudit list options`) leaves their number, or is refused.
        """
        audit = ["run", "--guidelines", "library", "--collectives", "MPI_Bcast", "--distributions", "same",
                 "--block-sizes", "1,10", "--max-rounds", "4", "--output"]
        self.expect_code(DONE, *audit, "first", "--budget", "1ms", ranks=2)
        bound = self.report("first")["rule"]["checks"]
        values = {"budget": ALL_TIME[1], "hang-after": "200s", "order-seed": "9", "confirm": "first",
                  "launches": "2", "ranks": "2", "ranks-per-node": "2", "fail-on": "never",
                  "baseline": "first", "output": "out", "color": "never", "progress": "never"}
        rows = [row.split()[:3] for row in
                self.expect_code(0, "list", "options").stdout.splitlines()]
        changeable = [(name, kind) for name, belongs_to, kind in rows if belongs_to != "audit"]
        self.assertIn(("budget", "value"), changeable)
        most = 0
        for name, kind in changeable:
            with self.subTest(name):
                # An option without a value here names the file of a format.
                words = [f"--{name}"] + ([values.get(name, f"{name}.txt")] if kind == "value" else [])
                if name != "budget":
                    words += ["--budget", "1ms"]
                if name == "launches":
                    words += ["--confirm", "first"]
                shutil.copytree(self.folder / "first", self.folder / "out", dirs_exist_ok=True)
                if name != "resume":
                    words += ["--resume"]
                self.expect_code((*DONE, 2), *audit, "out", *words, ranks=2)
                report = self.report()
                self.assertEqual(report["rule"]["checks"], bound)
                judged = [each for each in report["checks"] if each["verdict"] != "skipped"]
                self.assertLessEqual(len(judged), bound)
                most = max(most, len(judged))
        self.assertGreater(most, bound // 2, "a session that measures nothing proves nothing")

    def test_sessions_on_a_larger_machine_have_the_memory_of_the_first(self):
        """The default of --memory follows the machine. Here the first session had less."""
        audit = ["run", "--guidelines", "irregular", "--distributions", "same", "--block-sizes", "10,100000",
                 "--max-rounds", "8", "--output", "out"]
        self.expect_code(DONE, *audit, ranks=2)
        lines = self.sample_lines()
        header = json.loads(lines[0])
        header["limits"]["memory_bytes"] = 1000
        header["rule"]["checks"] = 9  # 3 checks of blocks of 10, and 6 statements about long calls
        (self.folder / "out" / "samples.jsonl").write_bytes(json.dumps(header).encode() + b"\n")
        self.expect_code(DONE, *audit, "--resume", ranks=2)
        reasons = {check.get("reason", "") for check in self.report()["checks"]
                   if check["problem"] == "same/b=100000"}
        self.assertTrue(reasons and all("1.0 KiB allowed" in each for each in reasons), reasons)
        # An audit of an earlier version has no such limit, so checks beyond its bound are refused.
        del header["limits"]
        (self.folder / "out" / "samples.jsonl").write_bytes(json.dumps(header).encode() + b"\n")
        done = self.expect_code(2, *audit, "--resume", ranks=2)
        self.assertIn("divides alpha by 9 checks, and this session has ", " ".join(done.stderr.split()))

    def test_other_options_are_another_audit(self):
        audit = {"--distributions": "same", "--block-sizes": "1", "--max-rounds": "8"}

        def arguments(**changed):
            options = {**audit, **{f"--{name.replace('_', '-')}": changed[name] for name in changed}}
            return ["run", "--guidelines", "irregular", "--output", "out",
                    *(word for pair in options.items() for word in pair)]

        self.expect_code(DONE, *arguments())
        before = self.sample_lines()
        for changed in ({"max_rounds": "9"}, {"element": "double"}, {"seed": "2"},
                        {"tolerance": "0.1"}, {"distributions": "random"}, {"only": "irregular-1"}):
            with self.subTest(changed):
                done = self.expect_code(2, *arguments(**changed), "--resume")
                option = next(iter(changed)).replace("_", "-")
                self.assertIn(f"mpiaudit: --resume: the audit in out has --{option} ", done.stderr)
        done = self.expect_code(2, *arguments(), "--resume", ranks=2)
        self.assertIn("--resume: the audit in out ran on 1 ranks, not 2", done.stderr)
        self.assertEqual(self.sample_lines(), before)
        # Options that do not decide how problems are measured may change.
        self.expect_code(DONE, *arguments(budget="1m", color="never"), "--resume")
        self.assertEqual(self.sample_lines(), before)

    def test_resumed_rounds_have_the_recorded_seed(self):
        audit = ["run", "--guidelines", "irregular", "--distributions", "same",
                 "--block-sizes", "1,10", "--max-rounds", "5", "--judge", "minima", "--output"]
        for folder in ("whole", "out"):
            self.expect_code(0, *audit, folder, "--order-seed", "7")
        lines = self.sample_lines()
        (self.folder / "out" / "samples.jsonl").write_bytes(b"".join(lines[:2]))
        # The seed of the orders need not be given again.
        self.expect_code(0, *audit, "out", "--resume")
        self.assertEqual(json.loads(self.sample_lines()[0])["options"]["order-seed"], 7)
        self.assertEqual([problem["order"] for problem in self.problems("out")],
                         [problem["order"] for problem in self.problems("whole")])

    def test_nothing_to_resume(self):
        done = self.expect_code(2, *AUDIT, "--resume")
        self.assertIn("--resume: there is no audit in out", done.stderr)
        self.assertFalse((self.folder / "out").exists())


main()
