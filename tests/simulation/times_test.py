# SPDX-License-Identifier: BSD-3-Clause
"""Simulated times are equal in every run, and equal to the known times."""

import json
import os
import re
import tempfile
import unittest
from pathlib import Path

from simulation import IRREGULAR, ROOT, SimulationTest

KNOWN = Path(__file__).with_name("known_times.json")
AUDIT = ["--distributions", "same,random,spikes", "--block-sizes", "1,1000"]
# smpirun sets surf/precision to 1 ns, which some messages of an operation add up.
PRECISION_S = 1e-8


def times(lines):
    """Seconds by problem and contestant."""
    found = {}
    for line in map(json.loads, lines[1:]):
        for contestant in line["contestants"]:
            if "samples_s" in contestant:
                found[line["id"], contestant["name"]] = contestant["samples_s"]
    return found


class Determinism(SimulationTest):
    def test_three_runs_give_the_same_bytes(self):
        runs = [self.audit(f"run{i}", 4, 16, *AUDIT)[0][1:] for i in range(3)]
        self.assertEqual(len(runs[0]), 6)
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])

    def test_seeds_change_only_what_they_should(self):
        first = times(self.audit("first", 4, 4, *AUDIT)[0])
        other_order = times(self.audit("order", 4, 4, *AUDIT, "--order-seed", 9)[0])
        other_blocks = times(self.audit("blocks", 4, 4, *AUDIT, "--seed", 9)[0])
        self.assertEqual(first.keys(), other_order.keys())
        for key, samples_s in first.items():
            self.assertAlmostEqual(samples_s[0], other_order[key][0], delta=PRECISION_S, msg=key)
        for problem in ("same/b=1", "same/b=1000"):
            for name in ("MPI_Gatherv(m)", "TUW_Gatherv(m)"):
                self.assertAlmostEqual(first[problem, name][0], other_blocks[problem, name][0],
                                       delta=PRECISION_S)
        name = "random/b=1000", "TUW_Gatherv(m)"
        self.assertNotAlmostEqual(first[name][0], other_blocks[name][0], delta=PRECISION_S)


class Paths(SimulationTest):
    def test_a_report_in_the_repository_names_no_folder_above_it(self):
        with tempfile.TemporaryDirectory(dir=ROOT / "results", prefix="test-") as output:
            _, report = self.audit(output, 1, 2, "--distributions", "same", "--block-sizes", 1)
        self.assertIn(f"results/{Path(output).name}", report["command"])
        self.assertNotIn(f"{ROOT}/", json.dumps(report))


class Defaults(SimulationTest):
    """A simulation without options audits the whole library, as a real audit does."""

    def test_all_operations_are_audited_within_a_budget(self):
        done = self.simulate("--nodes", 2, "--ppn", 2, "--output", self.folder / "out")
        report = self.valid_report()
        options = report["options"]
        self.assertEqual((options["guidelines"], options["block-sizes"], options["budget"],
                          options["shared-buffers"]), (["library"], "spread", "5m", True))
        checked = {re.match(r"MPI_\w+", each["left"])[0] for each in report["checks"]
                   if each["verdict"] in ("holds", "violated")}
        self.assertTrue({f"MPI_{name}" for name in (
            "Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Barrier", "Bcast", "Gather",
            "Gatherv", "Reduce", "Scan", "Scatter", "Scatterv")} <= checked, checked)
        self.assertIn(", 5 min left] same/b=256: ", done.stderr)

    def test_one_operation_can_be_selected(self):
        _, report = self.audit("bcast", 2, 2, "--guidelines", "library", "--collectives", "bcast",
                               "--distributions", "same", "--block-sizes", "1")
        self.assertGreater(report["summary"]["holds"] + report["summary"]["violated"], 0)

    def test_a_budget_ends_the_audit_between_two_operations(self):
        """However slow the machine is, the first check has its turn; however fast, not all checks have."""
        _, report = self.audit("short", 2, 4, "--guidelines", "library", "--budget", "1s")
        self.assertGreater(report["summary"]["holds"] + report["summary"]["violated"], 0)
        skipped = {each["reason"] for each in report["checks"] if each["verdict"] == "skipped"}
        self.assertIn("no time was left to measure it (--budget)", skipped)
        self.assertFalse([each for each in skipped if "takes more than" in each])


