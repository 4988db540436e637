# SPDX-License-Identifier: BSD-3-Clause
"""Reference algorithms in the place of a library's operations: by their own names, with costs."""

import json
import sys
import unittest

from simulation import ROOT, SimulationTest

sys.path.insert(0, str(ROOT))

from analysis.beside_paper import as_one_library, joined  # noqa: E402

LIBRARY = {
    "base": "ompi",
    "parameters": {"receive_remote_us": 0.5},
    "fitted": [],
    "stand_ins": [
        {"operation": "MPI_Gatherv", "choices": [
            {"algorithm": "TUW_Gatherv", "to_bytes": 100, "reason": "small"},
            {"algorithm": "linear_Gatherv", "message_us": "1000 + bytes + p", "reason": "large"}]}]}
GUIDELINES = {"guidelines": [
    {"id": "linear", "statement": "MPI_Gatherv(m) <= linear_Gatherv(m)"},
    {"id": "tuw", "statement": "MPI_Gatherv(m) <= TUW_Gatherv(m)"}]}


class StandIns(SimulationTest):
    def setUp(self):
        super().setUp()
        self.library = self.folder / self.write("mine.json", LIBRARY)

    def test_a_stand_in_has_its_algorithm_and_message_costs(self):
        lines, report = self.audit(
            "out", 3, 2, "--guidelines", self.folder / self.write("own.json", GUIDELINES), "--distributions",
            "same", "--block-sizes", "10,1000", simulator=("--library", self.library))
        times = {(line["id"], each["name"]): each["samples_s"][0]
                 for line in map(json.loads, lines[1:]) for each in line["contestants"]}
        small, large = (times[f"same/b={b}", "MPI_Gatherv[as mine](m)"] for b in (10, 1000))
        self.assertAlmostEqual(small, times["same/b=10", "TUW_Gatherv(m)"], delta=1e-8)
        # 5 messages of 4000 bytes among 6 ranks.
        self.assertAlmostEqual(large, times["same/b=1000", "linear_Gatherv(m)"] + 5 * 5006e-6,
                               delta=1e-8)
        self.assertIn("receive_remote_us=0.5", report["simulation"]["platform_parameters"])
        self.assertIn("MPI_Gatherv[as mine](m) <= linear_Gatherv(m)",
                      [each["statement"] for each in report["guidelines"]])
        self.assertEqual({each["kind"] for each in report["checks"]}, {"remark"})
        own = {each["name"]: (each.get("stands_for"), each.get("written_as"))
               for each in report["implementations"]}
        self.assertEqual(own, {"MPI_Gatherv[as mine]": ("MPI_Gatherv", None),
                               "linear_Gatherv": (None, "mpiaudit::linear_Gatherv"),
                               "TUW_Gatherv": (None, "mpiaudit::TUW_Gatherv")})
        self.assertTrue(any("MPI_Gatherv[as mine] is an algorithm of mpiaudit" in each
                            for each in report["warnings"]))

    def test_audits_of_two_libraries_make_one_of_a_third_with_their_operations(self):
        reports = [self.audit(name, 3, 4, "--guidelines", ROOT / "jobs" / "paper-guidelines-2.json",
                              "--distributions", "same,random", "--block-sizes", "10,10000",
                              simulator=("--library", name))[1]
                   for name in ("intel-2017.2", "intel-2017.2-table-8", "intel-2017.2-table-9")]
        whole, parts = (
            {(problem["id"], each["name"]): each["statistics"]["median_s"]
             for problem in report["problems"] for each in problem["contestants"]}
            for report in (reports[0], joined(as_one_library(reports[1:], "intel-2017.2"))))
        self.assertEqual(parts.keys(), whole.keys())
        for each, time_s in whole.items():
            self.assertAlmostEqual(parts[each], time_s, delta=5e-8, msg=each)

    def test_they_are_for_audits(self):
        done = self.simulate("--nodes", 1, "--ppn", 2, "--library", self.library, "--", "verify", code=2)
        self.assertIn("stand-ins are for 'mpiaudit run'", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
