# SPDX-License-Identifier: BSD-3-Clause
"""The answer over numbers of nodes: where an operation is slow, told in one sentence."""

from pathlib import Path
from typing import Any

import pytest

from analysis import scales
from analysis.reports import Report, read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import completed, make_report, write_audit

SIZES = (1, 10, 100, 1000)


def slow(first: int, last: int, factor: float, instead: str = "MPI_Alltoallv(m)",
         operation: str = "MPI_Gatherv", lost_us: float = 10.0, at: int | None = None) -> dict[str, Any]:
    """A row of the overview: slow from the first to the last of SIZES, with its ratio on one of them."""
    size = at or first
    return {"operation": operation, "guideline": "gatherv-padded", "problem": f"same/b={size}",
            "contestant": instead, "kind": "calls", "instead": instead, "factor": factor,
            "lost_s": lost_us * 1e-6, "bytes": 4 * size, "low_bytes": 4 * first, "high_bytes": 4 * last,
            "is_lowest": first == SIZES[0], "is_highest": last == SIZES[-1], "is_clear": True,
            "is_other_form": "+" in operation, "is_per_block": True, "sentence": "slower", "ranges": [],
            "ways": []}


def audit(nodes: int, overview: list[dict[str, Any]]) -> dict[str, Any]:
    document = make_report(ranks=2 * nodes, nodes=nodes, sizes=SIZES, distributions=("same",))[0]
    shown = {(row["guideline"], row["problem"]) for row in overview}
    for check in document["checks"]:
        check["verdict"] = "violated" if (check["guideline"], check["problem"]) in shown else "holds"
    document = completed(document) | {"overview": overview}
    known = {each["operation"] for each in document["operations"]}
    document["operations"] += [document["operations"][0] | {"operation": row["operation"]}
                               for row in overview if row["operation"] not in known]
    return document


def told(tmp_path: Path, documents: list[dict[str, Any]]) -> list[str]:
    reports: list[Report] = []
    for number, document in enumerate(documents):
        reports += read_all([write_audit(tmp_path / str(number), document)])
    return scales.findings(scales.scales_of(reports))


@pytest.mark.parametrize(("factors", "sentence"), [
    ([0, 1.5, 1.8], "From 2 nodes on, MPI_Gatherv takes 1.50 and 1.80 times as long as"),
    ([1.2, 1.5, 1.8], "On all numbers of nodes, MPI_Gatherv takes 1.20 to 1.80 times as long as"),
    ([1.5, 1.5, 0], "Up to 2 nodes, MPI_Gatherv takes 1.50 times as long as"),
    ([0, 2, 0], "On 2 nodes only, MPI_Gatherv takes 2.00 times as long as"),
    ([2, 0, 3], "On 1 and 4 nodes, MPI_Gatherv takes 2.00 and 3.00 times as long as"),
    ([0, 0, 2], "On 4 nodes only, MPI_Gatherv takes 2.00 times as long as")])
def test_from_how_many_nodes_on(factors: list[float], sentence: str, tmp_path: Path) -> None:
    documents = [audit(nodes, [slow(1, 1000, factor)] if factor else [])
                 for nodes, factor in zip((1, 2, 4), factors, strict=True)]
    text, = told(tmp_path, documents)
    assert text == (f"{sentence} MPI_Alltoallv(m) at 4 B, at all sizes; "
                    f"{'' if 'only' in sentence else 'up to '}10 us more per call.")


def test_numbers_stand_beside_what_they_are_about(tmp_path: Path) -> None:
    """Another replacement or other sizes at another number of nodes."""
    text, = told(tmp_path, [audit(1, [slow(1, 10, 1.5)]),
                            audit(2, [slow(100, 1000, 3, "MPI_Gather(m)"), slow(1, 1, 9, lost_us=1)])])
    assert text == ("On all numbers of nodes, MPI_Gatherv takes 1.50 times as long as MPI_Alltoallv(m) at "
                    "4 B, up to 40 B (1 node); 3.00 times as long as MPI_Gather(m) at 400 B, from 400 B "
                    "on (2 nodes); up to 10 us more per call.")
    text, = told(tmp_path, [audit(1, [slow(1, 100, 1.5)]), audit(2, [slow(1, 100, 3, at=10)])])
    assert text.startswith("On all numbers of nodes, MPI_Gatherv takes 1.50 (4 B) and 3.00 (40 B) times as "
                           "long as MPI_Alltoallv(m), up to 400 B; ")


def test_of_a_single_size_no_range_is_told(tmp_path: Path) -> None:
    row = slow(10, 10, 2) | {"is_lowest": True, "is_highest": True}
    assert told(tmp_path, [audit(1, [row])]) == [
        "MPI_Gatherv takes 2.00 times as long as MPI_Alltoallv(m) at 40 B; 10 us more per call."]


