# SPDX-License-Identifier: BSD-3-Clause
"""The commands of docs/jobs.md with the default guidelines and several launches, up to the answer, with
jobs killed, requeued, cancelled and resumed in between."""

import json
import re
import unittest

from command import record
from folder import GUARD_S
from on_slurm import ENDED, OnSlurm

# A violation that is found on the first problems already, if the machine has time for any.
SLOW_US = 2000
BUDGET = ["--budget", "6s"]


class Night(OnSlurm):
    launch = ["--mpi", "openmpi"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster.require_pmix()

    def samples(self, nodes, launch=1):
        return self.folder / f"nodes-{nodes}" / f"launch-{launch}" / "samples.jsonl"

    def report(self, nodes, launch):
        file = self.samples(nodes, launch).with_name("report.json")
        return json.loads(file.read_text()) if file.exists() else None

    def interrupt(self, nodes, job, *words):
        """Interrupts the job as soon as it has measured something. Returns the complete lines."""
        # The job before takes its time on a busy machine.
        lines = self.wait_for_lines(self.samples(nodes), 3)
        done = self.cluster.run(*words, job) if words else self.command("cancel", "night")
        self.assertEqual(done.returncode, 0, done.stderr)
        return lines[:lines.rindex(b"\n") + 1]

    def collect_job(self):
        return record(self.folder)["collect_job"]

    def test_night(self):
        self.folder = self.submit("night", "--nodes", "1,2,4", "--ppn", "2", "--time", "10m",
                                  "--launches", "3", audit=BUDGET,
                                  program=self.slow_program(SLOW_US))
        one, two, four = self.jobs("night")
        before = [self.interrupt(1, one, "scancel", "--signal=KILL", "--full"),
                  self.interrupt(2, two, "scontrol", "requeue")]
        before.append(self.interrupt(4, four))
        self.wait_for_end([one, two, four])
        self.assertEqual(self.field(two, "JobState"), "COMPLETED", self.log("night"))
        self.assertEqual(self.field(two, "Restarts"), "1")
        status = self.command("status", "night").stdout
        for measured, planned in re.findall(r"(\d+) of (\d+) problems of launch-1", status):
            self.assertLess(int(measured), int(planned), status)
        text = self.collected("night", 1)
        for nodes in ("1 node", "4 nodes"):
            self.assertRegex(text, f"missing: {nodes}: job .* 0 of 3 launches")
        self.assertIn("to continue the jobs that have ended: jobs/slurm resume night", text)

        self.assertEqual(self.command("resume", "night").returncode, 0)
        one, _, four = self.jobs("night")
        # The launches that confirm the first one are interrupted, if there are violations.
        self.cluster.wait_until(
            lambda: self.samples(1, 2).exists() or self.field(one, "JobState") in ENDED, GUARD_S,
            "launch-2")
        self.cluster.run("scontrol", "requeue", one)
        self.wait_for_end([one, four, self.collect_job()])
        for job in (one, two, four, self.collect_job()):
            self.assertEqual(self.field(job, "JobState"), "COMPLETED", self.log("night"))
        for nodes, lines in zip((1, 2, 4), before):
            self.assertTrue(self.samples(nodes).read_bytes().startswith(lines))
        self.check_launches()
        self.check_answer(self.collected("night", 0))

    def check_launches(self):
        """The later ones measure the violations of the first one."""
        status = self.command("status", "night").stdout
        for nodes in (1, 2, 4):
            first = self.report(nodes, 1)
            has_violation = first["summary"]["violated"] > 0
            self.assertRegex(status, rf"\n{nodes} .* COMPLETED .* " +
                             ("3 of 3 launches\n" if has_violation else "1 of 1 launch"))
            for launch in (2, 3):
                later = self.report(nodes, launch)
                self.assertEqual(later is not None, has_violation)
                if later is not None:
                    self.assertEqual(later["confirms"]["started"], first["started"])

    def check_answer(self, text):
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 60, text)
        for line in lines:
            self.assertLessEqual(len(line.replace(str(self.folder), "results/night")), 80, line)
        reports = json.loads((self.folder / "scaling.json").read_text())["reports"]
        self.assertEqual([report["machine"]["ranks"] for report in reports], [2, 4, 8])
        for report, scale in zip(reports, ("1 node, 2 ranks", "2 nodes, 4 ranks", "4 nodes, 8 ranks")):
            launches = f"{len(report['launches'])} launches" if "launches" in report else "a single launch"
            self.assertIn(f"\n{scale}, {launches}: ", text)
        answer = (self.folder / "scaling.txt").read_text()
        self.assertTrue(answer.startswith(lines[0]), answer)
        slow = {each["operation"] for report in reports for each in report["ranges"]}
        self.assertLessEqual(answer.count("\n! "), len(slow))
        is_decided = any(report["summary"]["violated"] + report["summary"]["holds"] for report in reports)
        self.assertEqual("No operation is slower" in answer, is_decided and "\n! " not in answer)


unittest.main(verbosity=2)
