# SPDX-License-Identifier: BSD-3-Clause
"""The words of `compare`: new, fixed, slower and incomparable."""

import copy
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis.compare import compare
from analysis.before_after import answer
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, slowed, write_audit


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
