# SPDX-License-Identifier: BSD-3-Clause
"""Raw samples judged again, without MPI."""

import lzma
import shutil

from program import DONE, AuditedTest, main


class Judge(AuditedTest):
    audit = ["--guidelines", "irregular", "--distributions", "same,random", "--block-sizes", "1,100",
             "--max-rounds", "30"]

    def judge(self, *options, results="out", code=DONE):
        """The report of another judgement, made where MPI may not be started."""
        done = self.expect_code(code, "judge", results, *options, "--report", "again.json",
                                fault="forbidden")
        self.console_again = done.stdout
        return self.report("again.json")

    def test_same_rule_gives_the_same_report(self):
        self.assertEqual(self.judge(), self.report())
        self.assertEqual(self.console_again.replace("again.json", "out/report.json"), self.console)
        self.assertEqual(self.judge("--judge", "evidence", "--tolerance", "0.05", "--alpha", "0.05"),
                         self.report())

    def test_another_rule(self):
        report = self.judge("--tolerance", "1e9")
        self.assertEqual(report["rule"]["tolerance"], 1e9)
        self.assertEqual({check["slower"] for check in report["checks"] if "slower" in check}, {0})
        report = self.judge("--alpha", "1e-12", code=5)
        self.assertEqual(report["rule"]["alpha"], 1e-12)
        # 30 rounds cannot reach that.
        self.assertEqual(report["summary"]["violated"] + report["summary"]["holds"], 0)

    def test_plain_comparisons(self):
        report = self.judge("--judge", "minima")
        self.assertEqual((report["rule"]["criterion"], report["rule"]["tolerance"]), ("minima", 0))
        problems = {problem["id"]: problem for problem in self.problems()}
        for check in report["checks"]:
            if check["verdict"] != "skipped":
                left, right = self.least_together(problems[check["problem"]], check["left"], check["right"])
                self.assertEqual(check["verdict"], "violated" if left > right else "holds")

    def least_together(self, problem, *names):
        """The least sample of each contestant in the rounds that have both."""
        contestants = problem["contestants"]
        places = [next(i for i, each in enumerate(contestants) if each["name"] == name) for name in names]
        samples = [iter(each.get("samples_s", [])) for each in contestants]
        rounds = [{place: next(samples[place]) for place in dict.fromkeys(order)}
                  for order in problem["order"]]
        return [min(times[place] for times in rounds if all(each in times for each in places))
                for place in places]

    def test_damaged_samples(self):
        file = self.folder / "out" / "samples.jsonl"
        header, *problems, _ = self.sample_lines()  # the last line is about the end of the session
        file.write_bytes(b"".join([header, *problems])[:-9])
        done = self.expect_code(DONE, "judge", "out")
        self.assertIn("warning: the last line of out/samples.jsonl is incomplete", done.stderr)
        self.assertIn("The audit is not complete: 3 of 4 problems measured.", " ".join(done.stdout.split()))
        file.write_bytes(b"".join([header, b"garbage\n", *problems]))
        done = self.expect_code(2, "judge", "out")
        self.assertIn("out/samples.jsonl:2: not a line of an audit's samples", done.stderr)
        done = self.expect_code(2, "judge", "nowhere")
        self.assertIn("nowhere: is not the folder of an audit", done.stderr)

    def test_packed_samples(self):
        """The command that unpacks is named, also for a launch or a scale beside readable samples."""
        def refused(folder):
            return self.expect_code(2, "judge", folder).stderr

        samples = self.folder / "out" / "samples.jsonl"
        packed = self.folder / "out" / "samples.jsonl.xz"
        packed.write_bytes(lzma.compress(samples.read_bytes()))
        self.expect_code(DONE, "judge", "out")
        samples.rename(self.folder / "readable")
        for given in ("out", "out/samples.jsonl.xz"):
            self.assertIn(f"{given}: the samples are compressed; unpack them first: xz -dk "
                          "out/samples.jsonl.xz\n", refused(given))
        shutil.copytree(self.folder / "out", self.folder / "two scales" / "ranks-2")
        self.assertIn("xz -dk 'two scales/ranks-2/samples.jsonl.xz'\n", refused("two scales"))
        (self.folder / "readable").rename(samples)
        (self.folder / "out" / "confirmation-1").mkdir()
        packed.rename(self.folder / "out" / "confirmation-1" / packed.name)
        self.assertIn("xz -dk out/confirmation-1/samples.jsonl.xz\n", refused("out"))


main()
