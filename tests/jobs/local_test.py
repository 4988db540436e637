# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs/local and 'mpiaudit local' with ranks that only note their arguments."""

import json
import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from command import MPIAUDIT, NOTES, NotedTest
from folder import HAS_CHECKER, ROOT

# An audit leaves its files; a confirmation leaves files only if the audit has violations.
PROGRAM = NOTES + """
note "$@"
if [[ $1 == run ]]; then
    # Another call writes to this folder.
    made=${given[--output]}
    # The first start crashes, and the next one reads the note of the crash.
    if [[ -n ${CRASH:-} ]]; then
        rm "$made"/incident-* 2>/dev/null || { mkdir -p "$made" && touch "$made/incident-0" && exit 134; }
    fi
    mkdir -p "$made"
    [[ -z ${REFUSED:-} ]] || { touch "$made/samples.jsonl" && exit 2; }
    # An endless audit, which a signal has to end.
    [[ -z ${ENDLESS:-} ]] || { touch "$made/samples.jsonl" && exec sleep "$ENDLESS"; }
    if [[ -n ${given[--confirm]:-} ]]; then
        [[ -z ${CLEAN:-} ]] || exit 0
        [[ -z ${FAILURE:-} ]] || exit "$FAILURE"
    else
        echo "the screen"
    fi
    mkdir -p "$made" && touch "$made"/{samples.jsonl,report.json}
    [[ -z ${SAMPLES:-} ]] || cp "$SAMPLES${given[--confirm]:+.again}" "$made/samples.jsonl"
else
    echo "the screen again"
fi
"""

TWO_SCREENS = "the screen\n\nAll launches together, in place of the screen above:\n\nthe screen again\n"

# mpirun -n N OPTION... PROGRAM WORD...
LAUNCHER = """#!/usr/bin/env bash
[[ $1 != --version ]] || { echo "${VERSION:-}" && exit; }
echo "$*" >>"$NOTES.launched"
while [[ $1 != /* ]]; do shift; done
exec "$@"
"""


