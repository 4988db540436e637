# SPDX-License-Identifier: BSD-3-Clause
"""C programs with the messages of reference algorithms compile without a warning, and give right results."""

import os
import re
from concurrent.futures import ThreadPoolExecutor

from program import ProgramTest, main

# Each number of ranks has other data: some algorithms need nodes, others commutative operators.
RANKS = (1, 2, 3, 4, 5)
# Algorithms that send parts as derived types, pack, reduce, and carry data with control messages.
AMONG = ("modBruck_ix_Alltoall", "two_phase_Bruck_Alltoallv", "circulant_Reduce_scatter", "bits_Exscan",
         "TUW_Gatherv_carrying", "dissemination_Barrier", "lane_Allreduce", "van_de_Geijn_ring_Bcast",
         "direct_Alltoall")


class AlgorithmPrograms(ProgramTest):
    def build(self, *words):
        self.run_here(os.environ["MPICC"], "-std=c11", "-O0", "-Wall", "-Wextra", "-Werror", *words,
                      timeout=600)

    def as_functions(self, names):
        """The programs as functions of one program: to start each would take ten times as long."""
        for number, name in enumerate(names):
            text = (self.folder / f"{number}.c").read_text()
            for words, instead in (("int main(", f"int way_{number}("), ("    MPI_Finalize();\n", ""),
                                   ("MPI_Init(&argc, &argv)", "(void)argc, (void)argv"),
                                   ("warm_up = 20", "warm_up = 0")):
                self.assertEqual(text.count(words), 1, (name, words))
                text = text.replace(words, instead)
            self.write(f"{number}.c", text)
        self.write("all.c", "#include <mpi.h>\n#include <stdio.h>\n"
                   + "".join(f"int way_{number}(int, char**);\n" for number in range(len(names)))
                   + "int main(int argc, char** argv) {\n    MPI_Init(&argc, &argv);\n"
                   + "".join(f'    if (way_{number}(argc, argv)) puts("{name}");\n'
                             for number, name in enumerate(names))
                   + "    MPI_Finalize();\n    return 0;\n}\n")
        return [f"{number}.c" for number in range(len(names))]

    def run_all(self, ranks, names):
        files = self.as_functions(names)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda some: self.build("-c", *some), (files[::2], ["all.c", *files[1::2]])))
        self.build("-o", "all", "all.o", *(file.replace(".c", ".o") for file in files))
        done = self.launch(ranks, "./all")
        self.assertEqual(done.stdout.count("right result"), 2 * len(names), done.stdout)
        self.assertNotIn("WRONG", done.stdout)

    def programs(self, ranks):
        """The algorithms with a program, in the order of their files, and the algorithms without one."""
        printed = self.run_here(os.environ["ALGORITHM_PROGRAMS"], str(self.folder), str(ranks))
        lines = printed.stdout.splitlines()
        return ([line for line in lines if " " not in line],
                [line.removeprefix("without ") for line in lines if " " in line])

    def test_both_sides_have_the_right_result(self):
        tried, left_out = set(), set()
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                names, others = self.programs(ranks)
                self.run_all(ranks, names)
                tried.update(names)
                left_out.update(others)
        self.assertLessEqual(set(AMONG), tried)
        self.assertEqual(left_out - tried, set())

    def test_a_wrong_message_is_seen(self):
        """The program compares the results of the messages themselves."""
        number = self.programs(2)[0].index("linear_Bcast")
        text = (self.folder / f"{number}.c").read_text()
        wrong = re.sub(r"(\{RECEIVE, \d+, \d+, )(IN|OUT), 0", r"\1\2, 8", text, count=1)
        self.assertNotEqual(text, wrong)
        for tried, is_right in ((text, True), (wrong, False)):
            self.build("-o", "one", self.write("one.c", tried))
            done = self.launch(2, "./one", code=None)
            self.assertEqual("WRONG RESULT" in done.stdout, not is_right, done.stdout)
            self.assertEqual(done.returncode == 0, is_right)


if __name__ == "__main__":
    main()
