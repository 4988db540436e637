# SPDX-License-Identifier: BSD-3-Clause
"""jobs/loop with a program that only notes what it is asked for."""

import json
import sys
import unittest

from command import ROOT, NotedTest

# Each command leaves what the next one needs; a confirmation only where the audit has violations.
PROGRAM = """#!/usr/bin/env bash
printf '%s|' "$@" >>"$NOTES" && echo >>"$NOTES"
command=$1
for word; do
    [[ $word != --confirm || -z ${CLEAN:-} ]] || exit 4
    # What was measured once is confirmed.
    [[ ${previous:-} != --confirm || ! -e $word/confirmation-1 ]] || exit 0
    [[ ${previous:-} != --output ]] || output=$word
    previous=$word
done
case $command in
    record) [[ -z ${REFUSED:-} ]] || exit 1
        cat >"$output/problems.json" <<END
{"format": "mpiaudit-problems", "version": 1, "library": "L", "program": "p", "ranks": 2, "threads": "single",
 "wall_seconds": 1, "synchronised": false, "lost": {"calls": 0, "seconds": 0}, "hosts": [],
 "groups": [
  {"ranks":"0-2","size":3,"communicators":1},
  {"ranks":"0-1","size":2,"communicators":1},
  {"ranks":"0,2","size":2,"communicators":9},
  {"ranks":"0","size":1,"communicators":1}],
 "problems": [{"collective": "MPI_Barrier", "mode": "blocking", "group": 0, "calls": 1, "seconds":
  {"sum": ${SECONDS_IN_CALLS:-1.5}, "max_rank": 1, "min_rank": 0, "min_call": 0.1}}]}
END
        ;;
    run) [[ -z ${FAILURE:-} ]] || exit "$FAILURE"
        [[ $output != "${NOTHING:-}" ]] || exit 4
        mkdir -p "$output" && touch "$output/report.json" && echo "$MPIAUDIT_LAUNCHER" >"$output/launcher"
        [[ -z ${REPORT:-} ]] || cp "$REPORT" "$output/report.json"
        exit "${WRONG:-0}" ;;
    repair) mkdir -p "$output" && touch "$output/rules.json" "$output/rules-beside-settings.json"
        [[ -z ${EMPTY:-} ]] || echo '{"rules": []}' >"$output/rules.json"
        [[ -z ${SETTINGS:-} ]] || echo "export A=B" >"$output/settings.sh" ;;
    prove) echo "pair 1: ..." && echo "Not shown to be faster." && exit "${PROVED:-1}" ;;
esac
"""
# mpirun -n N PROGRAM WORD...
LAUNCHER = """#!/usr/bin/env bash
[[ $1 != --version ]] || exit 0
printf '%s ranks|' "$2" >>"$NOTES"
shift 2
exec "$@"
"""


