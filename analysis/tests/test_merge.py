# SPDX-License-Identifier: BSD-3-Clause
"""Scales become one document; launches go to the judge of mpiaudit, here a stand-in."""

import json
import os
from pathlib import Path

import pytest

from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import write_audit

# Copies the first launch and notes how it was called, as the real judge would be.
STAND_IN = """#!/bin/sh
echo "$@" > "$(dirname "$0")/called"
cp "$2/report.json" "$5"
"""


@pytest.fixture
def judge(tmp_path: Path) -> Path:
    path = tmp_path / "mpiaudit"
    path.write_text(STAND_IN)
    path.chmod(0o755)
    return path


def test_scales_become_one_document_that_every_command_reads(
        scales: list[Path], tmp_path: Path, command: Command) -> None:
    output = tmp_path / "scaling.json"
    result = command("merge", *reversed(scales), "-o", output)
    assert result.code == 0
    assert "3 scales from 3 reports" in result.out
    reports = read_all([output])
    assert [report.ranks for report in reports] == [2, 4, 8]
    assert [report.folders for report in reports] == [[tmp_path / os.path.relpath(scale, tmp_path)]
                                                      for scale in scales]
    for report in reports:
        report.data.pop("folders")
    assert [report.data for report in reports] == [report.data for report in read_all(scales)]
    assert command("table", output, "--format", "csv", "--collective", "bcast").out.count(
        "Problem,b,m,m'") == 3
    assert command("plot", output, "--kind", "scaling", "--collective", "bcast", "--format",
                   "svg", "-o", tmp_path / "plots").code == 0


@pytest.mark.parametrize("place", ["option", "variable", "path"])
def test_launches_go_to_the_judge(place: str, audit: Path, judge: Path, tmp_path: Path,
                                  command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPIAUDIT", raising=False)
    options: tuple[str | Path, ...] = ()
    if place == "option":
        options = ("--mpiaudit", judge)
    elif place == "variable":
        monkeypatch.setenv("MPIAUDIT", str(judge))
    else:
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    output = tmp_path / "merged.json"
    result = command("merge", audit, audit, "-o", output, *options)
    assert result.code == 0, result.err
    assert "one report from 2 launches" in result.out
    assert read_all([output])[0].data == read_all([audit])[0].data
    called = (tmp_path / "called").read_text().split()
    assert called[:4] == ["judge", *2 * [str(audit)], "--report"]


def test_launches_without_samples_cannot_be_judged(
        scales: list[Path], judge: Path, tmp_path: Path, command: Command) -> None:
    bare = write_audit(tmp_path / "bare", json.loads((scales[0] / "report.json").read_text()))
    result = command("merge", scales[0], bare, "-o", tmp_path / "m.json", "--mpiaudit", judge)
    assert result.code == 2
    assert f"{bare}: has no samples.jsonl" in result.err


def test_launches_of_each_scale(scales: list[Path], judge: Path, tmp_path: Path,
                                command: Command) -> None:
    output = tmp_path / "scaling.json"
    result = command("merge", scales[0], scales[1], scales[0], "-o", output, "--mpiaudit", judge)
    assert "2 scales from 3 reports" in result.out
    assert [report.ranks for report in read_all([output])] == [2, 4]


def test_a_missing_judge_is_told(audit: Path, tmp_path: Path, command: Command,
                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPIAUDIT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    result = command("merge", audit, audit, "-o", tmp_path / "m.json")
    assert result.code == 2
    assert "mpiaudit is not on the PATH: give its place with --mpiaudit FILE" in result.err
    result = command("merge", audit, audit, "-o", tmp_path / "m.json", "--mpiaudit", "/no/such")
    assert "'/no/such' is not an executable" in result.err


def test_a_failing_judge_is_quoted(audit: Path, judge: Path, tmp_path: Path,
                                   command: Command) -> None:
    judge.write_text("#!/bin/sh\necho first >&2\necho launches differ >&2\nexit 2\n")
    result = command("merge", audit, audit, "-o", tmp_path / "m.json", "--mpiaudit", judge)
    assert result.code == 2
    assert "failed with code 2: first launches differ" in result.err
    judge.write_text("no interpreter here")
    result = command("merge", audit, audit, "-o", tmp_path / "m.json", "--mpiaudit", judge)
    assert "cannot be run" in result.err


@pytest.mark.parametrize("code", [1, 5])
def test_a_judgement_with_another_exit_code_is_one(code: int, audit: Path, judge: Path,
                                                   tmp_path: Path, command: Command) -> None:
    """Violations that were asked about, or nothing decided: the report is complete."""
    judge.write_text(judge.read_text() + f"\nexit {code}\n")
    result = command("merge", audit, audit, "-o", tmp_path / "m.json", "--mpiaudit", judge)
    assert result.code == 0, result.err


def test_what_does_not_belong_together(audit: Path, other_library: Path, simulated: Path,
                                       judge: Path, tmp_path: Path, command: Command) -> None:
    tail = ("-o", tmp_path / "m.json", "--mpiaudit", judge)
    assert "one was given" in command("merge", audit, *tail).err
    result = command("merge", audit, other_library, *tail)
    assert result.code == 2
    assert "one is about Open MPI v4.1.4, the other about MPICH 4.0.2" in result.err
    assert "one is simulated" in command("merge", audit, simulated, *tail).err
