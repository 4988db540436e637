# SPDX-License-Identifier: BSD-3-Clause
"""All code that is offered for pasting compiles without a warning, and does what the replaced call does: on
all kinds of blocks, with types with gaps and lower bounds, any root and any type of pointers."""

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from program import ProgramTest, main

HERE = Path(__file__).parent
# Options of the compiler, and numbers of ranks. With the sanitizer, memory has no room beyond its elements.
PROGRAMS = {
    "plain": (["-DPOINTER=int*", "-DGUARD=64"], (1, 2, 3, 4, 5)),
    "sanitized": (["-DPOINTER=void*", "-DGUARD=0", "-fsanitize=address"], (1, 2, 3)),
}


class PastedCodes(ProgramTest):
    def build(self, program):
        # GCC 12 takes the MPI_STATUSES_IGNORE of MPICH for an array without elements.
        options = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror",
                   "-Wno-stringop-overflow"]
        self.run_here(os.environ["MPICC"], *options, *PROGRAMS[program][0], "-o", program, "pasted_codes.c")

    def codes(self):
        guidelines = str(HERE.parents[1] / "guidelines")
        return self.run_here(os.environ["PASTED_CODES"], guidelines).stdout

    def test_codes_are_laid_out_as_a_person_would_write_them(self):
        """One statement a line, in blocks with braces, at most 80 columns, also where a screen indents it."""
        pieces = re.findall(r"/\* pasted: \*/\n(.*?)\n/\* end \*/", self.codes(), re.DOTALL)
        self.assertGreater(len(pieces), 400)
        for line in {line for piece in pieces for line in piece.splitlines()}:
            with self.subTest(line=line):
                self.assertLessEqual(len(line), 80 - len("  "))
                self.assertRegex(line, r"^(    )*\S")
                if not line.lstrip().startswith("for ("):
                    self.assertNotRegex(line, r";.")
                self.assertNotRegex(line, r"^ *(if|else|for)\b.*[^{&,+]$|\{.+$|.\}[^ ]| $")

    def test_codes_do_what_the_replaced_calls_do(self):
        shutil.copy(HERE / "pasted_codes.c", self.folder)
        codes = self.codes()
        self.write("codes.inc", codes)
        self.assertGreater(codes.count("static void code_"), 400)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(self.build, PROGRAMS))
        for program, (_, counts) in PROGRAMS.items():
            for ranks in counts:
                with self.subTest(program=program, ranks=ranks):
                    done = self.launch(ranks, f"./{program}", code=None)
                    printed = done.stdout[-3000:] + done.stderr[-3000:]
                    self.assertRegex(done.stdout, r"compared \d{4,}, wrong 0\n", printed)
                    self.assertEqual(done.returncode, 0, printed)


if __name__ == "__main__":
    main()