def processes_of(*words):
    """The numbers of the processes that have been started with these words."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = line.read_text()
        except OSError:
            continue  # the process has just ended
        if text.split("\0")[:-1] == list(words):
            found.append(int(line.parent.name))
    return found


class Local(NotedTest):
    programs = {"mpiaudit": PROGRAM, "mpirun": LAUNCHER}

    def setUp(self):
        super().setUp()
        self.out = str(self.out)

    def run_local(self, *words, confirmations=1, ranks=2, code=0, **environment):
        return self.run_script("local", "--build", self.folder, "--output", self.out, "--ranks", str(ranks),
                               "--confirmations", str(confirmations), "--", *words, code=code, **environment)

    def asked(self, *words, **how):
        """Returns the arguments of the program, one list of words for each start."""
        self.assertIn("the screen again\n", self.run_local(*words, **how).stdout)
        return self.noted()

    def test_options_that_act_before_mpi_starts_are_given_to_confirmations(self):
        given = ["--algorithms", "gather", "bcast", "--root", "1", "--setting=A=two words",
                 "--algorithms", "scatter"]
        audit, confirmation, judge = self.asked(*given, "--fail-on", "violation", "--alpha=0.01")
        self.assertEqual(audit, ["run", "--output", self.out, *given, "--fail-on", "violation",
                                 "--alpha=0.01", "--color", "never", "--progress", "never"])
        self.assertEqual(confirmation, [
            "run", "--confirm", self.out, "--output", f"{self.out}/confirmation-1", "--budget",
            "5s", "--algorithms", "gather", "bcast", "--setting=A=two words", "--algorithms", "scatter",
            "--color", "never", "--progress", "never"])
        self.assertEqual(judge, [
            "judge", self.out, f"{self.out}/confirmation-1", "--report", f"{self.out}/report.json",
            "--fail-on", "violation", "--color", "never"])

    def launched(self, **how):
        """Returns the options of the launcher, which must be equal in all launches."""
        (self.folder / "notes.launched").unlink(missing_ok=True)
        self.run_local(**how)
        options, = {line.split(" /")[0] for line in self.read("notes.launched").splitlines()}
        return options

    def test_options_of_the_launcher(self):
        root = "--allow-run-as-root " if os.geteuid() == 0 else ""
        binding = "--bind-to none"
        if "hwloc:    none" in self.run_here(MPIAUDIT, "--version").stdout:
            binding = "--bind-to core"
            root, binding = f"{binding} {root}".strip(), ""
        self.assertEqual(self.launched(ranks=1, VERSION="HYDRA 4.0"),
                         "-n 1" + (" --bind-to core" if not binding else ""))
        for version, quiet in (("4.1.4", " -q"), ("5.0.7", ""), ("10.0.0", "")):
            self.assertEqual(self.launched(ranks=1, VERSION=f"mpirun (Open MPI) {version}"),
                             f"-n 1 {root}{binding}{quiet}")
        self.assertTrue(self.launched(ranks=99999, VERSION="mpirun (Open MPI) 5.0").endswith(
            "--bind-to none --oversubscribe --mca mpi_yield_when_idle 1"))

    def test_an_operation_that_ends_the_ranks_is_left_out(self):
        self.assertIn("the audit goes on without the operation that has ended it",
                      self.run_local("--overwrite", CRASH="yes", confirmations=0).stderr)
        first, again = self.noted()
        self.assertIn("--overwrite", first)
        self.assertEqual(again, [word for word in first if word != "--overwrite"] + ["--resume"])

    def test_wrong_options_are_refused_before_ranks_start(self):
        for words, message in ((["--what"], "unknown option --what"),
                               (["--output", "x"], "--output after --: give it before --")):
            self.assertIn(message, self.run_local(*words, code=2).stderr)
        self.assertFalse(self.notes.exists())
        self.assertIn("--time-per-problem", self.run_local("--help-all").stdout)

    def test_an_audit_without_violations_is_shown_once(self):
        done = self.run_local("--budget=1m", "--color=always", confirmations=3, CLEAN="yes")
        self.assertEqual(done.stdout, "the screen\n")
        self.assertEqual([words[0] for words in self.noted()], ["run", "run"])

    def test_the_screen_is_shown_before_the_confirmations_and_after_them(self):
        done = self.run_local(confirmations=2)
        self.assertEqual(done.stdout, TWO_SCREENS, done.stderr)
        self.assertRegex(done.stderr, r"up to 2 more launches measure violations again now\n"
                                      r"mpiaudit: launch 2 of 3\n(.*\n)*mpiaudit: launch 3 of 3\n")

    def test_measurements_are_shown_when_a_confirmation_fails(self):
        done = self.run_local(confirmations=3, code=70, FAILURE="70")
        self.assertIn("the screen\n", done.stdout)

    def test_the_first_screen_comes_soon_and_the_audit_goes_on(self):
        first, rest, confirmation, judge = self.asked("--overwrite", "--root", "1")
        options = ["--root", "1", "--color", "never", "--progress", "never", "--budget"]
        self.assertEqual(first, ["run", "--output", self.out, "--overwrite", *options, "4s",
                                 "--check-calls", "0"])
        self.assertEqual(rest, ["run", "--output", self.out, *options[:-1],
                                *(["--check-calls", "15s"] if HAS_CHECKER else []),
                                "--budget", "14s", "--resume"])
        self.assertEqual(confirmation[:3], ["run", "--confirm", self.out])
        self.assertEqual(judge[0], "judge")
        self.notes.unlink()
        for own in (["--budget", "5m"], ["--guidelines=irregular"]):
            audit, confirmation, _ = self.asked(*own)
            self.assertNotIn("4s", audit)
            self.assertEqual(confirmation[:3], ["run", "--confirm", self.out])
            self.notes.unlink()

    def make_samples(self):
        """Writes two launches of an audit of MPI_Bcast, which takes a second longer than other ways."""
        self.run_here(MPIAUDIT, "run", "--collectives", "bcast", "--guidelines", "self-consistent",
                      "--distributions", "same", "--block-sizes", "4", "--max-rounds", "30", "--warmup", "0",
                      "--budget", "20s", "--output", "made")
        lines = [json.loads(line) for line in self.read("made/samples.jsonl").splitlines()]
        header, problem = lines[0], lines[1]
        for contestant in problem["contestants"]:
            slow = contestant["name"] == "MPI_Bcast(m)"
            contestant["samples_s"] = [2.0 if slow else 1.0] * len(contestant.get("samples_s", []))
        for name in ("samples", "samples.again"):
            self.write(name, "".join(json.dumps(line) + "\n" for line in lines))
            header["options"]["order-seed"] += 1

    def test_algorithms_of_the_library_are_compared_for_the_slow_operations(self):
        self.make_samples()
        *_, compared, confirmed, judge = self.asked("--root", "0", SAMPLES=self.folder / "samples")
        chosen, colours = ["--algorithms", "bcast"], ["--color", "never", "--progress", "never"]
        folder = f"{self.out}/algorithms"
        self.assertEqual(compared, ["run", "--output", folder, "--overwrite", "--budget", "5s", *chosen,
                                    "--distributions", "same", "--block-sizes", "1,4,20000",
                                    "--root", "0", *colours])
        self.assertEqual(confirmed, ["run", "--confirm", folder, "--output", f"{folder}/confirmation-1",
                                     "--overwrite", "--budget", "3s", *chosen, *colours])
        self.assertEqual(judge, ["judge", self.out, f"{self.out}/confirmation-1", "--report",
                                 f"{self.out}/report.json", "--settings-of", folder, "--color", "never"])

    def test_nothing_is_compared_for_samples_that_cannot_be_read(self):
        said = self.run_local().stderr
        self.assertIn("the library's own algorithms are not compared: ", said)

    def test_an_audit_without_confirmations_is_in_one_piece(self):
        self.assertEqual(self.run_local(confirmations=0).stdout, "the screen\n")
        audit, = self.noted()
        self.assertEqual(audit[-2:], ["--budget", "20s"])

    def test_the_second_part_is_shown_without_violations_too(self):
        self.assertEqual(self.run_local(CLEAN="yes").stdout, TWO_SCREENS)

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
