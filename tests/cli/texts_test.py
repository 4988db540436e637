# SPDX-License-Identifier: BSD-3-Clause
"""Texts from elsewhere on their way in and out: control characters, texts that are not UTF-8, an output that
is full."""

import json
import os
import re

from folder import ROOT
from program import DONE, MPIAUDIT, QUICK, ProgramTest, main

TITLE = "\x1b]0;pwned\x07\u202e\x9b1m\x08"  # sets a terminal's title, reorders, overwrites
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


class Texts(ProgramTest):
    def expect_plain(self, code, *arguments, **how):
        done = self.expect_code(code, *arguments, **how)
        for text in (done.stdout, done.stderr):
            self.assertIsNone(UNSAFE.search(text), repr(text))
        return done

    def test_control_characters_in_files_and_samples(self):
        self.write("mine.json", json.dumps({"source": TITLE, "guidelines": [
            {"id": "a" + TITLE, "advice": TITLE,
             "statement": "MPI_Gather(m) + MPI_Bcast(m) <= MPI_Gather(m)"}]}))
        self.write(f"si{TITLE}.json", "[3]")
        audit = ["run", "--guidelines", "mine.json", "--counts", f"./si{TITLE}.json", "--judge", "minima",
                 "--max-rounds", "8", "--output", "out"]
        self.expect_plain(2, *audit)  # Bcast does not follow Gather: the message quotes it
        text = self.read("mine.json").replace("MPI_Gather(m) + MPI_Bcast(m)", "MPI_Gatherv(m)")
        self.write("mine.json", text)
        self.expect_plain(0, *audit, "--color", "never")
        header, *problems = self.sample_lines()
        header = json.loads(header)
        header["mpi"]["library"] = header["warnings"] = header["machine"]["hosts"][0]["name"] = TITLE
        header["warnings"] = [TITLE]
        problem = json.loads(problems[0])
        problem["contestants"][0]["wrong"] = TITLE
        problem["contestants"][1]["skipped"] = TITLE
        self.write("out/samples.jsonl", "\n".join(map(json.dumps, [header, problem])) + "\n")
        done = self.expect_plain(3, "judge", "out", "--color", "never")
        self.assertIn("\\x1b]0;pwned\\x07\\u202e", done.stdout)
        self.expect_plain(2, "run", "--guidelines", TITLE)
        self.expect_plain(2, "judge", TITLE)

    def test_input_that_is_not_utf8_is_refused_with_its_place(self):
        (self.folder / "d.json").write_bytes(b'{"name": "d",\n "summary": "\xe9"}')
        done = self.expect_code(2, "run", "--distributions", "./d.json", "--output", "out")
        self.assertRegex(done.stderr, r"d.json:2: byte 14 is 0xe9, which is not UTF-8; save")
        done = self.expect_code(2, "run", *QUICK, "--output", os.fsdecode(b"u\xff"))
        self.assertEqual(done.stderr,
                         "mpiaudit: 'u\\xff': byte 2 is 0xff, which is not UTF-8 (see mpiaudit run --help)\n")
        self.assertFalse((self.folder / os.fsdecode(b"u\xff")).exists())

    def test_environments_that_are_not_utf8_are_recorded(self):
        value = os.fsdecode(b"a\xff\x1b")
        self.expect_plain(0, "run", *QUICK, "--output", "out",
                          environment={"SLURM_JOB_NAME": value, "UCX_TEST": value,
                                       "MPIAUDIT_LAUNCHER": value})
        report = self.report()
        self.assertEqual(report["environment"]["UCX_TEST"], "a\\xff\\x1b")
        self.assertEqual(report["job"]["launcher"], ["a\\xff\\x1b"])
        self.expect_code(DONE, "run", *QUICK, "--output", "out", "--resume")

    def test_nesting_without_end(self):
        deep = "[" * 300_000 + "]" * 300_000
        for text, arguments in ((deep, ["--counts"]), ('{"name":' + deep + "}", ["--distributions"]),
                                ('{"guidelines":' + deep + "}", ["--guidelines"]),
                                ('{"hosts":' + deep + "}", ["--guidelines", "grid", "--network"])):
            with self.subTest(arguments):
                self.write("deep.json", text)
                done = self.expect_code(2, "run", *arguments, "./deep.json", "--dry-run")
                self.assertIn("./deep.json:1: nested more than 64 deep", done.stderr)

    def test_a_limit_of_memory_for_verify(self):
        problem = ["verify", "--distributions", "same", "--block-sizes", "1000"]
        done = self.expect_code(0, *problem, "--memory", "1Ki")
        self.assertRegex(done.stdout, r"skipped same/b=1000: needs .* per rank, 1.0 KiB allowed \(--memory\)")
        self.assertIn(" 0 runs verified", done.stdout)

    def test_one_function_prints_and_one_writes(self):
        doors = {"text/console.cpp", "files/files.cpp", "files/folder_lock.cpp", "screens/progress.cpp"}
        source = ROOT / "src"
        for file in source.rglob("*.cpp"):
            name = "/".join(file.relative_to(source).parts[1:])
            if name in doors or name.endswith("_smpi.cpp"):
                continue
            found = re.search(
                r"fmt::print|std::cout|std::cerr|\bf?puts\(|\bf?printf\(|fwrite\(|ofstream|fopen\(",
                file.read_text(encoding="utf-8"))
            self.assertIsNone(found, f"{name} prints or writes without text/console.h, files/files.h")

    def test_an_output_that_takes_no_more(self):
        self.expect_code(DONE, "run", *QUICK, "--output", "out")
        for command in (["judge", "out"], ["--help"], ["run", *QUICK, "--output", "again", "--overwrite"],
                        ["verify", "--distributions", "same", "--block-sizes", "1", "--collectives",
                         "bcast"]):
            for redirection, reason in ((">/dev/full", "No space left on device"),
                                        (">&-", "Bad file descriptor")):
                with self.subTest(f"{command} {redirection}"):
                    done = self.run_here("sh", "-c", f'exec "$@" {redirection}', "-", MPIAUDIT, *command,
                                         code=74)
                    self.assertIn(f"mpiaudit: standard output cannot be written ({reason})", done.stderr)
        self.assertTrue((self.folder / "again" / "report.json").exists())


main()
