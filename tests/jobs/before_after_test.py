# SPDX-License-Identifier: BSD-3-Clause
"""jobs/before-after with a program whose times are made up: silent about a library compared with itself,
and loud about an operation that is slower."""

import copy
import shutil
import sys
import unittest

from command import NOTES, NotedTest
from folder import ROOT

sys.path.insert(0, str(ROOT))
from analysis.tests.synthetic import make_report, write_audit  # noqa: E402

RESULT = ROOT / "results" / "before-after-test"
# Leaves the report of the setting LIBRARY where an audit leaves its own.
PROGRAM = NOTES + """
note "${LIBRARY:-same}" "$@"
[[ ${LIBRARY:-same} != broken ]] || { echo "it is broken" && exit 70; }
mkdir -p "${given[--output]}" && cp "$REPORTS/${LIBRARY:-same}/report.json" "${given[--output]}"
exit 5
"""


class BeforeAfter(NotedTest):
    programs = {"mpiaudit": PROGRAM}

    def setUp(self):
        super().setUp()
        same = make_report()[0]
        slow = copy.deepcopy(same)
        for problem in slow["problems"]:
            for contestant in problem["contestants"]:
                if contestant["name"] == "MPI_Gatherv(m)" and "statistics" in contestant:
                    contestant["statistics"]["median_s"] *= 1.3
        hurried = copy.deepcopy(same)
        for problem in hurried["problems"]:
            for contestant in problem["contestants"]:
                if contestant["name"] == "MPI_Bcast(m)" and problem["block_size"] > 1:
                    del contestant["statistics"]
                    contestant["skipped"] = "no time was left to measure it (--budget)"
        for name, document in (("same", same), ("slow", slow), ("hurried", hurried)):
            write_audit(self.folder / name, document)
        shutil.rmtree(RESULT, ignore_errors=True)
        self.addCleanup(shutil.rmtree, RESULT, ignore_errors=True)

    def run_job(self, code, *words):
        return self.run_script("before-after", "--build", self.folder, "--name", RESULT.name, "--ranks", "2",
                               "--pairs", "7", *words, code=code, REPORTS=str(self.folder))

    def test_slower_operations_are_named(self):
        done = self.run_job(1, "default", "LIBRARY=slow OTHER=1", "--collectives", "gather", "--", "--seed",
                            "3")
        self.assertRegex(done.stdout, r"^MPI_Gatherv is 1\.30 times slower; "
                                      r"no change was found in the other 4 operations\n7 launches each")
        launched = self.noted()
        # The libraries alternate in being the first of a pair.
        self.assertEqual([words[0] for words in launched],
                         [*["same", "slow", "slow", "same"] * 3, "same", "slow"])
        self.assertEqual(launched[0][1:8], [
            "run", "--output", f"results/{RESULT.name}/before/1", "--guidelines",
            f"./results/{RESULT.name}/operations.json", "--distributions", "same,random"])
        self.assertEqual(launched[0][-6:], ["--collectives", "gather", "--seed", "3", "--color", "never"])

    def test_a_library_is_no_slower_than_itself(self):
        done = self.run_job(0, "default", "default")
        self.assertIn("No change was found in 5 operations\n", done.stdout)
        again = self.run_job(2, "default", "default")
        self.assertIn(f"results/{RESULT.name} exists", again.stderr)

    def test_what_the_launches_had_no_time_for_is_undecided(self):
        done = self.run_job(5, "default", "LIBRARY=hurried")
        self.assertRegex(done.stdout, "^It cannot be told whether 1 operation became 1.5 times slower: "
                                      "MPI_Bcast at .*; no change was found in the other 4 operations\n")
        self.assertIn("To decide the rest: measure more pairs of launches (--pairs), longer", done.stdout)

    def test_a_launch_that_fails_is_shown(self):
        done = self.run_job(70, "default", "LIBRARY=broken")
        self.assertIn("it is broken", done.stderr)
        self.assertIn("launch 1 of 'LIBRARY=broken' failed with exit code 70", done.stderr)

    def test_arguments(self):
        for words, message in (
                (["default"], "give two libraries"),
                (["default", "default", "--pairs", "3"], "--pairs '3': use a number from 7 on"),
                (["default", "/nowhere"], "'/nowhere' is neither a folder with bin/mpirun"),
                (["default", "default", "--what"], "unknown option '--what'")):
            self.assertIn(message, self.run_job(2, *words).stderr)


if __name__ == "__main__":
    unittest.main()
