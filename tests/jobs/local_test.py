# SPDX-License-Identifier: BSD-3-Clause
"""jobs/local with a program that only notes what it is asked for."""

import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from command import MPIAUDIT, NOTES, NotedTest
from folder import ROOT

# Lists options as the program does. An audit leaves its files, a confirmation only where the audit
# has violations.
PROGRAM = NOTES + """
if [[ $1 == --version && -n ${VERSION:-} ]]; then
    echo "$VERSION" && exit
fi
[[ $1 != list && $1 != --version ]] || exec "$MPIAUDIT" "$@"
note "$@"
if [[ $1 == run ]]; then
    # Another call writes to this folder.
    made=${given[--output]}
    mkdir -p "$made"
    [[ -z ${REFUSED:-} ]] || { touch "$made/samples.jsonl" && exit 2; }
    # An audit that goes on until it is ended.
    [[ -z ${ENDLESS:-} ]] || { touch "$made/samples.jsonl" && exec sleep "$ENDLESS"; }
    if [[ -n ${given[--confirm]:-} ]]; then
        [[ -z ${CLEAN:-} ]] || exit 0
        [[ -z ${FAILURE:-} ]] || exit "$FAILURE"
    else
        echo "the screen"
    fi
    mkdir -p "${given[--output]}" && touch "${given[--output]}"/{samples.jsonl,report.json}
else
    echo "the screen again"
fi
"""

# mpirun -n N OPTION... PROGRAM WORD... on a machine with two cores.
LAUNCHER = """#!/usr/bin/env bash
[[ $1 != --version ]] || exit 0
echo "$*" >>"$NOTES.launched"
shift 2
[[ $1 != --bind-to ]] || shift 2
exec "$@"
"""


