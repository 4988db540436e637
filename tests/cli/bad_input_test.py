# SPDX-License-Identifier: BSD-3-Clause
"""Unusable input leads to one message with the error, its place and the remedy, or to a skip."""

import re

from program import DONE, QUICK, VERIFIED, ProgramTest, main


class BadInput(ProgramTest):
    def error_of(self, *arguments, **how):
        """Returns the error message of `mpiaudit run`, which must not have begun an audit."""
        done = self.expect_code(2, "run", *arguments, "--output", "out", **how)
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.folder / "out").exists())
        messages = [line for line in done.stderr.splitlines() if line.startswith("mpiaudit: ")]
        self.assertEqual(len(messages), 1, done.stderr)
        return done.stderr[done.stderr.index("mpiaudit: ") + len("mpiaudit: "):].rstrip("\n")

    def test_verify_only_what_consists_of_some_operations(self):
        of = {}
        for names in ("MPI_Gather", "gather", "gather,MPI_Allreduce"):
            done = self.expect_code(VERIFIED, "verify", "--collectives", names, "--distributions", "same",
                                    "--block-sizes", "3", ranks=2)
            of[names] = int(re.search(r"2 ranks, (\d+) implementations", done.stdout)[1])
        # Block sizes as they are and, for the tables of papers, padded.
        self.assertEqual(of["MPI_Gather"], 2)
        # The padded MPI_Gather follows the agreement on the largest block.
        self.assertLess(2, of["gather"])
        self.assertLess(of["gather"], of["gather,MPI_Allreduce"] - 1)
        done = self.expect_code(2, "verify", "--collectives", "MPI_Gathrv")
        self.assertIn("--collectives: unknown collective 'MPI_Gathrv'", done.stderr)

    def test_launch_other_than_expected(self):
        self.assertIn("--ranks: 3 were expected, but the launcher has made an MPI job of 2",
                      self.error_of("--ranks", "3", ranks=2))
        for fault in (None, "alone"):
            self.assertIn("--ranks-per-node: 1 were expected, but the launcher has put 2 on a node",
                          self.error_of("--ranks-per-node", "1", ranks=2, fault=fault))
        # srun with a PMI that the library does not understand: a job for each task; one complains.
        tasks = {"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0"}
        self.assertIn("srun started 4 processes, but each is an MPI job of its own",
                      self.error_of(environment=tasks))
        done = self.expect_code(2, "run", environment={**tasks, "SLURM_PROCID": "1"})
        self.assertEqual(done.stderr, "")

    def test_output_that_cannot_be_written(self):
        self.write("file", "")
        for folder in ("file", "file/out", "/proc/mpiaudit"):
            with self.subTest(folder):
                done = self.expect_code(2, "run", *QUICK, "--output", folder)
                self.assertRegex(done.stderr, rf"mpiaudit: --output: {folder}.* cannot be written")

    def test_existing_output_is_neither_lost_nor_mixed(self):
        self.expect_code(DONE, "run", *QUICK, "--output", "out")
        before = self.sample_lines()
        done = self.expect_code(2, "run", *QUICK, "--output", "out")
        self.assertEqual(done.stderr, "mpiaudit: --output: there is an audit in out; give --resume "
                                      "to go on, --overwrite to replace it\n")
        self.assertEqual(self.sample_lines(), before)
        self.expect_code(2, "run", *QUICK, "--output", "out", "--resume", "--overwrite")
        self.expect_code(DONE, "run", *QUICK, "--output", "out", "--overwrite")
        self.assertEqual(len(self.sample_lines()), len(before))
        self.assertNotEqual(self.sample_lines(), before)


main()
