# SPDX-License-Identifier: BSD-3-Clause
"""Raw samples judged again, without MPI."""

import json

from program import AuditedTest, main


class Judge(AuditedTest):
    audit = ["--guidelines", "irregular", "--distributions", "same,random", "--block-sizes", "1,100",
             "--max-rounds", "30"]

    def judge(self, *options, results="out", code=0):
        """The report of another judgement, made where MPI may not be started."""
        done = self.expect_code(code, "judge", results, *options, "--report", "again.json",
                                fault="forbidden")
        self.console_again = done.stdout
        return json.loads((self.folder / "again.json").read_text(encoding="utf-8"))

    def test_same_rule_gives_the_same_report(self):
        self.assertEqual(self.judge(), self.report())
        self.assertEqual(self.console_again.replace("again.json", "out/report.json"), self.console)
        self.assertEqual(self.judge("--judge", "evidence", "--tolerance", "0.05", "--alpha", "0.05"),
                         self.report())

    def test_other_tolerance(self):
        report = self.judge("--tolerance", "1e9")
        self.assertEqual(report["rule"]["tolerance"], 1e9)
        self.assertEqual(report["summary"]["violated"], 0)
        self.assertEqual({check["slower"] for check in report["checks"] if "slower" in check}, {0})

    def test_other_level(self):
        report = self.judge("--alpha", "1e-12", code=5)
        self.assertEqual(report["rule"]["alpha"], 1e-12)
        # 30 rounds cannot reach that.
        self.assertEqual(report["summary"]["violated"] + report["summary"]["holds"], 0)

    def test_plain_comparisons(self):
        for criterion, statistic in (("averages", "mean_s"), ("minima", None)):
            report = self.judge("--judge", criterion)
            self.assertEqual(report["rule"]["criterion"], criterion)
            self.assertEqual(report["rule"]["tolerance"], 0)
            self.assertEqual(report["summary"]["undecided"], 0)
            samples = {problem["id"]: {each["name"]: each.get("samples_s")
                                       for each in problem["contestants"]}
                       for problem in self.problems()}
            for check in report["checks"]:
                if check["verdict"] == "skipped":
                    continue
                if statistic:
                    left = check["left_statistics"][statistic]
                    right = check["right_statistics"][statistic]
                else:
                    left = min(samples[check["problem"]][check["left"]])
                    right = min(samples[check["problem"]][check["right"]])
                self.assertEqual(check["verdict"], "violated" if left > right else "holds")

    def test_half_written_last_line_is_left_out(self):
        file = self.folder / "out" / "samples.jsonl"
        problems = self.sample_lines()[:-1]  # the last line is about the end of the session
        file.write_bytes(b"".join(problems)[:-9])
        done = self.expect_code(0, "judge", "out")
        self.assertIn("warning: the last line of out/samples.jsonl is incomplete", done.stderr)
        self.assertIn("The audit is not complete: 3 of 4 problems measured.", " ".join(done.stdout.split()))

    def test_what_cannot_be_judged(self):
        done = self.expect_code(2, "judge", "nowhere")
        self.assertIn("nowhere: is not the folder of an audit", done.stderr)
        file = self.folder / "out" / "samples.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join([lines[0], "garbage\n", *lines[1:]]), encoding="utf-8")
        done = self.expect_code(2, "judge", "out")
        self.assertIn("out/samples.jsonl:2: not a line of an audit's samples", done.stderr)


main()
