# SPDX-License-Identifier: BSD-3-Clause
"""The words of `compare`: new, fixed, slower and incomparable."""

import copy
import json
import random
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis.compare import compare
from analysis.before_after import answer
from analysis.reports import read_all, report_from
from analysis.tests.conftest import Command
from analysis.tests.synthetic import completed, make_report, write_audit


@pytest.fixture
def document() -> dict[str, Any]:
    return make_report(sizes=(1, 100), distributions=("same", "spikes"))[0]


def pair(folder: Path, before: dict[str, Any], after: dict[str, Any]) -> tuple[Path, Path]:
    return write_audit(folder / "a", before), write_audit(folder / "b", after)


def with_verdicts(document: dict[str, Any], *verdicts: str) -> dict[str, Any]:
    """The first checks with these verdicts, all others hold."""
    changed = copy.deepcopy(document)
    for index, check in enumerate(changed["checks"]):
        check["verdict"] = verdicts[index] if index < len(verdicts) else "holds"
    return changed


def test_changes_of_verdicts(document: dict[str, Any], tmp_path: Path) -> None:
    before = with_verdicts(document, "violated", "violated", "violated", "violated", "holds",
                           "undecided", "skipped", "undecided")
    after = with_verdicts(document, "violated", "holds", "undecided", "skipped", "violated",
                          "violated", "violated", "holds")
    reports = read_all(pair(tmp_path, before, after))
    assert compare(*reports).counts == {
        "new": 1, "still violated": 1, "unclear": 4, "fixed": 1,
        "unchanged": len(document["checks"]) - 7}


def test_an_audit_is_unchanged_from_itself(audit: Path, command: Command) -> None:
    result = command("compare", audit, audit)
    assert result.code == 0
    assert " 0 new, " in result.out
    assert result.out.startswith("One launch each cannot tell a small change: mpiaudit judge B --baseline A ")
    assert "Not compared" not in result.out


def test_only_equal_problems_are_compared(audit: Path, other_library: Path,
                                          command: Command) -> None:
    result = command("compare", audit, other_library)
    assert result.code == 0
    assert "A: Open MPI v4.1.4, 8 ranks" in result.out
    assert "B: MPICH 4.0.2, 8 ranks" in result.out
    assert "6 problems and 36 checks in common" in result.out
    assert ("only in A: 3 problems: spikes/b=1 at p=8, spikes/b=100 at p=8, spikes/b=10000 at "
            "p=8") in result.out
    assert "spikes" not in result.out.split("Not compared")[0]


def test_checks_that_only_one_audit_has_are_listed(document: dict[str, Any], tmp_path: Path,
                                                   command: Command) -> None:
    shorter = copy.deepcopy(document)
    removed = shorter["checks"].pop(0)
    a, b = pair(tmp_path, document, shorter)
    assert (f"only in A: 1 check: {removed['guideline']} on {removed['problem']}"
            in command("compare", a, b).out)


def slowed(document: dict[str, Any], operation: str, factor: float) -> dict[str, Any]:
    """All times of an operation longer by this factor."""
    changed = copy.deepcopy(document)
    for problem in changed["problems"]:
        for contestant in problem["contestants"]:
            if contestant["name"] == f"{operation}(m)" and "statistics" in contestant:
                numbers = contestant["statistics"]
                numbers |= {key: value * factor for key, value in numbers.items() if key.endswith("_s")}
    return changed


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


def test_launches_that_were_judged_together_are_not_called_one(tmp_path: Path, command: Command) -> None:
    document = make_report()[0]
    launch = {"started": "2026-11-28T08:00:00Z", "order_seed": 1, "checks": 3, "elapsed_s": 1.0,
              "machine": document["machine"]}
    document["launches"] = [launch] * 7
    result = command("compare", *pair(tmp_path, document, document))
    assert result.out.startswith("Audits that judge 7 and 7 launches together, with one time of each "
                                 "operation, cannot tell a small change: ")


def test_a_single_operation_is_not_its_own_pace(tmp_path: Path) -> None:
    document = make_report()[0]
    for problem in document["problems"]:
        problem["contestants"] = [each for each in problem["contestants"] if each["name"] == "MPI_Bcast(m)"]
    document["checks"] = []
    row, = answer(7 * read_all([write_audit(tmp_path / "a", document)]), 7 * read_all(
        [write_audit(tmp_path / "b", slowed(document, "MPI_Bcast", 1.5))])).rows
    assert row.ratio == pytest.approx(1.5)


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


