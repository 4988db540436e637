# SPDX-License-Identifier: BSD-3-Clause
"""A Python without packages in front of PATH."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from analysis.tests.synthetic import make_report, write_audit
from analysis.tests.test_recording import RECORDING

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(name="bare_python", scope="module")
def fixture_bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    return folder / "bin" / "python3"


@pytest.mark.skipif(sys.prefix != "/usr", reason="the system's Python has not the packages here")
@pytest.mark.parametrize("words", [("analysis", "plot", "--help"), ("analysis", "html", "--help")])
def test_a_python_without_packages_gives_way_to_the_systems(bare_python: Path,
                                                            words: tuple[str, ...]) -> None:
    module, *others = words
    done = subprocess.run([bare_python, "-m", module, *others], cwd=ROOT, check=False,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage: python3 -m analysis" in done.stdout


def test_without_packages_anywhere_the_remedy_is_said(bare_python: Path, audit: Path) -> None:
    program = f"import sys; sys.argv = ['a', 'plot', {str(audit)!r}]; " \
              "from analysis import interpreter, __main__; " \
              f"interpreter.SYSTEM = {os.devnull!r}; " \
              "interpreter.use_one_that_has_the_packages(['-m', 'analysis', 'plot']); " \
              "sys.exit(__main__.main())"
    done = subprocess.run([bare_python, "-c", program], cwd=ROOT, check=False,
                          capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("plot: plot needs the Python package matplotlib, which ")
    assert "pip install matplotlib" in done.stderr


# Every command that makes no picture and no page, as a user calls it.
WITHOUT_PACKAGES = [
    "--help", "--version", "scales {audit}", "table {audit}", "table {audit} --format latex",
    "table {audit} --format csv", "compare {audit} {audit}", "rank {audit} {audit}", "merge --help",
    "merge {audit} {other} -o {folder}/merged.json", "break-even --help", "network --help", "html --help",
    "plot --help", "history {audit} {audit}", "export --help", "export checks {audit}",
    "export violations {audit}", "export violations {audit} --format json", "problems {recording}",
    "problems {recording} --most 0"]


@pytest.mark.parametrize("words", WITHOUT_PACKAGES)
def test_what_makes_no_picture_and_no_page_needs_no_packages(words: str, audit: Path, tmp_path: Path) -> None:
    other, _ = make_report(ranks=16)
    names = {"audit": audit, "other": write_audit(tmp_path / "other", other), "folder": tmp_path,
             "recording": tmp_path / "problems.json"}
    (tmp_path / "problems.json").write_text(json.dumps(RECORDING), encoding="utf-8")
    # -S: without the folders of packages, so that an import of any of them fails.
    command = [sys.executable, "-S", "-B", "-m", "analysis", *words.format(**names).split()]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
