# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons of audits with several launches."""

import copy
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.before_after import answer
from analysis.reports import read_all, report_from
from analysis.tests.conftest import Command
from analysis.tests.synthetic import completed, make_report, slowed, write_audit


def test_one_launch_each_has_no_gate(audit: Path, command: Command) -> None:
    result = command("compare", audit, audit, "--fail-on", "slowdown")
    assert result.code == 2
    assert f"mpiaudit judge {audit} --baseline {audit}" in result.err


def launches(folder: Path, document: dict[str, Any], operation: str, factors: list[float]) -> Path:
    for number, factor in enumerate(factors, start=1):
        write_audit(folder / str(number), slowed(document, operation, factor))
    return folder


def test_several_launches_of_each(tmp_path: Path, command: Command) -> None:
    document = make_report()[0]
    noise = [1.00, 1.03, 0.98, 1.01, 0.99, 1.02, 1.00]
    before = launches(tmp_path / "before", document, "MPI_Bcast", noise)
    null = launches(tmp_path / "null", document, "MPI_Bcast", noise[::-1])
    after = launches(tmp_path / "after", document, "MPI_Bcast", [1.1 * each for each in noise[::-1]])
    result = command("compare", before, null, "--fail-on", "slowdown")
    assert result.code == 0
    assert result.out.startswith("No change was found in 5 operations\n"
                                 "7 launches each")
    result = command("compare", before, after, "--fail-on", "slowdown")
    assert result.code == 1
    assert re.match(r"MPI_Bcast is 1\.\d\d times slower \(1\.0\d to 1\.1\d\); "
                    r"no change was found in the other 4 operations\n", result.out), result.out
    few = launches(tmp_path / "few", document, "MPI_Bcast", [1.1, 1.1])
    result = command("compare", few, after, "--fail-on", "slowdown")
    assert result.code == 5
    assert result.out.startswith("2 launches each are too few to tell a change from chance: measure at ")
    assert "One launch" not in result.out


def test_changes_on_some_sizes(tmp_path: Path) -> None:
    document = make_report()[0]
    noise = [1.00, 1.03, 0.98, 1.01, 0.99, 1.02, 1.00]
    befores, afters = [], []
    for number, factor in enumerate(noise):
        before = slowed(document, "MPI_Gatherv", factor)
        befores += read_all([write_audit(tmp_path / f"a{number}", before)])
        after = slowed(document, "MPI_Gatherv", noise[-1 - number])
        changed = slowed(after, "MPI_Gatherv", 1.3)
        after["problems"] = [new if old["block_size"] >= 1000 else old for old, new in
                             zip(after["problems"], changed["problems"], strict=True)]
        afters += read_all([write_audit(tmp_path / f"b{number}", after)])
    change, = answer(befores, afters).changes
    assert change.operation == "MPI_Gatherv"
    assert change.ratio == pytest.approx(1.3, rel=0.03)
    sizes = [problem["total"] * problem["element_bytes"] for problem in document["problems"]
             if problem["block_size"] >= 1000]
    assert change.sizes == (min(sizes), max(sizes))


def test_an_operation_that_had_no_time_is_named(tmp_path: Path) -> None:
    document = make_report()[0]
    without = copy.deepcopy(document)
    for problem in without["problems"]:
        for contestant in problem["contestants"]:
            if contestant["name"] == "MPI_Bcast(m)":
                contestant.pop("statistics", None)
                contestant["skipped"] = "no time was left to measure it (--budget)"
    found = answer(read_all([write_audit(tmp_path / f"a{number}", document) for number in range(7)]),
                   read_all([write_audit(tmp_path / f"b{number}", without) for number in range(7)]))
    assert (found.missing, found.has_slower) == (["MPI_Bcast"], True)
    assert found.sentence.startswith("MPI_Bcast: measured in A and not in B")


def in_a_hurry(document: dict[str, Any], left: Callable[[dict[str, Any], str], bool]) -> dict[str, Any]:
    """A launch that had no time for the contestants for which `left(problem, name)` is false."""
    changed = copy.deepcopy(document)
    for problem in changed["problems"]:
        for contestant in problem["contestants"]:
            if not left(problem, contestant["name"]):
                contestant.pop("statistics", None)
                contestant["skipped"] = "no time was left to measure it (--budget)"
    return changed


