# SPDX-License-Identifier: BSD-3-Clause
"""Tests mpiaudit probe, and audits that are scheduled from a network file."""

import json

from program import DONE, ProgramTest, main

QUICK = ["--guidelines", "grid", "--distributions", "same", "--block-sizes", "10",
         "--max-rounds", "4", "--output", "out"]


class NetworkTest(ProgramTest):
    def test_a_file_of_probe_schedules_an_audit(self):
        self.expect_code(0, "probe", "--between", "ranks", "--rounds", "2", "--largest", "32Ki",
                         "--bytes", "1,1Ki", "--output", "net.json", ranks=3)
        network = json.loads(self.read("net.json"))
        self.assertEqual(len(network["hosts"]), 3)
        for quantity in ("latency_s", "bandwidth_Mbit_per_s"):
            for source, row in enumerate(network[quantity]):
                self.assertEqual([value is None for value in row],
                                 [source == destination for destination in range(3)])
        self.expect_code(DONE, "run", *QUICK, "--network", "net.json", ranks=3)
        checks = self.report()["checks"]
        self.assertEqual({check["verdict"] for check in checks} & {"skipped"}, set())
        self.assertEqual(self.report()["options"]["network"], "net.json")

    def test_one_pool_is_told(self):
        self.write("net.json", '{"placement": "cyclic", "hosts": ["a", "b"], "latency_s": '
                   '[[0, 1e-6], [1e-6, 0]], "bandwidth_Mbit_per_s": [[null, 10], [10, null]]}')
        self.expect_code(DONE, "run", *QUICK, "--network", "net.json", ranks=2)
        self.assertIn("one pool", " ".join(self.report()["warnings"]))

    def test_without_a_network_its_guidelines_are_skipped(self):
        self.expect_code(DONE, "run", *QUICK)
        self.assertEqual({check["reason"] for check in self.report()["checks"]},
                         {f"{name} needs a network (see --network)" for name in (
                             "Min3_Allgather", "MagPIe_Allgather", "MPICH_G2_Allgather",
                             "Min3_Allgatherv")})

    def test_what_cannot_be_used(self):
        self.write("net.json", "")
        for said, ranks, *words in (
                ("did you mean 'three-sites'?", 2, "run", "--network", "tree-sites"),
                ("hosts of the network: ut-0, ut-1", None, "run", "--network", "three-sites"),
                ("--between ranks", 2, "probe"), ("there is no link", None, "probe", "--between", "ranks"),
                ("--overwrite", 2, "probe", "--between", "ranks", "--output", "net.json"),
                ("--bytes", 2, "probe", "--bytes", "2Gi")):
            done = self.expect_code(2, *words, ranks=ranks)
            self.assertEqual(done.stderr.count("mpiaudit: "), 1, done.stderr)
            self.assertIn(said, done.stderr)


main()
