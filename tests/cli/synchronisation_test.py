# SPDX-License-Identifier: BSD-3-Clause
"""Audits with a global clock: the times of every rank."""

import json

from program import DONE, QUICK, ProgramTest, main


class Synchronisation(ProgramTest):
    def audit(self, *options):
        self.expect_code(DONE, "run", *QUICK, *options, "--output", "out", ranks=2)
        return self.valid_report(), self.problems()

    def check_times(self, times, samples_s):
        """A sample lasts from the first arrival to the last exit over both ranks."""
        for arrivals_s, exits_s, sample_s in zip(times["arrivals_s"], times["exits_s"], samples_s,
                                                 strict=True):
            self.assertEqual((len(arrivals_s), len(exits_s)), (2, 2))
            self.assertGreaterEqual(min(arrivals_s), 0)
            self.assertEqual(max(exits_s) - min(arrivals_s), sample_s)

    def test_rank_times_in_the_window(self):
        report, problems = self.audit("--sync", "global", "--rank-times")
        # Starts are late on a busy machine; the rounds of a whole problem may be dropped, and a barrier
        # replaces the window.
        in_window = [problem for problem in problems if "instead" not in problem.get("window", {})]
        measured = [each for problem in in_window for each in problem["contestants"]
                    if "samples_s" in each]
        self.assertTrue(measured or not in_window)
        for contestant in measured:
            self.check_times(contestant["rank_times"], contestant["samples_s"])
        self.assertNotIn("rank_times", json.dumps(report["problems"]))

    def test_rank_times_are_kept_on_demand_and_need_a_global_clock(self):
        _, problems = self.audit("--sync", "global")
        self.assertNotIn("rank_times", json.dumps(problems))
        done = self.expect_code(2, "run", *QUICK, "--rank-times", "--output", "out")
        self.assertIn("--rank-times", done.stderr)
        self.assertIn("--sync global", done.stderr)


if __name__ == "__main__":
    main()