class WarmUp(SimulationTest):
    """Operations are verified in a copy of the process, so their preparations there are lost."""

    def test_preparations_of_a_first_call_are_not_timed(self):
        # The first tells every rank the node of every other: 40 ms and not 0.1.
        found = [times(self.audit(name, 4, 8, *self.guideline("MPI_Bcast(m) <= hierarchical_Bcast(m)"),
                                  "--distributions", "same", "--block-sizes", "1000", *more,
                                  simulator=("--library", "mpich"))[0])
                 for name, more in (("one", []), ("three", ["--warmup", "3"]))]
        self.assertEqual(len(found[0]), 2)
        for key, samples_s in found[0].items():
            self.assertAlmostEqual(samples_s[0], found[1][key][0], delta=PRECISION_S, msg=key)


class SharedBuffers(SimulationTest):
    """If all ranks share their buffers, only the memory changes."""

    def test_they_change_no_time(self):
        audit = ["--distributions", "random,spikes", "--block-sizes", "1,100,10000"]
        own = times(self.audit("own", 4, 16, *audit)[0])
        lines, report = self.audit("shared", 4, 16, *audit, "--shared-buffers")
        self.assertEqual(own, times(lines))
        self.assertTrue(report["options"]["shared-buffers"])
        self.assertTrue(any("--shared-buffers" in each for each in report["warnings"]))

    def test_an_operation_without_data_has_no_buffer_to_share(self):
        audit = [*self.guideline("MPI_Barrier <= MPI_Allreduce(1)"), "--distributions", "same",
                 "--block-sizes", "1", "--collectives", "MPI_Barrier"]
        own, shared = (times(self.audit(name, 2, 4, *audit, *more)[0])
                       for name, more in (("own", []), ("shared", ["--shared-buffers"])))
        self.assertIn(("same/b=1", "MPI_Barrier"), own)
        self.assertEqual(own, shared)

    def test_messages_about_all_ranks_are_carried(self):
        # 32 bytes for each rank; for this number of ranks this is more than SMPI copies before it sends.
        audit = [*self.guideline("TUW_Gatherv(m) <= optimal_Gatherv(m)"), "--distributions", "far-block",
                 "--block-sizes", "10"]
        own, shared = (times(self.audit(name, 25, 16, *audit, *more, simulator=("--ranks", 385))[0])
                       for name, more in (("own", []), ("shared", ["--shared-buffers"])))
        self.assertIn(("far-block/b=10", "optimal_Gatherv(m)"), own)
        self.assertEqual(own, shared)

    def test_they_take_less_memory(self):
        mebibytes = []
        for option in ([], ["--shared-buffers"]):
            done = self.simulate("--nodes", 4, "--ppn", 16, "--output", self.folder / "out", "--",
                                 *IRREGULAR, "--distributions", "same", "--block-sizes", "100000",
                                 "--overwrite", *option)
            mebibytes.append(int(re.search(r"and (\d+) MiB", done.stderr)[1]))
        # Twice 24 MiB of data, and as much within trees.
        self.assertLess(mebibytes[1], mebibytes[0] - 60, mebibytes)

    def test_results_are_still_verified(self):
        lines, _ = self.audit(
            "crash", 2, 4, "--distributions", "same", "--block-sizes", "1000", "--root", "1",
            "--shared-buffers", simulator=("--algorithm", "gather=mvapich2_two_level"))
        skipped = {each["name"]: each.get("skipped")
                   for each in json.loads(lines[1])["contestants"]}
        self.assertEqual(skipped["MPI_Gather(m)"], "wrong on this library: Segmentation fault")
        self.assertIsNone(skipped["MPI_Gatherv(m)"])


