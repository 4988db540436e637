# SPDX-License-Identifier: BSD-3-Clause
"""Tables for LaTeX."""

import shutil
import subprocess
from pathlib import Path

import pytest

from analysis.tests.conftest import Command
from analysis.tests.paper import paper_report
from analysis.tests.synthetic import write_audit


def test_latex_marks_in_red_and_bold(tmp_path: Path, command: Command) -> None:
    audit = write_audit(tmp_path, paper_report(1))
    text = command("table", audit, "--format", "latex").out
    assert r"Same & 1 & 560 & 560 & 2.19 KiB & 337.8 & 18.12 & 59.43 & 36.95 & " \
           r"\textcolor{red}{\textbf{1756}}" in text
    assert r"\toprule" in text
    assert "documentclass" not in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
def test_latex_compiles(tmp_path: Path, audit: Path, simulated: Path, command: Command) -> None:
    papers = [write_audit(tmp_path / str(table), paper_report(table)) for table in (1, 11)]
    output = tmp_path / "tables.tex"
    result = command("table", *papers, audit, simulated, "--format", "latex", "--standalone",
                     "-o", output)
    assert result.code == 0
    process = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", output.name], cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=120)
    assert process.returncode == 0, process.stdout[-2000:]
    assert output.with_suffix(".pdf").stat().st_size > 10_000