def test_advice_that_is_no_call_is_said(tmp_path: Path) -> None:
    row = slow(1, 1000, 2, "linear_Gatherv(m)") | {"kind": "report", "instead": "report it", "data": "spikes"}
    assert told(tmp_path, [audit(1, [row])]) == [
        "MPI_Gatherv takes 2.00 times as long as linear_Gatherv(m) at 4 B (spikes), at all sizes; 10 us "
        "more per call. Instead: report it."]
    row = slow(1, 1, 2, operation="MPI_Comm_dup") | {"kind": "communicator", "instead": "keep it"}
    for key in ("factor", "contestant", "bytes", "low_bytes", "high_bytes"):
        del row[key]
    assert told(tmp_path, [audit(1, [row])]) == [
        "MPI_Comm_dup takes longer than another way; 10 us more per call. Instead: keep it."]


def test_what_costs_most_time_comes_first(tmp_path: Path) -> None:
    found = [slow(1, 1, 9, operation="MPI_Bcast", lost_us=2), slow(10, 10, 2, operation="MPI_Scan"),
             slow(1, 1, 9, operation="MPI_Ibcast + MPI_Wait", lost_us=99)]
    document = audit(1, found)
    assert [text.split()[0] for text in told(tmp_path, [document])] == ["MPI_Scan", "MPI_Bcast", "MPI_Ibcast"]


def test_what_was_not_decided_is_no_answer(tmp_path: Path) -> None:
    single = audit(1, [])
    for check in single["checks"]:
        check["verdict"] = "undecided"
        check["reason"] = "rounds used up"
    del single["operations"], single["overview"]  # as these checks make them
    text, = told(tmp_path, [single, audit(2, [slow(1, 1, 2)])])
    assert text.startswith("On 2 nodes, MPI_Gatherv takes 2.00 times as long as")
    assert text.endswith("; no answer on 1 node.")
    # A scale without any verdict is named once, with what to do.
    single["summary"] |= {"violated": 0, "holds": 0}
    double = [slow(1, 1, 2), slow(10, 10, 3, operation="MPI_Scan")]
    texts = told(tmp_path, [single, audit(2, double)])
    assert len(texts) == 2 and all(text.startswith("On 2 nodes, MPI_") for text in texts)
    assert "no answer" not in " ".join(texts)
    said = " ".join(scales.answer(read_all([tmp_path / "0", tmp_path / "1"])).split())
    assert said.count("1 node, 2 ranks, a single launch: no check has a verdict; 4 of 4 problems have times. "
                      "Give the audit more time: --time of jobs/slurm submit, --budget of mpiaudit run.") == 1


def test_what_a_launch_has_not_measured_is_not_told(tmp_path: Path) -> None:
    document = audit(1, [slow(1, 1, 2), slow(10, 10, 3, operation="MPI_Bcast")])
    document["overview"][1]["guideline"] = "bcast-scatterv-allgatherv"
    launch = {"order_seed": 1, "checks": 12, "elapsed_s": 1.0, "machine": {}, "started": document["started"]}
    document["launches"] = [launch, launch]
    for check in document["checks"]:
        check["verdict"] = "violated"
        if check["guideline"] == "gatherv-padded":
            check["launches"] = [{"launch": number, "verdict": "violated", "rounds": 1, "slower": 1,
                                  **{key: check[key] for key in ("left_statistics", "right_statistics",
                                                                 "evidence")}} for number in (1, 2)]
    assert [text.split()[0] for text in told(tmp_path, [document])] == ["MPI_Gatherv"]


def test_the_answer_of_a_scaling_document(tmp_path: Path, command: Command) -> None:
    documents = [audit(nodes, [slow(100, 1000, 1.8)] if nodes > 1 else []) for nodes in (1, 2, 4)]
    documents[2]["problems"][0]["contestants"][0]["wrong"] = "no data"
    paths = [write_audit(tmp_path / str(number), each) for number, each in enumerate(documents)]
    output = tmp_path / "scaling.json"
    assert command("merge", *paths, "-o", output).code == 0
    result = command("scales", output)
    assert result.code == 0
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("Open MPI v4.1.4, 2026-01-15 09:30 UTC, on node00-")
    assert [line.split(":")[0] for line in lines[1:5]] == [
        "1 node, 2 ranks, a single launch", "2 nodes, 4 ranks, a single launch",
        "4 nodes, 8 ranks, a single launch", "WRONG"]
    assert "! From 2 nodes on, MPI_Gatherv takes 1.80 times as long as" in result.out
    assert command("scales", paths[0]).out.endswith(
        "No operation is slower than another way that was measured, in all launches.\n")
