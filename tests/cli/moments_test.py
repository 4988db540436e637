# SPDX-License-Identifier: BSD-3-Clause
"""Audits that are killed, stopped, met by a second writer or by a full disk at random moments: what is
measured stays, and every problem is there once when they have gone on.

MOMENTS: how many (default 4; tests/run --stage moments takes 50); MOMENTS_SEED."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

from folder import GUARD_S
from program import ProgramTest, command, descendants, main, send

AUDIT = ["run", "--block-sizes", "1,10", "--distributions", "same,random,spikes,two-blocks",
         "--judge", "minima", "--only", "irregular-native-tuw", "--max-rounds", "20", "--warmup", "0",
         "--output", "out"]
FAULT = "slow"


class Moments(ProgramTest):
    def start(self, *more, fault=FAULT, environment=None):
        return subprocess.Popen(command([*AUDIT, *more], 2, fault), cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env={**os.environ, **(environment or {})})

    def kill(self, source):
        process = self.start()
        time.sleep(source.uniform(0.2, 2.5))
        family = descendants(process.pid)
        send(signal.SIGKILL, source.choice([family, family[-1:]]))
        process.wait(timeout=GUARD_S)

    def stop(self, source):
        process = self.start()
        time.sleep(source.uniform(0.2, 2.5))
        ranks = descendants(process.pid)[1:]
        for act in (signal.SIGSTOP, signal.SIGCONT):
            send(act, ranks)
            time.sleep(0.5)
        self.assertEqual(process.wait(timeout=GUARD_S), 0)

    def second_writer(self, source):
        process = self.start()
        time.sleep(source.uniform(0.2, 2.5))
        # The second session is refused, unless it came before or after the other session.
        self.expect_code((0, 2), *AUDIT, source.choice(["--resume", "--overwrite"]), ranks=2)
        self.assertIn(process.wait(timeout=GUARD_S), (0, 2))

    def full_disk(self, source):
        # Checks the header and its folder, the lines, and then the report.
        after = str(source.randint(0, 10))
        self.start(fault="full", environment={"FAULT_AFTER": after}).wait(timeout=GUARD_S)

    def test_nothing_is_lost_and_nothing_is_there_twice(self):
        seed = os.environ.get("MOMENTS_SEED", "1")
        for number in range(int(os.environ.get("MOMENTS", "4"))):
            source = random.Random(f"{seed}/{number}")
            kinds = [self.kill, self.second_writer, self.full_disk, self.stop]
            disturb = kinds[number % len(kinds)]
            with self.subTest(f"{number}: {disturb.__name__}"):
                disturb(source)
                before = self.sample_lines()
                how = ["--resume"] if before else []
                done = self.expect_code(0, *AUDIT, *how, ranks=2)
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual(self.sample_lines()[: len(before)], before)
                measured = [problem["id"] for problem in self.problems()
                            if any("samples_s" in each for each in problem["contestants"])]
                planned = json.loads(self.sample_lines()[0])["planned_problems"]
                # Problems that the budget left out because of the stop are measured later.
                self.assertEqual(len({problem["id"] for problem in self.problems()}), planned)
                self.assertEqual(len(measured), len(set(measured)))
                self.assertGreater(len(measured), 0)
                self.assertEqual(len(self.report()["problems"]), planned)
                self.expect_code(0, "judge", "out")
            shutil.rmtree(self.folder / "out", ignore_errors=True)


main()
