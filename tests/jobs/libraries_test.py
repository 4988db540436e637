# SPDX-License-Identifier: BSD-3-Clause
"""jobs/libraries with programs that only note what they are asked for."""

import json
import unittest

from command import NotedTest

# Writes what `run` and `judge` write; its violation has the ratio RATIO.
PROGRAM = """#!/usr/bin/env bash
printf '%s|' "$0" "$@" >>"$NOTES" && echo >>"$NOTES"
for word; do
    [[ ${previous:-} != --output ]] || { mkdir -p "$word" && touch "$word"/{samples.jsonl,report.json}; }
    [[ ${previous:-} != --report ]] || sed "s/RATIO/${0##*-}/g" "$REPORT" >"$word"
    previous=$word
done
"""


def check(left, launches, verdict="violated"):
    return {"kind": "verdict", "left": left, "right": "MPI_Gatherv(m)", "problem": "same/b=1",
            "verdict": verdict, "launches": [{}] * launches,
            "ratio": {"median": "RATIO", "low": "RATIO", "high": "RATIO"}}


def unconfirmed(left):
    """Violated on a problem that no later launch measured."""
    return {key: value for key, value in check(left, 0).items() if key != "launches"}


class Libraries(NotedTest):
    programs = {"audit-1.5": PROGRAM, "audit-2": PROGRAM}

    def setUp(self):
        super().setUp()
        statistics = {"median_s": "RATIO"}
        text = json.dumps({
            "mpi": {"library": "A library"}, "machine": {"ranks": 2},
            "summary": {"checks": 3, "skipped": 0, "violated": 1, "undecided": 0},
            "checks": [check("MPI_Gather(m)", 2), check("MPI_Bcast(m)", 1), unconfirmed("MPI_Gather(m)"),
                       check("MPI_Scan(m)", 2, "undecided")],
            "problems": [{"id": "same/b=1",
                          "contestants": [{"name": "MPI_Gather(m)", "statistics": statistics}]}]})
        (self.folder / "report").write_text(text.replace('"RATIO"', "RATIO"), encoding="utf-8")

    def run_libraries(self, text):
        (self.folder / "file").write_text(text, encoding="utf-8")
        return self.run_script("libraries", self.folder / "file", "--launches", "2", "--name", self.out, "--",
                               "--block-sizes", "1", REPORT=str(self.folder / "report"))

    def test_launches_alternate_and_are_shown_together(self):
        done = self.run_libraries(f"[Old]\nprogram = {self.folder}/audit-1.5\n"
                                  f"[New]\nprogram = {self.folder}/audit-2\nsettings = A=1 B=2\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| MPI_Bcast | none of 1 | none of 1 |\n"
                      "| MPI_Gather | **1.50** (1.50 to 1.50), 1 problems; worst same/b=1: MPI_Gatherv(m) | "
                      "**2.00** (2.00 to 2.00), 1 problems; worst same/b=1: MPI_Gatherv(m) |\n\n",
                      done.stdout)
        self.assertIn("| same/b=1 | MPI_Gather | 1500000.00 | 2000000.00 | Old |\n", done.stdout)
        runs = [words for words in self.noted() if words[1] == "run"]
        self.assertEqual([{words[0][-3:] for words in runs[at:at + 2]} for at in (0, 2)],
                         [{"1.5", "t-2"}] * 2)
        new = [words for words in runs if words[0].endswith("-2")]
        self.assertEqual(new[0][-6:], ["--budget", "20s", "--block-sizes", "1", "--setting", "A=1,B=2"])
        self.assertEqual(new[1][-6:-2], ["--confirm", f"{self.out}/New/launch-1", "--budget", "6s"])

    def test_a_section_without_a_program_is_refused(self):
        done = self.run_libraries("[Old]\nprograms = x\n")
        self.assertIn("[Old]: unknown key programs; keys are before, launcher,", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_results_that_are_there_are_kept(self):
        self.out.mkdir()
        done = self.run_libraries(f"[Old]\nprogram = {self.folder}/audit-2\n")
        self.assertIn("out is there already; use another name, or --show", done.stderr)
        self.assertEqual((done.returncode, list(self.out.iterdir())), (1, []))


if __name__ == "__main__":
    unittest.main()