class CostModel(SimulationTest):
    def test_latency_is_no_overhead(self):
        overheads_us = {"send_remote_us": 0.1, "receive_remote_us": 0.3, "send_local_us": 0.2,
                        "receive_local_us": 0.4, "link_latency_us": 1.5, "memory_latency_us": 2.0}
        simulator = [word for name, us in overheads_us.items() for word in ("--set", f"{name}={us}")]
        _, report = self.audit("model", 3, 4, "--distributions", "same", "--block-sizes", "1",
                               simulator=simulator)
        nodes = report["cost_model"]["nodes"]
        for name, option in (("send_between_s", "send_remote_us"), ("receive_between_s", "receive_remote_us"),
                             ("send_within_s", "send_local_us"), ("receive_within_s", "receive_local_us")):
            self.assertAlmostEqual(nodes[name] * 1e6, overheads_us[option], delta=0.01, msg=name)
        # Alpha is fitted to messages of up to 512 KiB.
        self.assertAlmostEqual(report["cost_model"]["alpha_s"] * 1e6, 0.1 + 2 * 1.5 + 0.3, delta=0.5)
        self.assertIs(nodes["waits_to_be_asked"], True)

    def test_without_a_budget_all_algorithms_are_measured(self):
        _, report = self.audit("all", 8, 1, "--guidelines", "library", "--collectives", "bcast",
                               "--distributions", "same", "--block-sizes", "1")
        skipped = {each["name"]: each.get("skipped", "") for each in report["problems"][0]["contestants"]}
        self.assertGreater(len(skipped), 10)
        self.assertEqual([name for name, why in skipped.items() if "predicted" in why], [])


class FirstScreen(SimulationTest):
    """Causes that slow all ways alike violate no guideline."""

    def messages(self, *parameters):
        """The line about messages of a simulated cluster with these parameters."""
        simulator = [word for each in parameters for word in ("--set", each)]
        done = self.simulate("--nodes", 2, "--ppn", 4, *simulator, "--output", self.folder / "screen", "--",
                             *IRREGULAR, "--distributions", "same", "--block-sizes", "1", "--overwrite",
                             "--link", "32Gb/s")
        found = re.search(r"Messages between nodes: (\S+) us, (\S+) GB/s \((\d+) % of the link's 4 GB/s\); "
                          r"within a node: (\S+) us, (\S+) GB/s, (\S+) GB/s of all ranks together",
                          " ".join(done.stdout.split()))
        self.assertIsNotNone(found, done.stdout)
        return [float(number) for number in found.groups()]

    def test_slow_memory_and_slow_links_show_in_absolute_figures(self):
        usual = self.messages()
        slow_memory = self.messages("memory_GB_per_s=6")
        slow_link = self.messages("network_GB_per_s=2.2")
        self.assertAlmostEqual(slow_memory[5] / usual[5], 0.5, delta=0.05)
        self.assertEqual(slow_memory[:3], usual[:3])
        self.assertLess(slow_link[2], 0.8 * usual[2])
        self.assertEqual(slow_link[3:], usual[3:])

    def test_a_barrier_that_lets_ranks_out_late_is_named(self):
        def skews(algorithm):
            done = self.simulate("--nodes", 8, "--ppn", 1, "--algorithm", f"barrier={algorithm}", "--output",
                                 self.folder / algorithm, "--", "--guidelines", "library", "--collectives",
                                 "barrier", "--distributions", "same", "--block-sizes", "1")
            problem, = self.report(algorithm)["problems"]
            found = {each["name"]: each["exit_skew_s"] for each in problem["contestants"]
                     if "exit_skew_s" in each}
            self.assertIn("dissemination_Barrier_radix8", found)
            return found["MPI_Barrier"], min(found.values()), done.stdout
        late, best, screen = skews("ompi_doublering")
        self.assertGreater(late, 1.2 * best)
        self.assertIn("SKEW: The last rank leaves MPI_Barrier ", screen)
        alike, _, screen = skews("ompi_bruck")
        self.assertLess(alike, late)
        self.assertNotIn("SKEW", screen)
        self.assertIn("The last rank leaves MPI_Barrier ", screen)