class Loop(NotedTest):
    programs = {"mpiaudit": PROGRAM, "mpirun": LAUNCHER}

    def run_loop(self, *words, **environment):
        return self.run_script("loop", "--mpiaudit", self.folder / "mpiaudit", "--name", self.out, "--ranks",
                               "3", "--confirmations", "1", *words, **environment)

    def test_each_step_takes_what_the_one_before_has_left(self):
        done = self.run_loop("--pairs", "3", "--compare", "cmp {base} {repaired}", "--", "./a b", "c")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Not shown to be faster.", done.stdout)
        self.assertNotIn("pair 1", done.stdout)
        out, problems = str(self.out), f"{self.out}/problems.json"
        for folder, ranks in (("audit", 3), ("audit-on-2-ranks", 2)):
            self.assertEqual((self.out / folder / "launcher").read_text(encoding="utf-8"),
                             f"mpirun -n {ranks}\n")
        folders = (("3", f"{out}/audit"), ("2", f"{out}/audit-on-2-ranks"))
        self.assertEqual(self.noted(), [
            ["3 ranks", "record", "--output", out, "--", "./a b", "c"],
            *[[f"{ranks} ranks", "run", "--problems", problems, "--output", folder, "--budget", "60s"]
              for ranks, folder in folders],
            *[[f"{ranks} ranks", "run", "--confirm", folder, "--output", f"{folder}/confirmation-{number}",
               "--problems", problems, "--launches", "2", "--budget", "60s"]
              for ranks, folder in folders for number in (1, 2)],
            ["repair", f"{out}/audit", f"{out}/audit-on-2-ranks", "--output", f"{out}/repair", "--launches",
             "2", "--launcher", "mpirun -n {ranks}", "--budget", "60s"],
            ["prove", "--rules", f"{out}/repair/rules.json", "--ranks", "3", "--launch", "mpirun -n {ranks}",
             "--pairs", "3", "--output", f"{out}/proof", "--overwrite", "--compare", "cmp {base} {repaired}",
             "--", "./a b", "c"]])

    def test_a_number_of_ranks_of_which_nothing_can_be_audited(self):
        done = self.run_loop("--arrivals", "one-late", "--", "./a", NOTHING=f"{self.out}/audit")
        self.assertEqual(done.returncode, 1, done.stderr)
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

    def test_what_is_there_is_not_done_again(self):
        self.run_loop("--", "./a", SETTINGS="1")
        self.notes.unlink()
        self.run_loop("--", "./a")
        [prove] = self.noted()
        self.assertEqual(prove[:3], ["prove", "--rules", f"{self.out}/repair/rules-beside-settings.json"])
        self.assertIn(f"{self.out}/repair/settings.sh", prove)
        self.run_loop("--rules-only", "--", "./a")
        prove = self.noted()[-1]
        self.assertEqual(prove[:3], ["prove", "--rules", f"{self.out}/repair/rules.json"])
        self.assertNotIn("--settings", prove)
        self.assertIn(f"{self.out}/proof-of-rules", prove)
        # An interruption before the repair: only what is missing of the confirmations.
        self.notes.unlink()
        (self.out / "repair" / "rules.json").unlink()
        self.run_loop("--", "./a")
        self.assertEqual([words[5] for words in self.noted() if words[1] == "run"],
                         [f"{self.out}/{name}/confirmation-2" for name in ("audit", "audit-on-2-ranks")])

    def test_failures_end_it(self):
        done = self.run_loop("--", "./a", FAILURE="70")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the audit ended with exit code 70", done.stderr)
        self.assertEqual([words[1] for words in self.noted()], ["record", "run"])
        nothing = self.run_loop("--", "./a", FAILURE="4")
        self.assertEqual(nothing.returncode, 2)
        self.assertIn("nothing that it calls can be audited", nothing.stderr)
        self.assertIn("which application?", self.run_loop().stderr)
        self.assertIn("unknown option '--rank'", self.run_loop("--rank", "--", "./a").stderr)

    def test_a_way_that_gives_wrong_results_is_left_out(self):
        done = self.run_loop("--", "./a", WRONG="3")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"gave wrong results and are left out: WRONG in {self.out}/audit.log", done.stdout)
        self.assertEqual(self.noted()[-1][0], "prove")

    def test_a_start_that_fails_is_no_answer(self):
        done = self.run_loop("--", "./a", REFUSED="1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the application was not recorded, exit code 1", done.stderr)

    def test_other_results_are_no_answer(self):
        self.assertEqual(self.run_loop("--copy", "a b", "--", "./a", PROVED="3").returncode, 2)
        self.assertEqual(self.noted()[-1][-4:], ["--copy", "a b", "--", "./a"])

    def test_where_nothing_is_offered_nothing_is_proved(self):
        done = self.run_loop("--", "./a", EMPTY="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is nothing to prove", done.stdout)
        # A line for each step.
        self.assertEqual([line[:2] for line in done.stdout.splitlines() if line[0] != " "],
                         ["1.", "2.", "3.", "No"])
        self.assertEqual(self.noted()[-1][0], "repair")

    def test_too_little_in_collectives_ends_it_after_the_recording(self):
        done = self.run_loop("--", "./a", SECONDS_IN_CALLS="0.01")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("1. Recorded: Collectives take 5 ms of 1 s per rank (0.5 %)", done.stdout)
        self.assertIn("Less than 1 % of the run cannot be shown", done.stdout)
        self.assertEqual([words[1] for words in self.noted()], ["record"])
        self.assertIn("MPI_Barrier", (self.out / "profile.txt").read_text(encoding="utf-8"))
        self.run_loop("--anyway", "--", "./a")
        self.assertEqual(self.noted()[-1][0], "prove")

    def test_too_little_to_gain_ends_it_after_the_audits(self):
        sys.path.insert(0, str(ROOT))
        from analysis.tests.synthetic import make_report
        report = make_report()[0]
        report["application"] = {"program": "p", "library": "L", "ranks": 3, "seconds": 1.0, "problems": [],
                                 "left_out": []}
        report["savings"] = {"recorded_s": 1.0, "audited_s": 1.0, "saved_s": 0.0, "low_s": 0.0, "high_s": 0.0,
                             "problems": []}
        file = self.folder / "report.json"
        file.write_text(json.dumps(report), encoding="utf-8")
        done = self.run_loop("--", "./a", REPORT=str(file))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("At most 0 us can be gained", done.stdout)
        self.assertIn("Nothing else is tried (--anyway goes on)", done.stdout)
        self.assertEqual([words[1] for words in self.noted()], ["record", "run", "run"])
        self.assertEqual(self.run_loop("--anyway", "--", "./a", REPORT=str(file)).returncode, 1)
        self.assertEqual(self.noted()[-1][0], "prove")

    def test_without_violations_nothing_is_confirmed(self):
        self.run_loop("--confirmations", "3", "--", "./a", CLEAN="1")
        self.assertEqual([words[1] for words in self.noted()[:-2]], ["record", "run", "run", "run", "run"])
        self.assertEqual([words[0] for words in self.noted()[-2:]], ["repair", "prove"])


if __name__ == "__main__":
    unittest.main()