def test_pairs_count_for_what_both_sides_have_measured(tmp_path: Path) -> None:
    document = make_report()[0]
    slow = slowed(document, "MPI_Bcast", 1.3)
    hurried = in_a_hurry(slow, lambda problem, _: bool(problem["block_size"] < 1000))
    before = read_all([write_audit(tmp_path / f"a{number}", document) for number in range(9)])
    whole, part = read_all([write_audit(tmp_path / "b", slow), write_audit(tmp_path / "c", hurried)])
    found = answer(before, 2 * [part] + 7 * [whole])
    assert [change.operation for change in found.changes] == ["MPI_Bcast"]
    assert (found.pairs, found.is_decided, {row.pairs for row in found.rows}) == (9, True, {9})
    # Six pairs cannot tell a change from chance.
    found = answer(before, 3 * [part] + 6 * [whole])
    assert [(change.operation, change.sizes is None) for change in found.changes] == [("MPI_Bcast", False)]
    sizes = sorted({problem["total"] * problem["element_bytes"] for problem in document["problems"]
                    if problem["block_size"] >= 1000 and problem["distribution"] == "random"})
    operations = {row.operation for row in found.rows}
    assert {each.operation for each in found.undecided} == operations - {"MPI_Bcast"}
    assert all(len(each.sizes) == len(sizes) for each in found.undecided)
    assert "MPI_Gather at " in found.sentence
    assert found.sentences[-1].startswith("To decide the rest: measure more")


def test_an_operation_that_no_pair_has_measured_is_undecided(tmp_path: Path, command: Command) -> None:
    document = in_a_hurry(make_report()[0], lambda _, name: name != "MPI_Bcast(m)")
    folders = [launches(tmp_path / name, document, "none", 8 * [1.0]) for name in ("a", "b")]
    result = command("compare", *folders, "--fail-on", "slowdown")
    assert result.code == 5
    assert "8 launches each cannot tell a change by less than a factor of 1.05\n" in result.out
    assert result.out.startswith("It cannot be told whether 1 operation became 1.5 times slower: MPI_Bcast; "
                                 "no change was found in the other 4 operations\n")
    assert command("compare", *folders).code == 0


def test_launches_that_measured_too_little_tell_no_factor(tmp_path: Path) -> None:
    document = make_report()[0]
    empty = in_a_hurry(document, lambda *_: False)
    reports = read_all([write_audit(tmp_path / "a", document), write_audit(tmp_path / "b", empty)])
    whole, nothing = reports
    found = answer(9 * [whole], 3 * [whole] + 6 * [nothing])
    assert len(found.undecided) == 5 and found.unchanged == 0
    assert not any("cannot tell a change by less" in text for text in found.sentences)


def noisy(document: dict[str, Any], draw: random.Random, noise: float, share: float,
          factor: float) -> dict[str, Any]:
    """A launch on a machine with this noise that measures this share of all times; MPI_Bcast and MPI_Gatherv
    take longer by the factor."""
    changed = in_a_hurry(document, lambda *_: draw.random() < share)
    for problem in changed["problems"]:
        for contestant in problem["contestants"]:
            if "statistics" in contestant:
                slow = factor if contestant["name"] in ("MPI_Bcast(m)", "MPI_Gatherv(m)") else 1.0
                contestant["statistics"]["median_s"] *= slow * draw.lognormvariate(0, noise)
    return changed


@pytest.mark.parametrize(("noise", "share", "factor", "codes"), [
    (0.02, 1.0, 1.0, {0}), (0.02, 1.0, 1.5, {1}), (0.02, 0.3, 2.0, {1, 5}), (0.5, 0.4, 1.5, {1, 5}),
    (0.5, 0.4, 2.0, {1, 5}), (1.0, 0.1, 2.0, {5}), (0.5, 1.0, 2.0, {1, 5}), (0.5, 0.1, 1.0, {5})])
def test_no_slowdown_is_overlooked_on_any_machine(noise: float, share: float, factor: float,
                                                  codes: set[int]) -> None:
    """0: nothing became slower; 1: something did; 5: that cannot be told."""
    document, _ = make_report(sizes=(1, 100, 10000), distributions=("same", "random"))
    document["checks"] = []
    for seed in range(5):
        draw = random.Random(seed)
        sides = [[report_from(Path("a"), completed(noisy(document, draw, noise, share, times)))
                  for _ in range(9)] for times in (1.0, factor)]
        found = answer(*sides)
        assert (1 if found.has_slower else 0 if found.is_decided else 5) in codes, seed


def test_everything_slower_is_the_pace(tmp_path: Path, command: Command) -> None:
    document = make_report()[0]
    slow = document
    for name in {c["name"].removesuffix("(m)") for p in document["problems"] for c in p["contestants"]}:
        slow = slowed(slow, name, 5.0)
    slow["environment"] = {"OMPI_MCA_btl": "self,tcp"}
    folders = [launches(tmp_path / name, each, "none", 7 * [1.0])
               for name, each in (("a", document), ("b", slow))]
    result = command("compare", *folders)
    assert result.out.startswith("All operations together take 5.00 times as long in B")
    assert "OMPI_MCA_btl: not set in A, self,tcp in B" in result.out
