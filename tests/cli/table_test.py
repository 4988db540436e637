# SPDX-License-Identifier: BSD-3-Clause
"""The table of times on standard output: run and judge with --table, --csv and --json-lines."""

import csv
import io
import json
import re

from folder import ALL_TIME
from program import DONE, ProgramTest, main

PROBLEMS = ["--distributions", "same,decreasing", "--block-sizes", "10,1000", "--max-rounds", "20",
            *ALL_TIME]
TIMED = ["run", "--collectives", "gatherv,TUW_Gatherv", *PROBLEMS, "--output", "out", "--overwrite"]


class Table(ProgramTest):
    def test_a_table_has_a_line_for_each_distribution_size_and_implementation(self):
        done = self.expect_code(DONE, *TIMED, "--table", ranks=3)
        lines = done.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        rows = [line.split() for line in lines if not line.startswith("#")]
        self.assertEqual([row[0] for row in rows], 2 * ["same", "same", "decreasing", "decreasing"])
        self.assertEqual([row[1] for row in rows if row[0] == "same"], 2 * ["40", "4000"])
        self.assertEqual([line for line in lines if re.match("# [A-Z]+_", line)],
                         ["# MPI_Gatherv", "# TUW_Gatherv"])
        for row in rows:
            self.assertEqual(len(row), 12)
            median, least = float(row[2]), float(row[3])
            self.assertGreaterEqual(median, least)
            self.assertLess(int(row[9]), 3)
        self.assertIn("report: out/report.json", done.stderr)
        report = self.valid_report()
        self.assertEqual(report["checks"], [])
        self.assertEqual({each["name"] for problem in report["problems"] for each in problem["contestants"]},
                         {"MPI_Gatherv(m)", "TUW_Gatherv(m)"})
        again = self.expect_code(DONE, "judge", "out", "--table")
        self.assertEqual(again.stdout, done.stdout)

    def test_each_size_is_told_as_soon_as_it_is_measured(self):
        done = self.expect_code(DONE, *TIMED, "--csv", ranks=2)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        told = re.findall(r"^(\w+), (.*): MPI_Gatherv (\S+) us, TUW_Gatherv (\S+) us$", done.stderr, re.M)
        self.assertEqual(sorted((each[0], each[1]) for each in told),
                         [("decreasing", "5.86 KiB"), ("decreasing", "64 B"), ("same", "3.91 KiB"),
                          ("same", "40 B")])
        medians = sorted(float(row["median_s"]) for row in rows)
        for shown, median in zip(sorted(float(text) for each in told for text in each[2:]), medians):
            self.assertAlmostEqual(shown, 1e6 * median, delta=0.01 * shown)
        self.assertLess(max(done.stderr.index(each[0] + ", " + each[1]) for each in told),
                        done.stderr.index("report: out/report.json"))

    def test_csv_and_lines_of_json_have_the_same_rows(self):
        done = self.expect_code(DONE, *TIMED, "--csv", ranks=2)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), 8)
        for row in rows:
            times = [float(row[f"{key}_s"]) for key in ("minimum", "median", "p90", "p99", "maximum")]
            self.assertEqual(times, sorted(times))
            self.assertEqual(row["samples"], "20")
            self.assertLessEqual(float(row["fastest_rank_s"]), float(row["slowest_rank_s"]))
        again = self.expect_code(DONE, "judge", "out", "--json-lines")
        objects = [json.loads(line) for line in again.stdout.splitlines()]
        self.assertEqual([{key: str(value) for key, value in each.items() if not key.endswith("_s")}
                          for each in objects],
                         [{key: value for key, value in row.items() if not key.endswith("_s")}
                          for row in rows])
        for each, row in zip(objects, rows):
            self.assertEqual(each["p99_s"], float(row["p99_s"]))

    def test_a_plain_run_of_one_operation_prints_its_times_below_the_verdict(self):
        audit = ["run", "--guidelines", "irregular", *PROBLEMS, "--output", "out", "--overwrite"]
        screen = self.expect_code(DONE, *audit, "--collectives", "MPI_Gatherv", ranks=2).stdout
        self.assertRegex(screen,
                         r"report: out/report.json\n[\s\S]*\n# [\s\S]+\n# MPI_Gatherv\n"
                         r"# blocks +bytes median")
        self.assertNotIn("# blocks", self.expect_code(DONE, *audit, ranks=2).stdout)

    def test_what_cannot_be_timed_is_said_on_standard_error(self):
        done = self.expect_code(DONE, "run", "--collectives", "gather", "--distributions", "decreasing",
                                "--block-sizes", "10", "--csv", "--output", "out", ranks=3)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertRegex(done.stderr, r"not timed: MPI_Gather on decreasing/b=10: .*needs equal blocks")


main()
