# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs/loop with a program that only notes its arguments."""

import shutil
import sys
import unittest

from command import LAUNCHER, NOTES, NotedTest
from folder import ROOT

# Each command leaves the files that the next one needs; a confirmation leaves files only if the audit has
# violations.
PROGRAM = NOTES + """
note "$@"
output=${given[--output]:-} confirmed=${given[--confirm]:-}
[[ -z $confirmed || -z ${CLEAN:-} ]] || exit 4
# An audit that is confirmed already needs no further launch.
[[ -z $confirmed || ! -e $confirmed/confirmation-1 ]] || exit 0
case $1 in
    record) [[ -z ${REFUSED:-} ]] || exit 1
        [[ -z ${HANGS:-} ]] || exec sleep 1000
        cat >"$output/problems.json" <<END
{"format": "mpiaudit-problems", "version": 1, "library": "L", "program": "p", "ranks": 2, "threads": "single",
 "wall_seconds": 1, "synchronised": false, "lost": {"calls": 0, "seconds": 0}, "hosts": [],
 "groups": [
  {"ranks":"0-2","size":3,"communicators":1},
  {"ranks":"0-1","size":2,"communicators":1},
  {"ranks":"0,2","size":2,"communicators":9},
  {"ranks":"0","size":1,"communicators":1}],
 "problems": [{"collective": "MPI_Barrier", "mode": "blocking", "group": 0, "calls": 1, "seconds":
  {"sum": ${SECONDS_IN_CALLS:-1.5}, "max_rank": 1, "min_rank": 0, "min_call": 0.1}${BUFFERS:-}}]}
END
        ;;
    run) [[ -z ${REFUSES:-} || ${given[--buffers]:-} != "$REFUSES" ]] || exit 2
        [[ -z ${FAILURE:-} ]] || exit "$FAILURE"
        [[ $output != "${NOTHING:-}" ]] || exit 4
        mkdir -p "$output" && touch "$output/report.json" && echo "$MPIAUDIT_LAUNCHER" >"$output/launcher"
        [[ -z ${REPORT:-} ]] || cp "$REPORT" "$output/report.json"
        exit "${WRONG:-0}" ;;
    repair) mkdir -p "$output" && echo "# For a library" >"$output/settings.sh"
        [[ -n ${EMPTY:-} ]] || echo "export A=B" >>"$output/settings.sh" ;;
    prove) printf 'pair 1: ...\\nNot shown to be faster.\\n'
        echo "${COMPLAINT:-}" >&2
        exit "${PROVED:-1}" ;;
esac
"""
COUNTED = LAUNCHER.replace("shift", """printf '%s ranks|' "$2" >>"$NOTES"\nshift""")


