# SPDX-License-Identifier: BSD-3-Clause
"""The command line as a whole, and the words and numbers that all commands share."""

import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from analysis import __version__, units
from analysis.heatmap import CLASSES, COLOURS, LABELS, class_of
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["scales", "table", "plot", "html", "compare", "merge", "network"])
def test_help_has_examples(name: str, command: Command) -> None:
    result = command(name, "--help")
    assert result.code == 0
    assert f"python3 -m analysis {name}" in result.out.split("examples:")[1]


def test_usage_errors(command: Command) -> None:
    assert command().code == 2
    assert command("draw").code == 2
    assert command("table").code == 2


def test_as_a_module_with_a_closed_pipe(audit: Path) -> None:
    process = subprocess.run(
        f"{sys.executable} -m analysis table {audit} | head -n 1", shell=True, cwd=ROOT,
        capture_output=True, text=True, check=False)
    assert process.stderr == ""
    assert process.stdout.startswith("gather: Open MPI")


@pytest.mark.parametrize(("value", "text"), [
    (0, "0"), (12345.6, "12\u202f346"), (123.4, "123"), (9.876, "9.88"), (0.05, "0.05"),
    (1e6, "1\u202f000\u202f000"), (1.0, "1"), (100.0, "100")])
def test_short_numbers(value: float, text: str) -> None:
    assert units.short(value) == text


def test_units() -> None:
    assert [units.microseconds(1e-6 * value) for value in (
        0.5, 9.9994, 9.9996, 99.99, 999.94, 12345.6, 99999.6, 1e6)] == [
        "0.500", "9.999", "10.00", "99.99", "999.9", "12346", "100k", "1M"]
    assert units.amount_of_bytes(1536) == "1.5 KiB"
    assert units.amount_of_bytes(3) == "3 B"
    assert units.amount_of_bytes(1000) == "1000 B"
    assert [units.elements(count) for count in (1, 1000, 2048, 10**6, 3 * 2**20)] == [
        "1", "1k", "2Ki", "1M", "3Mi"]
    assert units.e_value(math.log(2e7)) == "2.0e7"
    assert units.e_value(0.0) == "1"
    assert units.e_value(-1000.0).endswith("e-435")
    assert [units.ratio(value) for value in (0.004, 0.5, 12.34, 1234)] == [
        "4.0e-03", "0.50", "12.3", "1\u202f234"]


@pytest.mark.parametrize("version", ["1.7", "2.0"])
def test_labels_of_contestants(version: str, tmp_path: Path) -> None:
    """An older report has no parts of names: its single calls are known by their implementations."""
    document = make_report(sizes=(1,), distributions=("same",))[0] | {"schema_version": version}
    report, = read_all([write_audit(tmp_path, document)])
    assert report.label("MPI_Gatherv(m)") == report.operation("MPI_Gatherv(m)") == "MPI_Gatherv"
    for name in ("MPI_Gatherv(m) + MPI_Bcast(m)", "unknown(m)"):
        assert report.label(name) == name


def test_classes_of_ratios() -> None:
    assert len(COLOURS) == len(LABELS) == len(CLASSES) + 1
    assert [class_of(value) for value in (0.1, 0.5, 0.51, 1.0, 1.05, 1.06, 5.0, 5.1)] == [
        0, 0, 1, 3, 3, 4, 6, 7]


def test_the_installed_package(audit: Path, tmp_path: Path) -> None:
    """pip install gives a package of its own name and a command that works anywhere."""
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "analysis", source / "analysis",
                    ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / "target"
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--target", str(target), "--no-deps",
         "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet", str(source)],
        capture_output=True, text=True, check=False)
    if "No module named" in done.stderr:
        pytest.skip("no pip or no setuptools")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in target.iterdir() if "-info" not in path.name) == [
        "bin", "mpiaudit_report"]
    environment = os.environ | {"PYTHONPATH": str(target)}

    def run(*words: str) -> str:
        return subprocess.run([str(target / "bin" / "mpiaudit-report"), *words], cwd=tmp_path,
                              env=environment, capture_output=True, text=True, check=True).stdout

    assert run("--version") == f"mpiaudit-report {__version__}, reads reports of schema 1.x and 2.x\n"
    assert "  mpiaudit-report table results/laptop\n" in run("table", "--help")
    assert run("table", str(audit)).startswith("gather: Open MPI")
    assert run("html", str(audit)) == "page.html\n"


def test_one_version_everywhere() -> None:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert re.search(rf"VERSION {re.escape(__version__)}\b", text)
