# SPDX-License-Identifier: BSD-3-Clause
"""The command `problems`, on a recording of all forms of sizes."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit

SECONDS = {"sum": 2.0, "max_rank": 1.5, "min_rank": 0.5, "min_call": 1e-6}
INT = {"name": "MPI_INT", "size": 4, "extent": 4, "class": "predefined"}


def problem(collective: str, **more: Any) -> dict[str, Any]:
    return {"collective": collective, "mode": "blocking", "group": 0, "calls": 10,
            "seconds": SECONDS, **more}


RECORDING: dict[str, Any] = {
    "format": "mpiaudit-problems", "version": 1, "library": "L", "program": "app", "ranks": 4,
    "threads": "single", "wall_seconds": 10.0, "synchronised": False,
    "lost": {"calls": 0, "seconds": 0.0}, "hosts": [{"name": "h", "ranks": "0-3"}],
    "groups": [{"ranks": "0-3", "size": 4, "communicators": 1}],
    "problems": [
        problem("MPI_Gatherv", root=1, element=INT, bytes={"exact": [0, 8, 8, 16]}),
        problem("MPI_Allgatherv", element=INT, bytes={"runs": [[3, 4], [1, 8]]}),
        problem("MPI_Allreduce", op="MPI_SUM", element=INT, in_place=True, bytes={"block": 4096}),
        problem("MPI_Scan", op={"user": True, "commutative": False}, bytes={"block": 8}),
        problem("MPI_Reduce_scatter", bytes={"sum": 80, "largest": 40, "zeros": 2, "blocks": 4}),
        problem("MPI_Alltoallv", bytes={"sent_mean": 33, "largest": 16, "partners_mean": 1.5}),
        problem("MPI_Barrier", inter=True),
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "problems.json"
    path.write_text(json.dumps(RECORDING), encoding="utf-8")
    return path


def test_a_row_for_each_problem(file: Path, command: Command) -> None:
    result = command("problems", file, "--format", "csv")
    assert result.code == 0, result.err
    assert "app, 4 ranks, 10 s: 7 problems, 280 calls of ranks, 3.5 s per rank" in " ".join(
        command("problems", file).out.split())
    for words in ("MPI_Allreduce, sum, in place", "MPI_Scan, own operator", "4 KiB", "~20 B",
                  "to 1.5 ranks", "33 B in all", "MPI_Barrier, inter-communicator", "~5 B",
                  "14.3", "50000", "2, 1 empty", "2, 2 empty"):
        assert words in result.out, words


def test_says_what_is_left_out_and_lost(file: Path, command: Command) -> None:
    changed = RECORDING | {"lost": {"calls": 7, "seconds": 0.5}, "synchronised": True,
                           "part": {"rank": 3, "reason": "MPI_Abort"}}
    changed["problems"] = [each | {"seconds": SECONDS | {"waiting": 6.0}}
                           for each in RECORDING["problems"]]
    file.write_text(json.dumps(changed), encoding="utf-8")
    out = " ".join(command("problems", file, "--most", "2").out.split())
    for words in ("5 problems with less time", "7 calls of ranks, 0.5 s", "rank 3 alone: MPI_Abort",
                  " 75 "):
        assert words in out, words


def test_page(file: Path, command: Command, tmp_path: Path) -> None:
    result = command("problems", file, "--format", "html", "-o", tmp_path / "page.html")
    assert result.code == 0, result.err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<tr>") == 1 + len(RECORDING["problems"])
    assert "MPI_Scan, own operator" in page


@pytest.mark.parametrize(("change", "message"), [
    ({"format": "other"}, "format"),
    ({"ranks": 0}, "ranks"),
    ({"problems": [problem("MPI_Bcast", bytes={"block": 1, "sum": 2})]}, "problems.0.bytes"),
])
def test_says_what_is_wrong(change: dict[str, Any], message: str, file: Path,
                            command: Command) -> None:
    file.write_text(json.dumps(RECORDING | change), encoding="utf-8")
    result = command("problems", file)
    assert result.code == 2
    assert message in result.err


def test_what_could_be_gained_at_most(file: Path, tmp_path: Path, command: Command) -> None:
    audits = []
    for ranks, high in (("4", 0.02), ("2", 0.01)):
        report = make_report(sizes=(1,), distributions=("same",))[0]
        item = {"problem": "same/b=1", "collective": "MPI_Gather", "calls": 10, "recorded_s": 1.0,
                "library_s": 0.1}
        report["savings"] = {"recorded_s": 3.5, "audited_s": 1.0, "saved_s": 0.0, "low_s": 0.0,
                             "high_s": high,
                             "problems": [item]}
        audits.append(write_audit(tmp_path / ranks, report))
    # 7 problems of 2 s over 4 ranks are 3.5 s of 10 s.
    result = command("problems", file, "--gain", *audits)
    assert result.code == 1
    assert "Collectives take 3.5 s of 10 s per rank (35 %)" in result.out
    assert "would take 2 s; the rest is waiting" in result.out
    assert "At most 30 ms can be gained: 0.86 % of the time in collectives, 0.3 % of the run." in result.out
    enough = make_report(sizes=(1,), distributions=("same",))[0]
    enough["savings"] = report["savings"] | {"high_s": 0.04}
    result = command("problems", tmp_path, "--gain", write_audit(tmp_path / "enough", enough))
    assert result.code == 0 and "cannot be shown" not in result.out
    assert command("problems", file, "--gain", write_audit(tmp_path / "none", make_report()[0])).code == 2
