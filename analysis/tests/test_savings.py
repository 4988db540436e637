# SPDX-License-Identifier: BSD-3-Clause
"""From a recording to audits of its problems, and from these to what could be saved."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis import audit_lines, savings
from analysis.audit_lines import Audit, Refused
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit
from analysis.tests.test_recording import INT, RECORDING, SECONDS, file, problem

__all__ = ["file"]
DOUBLE = INT | {"name": "MPI_DOUBLE", "size": 8, "extent": 8}


@pytest.mark.parametrize(("recorded", "expected"), [
    (problem("MPI_Gatherv", root=1, element=INT, bytes={"exact": [0, 8, 8, 16]}),
     Audit("MPI_Gatherv", (0, 2, 2, 4), "int", "", 1)),
    (problem("MPI_Allgatherv", element=DOUBLE, bytes={"runs": [[3, 8], [1, 16]]}),
     Audit("MPI_Allgatherv", (1, 1, 1, 2), "double", "", 0)),
    # All blocks together are the vector.
    (problem("MPI_Allreduce", element=DOUBLE, op="MPI_MIN", bytes={"block": 48}),
     Audit("MPI_Allreduce", (2, 2, 1, 1), "double", "max", 0)),
    (problem("MPI_Reduce_scatter_block", element=INT, op="MPI_SUM", bytes={"block": 8}),
     Audit("MPI_Reduce_scatter_block", (2, 2, 2, 2), "int", "sum", 0)),
    # Where the root's type is another one, and where nobody knows it, bytes are moved.
    (problem("MPI_Bcast", root=2, element=DOUBLE, bytes={"block": 12}),
     Audit("MPI_Bcast", (3, 3, 3, 3), "byte", "", 2)),
    (problem("MPI_Alltoall", element=INT | {"name": "derived"}, bytes={"block": 5}),
     Audit("MPI_Alltoall", (5, 5, 5, 5), "byte", "", 0)),
    (problem("MPI_Barrier"), Audit("MPI_Barrier", (1, 1, 1, 1), "int", "", 0)),
    (problem("MPI_Bcast", root=0, element=INT, bytes={"block": 0}), Refused("it moves nothing")),
    (problem("MPI_Allreduce", op={"user": True, "commutative": True}, element=INT,
             bytes={"block": 4}), Refused("an operator of the application's own")),
    (problem("MPI_Allreduce", op="MPI_MAXLOC", element=INT, bytes={"block": 8}),
     Refused("the operator MPI_MAXLOC")),
    (problem("MPI_Allreduce", op="MPI_SUM", element=INT | {"name": "MPI_C_DOUBLE_COMPLEX"},
             bytes={"block": 16}), Refused("a reduction of MPI_C_DOUBLE_COMPLEX")),
    (problem("MPI_Gatherv", root=0, bytes={"sum": 1, "largest": 1, "zeros": 0, "blocks": 4}),
     Refused("not all of its sizes were kept")),
    (problem("MPI_Alltoallv", element=INT, bytes={"block": 4}),
     Refused("no guideline is about it")),
    (problem("MPI_Bcast", mode="nonblocking", bytes={"block": 4}), Refused("it is nonblocking")),
    (problem("MPI_Bcast", inter=True), Refused("it is on an inter-communicator")),
])
def test_the_audit_of_a_problem(recorded: dict[str, Any], expected: Audit | Refused) -> None:
    assert audit_lines.audit_of(recorded, RECORDING) == expected


def test_lines_for_a_shell(file: Path, command: Command) -> None:
    result = command("problems", file, "--commands", "--most", "4", "--budget", "40",
                     "--launch", "srun -n", "--folder", "there")
    assert result.out.splitlines() == [
        "srun -n 4 mpiaudit run --collectives gatherv --counts 0,2,2,4 --element int --root 1 "
        "--budget 10s --output there/001-gatherv",
        "srun -n 4 mpiaudit run --collectives allgatherv --counts 1,1,1,2 --element int --root 0 "
        "--budget 10s --output there/002-allgatherv",
        "srun -n 4 mpiaudit run --collectives allreduce --counts 256,256,256,256 --element int "
        "--op sum --root 0 --budget 10s --output there/003-allreduce",
        "# 4. MPI_Scan: an operator of the application's own"]


def report(collectives: str, counts: str, violations: list[dict[str, Any]]) -> Any:
    name = "MPI_" + collectives.capitalize() + "(m)"
    options = {"collectives": [collectives], "counts": counts, "element": "int", "op": "sum",
               "root": "1" if collectives == "gatherv" else "0"}
    contestants = [{"name": name, "statistics": {"median_s": 1e-3}},
                   {"name": "other", "statistics": {"median_s": 1e-6}}]
    return SimpleNamespace(violations=violations, data={
        "options": options, "problems": [{"ranks": 4, "contestants": contestants}]})


def violation(left: str, right: str, median: float, low: float, high: float) -> dict[str, Any]:
    return {"left": left, "right": right,
            "ratio": {"median": median, "low": low, "high": high, "coverage": 0.95}}


def test_what_can_be_saved() -> None:
    twice = violation("MPI_Gatherv(m)", "tree(m)", 2.0, 1.25, 4.0)
    # Larger by its median, and less for sure; and a left side that is not the call itself.
    unsure = violation("MPI_Gatherv(m)", "unsure(m)", 9.0, 1.1, 10.0)
    other = violation("MPI_Gatherv(m) + MPI_Bcast(m)", "x", 100.0, 90.0, 110.0)
    reports = [report("gatherv", "0,2,2,4", [other, unsure, twice]),
               report("allreduce", "256,256,256,256", []),
               # Of a problem that was not recorded.
               report("gatherv", "1,1,1,1", [twice])]
    lines = savings.lines_of(RECORDING, reports)
    assert [line.problem["collective"] for line in lines] == ["MPI_Gatherv", "MPI_Allreduce"]
    first = lines[0].saving
    assert (first.instead, first.library_s) == ("tree(m)", 1e-3)
    assert (first.saved_s, first.low_s, first.high_s) == pytest.approx((5e-4, 2e-4, 7.5e-4))
    text = " ".join(savings.text_of(RECORDING, lines).split())
    for words in ("app: of 3.5 s per rank in collectives 0.005 s can be saved",
                  "2 problems with 1 s are audited", "0.005 s (0.002 to 0.0075) MPI_Gatherv",
                  "tree(m) takes 500.0 us", "nothing found MPI_Allreduce, sum, in place"):
        assert words in text, words


def test_ranks_that_do_not_take_part_save_nothing() -> None:
    recorded = RECORDING | {
        "ranks": 8, "problems": [problem("MPI_Bcast", root=0, element=INT, bytes={"block": 16})]}
    lines = savings.lines_of(recorded, [report(
        "bcast", "1,1,1,1", [violation("MPI_Bcast(m)", "y", 2.0, 2.0, 2.0)])])
    # 10 calls, 0.5 ms each, of 4 of 8 ranks.
    assert "0.25 s per rank in collectives 0.0025 s" in savings.text_of(recorded, lines)
    assert SECONDS["sum"] / 8 == 0.25


def test_reports_of_other_audits_are_not_taken(file: Path, command: Command,
                                               tmp_path: Path) -> None:
    write_audit(tmp_path / "audit", make_report()[0])
    result = command("savings", file, tmp_path / "audit")
    assert result.code == 0, result.err
    assert "0 problems with 0 s are audited" in result.out
