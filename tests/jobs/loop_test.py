# SPDX-License-Identifier: BSD-3-Clause
"""jobs/loop with a program that only notes what it is asked for."""

import os
import subprocess
import unittest

from command import ROOT, new_folder

# Each command leaves what the next one needs; a confirmation only where the audit has violations.
PROGRAM = """#!/usr/bin/env bash
printf '%s|' "$@" >>"$NOTES" && echo >>"$NOTES"
command=$1
for word; do
    [[ $word != --confirm || -z ${CLEAN:-} ]] || exit 4
    # What was measured once is confirmed.
    [[ $word != --confirm || ! -e ${NOTES%/*}/out/audit/confirmation-1 ]] || exit 0
    [[ ${previous:-} != --output ]] || output=$word
    previous=$word
done
case $command in
    record) cat >"$output" <<'END'
{"format": "mpiaudit-problems", "version": 1, "library": "L", "program": "p", "ranks": 2, "threads": "single",
 "wall_seconds": 1, "synchronised": false, "lost": {"calls": 0, "seconds": 0}, "hosts": [], "groups": [],
 "problems": []}
END
        ;;
    run) [[ -z ${FAILURE:-} ]] || exit "$FAILURE"
        mkdir -p "$output" && touch "$output/report.json" ;;
    repair) mkdir -p "$output" && touch "$output/rules.json" "$output/rules-beside-settings.json"
        [[ -z ${SETTINGS:-} ]] || echo "export A=B" >"$output/settings.sh" ;;
    prove) echo "pair 1: ..." && echo "Not shown to be faster." && exit 1 ;;
esac
"""
# mpirun -n N PROGRAM WORD...
LAUNCHER = """#!/usr/bin/env bash
shift 2
exec "$@"
"""


class Loop(unittest.TestCase):
    def setUp(self):
        self.folder = new_folder(self, "mpiaudit-loop-")
        for name, text in (("mpiaudit", PROGRAM), ("mpirun", LAUNCHER)):
            (self.folder / name).write_text(text, encoding="utf-8")
            (self.folder / name).chmod(0o755)
        self.notes, self.out = self.folder / "notes", self.folder / "out"

    def run_loop(self, *words, **environment):
        return subprocess.run(
            [ROOT / "jobs" / "loop", "--mpiaudit", self.folder / "mpiaudit", "--name", self.out, "--ranks",
             "2", "--confirmations", "1", *words], capture_output=True, text=True, timeout=60, check=False,
            env={**os.environ, "NOTES": str(self.notes), "PATH": f"{self.folder}:{os.environ['PATH']}",
                 **environment})

    def asked(self):
        return [line[:-1].split("|") for line in self.notes.read_text(encoding="utf-8").splitlines()]

    def test_each_step_takes_what_the_one_before_has_left(self):
        done = self.run_loop("--pairs", "3", "--compare", "cmp {base} {repaired}", "--", "./a b", "c")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Not shown to be faster.", done.stdout)
        self.assertNotIn("pair 1", done.stdout)
        out, launch = str(self.out), "mpirun -n 2"
        self.assertEqual(self.asked(), [
            ["record", "--output", f"{out}/problems.json", "--", "./a b", "c"],
            ["run", "--problems", f"{out}/problems.json", "--output", f"{out}/audit", "--budget", "60s"],
            *[["run", "--confirm", f"{out}/audit", "--output", f"{out}/audit/confirmation-{number}",
               "--problems", f"{out}/problems.json", "--launches", "2", "--budget", "60s"]
              for number in (1, 2)],
            ["repair", f"{out}/audit", "--output", f"{out}/repair", "--launches", "2", "--launcher", launch,
             "--budget", "60s"],
            ["prove", "--rules", f"{out}/repair/rules.json", "--ranks", "2", "--launch", "mpirun -n {ranks}",
             "--pairs", "3", "--output", f"{out}/proof", "--overwrite", "--compare", "cmp {base} {repaired}",
             "--", "./a b", "c"]])

    def test_what_is_there_is_not_done_again(self):
        self.run_loop("--", "./a", SETTINGS="1")
        self.notes.unlink()
        self.run_loop("--", "./a")
        [prove] = self.asked()
        self.assertEqual(prove[:3], ["prove", "--rules", f"{self.out}/repair/rules-beside-settings.json"])
        self.assertIn(f"{self.out}/repair/settings.sh", prove)
        self.run_loop("--rules-only", "--", "./a")
        prove = self.asked()[-1]
        self.assertEqual(prove[:3], ["prove", "--rules", f"{self.out}/repair/rules.json"])
        self.assertNotIn("--settings", prove)
        self.assertIn(f"{self.out}/proof-of-rules", prove)

    def test_failures_end_it(self):
        done = self.run_loop("--", "./a", FAILURE="70")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the audit ended with exit code 70", done.stderr)
        self.assertEqual([words[0] for words in self.asked()], ["record", "run"])
        self.assertIn("which application?", self.run_loop().stderr)
        self.assertIn("unknown option '--rank'", self.run_loop("--rank", "--", "./a").stderr)

    def test_without_violations_nothing_is_confirmed(self):
        self.run_loop("--confirmations", "3", "--", "./a", CLEAN="1")
        self.assertEqual([words[0] for words in self.asked()], ["record", "run", "run", "repair", "prove"])


if __name__ == "__main__":
    unittest.main()
