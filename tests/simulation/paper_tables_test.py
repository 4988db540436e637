# SPDX-License-Identifier: BSD-3-Clause
"""jobs/paper-tables makes every kind of table from audits that it starts itself."""

import os
import re
import shutil
import sys
import unittest

from folder import ROOT
from simulation import SimulationTest

# A row of a table: simulated times beside those of the paper, in four columns.
ROW = re.compile(r"^(?:Same|Spikes|) *\*? +\d+ +\d+(( +[\d.]+!?){8}) *$", re.MULTILINE)
# Small: 2 nodes of 16 ranks in place of 35 to 400.
SMALL = "--nodes", "2", "--block-sizes", "1,100", "--distributions", "same,spikes"


class PaperTables(SimulationTest):
    def setUp(self):
        """The script writes to the folder above its own, so it gets a folder of its own."""
        super().setUp()
        for name in ("analysis", "libraries"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "jobs").mkdir()
        for path in (ROOT / "jobs").iterdir():
            if path.name == "paper-tables":
                shutil.copy(path, self.folder / "jobs")
            else:
                (self.folder / "jobs" / path.name).symlink_to(path)

    def tables(self, *words):
        """Returns the text of each table, by the name of its file."""
        self.run_here("jobs/paper-tables", *SMALL, "--build", os.environ["MPIAUDIT_BUILD"], *words,
                      timeout=280)
        made = self.folder / "results" / "paper-tables"
        return {file.stem: file.read_text(encoding="utf-8") for file in made.glob("*.txt")}

    def expect_full(self, tables, names):
        self.assertEqual(sorted(tables), sorted(names))
        for name, text in tables.items():
            self.assertEqual(len(ROW.findall(text)), 4, f"{name}:\n{text}")

    def test_tables_of_the_simulators_algorithms(self):
        names = [*map(str, (1, 2, 3, 4, 5, 6, 7, 10, 11)), "sweep"]
        self.expect_full(self.tables("--tables", ",".join(names)), [f"table-{name}" for name in names])

    def test_tables_of_stand_ins(self):
        tables = self.tables("--stand-ins", "--tables", "3,4,5,6,8,9")
        self.assertEqual(sorted(tables), [f"stand-ins-table-{name}" for name in (3, 4, 5, 6, 8, 9)])
        for name, text in tables.items():
            # Those on 3200 and 6400 ranks have no MPI_Gather, and say so.
            has_all = name[-1] in "34"
            self.assertEqual("-: no guideline of these audits asks for it." in text, not has_all, text)
            rows = ROW.findall(text if has_all else re.sub(r" - ( +[\d.]+!?)", r" 0 \1", text))
            self.assertEqual(len(rows), 4, f"{name}:\n{text}")

    def test_tables_of_scatters(self):
        tables = self.tables("--scatter", "--tables", "1,2,3,4,5,6")
        self.assertEqual(sorted(tables), [f"scatter-table-{name}" for name in range(1, 7)])
        for text in tables.values():
            for column in ("MPI_Scatter", "MPI_Scatterv", "MPI_Allreduce(1) +", "TUW_Scatterv"):
                self.assertIn(column, text)

    def test_an_operation_that_crashes_leaves_cells_empty(self):
        # The two-level gather crashes if the root is not the first rank of its node.
        self.simulate("--nodes", 2, "--ppn", 16, "--algorithm", "gather=mvapich2_two_level", "--output",
                      self.folder / "crash", "--", "--guidelines", "./jobs/paper-guidelines.json",
                      "--root", 5, "--block-sizes", 1, "--distributions", "same", "--shared-buffers",
                      code=(0, 3, 5))
        done = self.run_here(sys.executable, "-m", "analysis.beside_paper", "3", "crash", code=1)
        self.assertRegex(done.stdout, r"\nSame +32 +32 +empty +45\.00 ")
        self.assertIn("Table 3 has empty cells: MPI_Gather on Same, b = 1; Guideline (2) on Same, b = 1: "
                      "wrong on this library: Segmentation fault\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
