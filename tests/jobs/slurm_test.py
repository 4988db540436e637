# SPDX-License-Identifier: BSD-3-Clause
"""Open MPI in jobs of Slurm: node counts, launchers, interruptions, failures, limits."""

import json
import os
import re
import shutil
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from command import COMMAND, MPIAUDIT, QUICK, make_program
from folder import ROOT
from on_slurm import OnSlurm

# Problems that take about a second each, asleep.
SLOW = ["--block-sizes", "1,10", "--max-rounds", "120", "--judge", "minima", "--only",
        "irregular-native-tuw"]


class OpenMpi(OnSlurm):
    launch = ["--mpi", "openmpi", "--ppn", "2", "--time", "10m", "--order", "free"]

    @classmethod
    def setUpClass(cls):
        """Starts the slow jobs, which mostly sleep; the tests look at them when the jobs are over."""
        super().setUpClass()
        cls.cluster.require_pmix()
        slow = cls.slow_program()
        cls.before = {}

        def interrupt(name, nodes, *words):
            """Interrupts the audit as soon as it has measured something; it must not end before."""
            folder = cls.submit(name, "--nodes", nodes, "--no-collect", audit=SLOW, program=slow)
            lines = cls.wait_for_lines(folder / f"nodes-{nodes}" / "launch-1" / "samples.jsonl", 3)
            cls.before[name] = lines[:lines.rindex(b"\n") + 1]
            return cls.cluster.run(*words, *cls.jobs(name)) if words else cls.command("cancel", name)

        with ThreadPoolExecutor() as pool:
            begun = [pool.submit(interrupt, *each) for each in (
                ("cancelled", "1"), ("warned", "2", "scancel", "--signal=USR1", "--batch"),
                ("killed", "1", "scancel", "--signal=KILL", "--full"),
                ("requeued", "1", "scontrol", "requeue"))]
            cls.submit("limit", "--nodes", "1", "--time", "1m", "--restarts", "0", "--no-collect",
                       audit=["--block-sizes", "1..32:x2", "--max-rounds", "200", *SLOW[4:],
                              "--budget", "1h"], program=slow)
            cls.cancelled, *_ = [each.result() for each in begun]

    def samples(self, name, nodes=1):
        return (self.results / name / f"nodes-{nodes}" / "launch-1" / "samples.jsonl").read_bytes()

    def require_one_restart(self, name):
        job, = self.jobs(name)
        self.wait_for_end([job])
        self.assertEqual(self.field(job, "JobState"), "COMPLETED", self.log(name))
        self.assertEqual(self.field(job, "Restarts"), "1")

    def test_node_counts_are_merged_into_one_report(self):
        folder = self.submit("scaling", "--nodes", "1,2,4", "--order", "chained")
        collect_job = json.loads((folder / "submission.json").read_text())["collect_job"]
        self.wait_for_end([*self.jobs("scaling"), collect_job])
        # The last job of the audit has merged the measurements of the others.
        self.assertEqual(self.field(collect_job, "JobState"), "COMPLETED", self.log("scaling"))
        merged = json.loads((folder / "scaling.json").read_text())
        self.assertEqual([report["machine"]["ranks"] for report in merged["reports"]], [2, 4, 8])
        if self.cluster.is_isolated:
            self.assertEqual([len(report["machine"]["hosts"]) for report in merged["reports"]],
                             [1, 2, 4])
        for ranks in (2, 4, 8):
            self.assertIn(f"{ranks} ranks", (folder / "scaling.txt").read_text())
        # The record of the job.
        report = merged["reports"][2]
        self.assertEqual(report["job"]["launcher"], ["srun", "--mpi=pmix", "--nodes=4", "--ntasks=8",
                                                     "--ntasks-per-node=2", "--kill-on-bad-exit=1"])
        for part in ("slurm-wlm ", "NodeList=n[1-4]", "\nn4\n", "MpiDefault"):
            self.assertIn(part, report["job"]["record"])
        self.assertEqual(report["environment"]["SLURM_STEP_NUM_TASKS"], "8")
        self.assertEqual(len(report["machine"]["bindings"]), 8)
        # Ten minutes, less the warning and the minute that Slurm may be early.
        self.assertRegex(report["options"]["budget"], r"^4(80|7\d)s$")
        status = self.command("status", "scaling")
        self.assertEqual(len(re.findall("COMPLETED  0  .*1 of 1 launch", status.stdout)), 3, status)

        # A second submission under the name is refused. A killed collect leaves partial files.
        before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        done = self.command("submit", "--name", "scaling", "--nodes", "1", "--program", MPIAUDIT,
                            *self.launch)
        self.assertEqual(done.returncode, 2)
        self.assertIn("an audit of this name was submitted already", done.stderr)
        (folder / "scaling.json.999.part").write_text('{"half')
        foreign = folder / "notes.txt"
        foreign.write_text("mine")
        done = self.command("collect", "scaling", "--output", foreign)
        self.assertEqual(done.returncode, 2)
        self.assertIn("exists and is no report; give another file", done.stderr)
        self.assertEqual(foreign.read_text(), "mine")
        self.collected("scaling", 0)
        self.assertEqual({file: file.read_bytes() for file in before}, before)
        done = self.command("resume", "scaling")
        self.assertIn("all audits are complete, nothing is left to do", done.stderr)

    def test_one_job_for_all_numbers_of_nodes(self):
        folder = self.submit("one", "--nodes", "1,2", "--one-job", "--launches", "2", "--no-collect")
        job, = self.jobs("one")
        self.wait_for_end([job])
        self.assertEqual(self.field(job, "JobState"), "COMPLETED", self.log("one"))
        for nodes in (1, 2):
            report = json.loads((folder / f"nodes-2/launch-1/nodes-{nodes}/report.json").read_text())
            self.assertEqual(report["machine"]["ranks"], 2 * nodes)
            self.assertTrue(report["complete"])
        self.collected("one", 0)
        merged = json.loads((folder / "scaling.json").read_text())
        self.assertEqual([report["machine"]["ranks"] for report in merged["reports"]], [2, 4])

    def test_later_launches_confirm_the_first_one(self):
        """Options that the first launch has are not given to the others, which refuse them."""
        folder = self.submit("mpirun", "--nodes", "2", "--launcher", "mpirun", "--launches", "2",
                             "--no-collect", program=self.slow_program(200_000),
                             audit=[*QUICK, "--warmup", "1", "--judge", "minima", "--hang-after", "1m",
                                    "--fail-on", "violation"])
        job, = self.jobs("mpirun")
        self.wait_for_end([job])
        # The audit is complete, and the user has asked for this code.
        self.assertEqual(self.field(job, "ExitCode"), "1:0", self.log("mpirun"))
        self.assertIn("2 nodes, 4 ranks, 2 launches: ", self.collected("mpirun", 0))
        self.assertIn("2 of 2 launches", self.command("status", "mpirun").stdout)
        report = json.loads((folder / "scaling.json").read_text())
        first, second = report["launches"]
        self.assertEqual(second["confirms"]["started"], first["started"])
        again = {(each["guideline"], each["problem"]) for part in ("suspects", "controls")
                 for each in second["confirms"][part]}
        violated = 0
        for check in report["checks"]:
            is_again = (check["guideline"], check["problem"]) in again
            self.assertEqual([each["launch"] for each in check.get("launches", [])],
                             [1, 2] if is_again else [])
            violated += check["verdict"] == "violated"
        self.assertGreater(violated, 0)

    def test_without_violation_there_is_nothing_to_confirm(self):
        """A complete audit, whatever the number of launches."""
        folder = self.submit("clean", "--nodes", "1", "--launches", "3", "--no-collect",
                             audit=["--guidelines", "controls", "--distributions", "same",
                                    "--block-sizes", "10", "--max-rounds", "3"])
        job, = self.jobs("clean")
        self.wait_for_end([job])
        self.assertEqual(self.field(job, "JobState"), "COMPLETED", self.log("clean"))
        self.assertIn("1 node, 2 ranks, a single launch: ", self.collected("clean", 0))
        self.assertIn("1 of 1 launch", self.command("status", "clean").stdout)
        self.assertFalse((folder / "nodes-1" / "launch-2").exists())

    def test_warned_job_queues_again_and_goes_on(self):
        self.require_one_restart("warned")
        (left, planned), = re.findall(r"SIGUSR1: (\d+) of (\d+) problems are measured",
                                      self.log("warned"))
        lines = [json.loads(line) for line in self.samples("warned", 2).splitlines()]
        problems = [line for line in lines if line["kind"] == "problem"]
        self.assertEqual(len(problems), int(planned))
        self.assertEqual(len({problem["id"] for problem in problems}), int(planned))
        # Nothing that the first start has measured was measured again.
        self.assertEqual([index for index, each in enumerate(problems) if "continued" in each],
                         [int(left)])
        self.assertIn("4 ranks, ", self.collected("warned", 0))

    def test_cancelled_job_is_named_and_resumed(self):
        job, = self.jobs("cancelled")
        self.assertRegex(self.cancelled.stdout, f"job {job}: 1 node, cancelled after 0 of 1 launch")
        self.assertEqual(self.cancelled.returncode, 0, self.cancelled.stderr)
        watched = self.command("status", "cancelled", "--watch", "1")
        self.assertRegex(watched.stdout.splitlines()[-1], r"CANCELLED.* 0 +0 of 1")
        again = self.command("cancel", "cancelled")
        self.assertEqual(again.returncode, 2, again.stdout)
        self.assertIn("all jobs have ended, there is nothing to cancel", again.stderr)
        before = self.samples("cancelled")
        text = self.collected("cancelled", 1)
        self.assertRegex(text, f"missing: 1 node: job {job} is CANCELLED.*, 0 of 1 launch, "
                               r"\d+ of \d+ problems of launch-1")
        self.assertIn("to continue the jobs that have ended: jobs/slurm resume cancelled", text)
        self.assertRegex(self.command("status").stdout, r"cancelled +\d\S+Z +0 of 1 +1 CANCELLED\n")
        done = self.command("resume", "cancelled")
        self.assertEqual(done.returncode, 0, done.stderr)
        again, = self.jobs("cancelled")
        self.assertNotEqual(again, job)
        self.wait_for_end([again])
        self.collected("cancelled", 0)
        self.assertTrue(self.samples("cancelled").startswith(before))

    def test_job_that_somebody_requeues_goes_on(self):
        self.require_one_restart("requeued")
        self.assertTrue(self.samples("requeued").startswith(self.before["requeued"]))
        self.assertIn("2 ranks, ", self.collected("requeued", 0))

    def test_job_that_is_killed_is_named_and_resumed(self):
        job, = self.jobs("killed")
        self.wait_for_end([job])
        self.assertRegex(self.collected("killed", 1),
                         rf"missing: 1 node: job {job} is [A-Z]+.*, 0 of 1 launch")
        done = self.command("resume", "killed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.wait_for_end(self.jobs("killed"))
        self.assertTrue(self.samples("killed").startswith(self.before["killed"]))
        self.collected("killed", 0)

    def test_one_of_two_simultaneous_submissions_is_made(self):
        with ThreadPoolExecutor(2) as pool:
            both = list(pool.map(lambda _: self.command(
                "submit", "--name", "twice", "--nodes", "1", "--no-collect", "--program", MPIAUDIT,
                *self.launch, "--", *QUICK), range(2)))
        self.assertEqual(sorted(done.returncode for done in both), [0, 2], both)
        self.assertRegex(next(done.stderr for done in both if done.returncode == 2),
                         "audit of this name was submitted already|the folder exists already")
        self.wait_for_end(self.jobs("twice"))
        self.assertIn("2 ranks, ", self.collected("twice", 0))

    def test_failures_are_named_with_state_and_log(self):
        program = self.results / "refuses-in-jobs"
        make_program(program, f'''#!/bin/sh
case "$*" in *--output*) exec {MPIAUDIT} "$@" --only nonsense ;; *) exec {MPIAUDIT} "$@" ;; esac
''')
        self.submit("broken", "--nodes", "1,2", "--no-collect", program=program)
        self.submit("wrong-pmi", "--nodes", "2", "--no-collect", "--pmi", "pmi2")
        self.wait_for_end([*self.jobs("broken"), *self.jobs("wrong-pmi")])
        text = self.collected("broken", 1)
        for nodes, job in zip(("1 node", "2 nodes"), self.jobs("broken")):
            self.assertIn(f"missing: {nodes}: job {job} is FAILED (NonZeroExitCode, exit code 2), "
                          "0 of 1 launch", text)
        self.assertIn("unknown guideline id 'nonsense'", text)
        # The refused job would fail again.
        self.assertIn("mpiaudit refuses its options (exit code 2)", text)
        self.assertNotIn("jobs/slurm resume", text)
        self.assertFalse((self.results / "broken" / "scaling.json").exists())
        self.assertIn("is FAILED (NonZeroExitCode", self.collected("wrong-pmi", 1))

    def test_launch_other_than_asked_is_noticed(self):
        def error_of(*words):
            done = self.cluster.run("srun", "--quiet", "-N2", "--ntasks-per-node=2", *words,
                                    cwd=self.results)
            self.assertEqual(done.returncode, 2, done.stderr)
            message, = [line for line in done.stderr.splitlines() if line.startswith("mpiaudit: ")]
            return message

        run = ["--mpi=pmix", MPIAUDIT, "run", *QUICK]
        self.assertIn("--ranks: 8 were expected, but the launcher has made an MPI job of 4",
                      error_of(*run, "--ranks", "8"))
        self.assertIn("--ranks-per-node: 4 were expected, but the launcher has put 2 on a node",
                      error_of(*run, "--ranks-per-node", "4"))
        self.assertEqual(list(self.results.glob("results")), [])

    def test_jobs_that_slurm_refuses(self):
        for options, complaint in ((["--nodes", "1", "--partition", "nope"],
                                    "invalid partition specified: nope"),
                                   (["--nodes", "1,99"], "Slurm refuses nodes-99/job.sh: "),
                                   (["--nodes", "1", "--pmi", "pmi3"],
                                    "--pmi pmi3: srun of this Slurm has only ")):
            with self.subTest(options):
                done = self.command("submit", "--name", "refused", "--program", MPIAUDIT,
                                    *self.launch, *options)
                self.assertEqual(done.returncode, 2)
                self.assertIn(complaint, done.stderr)
                self.assertFalse((self.results / "refused").exists())
        self.assertNotIn("refused", self.cluster.run("squeue", "-h", "-o", "%j").stdout)

    def test_time_limit_is_honoured(self):
        """Slurm's own warning, of a job that takes longer than its limit."""
        job, = self.jobs("limit")
        self.wait_for_end([job])
        self.assertEqual(self.field(job, "JobState"), "FAILED", self.log("limit"))
        self.assertEqual(self.field(job, "ExitCode"), "75:0")
        text = self.collected("limit", 1)
        self.assertRegex(text, r"0 of 1 launch, [1-9]\d* of \d+ problems of launch-1")
        self.assertIn("SIGUSR1, restart 0 of 0", text)


def is_readable_for_others(*files):
    return all(os.stat(place).st_mode & 0o005 == 0o005
               for file in files for place in (Path(file).resolve(), *Path(file).resolve().parents))


@unittest.skipUnless(os.getuid() == 0, "the other tests run as an ordinary user already")
@unittest.skipUnless(is_readable_for_others(sys.executable, MPIAUDIT, *COMMAND[-1:],
                                            ROOT / "analysis"),
                     "other users cannot read this clone")
@unittest.skipUnless(shutil.which("mpirun.openmpi"), "only with Debian's Open MPI")
class OrdinaryUser(OnSlurm):
    """The whole way, from the daemons to the report, by a user without privileges."""

    cluster_options = {"user": "nobody", "nodes": 2}
    launch = ["--mpi", "openmpi", "--ppn", "2", "--time", "10m"]

    def test_submit_and_collect(self):
        shutil.chown(self.results, "nobody")
        self.submit("own", "--nodes", "1,2", "--no-collect")
        self.wait_for_end(self.jobs("own"))
        text = self.collected("own", 0)
        self.assertRegex(text, "(?s)2 ranks, .*\n.*4 ranks, ")


unittest.main(verbosity=2)
