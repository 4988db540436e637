# SPDX-License-Identifier: BSD-3-Clause
"""Tests the programs of MPI alone that show findings. They also compile and run every piece of code that is
offered for pasting, and compare it with the operation that it replaces."""

import os
import re
import shutil
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from folder import ALL_TIME
from program import DONE, ProgramTest, main

BUILD, SOURCES = os.environ["BUILD"], os.environ["SOURCES"]

# Some blocks are empty, and none divides into equal parts.
COUNTS = {1: "7", 2: "0,13", 3: "5,0,23", 5: "1,0,11,7,3", 7: "3,0,17,1,0,5,29"}
# Operations whose replacements are left sides of guidelines for other operations.
OWN_LAYOUTS = {f"MPI_{name}(m)": layouts.split() for name, layouts in {
    "Bcast": "rooted replicated", "Reduce": "contributed rooted", "Allreduce": "contributed replicated",
    "Allgather": "scattered replicated", "Allgatherv": "scattered replicated",
    "Alltoall": "outgoing incoming", "Alltoallv": "outgoing incoming", "Alltoallw": "outgoing incoming",
    "Reduce_scatter": "contributed scattered"}.items()}
INCLUDED = ('"collectives/collectives.h"', '"optimal_trees/optimal_tree.h"', '"zero_copy/zero_copy.h"',
            "<mpi.h>", "<stdio.h>", "<stdlib.h>", "<string.h>")
ALL_WAYS_WITH = 3  # ranks; with other numbers of them every fifth way


def kind_of(row):
    """Problem, layouts, and whether a way has one buffer at both ends, or types of each block."""
    return *row[:3], "(buffer" in row[4], "sendtypes" in row[4]


