# SPDX-License-Identifier: BSD-3-Clause
"""Synthetic audits, made once for all tests, and the page of one of them."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analysis import page
from analysis.__main__ import main
from analysis.reports import read_all
from analysis.tests import browser
from analysis.tests.kept import REFERENCE, make_readable
from analysis.tests.synthetic import make_report, write_audit

SIZES = (1, 100, 10000)
DISTRIBUTIONS = ("same", "spikes", "two_blocks")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--mutations", type=int, default=300,
                     help="how many damaged reports test_hostile.py tries")
    parser.addoption("--mutation-seed", type=int, default=1, help="of these reports")


@dataclass(frozen=True)
class Result:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Result]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line as a user would."""

    def run(*arguments: str | Path) -> Result:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            code = int(str(error.code))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured audit of three collectives with its raw samples."""
    folder = tmp_path_factory.mktemp("audit")
    return write_audit(folder, *make_report(sizes=SIZES, distributions=DISTRIBUTIONS))


@pytest.fixture(scope="session")
def other_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same problems with another library: Gatherv faster, Bcast slower."""
    return write_audit(tmp_path_factory.mktemp("other"), *make_report(
        sizes=SIZES, distributions=("same", "two_blocks"), library="MPICH Version:   4.0.2\nx",
        seed=2, slower={"MPI_Gatherv(m)": 0.3, "MPI_Bcast(m)": 9.0}))


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated audit on several nodes."""
    return write_audit(tmp_path_factory.mktemp("simulated"), *make_report(
        ranks=64, nodes=8, sizes=SIZES, distributions=DISTRIBUTIONS, simulated=True))


@pytest.fixture(scope="session")
def scales(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same audit at 2, 4 and 8 ranks."""
    folder = tmp_path_factory.mktemp("scales")
    return [write_audit(folder / f"p{ranks}", *make_report(
        ranks=ranks, sizes=(1, 100), distributions=("same", "spikes"))) for ranks in (2, 4, 8)]


@pytest.fixture(scope="module")
def written(audit: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page.render(read_all([audit])), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with browser.started(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture
def driver(chromium: Any, written: Path) -> Iterator[Any]:
    """The page; whatever a test does with it, nothing is on the console at the end."""
    browser.show(chromium, written.as_uri())
    yield chromium
    assert chromium.get_log("browser") == []


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of results/reference in which every audit has its samples and its report, both readable."""
    copy = tmp_path_factory.mktemp("kept") / "reference"
    shutil.copytree(REFERENCE, copy)
    make_readable(copy)
    return copy
