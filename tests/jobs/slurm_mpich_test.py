# SPDX-License-Identifier: BSD-3-Clause
"""MPICH in jobs of Slurm."""

import json
import unittest

from on_slurm import OnSlurm


class Mpich(OnSlurm):
    # MPICH 4.0 now and then hangs in MPI_Finalize with three TCP connections or more, so its ranks share
    # memory across Slurm's nodes here.
    cluster_options = {"is_isolated": False}
    launch = ["--mpi", "mpich", "--ppn", "2", "--time", "10m", "--no-collect"]

    def test_node_counts_are_merged_into_one_report(self):
        folder = self.submit("scaling", "--nodes", "1,2,4")
        self.wait_for_end(self.jobs("scaling"))
        self.collected("scaling", 0)
        reports = json.loads((folder / "scaling.json").read_text())["reports"]
        self.assertEqual([report["machine"]["ranks"] for report in reports], [2, 4, 8])
        self.assertIn("MPICH", reports[0]["mpi"]["library"])

    def test_wrong_pmi_is_noticed(self):
        """Without a PMI that it understands, MPICH makes a job of one rank for each task."""
        self.submit("wrong-pmi", "--nodes", "2", "--pmi", "none")
        self.wait_for_end(self.jobs("wrong-pmi"))
        text = self.collected("wrong-pmi", 1)
        complaint = "mpiaudit: srun started 4 processes, but each is an MPI job of its own"
        self.assertEqual(text.count(complaint), 1, text)
        self.assertEqual(list((self.results / "wrong-pmi").rglob("samples.jsonl")), [])


unittest.main(verbosity=2)
