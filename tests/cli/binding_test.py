# SPDX-License-Identifier: BSD-3-Clause
"""mpiaudit binds the main thread of a rank if it may, and no thread of the MPI library."""

import os
import re

from program import DONE, LAUNCH, MPIAUDIT, QUICK, ProgramTest, main

PRELOADED = ":".join(filter(None, [os.environ["PINNED_THREAD"], os.environ.get("LD_PRELOAD")]))


class Binding(ProgramTest):
    def threads_after_audit(self, *options):
        """Of the first rank: the units of the pinned thread before and after, those of the main thread
        before and after; then the screen.
        """
        done = self.run_here(*LAUNCH, "2", "env", f"LD_PRELOAD={PRELOADED}", MPIAUDIT, "run", *QUICK,
                             *options, "--overwrite", "--output", "out", code=DONE)
        words = re.search(r"pinned-thread 0: thread (.*) -> (.*), main (.*) -> (.*)\n",
                          done.stdout + done.stderr)
        self.assertIsNotNone(words, done.stdout + done.stderr)
        units = [[int(unit) for unit in part.split()] for part in words.groups()]
        return units, " ".join(done.stdout.split())

    def test_threads_of_the_library_stay_where_they_are(self):
        for options in ([], ["--bind", "none"], ["--bind", "core"], ["--bind", "numa"]):
            with self.subTest(options):
                (thread, thread_after, _, _), _ = self.threads_after_audit(*options)
                self.assertEqual(thread_after, thread)
                self.assertEqual(len(thread), 1)

    def test_bind_none_leaves_the_main_thread_alone(self):
        (_, _, main_thread, main_after), _ = self.threads_after_audit("--bind", "none")
        self.assertEqual(main_after, main_thread)

    def test_the_main_thread_is_bound_by_default(self):
        (_, _, main_thread, main_after), _ = self.threads_after_audit()
        binding = self.report()["machine"]["bindings"][0]
        if binding["bound_by"] != "mpiaudit":
            self.skipTest(f"the ranks are bound by {binding['bound_by']}")
        self.assertLess(len(main_after), len(main_thread))

    def test_the_report_and_the_screen_name_the_threads(self):
        (thread, _, _, _), screen = self.threads_after_audit()
        report = self.valid_report()
        for binding in report["machine"]["bindings"]:
            self.assertIn({"name": "progress", "processing_units": str(thread[0]), "count": 1},
                          binding["other_threads"])
            self.assertNotIn("mpiaudit-watch", [group["name"] for group in binding["other_threads"]])
        self.assertIn("Threads beside the ranks' main threads, not bound by mpiaudit: ", screen)
        self.assertIn(f"2 progress on {thread[0]}", screen)
        self.assertEqual(report["machine"]["after"].get("changed_threads", []), [])


if __name__ == "__main__":
    main()
