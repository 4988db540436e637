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
              "interpreter.use_one_that_has_the_packages(['-m', 'analysis', 'html'])"
    done = subprocess.run([bare_python, "-c", program], cwd=ROOT, check=False,
                          capture_output=True, text=True)
    assert done.returncode == 1
    for name in (*interpreter.TO_DRAW, "jobs/setup --for reports", "pip install"):
        assert name in done.stderr


@pytest.mark.parametrize("command", interpreter.COMMANDS_OF_TEXT)
def test_commands_of_text_need_no_package_for_pictures(
        command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec",
                        lambda name: name if name == "jsonschema" else None)
    monkeypatch.setattr(interpreter, "SYSTEM", os.devnull)
    interpreter.use_one_that_has_the_packages(["python3", "-m", "analysis", command, "x"])
    with pytest.raises(SystemExit, match="matplotlib"):
        interpreter.use_one_that_has_the_packages(["python3", "-m", "analysis", "html", "x"])
