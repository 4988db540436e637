# SPDX-License-Identifier: BSD-3-Clause
"""C programs of generated calls compile without a warning, and find exactly the faults of the library."""

import os
import re
from concurrent.futures import ThreadPoolExecutor

from program import MPIAUDIT, ProgramTest, main

# Programs of an array of calls that covers pairs of properties, by number of ranks.
PROGRAMS = {1: 12, 2: 36, 3: 36, 4: 24}


class Programs(ProgramTest):
    def build(self, *words):
        self.run_here(os.environ["MPICC"], "-std=c11", "-Wall", "-Wextra", "-Werror", *words)

    def as_functions(self, calls):
        """The programs as functions of one program: to start each would take ten times as long."""
        for number, call in enumerate(calls):
            text = (self.folder / f"{number}.c").read_text()
            self.assertNotIn("leaves it out", text)
            self.assertLess(text.count("\n"), 240, call)
            for words, instead in (("int main(", f"int call_{number}("), ("    MPI_Finalize();\n", ""),
                                   ("    MPI_Init(&argc, &argv);\n", "    (void)argc, (void)argv;\n"),
                                   ("limit_s = 20", "limit_s = 60")):
                self.assertEqual(text.count(words), 1, words)
                text = text.replace(words, instead)
            self.write(f"{number}.c", text)
        self.write("all.c", "#include <mpi.h>\n#include <stdio.h>\n"
                   + "".join(f"int call_{number}(int, char**);\n" for number in range(len(calls)))
                   + "int main(int argc, char** argv) {\n    MPI_Init(&argc, &argv);\n"
                   + "".join(f'    if (call_{number}(argc, argv)) puts("{call}");\n'
                             for number, call in enumerate(calls))
                   + "    MPI_Finalize();\n    return 0;\n}\n")
        return [f"{number}.c" for number in range(len(calls))]

    def test_generated_calls_have_right_results(self):
        for ranks, number in PROGRAMS.items():
            with self.subTest(ranks=ranks):
                calls = self.run_here(os.environ["COVERING_PROGRAMS"], str(self.folder), str(ranks),
                                      str(number), "1").stdout.splitlines()
                self.assertEqual(len(calls), number)
                files = self.as_functions(calls)
                with ThreadPoolExecutor(2) as pool:
                    list(pool.map(lambda some: self.build("-c", *some),
                                  (files[::2], ["all.c", *files[1::2]])))
                self.build("-o", "all", "all.o", *(file.replace(".c", ".o") for file in files))
                done = self.launch(ranks, "./all")
                self.assertEqual(done.stdout.count("RIGHT RESULT"), ranks * len(files), done.stdout)

    def with_fault(self, call, fault):
        self.expect_code(0, "reproduce", "--call", call, "--output", "reproduce.c")
        text = (self.folder / "reproduce.c").read_text()
        self.assertIn(f'mpiaudit verify --call "{call}"', re.sub(r"\n \* +", " ", text))
        self.write("reproduce.c", text.replace("limit_s = 20", "limit_s = 2"))
        self.build("-o", "reproduce", "reproduce.c")
        preload = ":".join(filter(None, [os.environ["FAULTY_COLLECTIVES"], os.environ.get("LD_PRELOAD")]))
        return self.launch(2, "env", f"LD_PRELOAD={preload}", f"MPIAUDIT_FAULT={fault}", "./reproduce",
                           code=None)

    def test_faults_of_the_library_are_seen(self):
        for call, fault, printed in (
                ("MPI_Bcast counts=three", "MPI_Bcast flip rank=1",
                 r"WRONG RESULT on rank 1: element 0 of received block 0 is -?\d+ instead of -?\d+\n"),
                ("MPI_Allreduce in_place=in-place communicator=reversed counts=odd basic=MPI_DOUBLE "
                 "repetition=thrice",
                 "MPI_Allreduce last rank=0 only=3", r"WRONG RESULT on rank 0: element 12986 of"),
                ("MPI_Alltoallv start=nonblocking communicator=inter displacements=gaps received_type=vector",
                 "MPI_Ialltoallv behind rank=1", "WRONG RESULT on rank 1: bytes outside the received blocks"),
                ("MPI_Gatherv start=nonblocking counts=increasing root=last", "MPI_Igatherv send rank=0",
                 "WRONG RESULT on rank 0: the send buffer has changed"),
                ("MPI_Scan basic=MPI_DOUBLE contents=rounding", "MPI_Scan code rank=1",
                 "WRONG RESULT on rank 1: the call returns an error"),
                ("MPI_Scatter", "MPI_Scatter hang rank=1", "rank 1: MPI_Scatter HANGS")):
            with self.subTest(fault=fault):
                done = self.with_fault(f"operation={call}", fault)
                self.assertRegex(done.stdout + done.stderr, printed)
                self.assertNotEqual(done.returncode, 0)

    def test_padding_of_sent_elements_may_change(self):
        """MPICH 4.0.2 writes the elements of the root again, and not the padding of a long double."""
        self.expect_code(0, "reproduce", "--call", "operation=MPI_Bcast received_type=vector "
                         "basic=MPI_LONG_DOUBLE root=last", "--output", "reproduce.c")
        self.build("-o", "reproduce", "reproduce.c")
        self.assertEqual(self.launch(2, "./reproduce").stdout.count("RIGHT RESULT"), 2)

    def test_faults_in_folders_have_programs(self):
        """The folder of a search, and the folder of an audit that has no violation."""
        call = "operation=MPI_Bcast"
        preload = ":".join(filter(None, [os.environ["FAULTY_COLLECTIVES"], os.environ.get("LD_PRELOAD")]))
        faulty = ["env", f"LD_PRELOAD={preload}", "MPIAUDIT_FAULT=MPI_Bcast flip rank=1", MPIAUDIT]
        for options in (["verify", "--call", call],
                        ["run", "--collectives", "MPI_Bcast", "--check-calls", "10s", "--tolerance", "1000",
                         "--budget", "1s"]):
            with self.subTest(options=options):
                self.launch(2, *faulty, *options, "--output", options[0], code=3)
                done = self.expect_code(0, "reproduce", options[0])
                self.assertRegex(done.stdout,
                                 r"^/\* MPI_Bcast.*(\n .*)*\n \* rank 1: element 0 of received block 0 is ")
                found = re.search(r'verify --call "(.*)"', re.sub(r"\n \* +", " ", done.stdout))[1]
                named = self.expect_code(0, "reproduce", options[0], "--call", found)
                self.assertEqual(named.stdout, done.stdout)
                refused = self.expect_code(2, "reproduce", options[0], "--call", "operation=MPI_Scan")
                self.assertIn("--call: the folder has no fault of this call", refused.stderr)

    def test_a_form_in_parts_that_is_wrong_has_a_program(self):
        """The program is right with a library that has no fault."""
        preload = ":".join(filter(None, [os.environ["FAULTY_COLLECTIVES"], os.environ.get("LD_PRELOAD")]))
        self.launch(2, "env", f"LD_PRELOAD={preload}", "MPIAUDIT_FAULT=MPI_Iallgatherv flip rank=1", MPIAUDIT,
                    "run", "--only", "in-flight-4-allgatherv", "--distributions", "same",
                    "--block-sizes", "16", "--budget", "1m", "--output", "out", code=3)
        name = "MPI_Iallgatherv[4 parts](m) + MPI_Waitall"
        problem = next(problem["id"] for problem in self.report()["problems"]
                       for way in problem["contestants"] if way["name"] == name and "wrong" in way)
        self.expect_code(0, "reproduce", "out", "--check", f"{name}@{problem}", "--output", "reproduce.c")
        self.build("-o", "reproduce", "reproduce.c")
        self.assertEqual(self.launch(2, "./reproduce").stdout.count("right result"), 2)

    def test_a_program_finds_the_same_as_verify(self):
        """Open MPI keeps the blocks of other ranks in memory for too few instances that interleave."""
        call = "operation=MPI_Gather counts=three sent_type=interleaved"
        found = self.launch(4, MPIAUDIT, "verify", "--call", call, "--output", "found", code=None)
        self.assertIn(found.returncode, (0, 3), found.stdout)
        where = ["found"] if found.returncode == 3 else []
        self.expect_code(0, "reproduce", *where, "--call", call, "--output", "reproduce.c")
        self.build("-o", "reproduce", "reproduce.c")
        done = self.launch(4, "./reproduce", code=None)
        self.assertEqual("WRONG RESULT" in done.stdout, found.returncode == 3, done.stdout)
        if where:
            self.assertIn("mpirun -n 4 ./reproduce", (self.folder / "reproduce.c").read_text())

    def test_calls_that_have_no_program_are_refused(self):
        for words, message in ((["--call", "operation=MPI_Gather counts=two"],
                                "unknown counts 'two'; valid:"),
                               (["--call", "operation=MPI_Gather counts=spike"],
                                "--call: the operation has equal blocks"),
                               (["out", "--call", "operation=MPI_Gather", "--check", "a@b"],
                                "leave out --check"),
                               ([], "name the folder of an audit, or a generated call by --call")):
            self.assertIn(message, self.expect_code(2, "reproduce", *words).stderr)


if __name__ == "__main__":
    main()