class Loop(NotedTest):
    programs = {"mpiaudit": PROGRAM, "mpirun": COUNTED}

    def run_loop(self, *words, code=1, **environment):
        return self.run_script("loop", "--mpiaudit", self.folder / "mpiaudit", "--name", self.out, "--ranks",
                               "3", "--confirmations", "1", *words, code=code, **environment)

    def steps(self):
        """The commands of mpiaudit that were asked for."""
        return [words[1] if words[0].endswith(" ranks") else words[0] for words in self.noted()]

    def test_each_step_takes_what_the_one_before_has_left(self):
        done = self.run_loop("--pairs", "3", "--compare", "cmp {base} {repaired}", "--", "./a b", "c")
        self.assertIn("Not shown to be faster.", done.stdout)
        self.assertNotIn("pair 1", done.stdout)
        out, problems = str(self.out), f"{self.out}/problems.json"
        for folder, ranks in (("audit", 3), ("audit-on-2-ranks", 2)):
            self.assertEqual(self.read(f"out/{folder}/launcher"), f"mpirun -n {ranks}\n")
        folders = (("3", f"{out}/audit"), ("2", f"{out}/audit-on-2-ranks"))
        self.assertEqual(self.noted(), [
            ["3 ranks", "record", "--overwrite", "--output", out, "--", "./a b", "c"],
            *[[f"{ranks} ranks", "run", "--problems", problems, "--output", folder, "--budget", "60s"]
              for ranks, folder in folders],
            *[[f"{ranks} ranks", "run", "--confirm", folder, "--output", f"{folder}/confirmation-{number}",
               "--problems", problems, "--launches", "2", "--budget", "60s"]
              for ranks, folder in folders for number in (1, 2)],
            ["repair", f"{out}/audit", f"{out}/audit-on-2-ranks", "--output", f"{out}/repair", "--launches",
             "2", "--launcher", "mpirun -n {ranks}", "--budget", "60s"],
            ["prove", "--settings", f"{out}/repair/settings.sh", "--ranks", "3", "--launch",
             "mpirun -n {ranks}", "--pairs", "3", "--limit", "80s", "--output", f"{out}/proof", "--overwrite",
             "--compare", "cmp {base} {repaired}", "--", "./a b", "c"]])

    def test_a_number_of_ranks_of_which_nothing_can_be_audited(self):
        self.run_loop("--arrivals", "one-late", "--", "./a", NOTHING=f"{self.out}/audit")
        asked = self.noted()
        self.assertEqual([words[:2] for words in asked if "--confirm" in words], 2 * [["2 ranks", "run"]])
        [repair] = [words for words in asked if words[0] == "repair"]
        self.assertEqual(repair[1:3], [f"{self.out}/audit-on-2-ranks", "--output"])
        self.assertIn("mpirun -n {ranks}", repair)
        # A confirmation takes the pattern from its audit.
        self.assertEqual([words[1:] for words in asked if "--arrivals" in words],
                         [["run", "--problems", f"{self.out}/problems.json", "--output", folder,
                           "--arrivals", "one-late", "--budget", "60s"]
                          for folder in (f"{self.out}/audit", f"{self.out}/audit-on-2-ranks")])

    def test_finished_steps_are_not_repeated(self):
        self.run_loop("--", "./a", PROVED="0", code=0)
        self.notes.unlink()
        self.run_loop("--", "./a", PROVED="0", code=0)
        [prove] = self.noted()
        self.assertEqual(prove[:3], ["prove", "--settings", f"{self.out}/repair/settings.sh"])
        # The loop was interrupted before the repair: only missing confirmations run.
        self.notes.unlink()
        (self.out / "repair" / "settings.sh").unlink()
        self.run_loop("--", "./a")
        self.assertEqual([words[5] for words in self.noted() if words[1] == "run"],
                         [f"{self.out}/{name}/confirmation-2" for name in ("audit", "audit-on-2-ranks")])

    def test_settings_that_fail_their_proof_are_withdrawn(self):
        settings = self.out / "repair" / "settings.sh"
        for proved, code in (("1", 1), ("3", 2), ("70", 2)):
            with self.subTest(proved):
                shutil.rmtree(self.out, ignore_errors=True)
                done = self.run_loop("--", "./a", PROVED=proved, code=code)
                self.assertRegex(done.stdout, r"4\. Proof of the settings[\s\S]*withdrawn: "
                                              r".*/settings-withdrawn\.sh\n")
                self.assertFalse(settings.exists())
                self.assertRegex(self.read("out/repair/settings-withdrawn.sh"),
                                 "^# Withdrawn: .*\n# Proof: .*/proof.txt\n# For a library\nexport A=B\n$")
        # Called again, the loop does not offer the settings again.
        self.notes.unlink()
        done = self.run_loop("--", "./a")
        self.assertIn("The settings were withdrawn: ", done.stdout)
        self.assertFalse(self.notes.exists())
        # An application that fails by itself says nothing about the settings.
        shutil.rmtree(self.out)
        done = self.run_loop("--", "./a", PROVED="70", code=2,
                             COMPLAINT="a run of the application without the settings failed")
        self.assertIn("the application fails by itself", done.stderr)
        self.assertTrue(settings.exists())

    def test_the_audit_has_the_buffers_of_the_application(self):
        def conditions():
            return [words[words.index("--buffers") + 1] if "--buffers" in words else ""
                    for words in self.noted() if words[1] == "run" and "--confirm" not in words]
        for same, untouched, condition in ((9, 9, "same"), (9, 0, ""), (0, 0, "rotate")):
            with self.subTest(condition):
                shutil.rmtree(self.out, ignore_errors=True)
                self.notes.unlink(missing_ok=True)
                done = self.run_loop("--", "./a", BUFFERS=f', "bytes": {{"block": 8}}, "buffers": '
                                     f'{{"calls": 15, "same": {same}, "untouched": {untouched}}}')
                self.assertEqual(conditions(), 2 * [condition])
                self.assertEqual("Audited with --buffers" in done.stdout, bool(condition))
        # The machine cannot provide other buffers in each call.
        shutil.rmtree(self.out)
        self.notes.unlink()
        self.run_loop("--", "./a", REFUSES="rotate", BUFFERS=', "bytes": {"block": 8}, "buffers": '
                      '{"calls": 15, "same": 0, "untouched": 0}')
        self.assertEqual(conditions(), ["rotate", "", ""])

    def test_a_recording_belongs_to_one_command(self):
        self.run_loop("--", "./a", "1")
        for words in (["--", "./a", "2"], ["--ranks", "2", "--", "./a", "1"]):
            done = self.run_loop(*words, code=2)
            self.assertRegex(done.stderr, "has the recording of another command \\(3 ranks: ./a 1 *\\), not "
                                          "of [23] ranks: ./a [12] *; give another --name")
        (self.out / "command").unlink()
        self.assertIn("of another command (unknown)", self.run_loop("--", "./a", "1", code=2).stderr)

    def test_an_application_that_hangs_is_ended(self):
        done = self.run_loop("--limit", "1s", "--", "./a", HANGS="1", code=2)
        self.assertIn("the application was ended after 1 s; --limit allows more", done.stderr)
        self.assertIn("--limit is 'soon'", self.run_loop("--limit", "soon", "--", "./a", code=2).stderr)
        self.run_loop("--limit", "1h1m5s", "--", "./a")
        prove = self.noted()[-1]
        self.assertEqual(prove[prove.index("--limit") + 1], "1h1m5s")

    def test_steps_until_the_loop_ends(self):
        whole = ["record", "run", "run", "run", "run", "run", "run", "repair", "prove"]
        for environment, code, said, steps in (
                ({"FAILURE": "70"}, 2, "the audit ended with exit code 70", whole[:2]),
                ({"FAILURE": "4"}, 2, "no call of the application can be audited", whole[:3]),
                ({"REFUSED": "1"}, 2, "the application was not recorded, exit code 1", whole[:1]),
                ({"WRONG": "3"}, 1, f"gave wrong results and are left out: see WRONG in {self.out}/audit.log",
                 whole),
                # A line for each step.
                ({"EMPTY": "1"}, 1, r"(?m)^1\.(.|\n )*\n2\.(.|\n )*\n3\.(.|\n )*"
                 "\nThere is no setting to prove",
                 whole[:-1]),
                ({"PROVED": "3"}, 2, r"1\. Recorded", whole),
                ({"SECONDS_IN_CALLS": "0.01"}, 1,
                 r"1\. Recorded: Collectives take 5 ms of 1 s per rank \(0.5 %\)[\s\S]*"
                 "A gain below 1 %", whole[:1])):
            with self.subTest(environment):
                shutil.rmtree(self.out, ignore_errors=True)
                self.notes.unlink(missing_ok=True)
                done = self.run_loop("--copy", "a b", "--", "./a", code=code, **environment)
                self.assertRegex(done.stdout + done.stderr, said)
                self.assertEqual(self.steps(), steps)
        self.assertIn("MPI_Barrier", self.read("out/profile.txt"))
        self.run_loop("--anyway", "--copy", "a b", "--", "./a")
        self.assertEqual(self.noted()[-1][0], "prove")
        self.assertEqual(self.noted()[-1][-4:], ["--copy", "a b", "--", "./a"])
        self.assertIn("which application?", self.run_loop(code=2).stderr)
        self.assertIn("unknown option '--rank'", self.run_loop("--rank", "--", "./a", code=2).stderr)

    def test_too_little_to_gain_ends_it_after_the_audits(self):
        sys.path.insert(0, str(ROOT))
        from analysis.tests.synthetic import make_report
        report = make_report()[0]
        report["application"] = {"program": "p", "library": "L", "ranks": 3, "seconds": 1.0, "problems": [],
                                 "left_out": []}
        report["savings"] = {"recorded_s": 1.0, "audited_s": 1.0, "saved_s": 0.0, "low_s": 0.0, "high_s": 0.0,
                             "problems": []}
        file = str(self.folder / self.write("report.json", report))
        done = self.run_loop("--", "./a", REPORT=file)
        self.assertRegex(done.stdout, r"would\s+save\s+up\s+to\s+0\s+us")
        # Only the names of files make lines longer than a terminal.
        self.assertLessEqual(max(len(line) for line in done.stdout.splitlines() if "/" not in line), 80)
        self.assertIn("Nothing else is tried (--anyway goes on)", done.stdout)
        self.assertEqual(self.steps(), ["record", "run", "run"])
        self.run_loop("--anyway", "--", "./a", REPORT=file)
        self.assertEqual(self.steps()[-1], "prove")

    def test_without_violations_nothing_is_confirmed(self):
        self.run_loop("--confirmations", "3", "--", "./a", CLEAN="1")
        self.assertEqual(self.steps(), ["record", "run", "run", "run", "run", "repair", "prove"])


if __name__ == "__main__":
    unittest.main()