def test_builds_of_one_version_are_told_apart(tmp_path: Path, command: Command) -> None:
    before, after = make_report()[0], make_report()[0]
    before["mpi"] |= {"file": "/usr/lib/libmpi.so.40", "checksum": "0123456789abcdef"}
    after["mpi"] |= {"file": "/opt/lib/libmpi.so.40", "checksum": "fedcba9876543210"}
    out = " ".join(command("compare", *pair(tmp_path, before, after)).out.split())
    assert ("The same version of the library, but other files: /usr/lib/libmpi.so.40 in A, "
            "/opt/lib/libmpi.so.40 in B") in out


def test_different_rules_and_simulation_are_told(document: dict[str, Any], tmp_path: Path,
                                                 command: Command) -> None:
    other = copy.deepcopy(document)
    other["simulated"] = True
    other["rule"]["tolerance"] = 0.5
    out = command("compare", *pair(tmp_path, document, other)).out
    assert "One audit is simulated and the other measured" in out
    assert "evidence with tolerance 50 %" in out
    assert "8 ranks, simulated" in out


def test_different_conditions_are_told(document: dict[str, Any], tmp_path: Path,
                                       command: Command) -> None:
    before, after = copy.deepcopy(document), copy.deepcopy(document)
    before["options"] |= {"heap": "young", "setting": []}
    after["options"] |= {"heap": "grown", "buffers": "cold", "setting": ["A=1", "B=2"]}
    result = command("compare", *pair(tmp_path, before, after))
    assert " ".join(result.out.split()).count(
        "different conditions: --heap young in A, grown in B; --buffers same in A, cold in B; "
        "--setting none in A, A=1,B=2 in B") == 1
    assert "different conditions" not in command("compare", *pair(tmp_path / "same", before, before)).out


def test_a_row_for_each_operation_the_largest_ratio_first(tmp_path: Path, command: Command) -> None:
    document = make_report()[0]
    names = {c["name"].removesuffix("(m)") for p in document["problems"] for c in p["contestants"]
             if re.fullmatch(r"MPI_\w+\(m\)", c["name"])}
    result = command("compare", *pair(tmp_path, document, slowed(document, "MPI_Gatherv", 1.5)))
    rows = [line for line in map(str.strip, result.out.splitlines()) if re.match(r"MPI_\w+  ", line)]
    assert re.search(r"^MPI_Gatherv +\d+ +1\.50 +1\.50 to 1\.50$", rows[0])
    assert {row.split()[0] for row in rows} == names


def test_limit(audit: Path, other_library: Path, command: Command) -> None:
    assert "Left <= right" not in command("compare", audit, other_library).out
    short = command("compare", audit, other_library, "--checks", "--limit", "1").out
    assert "more: --limit 0 lists all" in short
    assert short.index("Left <= right") > short.index("checks in common")
    assert "--limit 0" not in command("compare", audit, other_library, "--checks", "--limit", "0").out


def test_markdown_and_html(audit: Path, other_library: Path, tmp_path: Path,
                           command: Command) -> None:
    text = command("compare", audit, other_library, "--checks", "--format", "markdown").out
    assert r"| Change | Left \<= right | Problem | A verdict |" in text
    assert "| Operation | Problems |" in text
    assert "**violated!**" in text
    output = tmp_path / "difference.html"
    assert command("compare", audit, other_library, "--checks", "--format", "html", "-o", output).code == 0
    page = output.read_text(encoding="utf-8")
    HTMLParser().feed(page)
    assert '<span class="verdict violated">violated</span>' in page
    assert "http" not in page


def test_nothing_in_common(audit: Path, scales: list[Path], tmp_path: Path,
                           command: Command) -> None:
    result = command("compare", audit, scales[0])
    assert result.code == 2
    assert "have no problem in common (p = 8 and 2)" in result.err
    collection = tmp_path / "c.json"
    collection.write_text(json.dumps({
        "kind": "mpiaudit scaling", "schema_version": "1.0",
        "reports": [json.loads((scale / "report.json").read_text()) for scale in scales]}))
    assert "holds 3 reports, compare takes one" in command("compare", audit, collection).err
