# SPDX-License-Identifier: BSD-3-Clause
"""Files of the program: one writer, no loss, no duplicates, nothing overwritten."""

import os
import signal
import subprocess

from program import DONE, QUICK, ProgramTest, command, descendants, main, send

# Slow enough to meet somebody.
LONG = ["run", *QUICK[:-1], "20", "--output", "out"]


class Files(ProgramTest):
    def audit(self, output="out"):
        self.expect_code(DONE, "run", *QUICK, "--output", output)
        return self.sample_lines(output)

    def test_one_writer_at_a_time(self):
        with subprocess.Popen(command(LONG, 2, "slow"), cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as first:
            self.wait_until(lambda: self.sample_lines() or first.poll() is not None, "the first line")
            family = descendants(first.pid)[1:]
            try:
                send(signal.SIGSTOP, family)
                for how in ("--resume", "--overwrite"):
                    done = self.expect_code(2, *LONG, how, ranks=2)
                    self.assertRegex(done.stderr,
                                     r"--output: out is being written by process \d+ on .+; "
                                     r"wait for it, or give another --output")
                    self.assertEqual(done.stdout, "")
            finally:
                send(signal.SIGCONT, family)
            first.communicate()
            self.assertIn(first.returncode, DONE)
        ids = [problem["id"] for problem in self.problems()]
        self.assertEqual(len(ids), 4)
        self.assertEqual(len(set(ids)), 4)
        self.assertEqual(sorted(os.listdir(self.folder / "out")), ["report.json", "samples.jsonl"])

    def test_a_disk_that_stalls_is_no_host_that_is_lost(self):
        # Header and folder, then the first problem; the other rank waits for the second one.
        self.expect_code(DONE, "run", *QUICK, "--hang-after", "2s", "--output", "out", ranks=2,
                         fault="stalled", environment={"FAULT_AFTER": "2"})
        self.assertEqual(len(self.problems()), 4)

    def test_samples_of_another_plan(self):
        """The header has changed with the rest."""
        lines = self.audit()
        file = self.folder / "out" / "samples.jsonl"
        file.write_bytes(b"".join(lines).replace(b'"random/b=10"', b'"even/b=10"'))
        done = self.expect_code(2, "run", *QUICK, "--output", "out", "--resume")
        self.assertIn('a different "planned"', done.stderr)

    def test_a_report_replaces_no_samples_and_nothing_but_a_file(self):
        lines = self.audit()
        os.link(self.folder / "out" / "samples.jsonl", self.folder / "another name")
        # A link of the test instead of /dev/stdout, which a mistake would remove from the machine.
        (self.folder / "stdout").symlink_to("/proc/self/fd/1")
        for report, reason in (("out/samples.jsonl", "holds the samples of an audit"),
                               ("another name", "holds the samples of an audit"),
                               ("stdout", "it is a symbolic link")):
            with self.subTest(report):
                done = self.expect_code(2, "judge", "out", "--report", report)
                self.assertIn(f"--report: {report}", done.stderr)
                self.assertIn(reason, done.stderr)
                self.assertEqual(done.stdout, "")
        done = self.expect_code(2, "probe", "--between", "ranks", "--rounds", "1", "--overwrite",
                                "--output", "out/samples.jsonl", ranks=2)
        self.assertIn("holds the samples of an audit", done.stderr)
        self.assertEqual(self.sample_lines(), lines)

    def test_links_and_devices_in_the_folder_are_found_before_anything_is_measured(self):
        self.write("victim", "precious")
        for name in ("samples.jsonl", "report.json", ".lock"):
            with self.subTest(name):
                (self.folder / "out").mkdir()
                link = self.folder / "out" / name
                link.symlink_to("../victim")
                done = self.expect_code(2, "run", *QUICK, "--output", "out", "--overwrite")
                self.assertRegex(done.stderr, rf"--output: out/{name}: cannot be written")
                link.unlink()
                (self.folder / "out").rmdir()
        self.assertEqual((self.folder / "victim").read_text(encoding="utf-8"), "precious")

    def test_a_header_that_was_not_written(self):
        (self.folder / "out").mkdir()
        self.write("out/samples.jsonl", '{"clo')
        for how in ([], ["--resume"]):
            done = self.expect_code(2, "run", *QUICK, "--output", "out", *how)
            self.assertIn("--overwrite", done.stderr)
        self.expect_code(DONE, "run", *QUICK, "--output", "out", "--overwrite")

    def test_a_full_disk(self):
        no_space = "cannot be written (No space left on device)"
        done = self.expect_code(2, "run", *QUICK, "--output", "out", fault="full")
        self.assertIn(f"--output: out/samples.jsonl: {no_space}", done.stderr)
        self.assertEqual(os.listdir(self.folder / "out"), [])
        lines = self.audit()
        self.expect_code(2, "run", *QUICK, "--output", "out", "--overwrite", fault="full")
        self.assertEqual(self.sample_lines(), lines)
        done = self.expect_code(2, "judge", "out", "--report", "r.json", fault="full")
        self.assertIn(f"--report: r.json: {no_space}", done.stderr)
        probe = ["probe", "--between", "ranks", "--rounds", "1", "--largest", "1k", "--bytes", "1"]
        done = self.expect_code(70, *probe, "--output", "n.json", ranks=3, fault="full")
        self.assertIn(f"n.json: {no_space}", done.stderr)
        self.assertNotIn("network: n.json", done.stdout)
        self.assertEqual(os.listdir(self.folder), ["out"])


main()
