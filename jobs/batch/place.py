# SPDX-License-Identifier: BSD-3-Clause
"""Paths of files and programs, beside the sources or in an installation."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "jobs" / "templates"

# In a checkout, jobs build the program and results land in the checkout. A binary archive is like a checkout,
# but has its program in bin. In an installation these files lie in share/mpiaudit, the program in bin, and
# results land in the current folder.
IS_ARCHIVE = (ROOT / "bin" / "mpiaudit").exists()
IS_INSTALLED = not IS_ARCHIVE and not (ROOT / "CMakeLists.txt").exists()
# Python that shows reports: the folder is a package that has another name in an installation.
REPORTS = ROOT / "python" / "mpiaudit_report" if IS_INSTALLED else ROOT / "analysis"
PROGRAMS = ROOT / "bin" if IS_ARCHIVE else ROOT.parents[1] / "bin"
RESULTS = Path("results") if IS_INSTALLED else ROOT / "results"
# The commands as the user types them.
COMMAND = "mpiaudit-slurm" if IS_INSTALLED else "jobs/slurm"
ANALYSIS = "mpiaudit-report" if IS_INSTALLED else "python3 -m analysis"
