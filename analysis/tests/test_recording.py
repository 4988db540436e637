# SPDX-License-Identifier: BSD-3-Clause
"""The command `problems`, on a recording of all forms of sizes."""

import json
import shutil
import subprocess
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
    assert "mark" not in result.out
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
    for words in ("LOST besides: 7 calls, 0.5 s", "5 problems with less time", "7 calls of ranks, 0.5 s",
                  "rank 3 alone: MPI_Abort", " 75 "):
        assert words in out, words


SHARE: dict[str, Any] = {"ranks": 4, "sum": 14.0, "max_rank": 6.0, "most_on": 1, "min_rank": 1.0,
                         "least_on": 3}
PROFILE: dict[str, Any] = RECORDING | {"shares": [
    {"calls": 280, **SHARE}, {"function": "MPI_Scan", "calls": 280, **SHARE},
    {"function": "MPI_Scan", "object": "/no/such/app", "offset": 4660, "symbol": "solve",
     "calls": 280, **SHARE}]}


def test_profile(file: Path, command: Command) -> None:
    """Functions and call sites have their shares of the time in collectives and of the run, and the ranks
    with the least and the most time."""
    file.write_text(json.dumps(PROFILE), encoding="utf-8")
    out = command("problems", file).out
    for caption in ("app, 4 ranks, 10 s", "By problem", "By call site"):
        assert out.count(caption) == 1, out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "all 100.0 35.00 1 3.5 6 50000 280 1 3" in lines
    assert "MPI_Scan solve in app+0x1234 100.0 35.00 1 3.5 6 50000 280 1 3" in lines
    rows = command("problems", file, "--by", "function", "--format", "csv").out.splitlines()
    assert rows == ["function,time %,run %,least s,mean s,most s,call us,calls,most on,least on",
                    "all,100.0,35.00,1,3.5,6,50000,280,1,3", "MPI_Scan,100.0,35.00,1,3.5,6,50000,280,1,3"]
    # Every part of a folded table names the problem of each row.
    narrow = " ".join(command("problems", file, "--by", "problem", "--width", "60").out.split())
    assert narrow.count("MPI_Allreduce, sum, in place 4 KiB") == narrow.count("collective bytes ranks") > 1


def test_lines_of_call_sites(tmp_path: Path, file: Path, command: Command) -> None:
    compiler, addr2line = shutil.which("cc"), shutil.which("addr2line")
    if compiler is None or addr2line is None:
        pytest.skip("no compiler, or no addr2line")
    (tmp_path / "solve.c").write_text("int solve(int a)\n{\n    return a * a;\n}\n"
                                      "int main(void) { return solve(0); }\n", encoding="utf-8")
    subprocess.run([compiler, "-g", "-O0", "-no-pie", "-o", "solver", "solve.c"], cwd=tmp_path, check=True)
    symbols = subprocess.run(["nm", tmp_path / "solver"], capture_output=True, text=True, check=True).stdout
    [address] = [int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" T solve")]
    share = PROFILE["shares"][2] | {"object": str(tmp_path / "solver"), "offset": address + 1}
    file.write_text(json.dumps(PROFILE | {"shares": [share]}), encoding="utf-8")
    assert "solve in solve.c:2" in command("problems", file, "--by", "site").out


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


def test_what_the_recording_alone_says_of_the_gain(file: Path, command: Command) -> None:
    # 7 problems of 10 calls on 4 ranks, the shortest of 1 us: 70 us per rank.
    result = command("problems", file, "--gain")
    assert result.code == 0
    assert result.out == (
        "Collectives take 3.5 s of 10 s per rank (35 %). About 3.5 s of that is waiting for other ranks, "
        "judged by the shortest call of each problem. Even with free collectives the run would be only "
        "0.0007 % shorter: the rest is waiting.\n")
    file.write_text(json.dumps(RECORDING | {"wall_seconds": 3.51}), encoding="utf-8")
    assert command("problems", file, "--gain").out.startswith(
        "Collectives take 3.5 s of 3.51 s per rank (100 %).")
    changed = RECORDING | {"synchronised": True, "wall_seconds": 500.0}
    changed["problems"] = [problem("MPI_Scan", seconds=SECONDS | {"waiting": 6.0})]
    file.write_text(json.dumps(changed), encoding="utf-8")
    result = command("problems", file, "--gain")
    assert result.code == 1
    assert "2 s of 500 s per rank (0.4 %). About 1.5 s of that is waiting for other ranks, mea" in result.out
    assert result.out.endswith("only 0.1 % shorter: the rest is waiting. A gain below 1 % would not be "
                               "visible in pairs of runs.\n")


def test_load_is_not_called_waiting_for_ranks(file: Path, command: Command) -> None:
    for delayed, is_named in ((1.3, False), (8.0, True)):
        file.write_text(json.dumps(RECORDING | {"delayed_seconds": delayed}), encoding="utf-8")
        said = command("problems", file, "--gain").out
        named = "or for a processor (each rank lacked one for 2 s of the run: other programs"
        assert (named in said) == is_named


def test_the_tables_say_that_ranks_lacked_processors(file: Path, command: Command) -> None:
    ranks, wall = int(RECORDING["ranks"]), float(RECORDING["wall_seconds"])
    for share, is_said in ((0.05, False), (0.72, True)):
        file.write_text(json.dumps(RECORDING | {"delayed_seconds": share * wall * ranks}), encoding="utf-8")
        assert ("Each rank lacked a processor for " in command("problems", file).out) == is_said


def test_the_buffers_that_most_calls_have(file: Path, command: Command) -> None:
    for same, untouched, choice in ((36, 36, "same"), (36, 10, "used"), (10, 10, "rotate"), (36, 0, "used")):
        buffers = {"calls": 40, "same": same, "untouched": untouched}
        changed = RECORDING | {"problems": [problem("MPI_Bcast", bytes={"block": 8}, buffers=buffers),
                                            problem("MPI_Barrier", buffers=buffers)]}
        file.write_text(json.dumps(changed), encoding="utf-8")
        assert command("problems", file, "--buffers").out.startswith(f"{choice}: calls use ")
    file.write_text(json.dumps(RECORDING), encoding="utf-8")
    assert command("problems", file, "--buffers").out.startswith("used: ")


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
    assert ("would take 2 s, and the faster ways that were found would save up to 30 ms: 0.86 % of the time "
            "in collectives, 0.3 % of the run. The rest is waiting, of which slow") in result.out
    enough = make_report(sizes=(1,), distributions=("same",))[0]
    enough["savings"] = report["savings"] | {"high_s": 0.04}
    result = command("problems", tmp_path, "--gain", write_audit(tmp_path / "enough", enough))
    assert result.code == 0 and "visible" not in result.out
    assert command("problems", file, "--gain", write_audit(tmp_path / "none", make_report()[0])).code == 2
