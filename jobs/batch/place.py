# SPDX-License-Identifier: BSD-3-Clause
"""Where things are: beside the sources, or where `cmake --install` has put them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "jobs" / "templates"

# Beside the sources the program is built and the results land there; installed, in share/mpiaudit,
# both are elsewhere.
IS_INSTALLED = not (ROOT / "CMakeLists.txt").exists()
PROGRAMS = ROOT.parents[1] / "bin"
RESULTS = Path("results") if IS_INSTALLED else ROOT / "results"
# What the user calls.
COMMAND = "mpiaudit-slurm" if IS_INSTALLED else "jobs/slurm"
ANALYSIS = "mpiaudit-report" if IS_INSTALLED else "python3 -m analysis"