def processes_of(*words):
    """The numbers of the processes that have been started with these words."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = line.read_text()
        except OSError:
            continue  # it has just ended
        if text.split("\0")[:-1] == list(words):
            found.append(int(line.parent.name))
    return found


class Local(NotedTest):
    programs = {"mpiaudit": PROGRAM, "mpirun": LAUNCHER, "taskset": "#!/bin/sh\necho 'list: 0-1'\n",
                "lscpu": "#!/bin/sh\nprintf '0,0,0\\n1,1,0\\n'\n"}

    def setUp(self):
        super().setUp()
        self.out = str(self.out)

    def run_local(self, *words, confirmations=1, code=0, **environment):
        return self.run_script("local", "--build", self.folder, "--output", self.out, "--ranks", "2",
                               "--confirmations", str(confirmations), "--", *words, code=code,
                               MPIAUDIT=MPIAUDIT, **environment)

    def asked(self, *words, **how):
        """What the program was asked for, one list of words for each time that it was started."""
        self.assertIn("the screen again\n", self.run_local(*words, **how).stdout)
        return self.noted()

    def test_what_acts_before_mpi_starts_is_given_to_confirmations(self):
        given = ["--algorithms", "gather", "bcast", "--root", "1", "--setting=A=two words",
                 "--algorithms", "scatter"]
        audit, confirmation, judge = self.asked(*given, "--fail-on", "violation", "--alpha=0.01")
        self.assertEqual(audit, ["run", "--output", self.out, *given, "--fail-on", "violation",
                                 "--alpha=0.01", "--color", "never", "--progress", "never"])
        self.assertEqual(confirmation, [
            "run", "--confirm", self.out, "--output", f"{self.out}/confirmation-1", "--budget",
            "6s", "--color", "never", "--progress", "never", "--algorithms", "gather", "bcast",
            "--algorithms", "scatter", "--setting=A=two words"])
        self.assertEqual(judge, [
            "judge", self.out, f"{self.out}/confirmation-1", "--report", f"{self.out}/report.json",
            "--fail-on", "violation", "--color", "never"])

    def test_the_launcher_binds_where_the_program_cannot(self):
        for version, options in (("hwloc:    none", ["--bind-to core"]), ("hwloc:    2.9.0", [])):
            self.run_local(VERSION=version)
            for launch in self.read("notes.launched").splitlines():
                self.assertEqual([option for option in ["--bind-to core"] if option in launch], options)
            (self.folder / "notes.launched").unlink()

    def test_an_audit_without_violations_is_shown_once(self):
        done = self.run_local("--budget=1m", "--color=always", confirmations=3, CLEAN="yes")
        self.assertEqual(done.stdout, "the screen\n")
        self.assertEqual([words[0] for words in self.noted()], ["run", "run"])

    def test_the_screen_is_shown_before_the_confirmations_and_after_them(self):
        done = self.run_local(confirmations=2)
        self.assertEqual(done.stdout, "the screen\n\nthe screen again\n", done.stderr)
        self.assertRegex(done.stderr, r"up to 2 more launches measure violations again now\n"
                                      r"jobs/local: launch 2 of 3\n(.*\n)*jobs/local: launch 3 of 3\n")

    def test_what_is_measured_is_shown_when_a_confirmation_fails(self):
        done = self.run_local(confirmations=3, code=70, FAILURE="70")
        self.assertIn("the screen\n", done.stdout)

    def test_the_first_screen_comes_soon_and_the_audit_goes_on(self):
        first, rest, confirmation, judge = self.asked("--overwrite", "--root", "1")
        options = ["--root", "1", "--color", "never", "--progress", "never", "--budget"]
        self.assertEqual(first, ["run", "--output", self.out, "--overwrite", *options, "4s"])
        self.assertEqual(rest, ["run", "--output", self.out, *options, "16s", "--resume"])
        self.assertEqual(confirmation[:3], ["run", "--confirm", self.out])
        self.assertEqual(judge[0], "judge")
        self.notes.unlink()
        for own in (["--budget", "5m"], ["--guidelines=irregular"]):
            audit, confirmation, _ = self.asked(*own)
            self.assertNotIn("4s", audit)
            self.assertEqual(confirmation[:3], ["run", "--confirm", self.out])
            self.notes.unlink()

    def test_an_audit_without_confirmations_is_in_one_piece(self):
        self.assertEqual(self.run_local(confirmations=0).stdout, "the screen\n")
        audit, = self.noted()
        self.assertEqual(audit[-2:], ["--budget", "20s"])

    def test_what_came_later_is_shown_without_violations_too(self):
        self.assertEqual(self.run_local(CLEAN="yes").stdout, "the screen\n\nthe screen again\n")

    def test_a_signal_ends_the_ranks_and_says_how_to_go_on(self):
        for name, seconds in (("INT", "1001"), ("TERM", "1002"), ("HUP", "1003")):
            with self.subTest(name):
                shutil.rmtree(self.out, ignore_errors=True)
                script = self.started_local(ENDLESS=seconds)
                self.wait_until(lambda seconds=seconds: processes_of("sleep", seconds), "a start")
                script.send_signal(signal.Signals[f"SIG{name}"])
                said = script.communicate()[1]
                self.assertEqual(script.returncode, 128 + signal.Signals[f"SIG{name}"], said)
                self.assertEqual(processes_of("sleep", seconds), [])
                self.assertIn(f"{self.out} is not complete, SIG{name} ended the audit. To go on, give the "
                              f"same command with '--output {self.out}' and, after --, '--resume'.", said)

    def started_local(self, **environment):
        return subprocess.Popen(
            [ROOT / "jobs/local", "--build", self.folder, "--output", self.out, "--ranks", "2"],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "NOTES": str(self.notes), "PATH": f"{self.folder}:{os.environ['PATH']}",
                 "MPIAUDIT": MPIAUDIT, **environment})

    def test_a_call_that_is_refused_says_nothing_about_the_audit_of_another(self):
        self.assertNotIn("not complete", self.run_local(code=2, REFUSED="yes").stderr)

    def test_a_dry_run_is_not_confirmed(self):
        self.run_local("--dry-run")
        self.assertEqual(len(self.noted()), 1)


unittest.main(verbosity=2)
