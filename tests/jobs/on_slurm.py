# SPDX-License-Identifier: BSD-3-Clause
"""jobs/slurm on a Slurm of its own, which lives as long as a class of tests."""

import os
import unittest

from cluster import Cluster, missing_programs
from command import COMMAND, MPIAUDIT, QUICK, make_program, new_folder, record
from folder import GUARD_S


# The states that a job cannot leave. All others, such as SIGNALING while a warning is delivered, go on.
ENDED = ("BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
         "PREEMPTED", "TIMEOUT")


class OnSlurm(unittest.TestCase):
    """Classes of tests set the options of their cluster, and `launch`: options of submit."""

    maxDiff = None
    cluster_options: dict = {}
    launch: list = []

    @classmethod
    def setUpClass(cls):
        missing = missing_programs()
        if missing:
            raise unittest.SkipTest(f"{', '.join(missing)}: not installed (jobs/setup --for tests)")
        # The names of sockets in this folder may have only a hundred characters.
        folder = new_folder(cls)
        cls.results = folder / "results"
        cls.results.mkdir()
        cls.cluster = Cluster(folder, **cls.cluster_options)
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    @classmethod
    def command(cls, *words, **how):
        return cls.cluster.run(*COMMAND, "--results", cls.results, *words, **how)

    @classmethod
    def submit(cls, name, *options, audit=QUICK, program=MPIAUDIT):
        done = cls.command("submit", "--name", name, "--program", program, *cls.launch,
                           *options, "--", *audit)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return cls.results / name

    @classmethod
    def jobs(cls, name):
        return [entry["job"] for entry in record(cls.results / name)["jobs"]]

    @classmethod
    def field(cls, job, name):
        words = cls.cluster.run("scontrol", "show", "job", "-o", job).stdout.split()
        return next(word.split("=", 1)[1] for word in words if word.startswith(name + "="))

    @classmethod
    def wait_for_end(cls, jobs, seconds=GUARD_S):
        # Slurm 24.11 may take a minute to tell that a step has ended.
        cls.cluster.wait_until(
            lambda: all(cls.field(job, "JobState") in ENDED for job in jobs), seconds, f"job {jobs}")

    def collected(self, name, code, *options):
        done = self.command("collect", name, *options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr + self.log(name))
        return done.stdout

    def log(self, name):
        """Returns the logs of all jobs of an audit, for the message of a failure."""
        return "\n".join(file.read_text(errors="replace")
                         for file in (self.results / name).rglob("*.log"))

    @classmethod
    def wait_for_lines(cls, samples, count, seconds=GUARD_S):
        """Waits until a file of samples has this number of lines; the first line is no problem."""
        def has_lines():
            return samples.exists() and samples.read_bytes().count(b"\n") >= count

        cls.cluster.wait_until(has_lines, seconds, str(samples))
        return samples.read_bytes()

    @classmethod
    def slow_program(cls, delay_us=5000):
        """mpiaudit with a library that takes so much longer for every MPI_Gatherv."""
        program = cls.results / f"slow-mpiaudit-{delay_us}"
        preload = f"{os.environ['FAULTY_MPI']}:{os.environ.get('LD_PRELOAD', '')}"
        make_program(program, f'#!/bin/sh\nLD_PRELOAD="{preload}" FAULT=slow FAULT_US={delay_us} '
                              f'exec {MPIAUDIT} "$@"\n')
        return program
