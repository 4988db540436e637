# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs/libraries with programs that only note their arguments."""

import json
import sys
import unittest

from command import NOTES, NotedTest
from folder import ROOT

sys.path.insert(0, str(ROOT))
from analysis.tests.synthetic import make_report  # noqa: E402

# Writes the files of `run` and `judge`; the violation has the ratio RATIO.
PROGRAM = NOTES + """
note "$0" "$@"
output=${given[--output]:-} report=${given[--report]:-}
[[ -z $output ]] || { mkdir -p "$output" && touch "$output"/{samples.jsonl,report.json}; }
[[ -z $report ]] || sed "s/RATIO/${0##*-}/g" "$REPORT" >"$report"
"""


GUIDELINE = make_report(sizes=(1,), distributions=("same",))[0]["guidelines"][0]["id"]
LAUNCH = {"launch": 1, "verdict": "violated", "rounds": 1, "slower": 1, "evidence": {}}


def check(left, launches, verdict="violated"):
    return {"kind": "verdict", "left": left, "right": "MPI_Gatherv(m)", "problem": "same/b=1",
            "guideline": GUIDELINE, "verdict": verdict, "launches": [LAUNCH] * launches,
            "ratio": {"median": "RATIO", "low": "RATIO", "high": "RATIO", "coverage": 0.95}}


def unconfirmed(left):
    """Violated on a problem that no later launch measured."""
    return {key: value for key, value in check(left, 0).items() if key != "launches"}


class Libraries(NotedTest):
    programs = {"audit-1.5": PROGRAM, "audit-2": PROGRAM}

    def setUp(self):
        super().setUp()
        document = make_report(sizes=(1,), distributions=("same",))[0]
        problem = {**document["problems"][0], "native_s": {"MPI_Gather": "RATIO"}, "identity": "same"}
        text = json.dumps(document | {
            "checks": [check("MPI_Gather(m)", 2), check("MPI_Bcast(m)", 1), unconfirmed("MPI_Gather(m)"),
                       check("MPI_Scan(m)", 2, "undecided")],
            "operations": [
                {"operation": name, "is_other_form": False, "checks": violated, "holds": 0,
                 "violated": violated, "undecided": 0, "skipped": 0}
                for name, violated in (("MPI_Gather", 2), ("MPI_Bcast", 1), ("MPI_Scan", 0))],
            "names": [{"name": f"MPI_{name}(m)", "operation": f"MPI_{name}", "label": f"MPI_{name}"}
                      for name in ("Gather", "Bcast", "Scan")],
            "problems": [problem]})
        self.write("report", text.replace('"RATIO"', "RATIO"))

    def run_libraries(self, text, code=0):
        return self.run_script("libraries", self.write("file", text), "--launches", "2", "--name", self.out,
                               "--", "--block-sizes", "1", code=code, REPORT=str(self.folder / "report"))

    def test_launches_alternate_and_are_shown_together(self):
        done = self.run_libraries(f"[Old]\nprogram = {self.folder}/audit-1.5\n"
                                  f"[New]\nprogram = {self.folder}/audit-2\nsettings = A=1 B=2\n")
        self.assertIn("| MPI_Bcast | none of 1 | none of 1 |\n"
                      "| MPI_Gather | **1.50** (1.50 to 1.50), 1 problems; worst same/b=1: MPI_Gatherv(m) | "
                      "**2.00** (2.00 to 2.00), 1 problems; worst same/b=1: MPI_Gatherv(m) |\n\n",
                      done.stdout)
        self.assertIn("| same/b=1 | MPI_Gather | 1500000.00 | 2000000.00 | Old |\n", done.stdout)
        runs = [words for words in self.noted() if words[1] == "run"]
        self.assertEqual([{words[0][-3:] for words in runs[at:at + 2]} for at in (0, 2)],
                         [{"1.5", "t-2"}] * 2)
        new = [words for words in runs if words[0].endswith("-2")]
        shown = ["--setting", "A=1,B=2", "--color", "never", "--progress", "never"]
        self.assertEqual(new[0][-10:], ["--budget", "20s", "--block-sizes", "1", *shown])
        self.assertEqual(new[1][-10:], ["--confirm", f"{self.out}/New/launch-1", "--budget", "6s", *shown])

    def test_a_section_without_a_program_is_refused(self):
        done = self.run_libraries("[Old]\nprograms = x\n", code=1)
        self.assertIn("[Old]: unknown key programs; keys are before, launcher,", done.stderr)

    def test_results_that_are_there_are_kept(self):
        self.out.mkdir()
        done = self.run_libraries(f"[Old]\nprogram = {self.folder}/audit-2\n", code=1)
        self.assertIn("out is there already; use another name, or --show", done.stderr)
        self.assertEqual(list(self.out.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
