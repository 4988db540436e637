# SPDX-License-Identifier: BSD-3-Clause
"""Every result is right on numbers of ranks that real runs do not reach. Wrong results of the simulator are
found, and do not end the audit."""

import json
import os
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from simulation import SimulationTest

# SMPI sends from a persistent request the data that a derived datatype showed at the initialisation.
KNOWN_FAULT = "persBruck"
# SMPI from version 4 on refuses MPI_Sendrecv of two types at one address, which these algorithms call.
VERSION = subprocess.run(["smpirun", "-version"], capture_output=True, text=True, check=True).stdout
REFUSED = re.compile(r"WRONG (sparbit|bine|lane|hierarchical|zeroBruck|chosen_Bruck)"
                     if re.search(r"version [4-9]", VERSION) else r"WRONG$")


def references():
    """Returns the algorithms that need no operation of the library, since many operations of the simulator
    are wrong."""
    listed = subprocess.run([Path(os.environ["MPIAUDIT_BUILD"]) / "mpiaudit", "list", "collectives"],
                            capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  (\w+)$", listed, re.MULTILINE)
    return sorted({name for name in names if not name.startswith(("MPI_", KNOWN_FAULT))})


class Verify(SimulationTest):
    def wrong_references(self, nodes, ppn, *arguments):
        """Implementations without any operation of the library that gave a wrong result."""
        done = self.simulate("--nodes", nodes, "--ppn", ppn, "--library", "mpich", "--", "verify",
                             "--collectives", ",".join(references()), *arguments, code=(0, 3))
        verified = re.search(r"(\d+) ranks, .* (\d+) runs verified", done.stdout)
        self.assertEqual(int(verified[1]), nodes * ppn)
        self.assertGreater(int(verified[2]), 80)
        return [line for line in done.stdout.splitlines()
                if line.startswith("WRONG") and not REFUSED.match(line)]

    def expect_right_references(self, shapes, *arguments):
        """Verifies on each (nodes, ranks per node); a simulation is one thread."""
        with ThreadPoolExecutor(os.cpu_count()) as several:
            runs = {shape: several.submit(self.wrong_references, *shape, *arguments)
                    for shape in shapes}
        for shape, run in runs.items():
            with self.subTest(shape=shape):
                self.assertEqual([], run.result())

    def test_reference_algorithms_on_small_numbers_of_ranks(self):
        # The longest first, so that no processor waits at the end.
        self.expect_right_references(
            [(ranks, 1) for ranks in [40, 39, 33, 32, 31, 24, 23, *range(17, 0, -1)]],
            "--distributions", "random,two-blocks", "--block-sizes", "10")

    def test_reference_algorithms_on_nodes_of_several_ranks(self):
        self.expect_right_references([(4, 16), (11, 3)], "--distributions", "random",
                                     "--block-sizes", "10")

    def test_gather_and_scatter_on_560_ranks(self):
        lines, report = self.audit(
            "large", 35, 16, "--guidelines", "irregular", "--distributions", "random,decreasing",
            "--block-sizes", "1,100")
        self.assertEqual(len(lines), 5)
        self.assertEqual(report["summary"]["wrong"], 0)
        self.assertTrue(all(check["verdict"] != "skipped" or "equal blocks" in check["reason"]
                            for check in report["checks"]))

    def test_references_on_560_ranks(self):
        # A linear form of the library takes p^2 steps of the simulator.
        done = self.simulate(
            "--nodes", 35, "--ppn", 16, "--library", "mpich", "--", "verify", "--collectives",
            "linear_Gatherv,binomial_Gatherv,knomial_Gatherv_radix4,node_binomial_Gatherv,TUW_Gatherv,"
            "TUW_Gatherv_carrying,TUW_Gatherv_degrading,TUW_Gatherv_k2,TUW_Gatherv_k3,linear_Scatterv,"
            "binomial_Scatterv,knomial_Scatterv_radix4,TUW_Scatterv,TUW_Scatterv_degrading,"
            "TUW_Scatterv_k2,TUW_Scatterv_k3,recursive_doubling_Scan,linear_Scan,recursive_doubling_Exscan,"
            "reduce_bcast_Allreduce,recursive_doubling_Allreduce,Rabenseifner_Allreduce,"
            "recursive_halving_Reduce_scatter,recursive_doubling_Reduce_scatter,"
            "recursive_doubling_Allgatherv,dissemination_Allgatherv,gather_bcast_Allgatherv",
            "--distributions", "random", "--block-sizes", "10")
        found = re.search(r"560 ranks, .*: (\d+) runs verified, 0 wrong", done.stdout)
        self.assertIsNotNone(found, done.stdout)
        self.assertGreater(int(found[1]), 25)


class FaultsOfTheSimulator(SimulationTest):
    def test_slow_verifications_are_left_out_and_not_tried_again(self):
        done = self.simulate(
            "--nodes", 2, "--ppn", 2, "--output", self.folder / "slow", "--", "--guidelines", "fewer-ranks",
            "--collectives", "bcast", "--root", "0", "--distributions", "same", "--block-sizes", "1,10",
            "--hang-after", "1us", code=5)
        problems = [each["contestants"] for each in self.problems("slow")]
        for contestants, when in zip(problems, ["", " on an earlier problem"]):
            self.assertEqual({each["skipped"] for each in contestants},
                             {f"too slow to simulate: takes more than 1e-06 core seconds{when} "
                              "(--hang-after gives more time)"})
        self.assertIn("Left out, because their simulation takes too long: MPI_Bcast",
                      " ".join(done.stdout.split()))

    def test_an_algorithm_that_refuses_the_whole_problem_is_left_out_and_named(self):
        # Intel MPI's choice for blocks that are longer than the verified parts needs a power of two of ranks.
        lines, report = self.audit(
            "refusal", 3, 4, "--guidelines", "self-consistent", "--collectives", "MPI_Allgather",
            "--distributions", "same", "--block-sizes", "65536", "--shared-buffers",
            simulator=("--library", "impi"))
        contestants = {each["name"]: each for each in json.loads(lines[1])["contestants"]}
        self.assertEqual(contestants["MPI_Alltoall(m)"]["skipped"],
                         "wrong on this library: alltoall pair algorithm can't be used with non power of two "
                         "number of processes!")
        self.assertIn("samples_s", contestants["MPI_Allgather(m)"])
        self.assertGreater(report["summary"]["holds"] + report["summary"]["violated"], 0)

    def test_a_crash_skips_the_operation_and_the_audit_goes_on(self):
        # SMPI's two-level gather writes to a null pointer unless the root is the first of its node.
        lines, report = self.audit(
            "crash", 2, 4, "--distributions", "same", "--block-sizes", "10", "--root", "1",
            simulator=("--algorithm", "gather=mvapich2_two_level"))
        contestants = {each["name"]: each for each in json.loads(lines[1])["contestants"]}
        self.assertEqual(contestants["MPI_Gather(m)"]["skipped"],
                         "wrong on this library: Segmentation fault")
        self.assertIn("samples_s", contestants["MPI_Gatherv(m)"])
        self.assertEqual(report["summary"]["wrong"], 0)
        self.assertGreater(report["summary"]["skipped"], 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
