# SPDX-License-Identifier: BSD-3-Clause
"""Tests the programs of MPI alone that show findings."""

import lzma
import os
import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from folder import ALL_TIME
from program import DONE, ProgramTest, command, main

SOURCES = os.environ["SOURCES"]

# Some blocks are empty, and none divides into equal parts.
COUNTS = {1: "7", 2: "0,13", 3: "5,0,23", 5: "1,0,11,7,3", 7: "3,0,17,1,0,5,29"}
ALL_WAYS_WITH = 3  # ranks; with other numbers of them every fifth way

# Compositions on parts of a communicator, which the page shows without a command.
WITHOUT_PROGRAM = (r"no program can be written of MPI_\w+\[(folded|first half|rows and columns|"
                   r"rows and one column|lane|hierarchical)\]")


class Reproduce(ProgramTest):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory(prefix="mpiaudit-")
        cls.addClassCleanup(kept.cleanup)
        cls.kept = Path(kept.name)

    def audit(self, ranks, *options):
        self.run_here(*command(["run", *options, "--max-rounds", "2", "--warmup", "0", "--overwrite",
                                "--output", "out"], ranks), code=DONE, timeout=900)
        return self.report()

    def whole_audit(self, ranks):
        """One audit on each number of ranks, in the folder `out`."""
        kept = self.kept / str(ranks)
        if not kept.exists():
            self.audit(ranks, "--distributions", "same", "--block-sizes", "7,9", "--counts", COUNTS[ranks],
                       *ALL_TIME)
            shutil.copytree(self.folder / "out", kept)
        shutil.copytree(kept, self.folder / "out", dirs_exist_ok=True)
        return self.report()

    def ways(self, report):
        """A check of each pair of ways that were measured, on irregular blocks where they can have them."""
        measured = {(problem["id"], way["name"]) for problem in report["problems"]
                    for way in problem["contestants"] if "statistics" in way}
        chosen = {}
        for check in reversed(report["checks"]):
            ways = check["left"], check["right"]
            if all((check["problem"], way) in measured for way in ways) and check["kind"] == "verdict":
                chosen.setdefault(ways, f"{check['guideline']}@{check['problem']}")
        return list(chosen.values())

    def program(self, check):
        """Returns the text of the program, with few pairs; None for a way that no program can show."""
        done = self.expect_code((0, 2), "reproduce", "out", "--check", check)
        if done.returncode == 2:
            self.assertRegex(done.stderr, WITHOUT_PROGRAM)
            return None
        self.assertIn("warning: only one launch has measured", done.stderr)
        # The interval is of the pairs of one start.
        self.assertIn("start it five times", done.stdout)
        self.assertIn("95 %% interval", done.stdout)
        return re.sub(r"warm_up = \d+, pairs = \d+", "warm_up = 0, pairs = 3", done.stdout)

    def programs(self, checks):
        """Only ways that have a program."""
        with ThreadPoolExecutor(2) as pool:
            return {check: text for check, text in zip(checks, pool.map(self.program, checks)) if text}

    def build(self, *files):
        self.run_here("mpicc", "-Wall", "-Wextra", "-Werror", *files)

    def as_function(self, text, name):
        """A program as a function of one that starts MPI: to start each takes ten times as long."""
        for words, instead in (("int main(", f"int {name}("), ("    MPI_Finalize();\n", ""),
                               ("MPI_Init(&argc, &argv)", "(void)argc, (void)argv")):
            self.assertIn(words, text)
            text = text.replace(words, instead)
        return text

    def run_all(self, ranks, programs):
        """The programs of checks, as functions of one."""
        files = []
        for place, text in enumerate(programs.values()):
            files.append(f"{place}.c")
            self.write(files[-1], self.as_function(text, f"way_{place}"))
        calls = "".join(f'    if (way_{place}(argc, argv)) puts("{check}");\n'
                        for place, check in enumerate(programs))
        self.write("all.c", "#include <mpi.h>\n#include <stdio.h>\n"
                   + "".join(f"int way_{place}(int, char**);\n" for place in range(len(files)))
                   + "int main(int argc, char** argv) {\n    MPI_Init(&argc, &argv);\n" + calls
                   + "    MPI_Finalize();\n    return 0;\n}\n")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda some: self.build("-c", *some), (files[::2], [*files[1::2], "all.c"])))
        self.build("-o", "all", "all.o", *(file.replace(".c", ".o") for file in files))
        done = self.launch(ranks, "./all")
        self.assertEqual(done.stdout.count("right result"), 2 * len(programs), done.stdout)

    def test_every_way_gives_the_same_result(self):
        for ranks in COUNTS:
            checks = self.ways(self.whole_audit(ranks))
            if ranks != ALL_WAYS_WITH:
                checks = checks[ranks % 5::5]
            self.assertGreater(len(checks), 10)
            with self.subTest(ranks=ranks):
                self.run_all(ranks, self.programs(checks))

    def test_persistent_operations_have_the_names_that_the_library_has(self):
        names = [f"persistent-{each}" for each in ("bcast", "reduce", "gatherv", "reduce_scatter")]
        programs = self.programs(self.ways(self.audit(
            2, "--guidelines", "specialisation", "--only", ",".join(names), "--distributions", "random",
            "--block-sizes", "9")))
        self.assertIn("_init(", "".join(programs.values()))
        self.run_all(2, programs)

    def all_shown(self, checks):
        """The programs of checks that all have one, each of which fits three screens."""
        programs = self.programs(checks)
        self.assertEqual(list(programs), checks)
        for text in programs.values():
            self.assertLessEqual(text.count("\n"), 150, text)
        return programs

    def test_ways_to_call(self):
        """Calls in a row, on new communicators, with computation meanwhile: as the audit makes them."""
        programs = self.all_shown(self.ways(self.audit(
            3, "--guidelines", "calls", "--distributions", "two-blocks", "--block-sizes", "7")))
        self.assertGreater(len(programs), 10)
        for check, text in programs.items():
            if "new-buffers" in check:
                self.assertIn("MPI_Bcast(made, total" if "bcast" in check else "(in, ", text)
            for word in {"in-a-row": "MPI_Barrier(comm);", "new-communicator": "MPI_Comm_dup(",
                         "progress": "MPI_Test(&request"}.items():
                self.assertTrue(not check.startswith(word[0]) or word[1] in text, text)
        self.run_all(3, programs)

    def test_forms_of_an_operation(self):
        """Pieces in place, on other communicators, with user functions and derived types."""
        for ranks, forms, files, options in (
                (3, "in-place|user-function|order-kept|merged|dup|split|create|exchanged|made.*dup",
                 "specialisation,operators,communicators,making-communicators", ()),
                (2, "in-place|nonblocking|(sent|received)-type-([a-z]*gather|scatter|alltoall|bcast)$",
                 "specialisation,datatypes", ("--element", "indexed")),
                (2, "in-place-.*(scan|reduce)", "specialisation", ("--op", "user-affine"))):
            report = self.audit(ranks, "--guidelines", files, "--distributions", "same", "--block-sizes", "7",
                                "--counts", COUNTS[ranks], *ALL_TIME, *options)
            checks = [each for each in self.ways(report) if re.match(f"({forms})", each.split("@")[0])]
            self.assertTrue(checks, forms)
            with self.subTest(forms=forms):
                self.run_all(ranks, self.all_shown(checks))

    def shown(self, beginning):
        """The program of a check on two ranks whose guideline has a name that begins so."""
        checks = self.ways(self.whole_audit(2))
        return self.program(next(check for check in checks if check.startswith(beginning)))

    def test_a_wrong_result_is_seen(self):
        text = self.shown("scan")
        wrong = text.replace("MPI_Scan(sendbuf, recvbuf, total", "MPI_Scan(sendbuf, recvbuf, 1")
        for tried, is_right in ((text, True), (wrong, False)):
            self.build("-o", "0", self.write("0.c", tried))
            done = self.launch(2, "./0", code=None)
            self.assertEqual("WRONG RESULT" in done.stdout, not is_right, done.stdout)
            self.assertEqual(done.returncode == 0, is_right)

    def test_the_compiler_leaves_the_heap_to_grow(self):
        """Memory that is freed without use would not be allocated at all."""
        self.build("-O2", "-c", self.write("0.c", self.shown("irregular-2-allgatherv")))
        self.assertIn("U malloc", self.run_here("nm", "-u", "0.o").stdout)

    def test_a_form_that_is_wrong_or_hangs_beside_the_operation(self):
        """Known defects of libraries: a default audit finds each, and its program shows it."""
        self.expect_code((0, 3, 5), "run", "--collectives", "gather,allgather", "--budget", "1s", "--output",
                         "out", ranks=3)
        wrong = {f"{way['name']}@{problem['id']}" for problem in self.report()["problems"]
                 for way in problem["contestants"] if "wrong" in way or "known_to_fail" in way}
        known = {"MPI_Gather_init(m)": "MPI_Gather_init(m): .*WRONG RESULT"}
        shown = [finding for finding in wrong if finding.split("@")[0] in known]
        self.assertTrue(shown or not wrong, wrong)
        for number, finding in enumerate(shown[:2]):
            text = self.expect_code(0, "reproduce", "out", "--check", finding).stdout
            self.assertLess(text.count("\n"), 150)
            self.build("-o", f"{number}", self.write("wrong.c", text.replace("alarm(20)", "alarm(2)")))
            done = self.launch(3, f"./{number}", code=None)
            self.assertRegex(done.stdout + done.stderr, known[finding.split("@")[0]])
            self.assertNotEqual(done.returncode, 0)

    def test_the_rows_of_the_screen(self):
        """Kept audits have the same rows on every machine. One is of an algorithm on 560 ranks."""
        for name, code in (("simulated-table-1", "TUW_Gather(sendbuf, recvbuf);"),
                           ("simulated-scatter-table-1", "MPI_Scatterv("),
                           ("simulated-table-6/random", "largest")):
            folder = f"kept/{name}"
            (self.folder / folder).mkdir(parents=True)
            packed = Path(SOURCES) / "results" / "reference" / name / "samples.jsonl.xz"
            (self.folder / folder / "samples.jsonl").write_bytes(lzma.decompress(packed.read_bytes()))
            screen = self.expect_code(0, "judge", "--all", folder).stdout
            rows = re.findall(r"^(S\d+) +(\S+) +([\d.]+) +([\d.]+) ", screen, re.MULTILINE)
            texts = []
            for row, operation, takes, instead in rows:
                with self.subTest(audit=name, row=row):
                    texts.append(self.expect_code(0, "reproduce", folder, "--row", row).stdout)
                    measured = re.search(r"measured ([\d.]+) times as long", texts[-1])
                    ratio = float(takes) / float(instead)
                    self.assertAlmostEqual(ratio / float(measured[1]), 1.0, delta=0.011)
                    self.assertRegex(texts[-1], rf"^/\* (MPI_)?{operation}\(m'?\) against ")
                    self.build("-std=c11", "-c", self.write("row.c", texts[-1]))
            self.assertIn(code, "".join(texts))
            self.assertEqual(self.expect_code(0, "reproduce", folder).stdout, texts[0])
            for number in (0, len(rows) + 1):
                refused = self.expect_code(2, "reproduce", folder, f"--row={number}")
                valid = f"the rows S1 to S{len(rows)}" if len(rows) > 1 else "the row S1"
                self.assertIn(f"the screen has {valid}", refused.stderr)

    def test_findings_without_a_program_are_named(self):
        self.whole_audit(1)
        failed = self.expect_code(2, "reproduce", "out", "--check", "nothing@same/b=7")
        self.assertIn("--check: the audit has no check nothing@same/b=7", failed.stderr)
        failed = self.expect_code(2, "reproduce", "nowhere")
        self.assertIn("nowhere", failed.stderr)


if __name__ == "__main__":
    main()
