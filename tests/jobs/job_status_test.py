# SPDX-License-Identifier: BSD-3-Clause
"""What jobs/slurm says of its jobs, and jobs that end before their problem, without Slurm."""

import json
import os
import signal
import subprocess
import sys
import time

from command import MPIAUDIT, JobsTest, make_program, new_folder
from folder import GUARD_S, ROOT

sys.path.insert(0, str(ROOT / "jobs"))

SCONTROL_SHOWS = """#!/bin/sh
echo "JobId=$4 $(cat "$STATES/$4")"
"""


class Status(JobsTest):
    """What is said of jobs that have ended, by a stand-in for Slurm."""

    def setUp(self):
        super().setUp()
        self.night = self.results / "night"
        self.launch = self.night / "nodes-1" / "launch-1"
        self.launch.mkdir(parents=True)
        make_program(self.folder / "scontrol", SCONTROL_SHOWS)
        self.write_record(self.night)
        self.state(5, "JobState=COMPLETED Reason=None ExitCode=0:0")

    def write_record(self, folder):
        (folder / "submission.json").write_text(json.dumps({
            "kind": "mpiaudit submission", "submitted": "now", "program": MPIAUDIT, "launches": 1,
            "jobs": [{"nodes": 1, "ranks": 2, "folder": "nodes-1", "job": "5"}], "collect_job": "6"}))

    def state(self, job, text):
        (self.folder / str(job)).write_text(text)

    def said(self, *words, code=0):
        return self.run_command(*words, code=code, environment={
            "STATES": str(self.folder), "PATH": f"{self.folder}:{os.environ['PATH']}"})

    def test_chosen_problems_are_not_counted_among_the_planned_ones(self):
        self.state(6, "JobState=PENDING Reason=Dependency ExitCode=0:0")
        lines = [{"kind": "header", "planned_problems": 2}, {"id": "a", "kind": "problem"},
                 *({"chosen": True, "id": name, "kind": "problem"} for name in "bc"),
                 {"id": "a", "kind": "problem"}]
        (self.launch / "samples.jsonl").write_text("".join(
            json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        self.assertRegex(self.said("status", "night").stdout,
                         "0 of 1 launch, 1 of 2 problems of launch-1, and 2 that it chose on the way\n$")

    def test_a_collect_job_that_failed_is_named_with_its_log(self):
        (self.launch / "report.json").write_text(
            '{"complete": true, "summary": {"violated": 0, "holds": 1}}')
        self.state(6, "JobState=FAILED Reason=NonZeroExitCode ExitCode=127:0")
        (self.night / "collect.log").write_text("env: python3: no such file\n")
        said = self.said("status", "night").stdout
        self.assertRegex(said, r"(?s)1 of 1 launch\nthe results cannot be collected:\nits job 6 is FAILED "
                               r"\(NonZeroExitCode, exit code 127\)\n.*env: python3: no such file\n"
                               r"to try again: jobs/slurm collect night\n$")
        self.assertRegex(self.said("status").stdout, "night +now +1 of 1 +collect fails\n")
        self.state(6, "JobState=FAILED Reason=NonZeroExitCode ExitCode=1:0")
        self.assertRegex(self.said("status").stdout, "night +now +1 of 1 +done\n")

    def test_jobs_that_decided_nothing_need_more_time(self):
        (self.launch / "report.json").write_text(
            '{"complete": true, "summary": {"violated": 0, "holds": 0, "undecided": 9}}')
        self.state(6, "JobState=COMPLETED Reason=None ExitCode=0:0")
        self.assertIn("1 of 1 launch, but no check has a verdict: submit again with more time (--time)\n",
                      self.said("status", "night").stdout)

    def test_why_collect_failed_is_kept_until_it_succeeds(self):
        (self.launch / "report.json").write_text('{"complete": true, "schema_version": "9.0"}')
        self.state(6, "JobState=COMPLETED Reason=None ExitCode=0:0")
        error = self.said("collect", "night", code=2).stderr
        self.assertIn("its schema_version is 9.0", error)
        self.assertIn(f"the results cannot be collected:\n{error.removeprefix('jobs/slurm: ')}",
                      self.said("status", "night").stdout)


# Stand-ins for the commands of a job script. The program has `done` problems after its first start, and the
# next problem does not end. A requeue ends the script, as Slurm does.
SRUN = """#!/bin/bash
while [[ $1 == --* ]]; do shift; done
exec "$@"
"""
PROGRAM = """#!/bin/bash
trap "$AT_WARNING" USR1
while (($#)); do [[ $1 != --output ]] || output=$2; shift; done
mkdir -p "$output"
for ((i = 0; i < DONE; i++)); do echo '{"kind":"problem"}' >>"$output/samples.jsonl"; done
: >"$BEGUN"
trap 'exit 143' TERM
while :; do sleep 0.1; done
"""
SCONTROL = """#!/bin/bash
if [[ $1 == requeue ]]; then
    echo "$2" >"$REQUEUED"
    { sleep 0.5 && kill -s TERM $PPID; } >/dev/null 2>&1 &
fi
"""


class ProblemThatDoesNotEnd(JobsTest):
    """A job that is warned while it measures a problem that takes longer than what is left."""

    def run_job(self, done, restarts=0, at_warning=":"):
        is_given_up = at_warning == ":"
        # The script gives up ten seconds before the end. A program that gives up itself gets more time on a
        # busy machine.
        end = int(time.time()) + (12 if is_given_up else 600)
        tools = new_folder(self)
        for name, text in (("srun", SRUN), ("program", PROGRAM), ("scontrol", SCONTROL)):
            make_program(tools / name, text)
        script = self.run_command("submit", "--name", "late", "--nodes", "1", "--ppn", "1", "--time",
                                  "1m", "--mpi", "openmpi", "--program", tools / "program",
                                  "--no-collect", "--dry-run", "--restarts", "1").stdout
        folder = self.results / "late" / "nodes-1"
        folder.mkdir(parents=True, exist_ok=True)
        begun = tools / "begun"
        with subprocess.Popen(
                ["bash", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "DONE": str(done),
                     "AT_WARNING": at_warning,
                     "SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "n1", "BEGUN": str(begun),
                     "SLURM_RESTART_COUNT": str(restarts), "REQUEUED": str(tools / "requeued"),
                     "SLURM_JOB_END_TIME": str(end)}) as job:
            self.wait_until(lambda: begun.exists() or job.poll() is not None, "the program")
            job.send_signal(signal.SIGUSR1)
            try:
                text, _ = job.communicate(timeout=GUARD_S)
            except subprocess.TimeoutExpired:
                job.kill()
                raise
        self.assertEqual("does not end in time and is given up" in text, is_given_up, text)
        return job.returncode, (tools / "requeued").exists(), text

    def test_the_job_queues_again_before_its_end(self):
        code, is_requeued, text = self.run_job(done=2)
        self.assertEqual((code, is_requeued), (75, True), text)

    def test_so_does_one_that_gives_the_problem_up_itself(self):
        code, is_requeued, text = self.run_job(done=1, at_warning="exit 75")
        self.assertEqual((code, is_requeued), (75, True), text)

    def test_the_job_does_not_queue_again_without_progress(self):
        # Whether the program gives the problem up itself or not.
        for at_warning in (":", "exit 75"):
            code, is_requeued, text = self.run_job(done=0, at_warning=at_warning)
            self.assertEqual((code, is_requeued), (75, False), text)
            self.assertIn("submit jobs with more time", text)
        code, is_requeued, text = self.run_job(done=2, restarts=1)
        self.assertEqual((code, is_requeued), (75, False), text)
        self.assertIn("restart 1 of 1", text)
