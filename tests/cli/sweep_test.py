# SPDX-License-Identifier: BSD-3-Clause
"""The library's own algorithms, each forced in its turn."""

import re
import subprocess

from folder import ALL_TIME
from program import DONE, MPIAUDIT, ProgramTest, main

SWEEP = ["--distributions", "same", "--block-sizes", "3", "--max-rounds", "2", "--warmup", "0",
         *ALL_TIME, "--output", "out", "--overwrite"]
OPEN_MPI = re.search(r"Open MPI v(\d+)", subprocess.run(
    [MPIAUDIT, "--version"], capture_output=True, text=True, check=True).stdout)
# The library does not check whether the operator of these algorithms commutes if they are forced.
WRONG_IN_ORDER = {"ring", "segmented_ring"} if OPEN_MPI else set()
if OPEN_MPI and int(OPEN_MPI[1]) >= 6:
    WRONG_IN_ORDER.add("allgather_reduce")


class Sweep(ProgramTest):
    def sweep(self, operations, *arguments, code=DONE):
        self.expect_code(code, "run", "--algorithms", operations, *SWEEP, *arguments, ranks=3)
        return self.report()

    def algorithms(self, report, operation):
        """Returns the names in brackets of all contestants, and the sentences about them."""
        problem, = report["problems"]
        return {each["name"].split("[")[1].split("]")[0]: each
                for each in problem["contestants"] if each["name"].startswith(operation + "[")}

    def test_every_algorithm_is_a_contestant(self):
        report = self.sweep("gather,MPI_Allgather")
        gather = self.algorithms(report, "MPI_Gather")
        expected = {"basic_linear", "binomial", "linear_sync"} if OPEN_MPI else {"binomial", "nb"}
        self.assertEqual(set(gather), expected)
        self.assertTrue(all("statistics" in each for each in gather.values()), gather)
        self.assertEqual(len(report["checks"]), len(report["guidelines"]))
        choice = {each["operation"]: each for each in report["choices"]}
        self.assertEqual({each["name"] for each in choice["MPI_Gather"]["algorithms"]}, expected)
        own = choice["MPI_Gather"]["median_s"]
        faster = sum(each["median_s"] < own for each in choice["MPI_Gather"]["algorithms"])
        self.assertEqual(choice["MPI_Gather"]["rank"], faster + 1)

    def test_nonblocking_operations_have_a_choice(self):
        # MPICH 4.0's MPI_Ibcast is wrong with tsp_scatterv_recexch_allgatherv.
        report = self.sweep("ibcast,ireduce" if OPEN_MPI else "igather,ireduce")
        chosen = {(way["operation"], each["name"]) for way in report["choices"] for each in way["algorithms"]}
        expected = [("MPI_Ibcast", "binomial"), ("MPI_Ibcast", "knomial"), ("MPI_Ireduce", "chain")] \
            if OPEN_MPI else [("MPI_Igather", "tsp_tree"), ("MPI_Ireduce", "tsp_tree")]
        for each in expected:
            self.assertIn(each, chosen)
        written = {each["name"]: each.get("written_as") for each in report["implementations"]}
        self.assertEqual(*[written["MPI_Ireduce[chain]"], "OMPI_MCA_coll_libnbc_ireduce_algorithm=1"]
                         if OPEN_MPI else
                         [written["MPI_Ireduce[tsp_tree]"], "MPIR_CVAR_IREDUCE_INTRA_ALGORITHM=tsp_tree"])
        self.assertEqual(report["summary"]["wrong"], 0)

    def test_unsuitable_algorithms_are_refused_and_skipped(self):
        # The refusal shows that the algorithm was forced: the library would not choose it by itself.
        report = self.sweep("allgather")
        refused = self.algorithms(report, "MPI_Allgather")[
            "two_proc" if OPEN_MPI else "recursive_doubling"]
        self.assertIn("refused by the MPI library: MPI_ERR_UNSUPPORTED_OPERATION"
                      if OPEN_MPI else "refused by the MPI library: ", refused["skipped"])
        self.assertEqual(report["summary"]["wrong"], 0)

    def test_wrong_algorithms_are_caught(self):
        report = self.sweep("allreduce", "--op", "user-affine", "--element", "int",
                            code=3 if OPEN_MPI else DONE)
        wrong = {name for name, each in self.algorithms(report, "MPI_Allreduce").items()
                 if "wrong" in each}
        self.assertEqual(wrong, WRONG_IN_ORDER)

    def test_verified_alone(self):
        verify = ["verify", "--distributions", "same", "--block-sizes", "3", "--algorithms"]
        done = self.expect_code(DONE, *verify, "gather", ranks=2)
        algorithms = 3 if OPEN_MPI else 2
        self.assertIn(f"2 ranks, {algorithms} implementations: {algorithms} runs verified, 0 wrong",
                      done.stdout)
        refused = self.expect_code(DONE, *verify, "allgather", ranks=3).stdout
        self.assertRegex(refused, r"refused by the MPI library: MPI_Allgather\[\w+\]\(m\) on same/b=3: \S")
        self.assertRegex(refused, r" 0 wrong, \d+ do not apply, \d+ refused\n")
        affine = [*verify, "allreduce", "--op", "user-affine", "--element", "int"]
        said = self.expect_code(3 if OPEN_MPI else DONE, *affine, ranks=3).stdout
        wrong = set(re.findall(r"WRONG MPI_Allreduce\[(\w+)\]", said))
        self.assertEqual(wrong, WRONG_IN_ORDER)

    def test_bad_input(self):
        for arguments, message in (
                (["--algorithms", "gathr"], "--algorithms: unknown operation 'gathr'"),
                (["--setting", "X"], "'X' is not NAME=VALUE")):
            done = self.expect_code(2, "run", *arguments, ranks=2)
            self.assertIn(message, done.stderr)

    def test_settings_reach_the_library_and_the_report(self):
        self.expect_code(DONE, "run", "--setting", "OMPI_MCA_coll_tuned_priority=31", *SWEEP, ranks=2)
        report = self.report()
        self.assertEqual(report["environment"]["OMPI_MCA_coll_tuned_priority"], "31")
        self.assertEqual(report["options"]["setting"], ["OMPI_MCA_coll_tuned_priority=31"])


main()
