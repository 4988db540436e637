# SPDX-License-Identifier: BSD-3-Clause
"""Calls the program that prints tables beside those of the paper."""

import subprocess
import sys
from pathlib import Path

from analysis.tests.kept import ROOT


def beside_paper(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Runs it as jobs/paper-tables does."""
    return subprocess.run([sys.executable, "-m", "analysis.beside_paper", *map(str, arguments)],
                          cwd=ROOT, capture_output=True, text=True, check=False)
