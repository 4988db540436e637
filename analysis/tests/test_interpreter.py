# SPDX-License-Identifier: BSD-3-Clause
"""A Python without packages in front of PATH."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from .. import interpreter

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(name="bare_python", scope="module")
def fixture_bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    return folder / "bin" / "python3"


@pytest.mark.skipif(sys.prefix != "/usr", reason="the system's Python has not the packages here")
@pytest.mark.parametrize("module", ["analysis", "analysis.beside_paper"])
def test_a_python_without_packages_gives_way_to_the_systems(bare_python: Path,
                                                            module: str) -> None:
    done = subprocess.run([bare_python, "-m", module, "--help"], cwd=ROOT, check=False,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage: python3 -m analysis" in done.stdout


def test_without_packages_anywhere_the_remedy_is_said(bare_python: Path) -> None:
    program = f"from analysis import interpreter; interpreter.SYSTEM = '{os.devnull}'; " \
              "interpreter.use_one_that_has_the_packages()"
    done = subprocess.run([bare_python, "-c", program], cwd=ROOT, check=False,
                          capture_output=True, text=True)
    assert done.returncode == 1
    for name in (*interpreter.NEEDED, "jobs/setup --for reports", "pip install"):
        assert name in done.stderr
