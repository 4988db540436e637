# SPDX-License-Identifier: BSD-3-Clause
"""Files by which settings choose algorithms, and the proof that an application is faster with settings."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from program import LAUNCH, MPIAUDIT, ProgramTest, main

SUMS = os.environ["SUMS"]
ONCE = ("--settings", "set.sh", "--ranks", "1", "--pairs", "1")


def output_of(*words):
    return subprocess.run([MPIAUDIT, *words], capture_output=True, text=True, check=True).stdout


# The files for the library's choice of algorithms, the ranks on which they are tried, and the sizes at which
# numbers are then added in another order.
SIZES, INSIDE = (4, 5, 20, 21, 64), "40 160"  # numbers, of which 5 and 20 have as many bytes
if "Open MPI" in output_of("--version"):
    SET_BY = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
              "OMPI_MCA_coll_tuned_dynamic_rules_filename": "settings"}
    OTHERS = [f"MPI_{each} 2 basic_linear 1" for each in (
        "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Barrier", "Bcast", "Exscan", "Gather", "Reduce",
        "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter")]
    LINEAR = [f"MPI_Allreduce 3 basic_linear 1 {INSIDE}", "MPI_Allreduce 4 basic_linear 1", *OTHERS]
    WRITTEN = [(LINEAR, 5, {"sums on 3 ranks 5", "sums on 3 ranks 20"}),
               (LINEAR, 4, {f"sums on 4 ranks {n}" for n in SIZES})]
else:
    SET_BY = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": "settings"}
    ONE_OF = {"Bcast": "binomial", "Allreduce": "reduce_scatter_allgather", "Reduce": "reduce_scatter_gather",
              "Alltoall": "pairwise", "Allgather": "ring", "Reduce_scatter_block": "pairwise"}
    # Algorithms that are selected for all sizes. MPI_Reduce_scatter in place aborts by pairwise in MPICH
    # 4.0.2.
    WITHOUT_SIZES = {"Allgatherv": "ring", "Alltoallv": "scattered", "Alltoallw": "scattered",
                     "Barrier": "dissemination" if " 4.0" in output_of("--version") else "nb",
                     "Gather": "binomial", "Reduce_scatter": "recursive_doubling",
                     "Scan": "recursive_doubling", "Scatter": "binomial"}
    WRITTEN = [([f"MPI_{each} 4 {nb or one} 0 {INSIDE}" for each, one in ONE_OF.items()]
                + [f"MPI_{each} 4 {nb or one} 0" for each, one in WITHOUT_SIZES.items()], 4, changed)
               for nb, changed in (("nb", set()), ("", {"blocks on 4 ranks 2", "blocks on 4 ranks 5"}))]


class Repair(ProgramTest):
    def sums(self, ranks, name, **environment):
        self.launch(ranks, SUMS, name, environment=environment)
        return [self.read(f"{name}.{rank}") for rank in range(ranks)]

    def test_settings_are_obeyed_where_they_say(self):
        """A library ignores a file with an error, or crashes, so all collectives are in the file. Numbers
        that are added in another order show that the file is obeyed; no result may be wrong."""
        for settings, ranks, is_other in WRITTEN:
            with self.subTest(settings[0], ranks=ranks):
                expected = self.sums(ranks, "native")
                self.write("settings", self.run_here(os.environ["WRITTEN_SETTINGS"], *settings).stdout)
                # The blocks of some ranks may have equal sums in both orders.
                changed = {line.rsplit(" ", 1)[0]
                           for found, usual in zip(self.sums(ranks, "set", **SET_BY), expected, strict=True)
                           for line, other in zip(found.splitlines(), usual.splitlines(), strict=True)
                           if line != other}
                self.assertEqual(changed, is_other)
                self.launch(ranks, MPIAUDIT, "verify", "--distributions", "spikes", "--block-sizes", "3,30",
                            "--collectives", "MPI_Allreduce,MPI_Bcast,MPI_Gather,MPI_Alltoall",
                            environment=SET_BY)

    def prove(self, code, *words):
        """Runs pairs with settings that no library reads, unless the words are about other ones."""
        self.write("set.sh", "export MPIR_CVAR_REPAIR_TEST=yes\n")
        return self.prove_with_own(code, *ONCE, *words)

    def prove_with_own(self, code, *words):
        return self.run_here(MPIAUDIT, "prove", "--launch", " ".join([*LAUNCH, "{ranks}"]), *words, code=code)

    def test_what_a_proof_needs(self):
        self.write("set.sh", "# nothing\n")
        for words, said in ((("--", "true"), "give the settings with --settings FILE"),
                            (("--settings", "set.sh", "--ranks", "2", "--", "true"),
                             "--settings: set.sh sets no variable"),
                            (("--settings", "set.sh"), "-- APPLICATION")):
            with self.subTest(words):
                self.assertIn(said, self.prove_with_own(2, *words).stderr)
        self.write("set.sh", "export MPIR_CVAR_REPAIR_TEST=yes\n")
        self.assertIn("Give --ranks NUMBER",
                      self.prove_with_own(2, "--settings", "set.sh", "--", "true").stderr)
        self.assertIn("the application has not called MPI_Finalize", self.prove(70, "--", "true").stderr)

    def test_one_run_of_each_pair_has_the_settings(self):
        self.write("show", f'echo "${{MPIR_CVAR_REPAIR_TEST:-no}}"\nexec {SUMS} sums\n')
        done = self.prove(1, "--", "sh", "./show")
        self.assertTrue(done.stdout.endswith("Not shown to be faster.\n"))
        proof = json.loads(self.read("proof/proof.json"))
        self.assertEqual((proof["settings"], proof["pairs"], proof["faster"]), ("set.sh", 1, False))
        for arm, said in (("without", "no\n"), ("with", "yes\n")):
            self.assertEqual(self.read(f"proof/1-{arm}.out"), said)
            recording = self.read_valid(f"proof/1-{arm}.json", "problems")
            seconds = sum(each["seconds"]["sum"] for each in recording["problems"])
            self.assertEqual(proof["collectives"][f"{arm}_seconds"], seconds)
            self.assertEqual(proof["wall"][f"{arm}_seconds"], recording["wall_seconds"])
        self.assertIn("--overwrite", self.prove(2, "--", SUMS, "sums").stderr)
        # The command of --compare sees these outputs and objects to them.
        other = self.prove(3, "--overwrite", "--compare",
                           "cat {base} {repaired} > seen; cmp {base} {repaired}", "--", "sh", "./show")
        self.assertEqual(self.read("seen"), "no\nyes\n")
        self.assertRegex(other.stdout,
                         r"^Other results with the settings: see .*/1-without.out and .*/1-with.out")
        self.assertNotIn("faster", other.stdout)

    def test_settings_are_variables_and_no_commands(self):
        for line in ("touch pwned", "export A=1; touch pwned", "export MPIR_CVAR_A=$(touch pwned)",
                     "export MPIR_CVAR_A=`touch pwned`", "export LD_PRELOAD=/tmp/x.so",
                     "export OMPI_MCA_plm_rsh_agent=touch", ". pwn"):
            with self.subTest(line=line):
                self.write("set.sh", f"# For a library\n{line}\n")
                refused = self.prove_with_own(2, *ONCE, "--", "true")
                self.assertIn("--settings: set.sh:2: is no line `export NAME=VALUE`", refused.stderr)
        for line in ("export MPIR_CVAR_A='x", 'export MPIR_CVAR_A="x', "export MPIR_CVAR_A=$'x",
                     "export MPIR_CVAR_A='x\ntouch pwned'", "export MPIR_CVAR_A=x\\"):
            with self.subTest(line=line):
                self.write("set.sh", f"# For a library\n{line}\n")
                refused = self.prove_with_own(2, *ONCE, "--", "true")
                self.assertIn("--settings: set.sh:2: has a quote that is not closed, or a backslash at its "
                              "end; end each value in its line: export NAME='VALUE'", refused.stderr)
        self.write("set.sh", "export MPIR_CVAR_A=1\n")
        refused = self.expect_code(2, "prove", *ONCE, "--launch", "mpirun 'x", "--", "true")
        self.assertIn("--launch: a quote in mpirun 'x is not closed", refused.stderr)
        self.assertEqual(list(self.folder.glob("**/pwned*")), [])

    def test_names_of_compared_files_are_words(self):
        hostile = "a b; touch pwned; $(touch pwned) '\"\n`touch pwned`"
        done = self.prove(1, "--output", hostile, "--compare", "cat {base} {repaired} > seen", "--", SUMS,
                          "sums")
        self.assertIn("Outputs were the same in all pairs.", done.stdout)
        refused = self.prove(2, "--output", hostile + "2", "--compare", 'cat "{base}"', "--", SUMS, "sums")
        self.assertIn("--compare cannot put between quotes", refused.stderr)
        self.assertEqual(list(self.folder.glob("**/pwned*")), [])

    def test_each_run_has_a_folder_of_its_own(self):
        work = self.folder / "a b"
        work.mkdir()
        self.write("a b/app", f"cat input >> written; exec {SUMS} sums\n")
        self.write("a b/input", "in\n")
        done = self.prove(1, "--copy", "a b", "--compare",
                          "cmp {base-folder}/written {repaired-folder}/written", "--", "sh", "./app")
        self.assertIn("Outputs were the same in all pairs.", done.stdout)
        self.assertEqual(self.read("proof/1-with/written"), "in\n")
        self.assertFalse((work / "written").exists())
        for folder, words in (("missing", "is no folder"), (".", "holds the folder of --output")):
            refused = self.prove(2, "--copy", folder, "--output", "new", "--", "true")
            self.assertIn(words, refused.stderr)

    def test_a_run_that_hangs_is_ended_and_reported(self):
        self.write("hang", f'[ -z "$MPIR_CVAR_REPAIR_TEST" ] || sleep 1234.5\nexec {SUMS} sums\n')
        self.write("proof.json", "of earlier runs")
        (self.folder / "proof").mkdir()
        (self.folder / "proof.json").rename(self.folder / "proof" / "proof.json")
        begin = time.monotonic()
        done = self.prove(70, "--limit", "5s", "--overwrite", "--", "sh", "./hang")
        self.assertLess(time.monotonic() - begin, 100)
        self.assertRegex(done.stderr, r"a run of the application with the settings failed \(still running "
                                      r"after 5[.0-9]* s: it was ended; --limit allows more\); see "
                                      r".*-with.out.err")
        self.assertNotIn("aster", done.stdout)
        self.assertFalse((self.folder / "proof" / "proof.json").exists())
        self.wait_until(lambda: not self.processes("sleep\0001234.5"), "the ranks go on")
        # The command that compares is ended, too.
        done = self.prove(70, "--limit", "5s", "--overwrite", "--compare", "sleep 1234.5 | cat", "--", SUMS,
                          "sums")
        self.assertIn("the command of --compare failed (still running after 5", done.stderr)
        self.wait_until(lambda: not self.processes("sleep\0001234.5"), "the command goes on")

    @staticmethod
    def processes(command):
        """The processes with this command line."""
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found += [file] if file.read_text().startswith(command) else []
            except OSError:
                continue  # the process has just ended
        return found

    def test_signals_end_a_run_before_prove_ends(self):
        self.write("hang", "touch started\nexec sleep 1235.5\n")
        self.write("set.sh", "export MPIR_CVAR_REPAIR_TEST=yes\n")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number), subprocess.Popen(
                    [MPIAUDIT, "prove", "--launch", " ".join([*LAUNCH, "{ranks}"]), *ONCE, "--overwrite",
                     "--", "sh", "./hang"], cwd=self.folder, stdout=subprocess.DEVNULL) as started:
                self.wait_until((self.folder / "started").exists, "no run has started")
                (self.folder / "started").unlink()
                started.send_signal(number)
                self.assertEqual(started.wait(60), -number)
                self.wait_until(lambda: not self.processes("sleep\0001235.5"), "the ranks go on")

    def test_a_run_that_fails_is_no_answer(self):
        failed = self.prove(70, "--", "false")
        self.assertIn("a run of the application without the settings failed (exit code 1)", failed.stderr)


main()
