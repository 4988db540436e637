# SPDX-License-Identifier: BSD-3-Clause
"""Information that the program prints without measuring anything."""

import contextlib
import os
import pty
import re
import subprocess

from folder import HAS_CHECKER, ROOT, needs_checker
from program import MPIAUDIT, ProgramTest, main


class Listings(ProgramTest):
    def printed(self, *arguments):
        """The output on a host on which MPI may not be started."""
        done = self.expect_code(0, *arguments, fault="forbidden")
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_lists(self):
        self.assertRegex(self.printed("list", "guidelines"),
                         r"irregular .*\n +irregular-1 +MPI_Gather\(m\) <= MPI_Gatherv\(m\)\n")
        collectives = self.printed("list", "collectives")
        for expected in ("gather\n", "MPI_Gatherv", "TUW_Gatherv", "scattered -> rooted"):
            self.assertIn(expected, collectives)
        self.assertIn("three-sites", self.printed("list", "networks"))
        distributions = self.printed("list", "distributions")
        for expected in ("same ", "two-blocks ", "m_i = b\n", "rho = 5\n"):
            self.assertIn(expected, distributions)

    @needs_checker
    def test_list_of_properties(self):
        properties = self.printed("list", "properties").splitlines()
        self.assertGreater(len(properties), 10)
        for line in properties:
            self.assertRegex(line, r"^[a-z][a-z_]*  \S")

    def test_lists_fit_a_terminal(self):
        for what in ("guidelines", "collectives", "distributions", "networks",
                     *(["properties"] if HAS_CHECKER else [])):
            ours, theirs = pty.openpty()
            with subprocess.Popen([MPIAUDIT, "list", what], stdout=theirs,
                                  env={**os.environ, "COLUMNS": "80"}) as process:
                os.close(theirs)
                text = b""
                # Reading from a terminal that no process has open for writing is an error.
                with contextlib.suppress(OSError):
                    while part := os.read(ours, 65536):
                        text += part
                os.close(ours)
            self.assertEqual(process.returncode, 0)
            lines = text.decode().splitlines()
            for line in lines:
                self.assertTrue(len(line) <= 80 or len(line.split()) <= 2, line)
            # Nothing is lost or changed but spaces.
            self.assertEqual(" ".join(lines).split(), self.printed("list", what).split())

    def test_version(self):
        self.assertRegex(self.printed("--version"),
                         r"^mpiaudit \d+\.\d+\.\d+\ncommit:   \S+\nMPI:      .*\d, standard \d\.\d\n"
                         r"compiler: \S+ .*\nhwloc:    (\d+\.\d+\.\d+|none, topology not known)\n$")

    def test_help_fits_a_terminal(self):
        for command in ((), ("run",), ("verify",), ("probe",), ("list",), ("judge",), ("print",)):
            for line in self.printed(*command, "--help").splitlines():
                self.assertLessEqual(len(line), 80, line)
        run = self.printed("run", "--help-all")
        self.assertLess(run.index("--guidelines"), run.index("--confirm"))
        self.assertNotIn("Excludes", run)

    def test_every_option_is_completed_and_in_the_manual(self):
        options = [line.split()[0] for line in self.printed("list", "options").splitlines()]
        self.assertIn("budget", options)
        texts = {what: self.printed("print", what) for what in ("bash", "man")}
        for option in options:
            self.assertIn(f" --{option} ", texts["bash"].replace('"', " "))
            self.assertIn("\\-\\-" + option.replace("-", "\\-"), texts["man"])

    def test_bash_completes(self):
        self.write("completion", self.printed("print", "bash"))
        for words, expected in (("ver", "verify"), ("run --dr", "--dry-run"),
                                ("run --judge min", "minima"), ("list net", "networks")):
            done = self.run_here("bash", "-c", f"source ./completion; COMP_WORDS=(mpiaudit {words}); "
                                 "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mpiaudit; echo ${COMPREPLY[@]}")
            self.assertEqual((done.stdout, done.stderr), (f"{expected}\n", ""))

    def test_wrong_words_are_told_apart(self):
        for words, expected in (
                (["run", "--guideline", "all"], "unknown option --guideline; did you mean --guidelines?"),
                (["run", "--dry-run", "one", "two"], "unexpected: one two;"),
                (["run", "--output=", "--overwrite"], "--output has no value behind the =;"),
                (["run", "--overwrite=false"], "--overwrite takes no value"),
                (["run", "..", "--overwrite=a b", "--dry-run"], "--overwrite takes no value"),
                (["list"], "list what? Valid: guidelines, collectives, distributions, networks, "
                 "options"),
                (["run", "--alpha", "nan"], "--alpha: 'nan' is no number from 1e-12 to 0.5"),
                (["run", "--seed", "010"], "--seed: '010' is no whole number from 0 to 18446744073709551615"),
                (["run", "--max-rounds", "0"], "--max-rounds: '0' is no whole number from 1 to 2147483647"),
                (["run", "--warmup", "1000000"], "'1000000' is neither a number of rounds from 0 to 999999"),
                (["run", "--color", "yes"], "unknown value 'yes'; valid: always, auto, never"),
                (["run", "--confirm", "x", "--root", "0"], "--root: --confirm takes this from the audit")):
            done = self.expect_code(2, *words)
            self.assertIn(expected, done.stderr)
            self.assertIn(f"(see mpiaudit {words[0]} --help)", done.stderr)
        self.assertIn("mpiaudit --help", self.expect_code(2).stderr)

    def test_dry_run_prints_the_plan_and_measures_nothing(self):
        done = self.expect_code(0, "run", "--dry-run", "--distributions", "same,decreasing",
                                "--block-sizes", "10", "--only", "irregular-1,irregular-2",
                                "--budget", "5m", "--output", "out", ranks=2)
        self.assertIn("same/b=10: m = 20, m' = 20\n", done.stdout)
        self.assertIn("decreasing/b=10: m = 32, m' = 42\n", done.stdout)
        self.assertIn("  MPI_Allreduce(1) + MPI_Gather(m')\n", done.stdout)
        self.assertIn("  MPI_Gather(m)  skipped: MPI_Gather needs equal blocks\n", done.stdout)
        self.assertRegex(done.stdout, r"2 problems, 4 checks, 3 of them to be measured, at most "
                                      r"--budget 5m\n$")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_prepared_algorithms_are_compared_with_persistent_operations(self):
        done = self.expect_code(0, "run", "--dry-run", "--guidelines", "amortised", "--distributions", "same",
                                "--block-sizes", "10", "--only", "reference-init-persBruck_Alltoall,"
                                "reference-init-persBruckV_Alltoallv", ranks=2)
        plan = done.stdout[done.stdout.index("same/b=10"):]
        self.assertEqual(plan.splitlines(), [
            "same/b=10: m = 20, m' = 20", "  MPI_Alltoall_init(m)", "  persBruck_Alltoall(m)",
            "  MPI_Alltoallv_init(m)", "  persBruckV_Alltoallv(m)",
            "1 problem, 2 checks, 2 of them to be measured"])

    def test_the_example_of_a_check_is_one_of_the_default_audit(self):
        text = (ROOT / "analysis/plot.py").read_text(encoding="utf-8")
        guideline, problem = re.search(r"--check (\S+)@(\S+)", text).groups()
        self.assertRegex(self.printed("list", "guidelines"), rf" {guideline} +MPI_")
        planned = self.expect_code(0, "run", "--dry-run", "--ranks", "2").stdout
        self.assertRegex(planned, rf"(?m)^{problem}: m = ")

    def test_dry_run_in_one_process_plans_for_the_ranks_of_a_job(self):
        options = ["run", "--dry-run", "--guidelines", "irregular", "--only", "irregular-2",
                   "--ranks", "64", "--root", "63", "--network", "three-sites"]
        done = self.expect_code(0, *options, "--distributions", "same", "--block-sizes", "10",
                                ranks=1)
        self.assertIn("same/b=10: m = 640, m' = 640\n", done.stdout)
        self.assertRegex(done.stdout, r"1 problem, 1 check, 1 of them to be measured "
                                      r"on 64 ranks\n$")
        self.assertIn("--root", self.expect_code(2, *options, "--root", "64", ranks=1).stderr)
        self.assertIn("--ranks: 64 were expected", self.expect_code(2, *options, ranks=2).stderr)


main()