class KnownTimes(SimulationTest):
    """The times change only with the algorithm, the platform or SimGrid. After such a change,
    UPDATE_KNOWN_TIMES=1 writes them anew."""

    def test_times_are_those_that_they_were(self):
        found = {}
        for library in ("ompi", "mpich"):
            lines, report = self.audit(library, 4, 16, *AUDIT, simulator=("--library", library))
            self.assertTrue(report["simulated"])
            for (problem, name), samples_s in times(lines).items():
                self.assertEqual(len(samples_s), 1, "one round decides")
                found[f"{library} {problem} {name}"] = samples_s[0]
        if "UPDATE_KNOWN_TIMES" in os.environ:
            KNOWN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        known = json.loads(KNOWN.read_text(encoding="utf-8"))
        self.assertEqual(found.keys(), known.keys())
        for key, time_s in known.items():
            self.assertAlmostEqual(found[key], time_s, delta=PRECISION_S, msg=key)


class CarriedBlocks(SimulationTest):
    def test_the_root_receives_them_before_the_blocks_of_the_tree(self):
        # The blocks are not sent after the tree, which takes 46 us for 40: on 560 ranks the tree carries some
        # of them.
        found = times(self.audit(
            "carried", 35, 16, *self.guideline("TUW_Gatherv_carrying(m) <= binomial_Gatherv(m)"),
            "--distributions", "same,random", "--block-sizes", "10")[0])
        for problem in ("same/b=10", "random/b=10"):
            self.assertLess(found[problem, "TUW_Gatherv_carrying(m)"],
                            found[problem, "binomial_Gatherv(m)"])


class Report(SimulationTest):
    def test_the_report_names_the_simulated_library(self):
        done = self.simulate("--nodes", 2, "--ppn", 2, "--library", "mpich", "--algorithm",
                             "gather=ompi_basic_linear", "--set", "receive_remote_us=0.5",
                             "--output", self.folder / "out", "--", *IRREGULAR,
                             "--distributions", "same", "--block-sizes", "1")
        report = self.valid_report()
        self.assertIn(", 4 ranks on 2 nodes, simulated, ", " ".join(done.stdout.split()))
        self.assertIn("algorithms of mpich, gather ompi_basic_linear", report["mpi"]["library"])
        self.assertEqual([host["name"] for host in report["machine"]["hosts"]],
                         ["node-0", "node-1"])
        simulation = report["simulation"]
        self.assertEqual(simulation["platform"], "qdr-36x16")
        self.assertIn("receive_remote_us=0.5", simulation["platform_parameters"])
        self.assertIn("smpi/simulate-computation:no", simulation["settings"])
        self.assertTrue(simulation["simulator"].startswith("SimGrid "))

    def test_more_costly_receives_slow_a_linear_gatherv_down(self):
        gatherv = []
        for overhead in (0.5, 1.5):
            lines, _ = self.audit(f"overhead-{overhead}", 9, 1, "--distributions", "same",
                                  "--block-sizes", "1",
                                  simulator=("--set", f"receive_remote_us={overhead}"))
            gatherv.append(times(lines)["same/b=1", "MPI_Gatherv(m)"][0])
        # The root receives from eight other nodes, one after the other.
        self.assertAlmostEqual(gatherv[1] - gatherv[0], 8e-6, delta=1e-8)


if __name__ == "__main__":
    unittest.main(verbosity=2)