class Reproduce(ProgramTest):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory(prefix="mpiaudit-")
        cls.addClassCleanup(kept.cleanup)
        cls.kept = Path(kept.name)

    def audit(self, ranks, *options):
        self.expect_code(DONE, "run", *options, "--max-rounds", "2", "--warmup", "0", "--overwrite",
                         "--output", "out", ranks=ranks)
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
        """Returns the text of the program, with few pairs."""
        done = self.expect_code(0, "reproduce", "out", "--check", check)
        self.assertIn("warning: only one launch has measured", done.stderr)
        # The interval is of the pairs of one start.
        self.assertIn("start it five times", done.stdout)
        self.assertIn("95 %% interval", done.stdout)
        return re.sub(r"warm_up = \d+, pairs = \d+", "warm_up = 0, pairs = 3", done.stdout)

    def programs(self, checks):
        with ThreadPoolExecutor(2) as pool:
            return dict(zip(checks, pool.map(self.program, checks)))

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

    def pasted(self):
        """Returns for each measured way of the audit its code to paste, and the calls of its program."""
        measured = {(problem["id"], way["name"]) for problem in self.report()["problems"]
                    for way in problem["contestants"] if "statistics" in way}
        printed = self.run_here(os.environ["PASTED_WAYS"], "out").stdout
        rows = [line.split("\t") for line in printed.splitlines()]
        # Settings of the library are no code.
        return [row for row in rows if (row[0], row[3]) in measured and "(" in row[4]]

    def test_pasted_code_is_the_code_that_was_run(self):
        """If the replaced operation has no blocks, `count` is its whole vector."""
        self.whole_audit(3)
        # The program repeats a call by itself, the pasted code has a loop.
        ways = [row for row in self.pasted() if row[5] and not re.match(r"\d", row[3])]
        self.assertGreater(len(ways), 100)
        for *_, name, pasted, calls in ways:
            pasted = pasted.removesuffix(" /* buffers have room for all that is moved */")
            self.assertIn(pasted, (calls, re.sub(r"\btotal\b", "count", calls)), name)

    def test_algorithms_give_the_same_result(self):
        """The pasted pieces replace the library's operation in its program, all pieces of a kind in one
        program. They are the same on all numbers of ranks on which `mpiaudit verify` has them."""
        report = self.whole_audit(ALL_WAYS_WITH)
        kinds, checks, rows = defaultdict(list), {}, self.pasted()
        whole = {(row[0], row[3]): kind_of(row) for row in rows if row[5] and row[3].endswith("(m)")
                 and OWN_LAYOUTS.get(row[3], row[1:3]) == row[1:3]}
        for check in report["checks"]:
            kind = whole.get((check["problem"], check["left"]))
            if kind and (check["problem"], check["right"]) in whole:
                checks.setdefault(kind, f"{check['guideline']}@{check['problem']}")
        for row in rows:
            if not row[5] and kind_of(row) in checks:
                kinds[kind_of(row)].append(row)
        texts = [self.with_all(number, ways, checks[kind])
                 for number, (kind, ways) in enumerate(kinds.items())]
        main = ("int main(int argc, char** argv) {\nMPI_Init(&argc, &argv);\nint wrong = 0;\n"
                + "".join(f"wrong += kind_{number}::run(argc, argv);\n" for number in range(len(texts)))
                + "MPI_Finalize();\nreturn wrong != 0;\n}\n")
        declared = "".join(f"namespace kind_{number} {{ int run(int, char**); }}\n"
                           for number in range(len(texts)))
        included = "".join(f"#include {name}\n" for name in INCLUDED)
        for half in (0, 1):
            self.write(f"half{half}.cpp", included + "".join(texts[half::2]) + half * (declared + main))
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda half: self.compile_algorithms("-c", f"half{half}.cpp"), (0, 1)))
        self.compile_algorithms("-o", "kinds", "half0.o", "half1.o", "-Wl,--start-group",
                                *map(str, Path(BUILD).glob("libmpiaudit_*.a")), "-Wl,--end-group", "-lfmt",
                                "-ldl", "-lpthread")
        done = self.launch(ALL_WAYS_WITH, "./kinds", code=None)
        wrong = [list(kinds.values())[int(kind)][int(way)][3:5]
                 for kind, way in re.findall(r"way (\d+) (\d+) is wrong", done.stdout)]
        self.assertEqual((wrong, done.returncode), ([], 0), done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("right result"), 2 * len(texts), done.stdout)
        self.assertGreater(sum(map(len, kinds.values())), 50)

    def with_all(self, number, ways, check):
        """The program of a check whose left side is each of the ways, one after the other, as a function."""
        text = self.expect_code(0, "reproduce", "out", "--check", check).stdout
        cases = ""
        for case, (_, begins, ends, _, pasted, _) in enumerate(ways):
            has_blocks = (re.search("scatter|incoming", begins + ends) or
                          re.search("ather|catter|lltoall", pasted))
            if not has_blocks:
                pasted = re.sub(r"\bcount\b", "total", pasted)
            handle = "mpiaudit::PersistentAlltoall* handle = 0; " if "&handle" in pasted else ""
            cases += f"case {case}: {{ {handle}{pasted} break; }}\n"
        text = re.sub(r"static void left\(void\) \{.*?(?=static void right)",
                      lambda _: f"static MPI_Request request; static int way;\nstatic void left(void) "
                                f"{{ switch (way) {{\n{cases}}} }}\n", text, flags=re.DOTALL)
        verified = "for (int side = 1; side >= 0; --side) wrong[side] += wrong_elements(side);"
        self.assertIn(verified, text)
        text = text.replace(verified, f"""{{
            wrong[1] += wrong_elements(1);
            for (way = 0; way < {len(ways)}; ++way)
                if (wrong_elements(0))
                    wrong[0] = 1, rank == 0 ? printf("way {number} %d is wrong\\n", way) : 0;
            way = 0; }}""")
        text = re.sub(r"warm_up = \d+, pairs = \d+", "warm_up = 0, pairs = 3", text)
        text = re.sub(r"#include .*\n", "", text.replace("static MPI_Request request;\n", "", 1))
        return f"namespace kind_{number} {{\n{self.as_function(text, 'run')}}}\n"

    def compile_algorithms(self, *arguments):
        rooms = (f"-I{SOURCES}/src/{room}" for room in ("auditor", "papers", "auditor/collectives"))
        self.run_here("mpicxx", "-std=c++20", "-O0", "-fpermissive", "-w", *rooms, *arguments)

    def all_shown(self, checks):
        """The programs of checks that all have one, each of which fits two screens."""
        programs = self.programs(checks)
        self.assertEqual(list(programs), checks)
        for text in programs.values():
            self.assertLessEqual(text.count("\n"), 120, text)
        return programs

    def test_ways_to_call(self):
        """Calls in a row, on new communicators, with computation meanwhile: as the audit makes them."""
        programs = self.all_shown(self.ways(self.audit(
            3, "--guidelines", "calls", "--distributions", "two-blocks", "--block-sizes", "7")))
        self.assertGreater(len(programs), 10)
        for check, text in programs.items():
            if "new-buffers" in check:
                self.assertIn("MPI_Bcast(made, total" if "bcast" in check else "(in, ", text)
            for word in {"in-a-row": "MPI_Barrier(comm); MPI_", "new-communicator": "MPI_Comm_dup(",
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
            self.assertGreater(len(checks), 5, forms)
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
            self.assertLess(text.count("\n"), 120)
            self.build("-o", f"{number}", self.write("wrong.c", text.replace("alarm(20)", "alarm(2)")))
            done = self.launch(3, f"./{number}", code=None)
            self.assertRegex(done.stdout + done.stderr, known[finding.split("@")[0]])
            self.assertNotEqual(done.returncode, 0)

    def test_the_rows_of_the_screen(self):
        """Kept audits have the same rows on every machine. One is of an algorithm on 560 ranks."""
        for name, code in (("simulated-table-1", "TUW_Gather(sendbuf, recvbuf);"),
                           ("simulated-scatter-table-1", "MPI_Scatterv("), ("simulated-table-6/random", "largest")):
            folder = f"{SOURCES}/results/reference/{name}"
            screen = self.expect_code(0, "judge", folder).stdout
            rows = re.findall(r"^! (\S+) +([\d.]+) ", screen, re.MULTILINE)
            texts = []
            for number, (operation, ratio) in enumerate(rows, 1):
                with self.subTest(audit=name, row=number):
                    texts.append(self.expect_code(0, "reproduce", folder, "--row", str(number)).stdout)
                    self.assertIn(f"measured {ratio} times as long", texts[-1])
                    self.assertRegex(texts[-1], rf"^/\* (MPI_)?{operation}\(m\) against ")
                    self.build("-std=c11", "-c", self.write("row.c", texts[-1]))
            self.assertIn(code, "".join(texts))
            self.assertEqual(self.expect_code(0, "reproduce", folder).stdout, texts[0])
            for number in (0, len(rows) + 1):
                refused = self.expect_code(2, "reproduce", folder, f"--row={number}")
                self.assertIn(f"the screen has {len(rows)} row", refused.stderr)

    def test_findings_without_a_program_are_named(self):
        self.whole_audit(1)
        failed = self.expect_code(2, "reproduce", "out", "--check", "nothing@same/b=7")
        self.assertIn("--check: the audit has no check nothing@same/b=7", failed.stderr)
        failed = self.expect_code(2, "reproduce", "nowhere")
        self.assertIn("nowhere", failed.stderr)


if __name__ == "__main__":
    main()
