# SPDX-License-Identifier: BSD-3-Clause
"""What `compare` calls new, fixed, slower and incomparable."""

import copy
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis.compare import compare, speed_of
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, statistics_of, write_audit


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
        "new": 3, "still violated": 1, "unclear": 2, "fixed": 1,
        "unchanged": len(document["checks"]) - 7}


def test_an_audit_is_unchanged_from_itself(audit: Path, command: Command) -> None:
    result = command("compare", audit, audit, "--fail-on", "slowdown")
    assert result.code == 0
    assert " 0 new, " in result.out
    assert "0 clearly slower in B, 0 clearly faster; median B / A 1.00" in result.out
    assert "Not compared" not in result.out


def test_ratio_of_two_means_and_its_interval() -> None:
    before = statistics_of(100, 90) | {"mean_low_s": 97e-6, "mean_high_s": 103e-6}
    after = statistics_of(200, 190) | {"mean_low_s": 192e-6, "mean_high_s": 208e-6}
    problem: Any = {}
    speed = speed_of(problem, "x", before, after)  # type: ignore[arg-type]
    assert speed is not None
    assert speed.ratio == pytest.approx(2.0)
    # Relative half widths 3 % and 4 % add as squares to 5 %.
    assert speed.high / speed.ratio == pytest.approx(1.0512711)
    assert speed.ratio / speed.low == pytest.approx(1.0512711)
    zero = statistics_of(0, 0)
    assert speed_of(problem, "x", zero, after) is None  # type: ignore[arg-type]


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


def test_fail_on(document: dict[str, Any], tmp_path: Path, command: Command) -> None:
    a, b = pair(tmp_path, with_verdicts(document), with_verdicts(document, "violated"))
    assert command("compare", a, b).code == 0
    assert command("compare", a, b, "--fail-on", "regression").code == 1
    assert command("compare", b, a, "--fail-on", "regression").code == 0
    slower = with_verdicts(document)
    slower["problems"][0]["contestants"][0]["statistics"] = statistics_of(1e6, 1e6)
    a, b = pair(tmp_path, with_verdicts(document), slower)
    assert command("compare", a, b, "--fail-on", "regression").code == 0
    assert command("compare", a, b, "--fail-on", "slowdown").code == 1


def test_slower_needs_the_whole_interval(document: dict[str, Any], tmp_path: Path) -> None:
    changed = copy.deepcopy(document)
    for mine, theirs in zip(document["problems"], changed["problems"], strict=True):
        for before, after in zip(mine["contestants"], theirs["contestants"], strict=True):
            if "statistics" in before:
                before["statistics"] = statistics_of(100, 90)
                after["statistics"] = statistics_of(120, 90) | {
                    "mean_low_s": 90e-6, "mean_high_s": 150e-6}
    comparison = compare(*read_all(pair(tmp_path, document, changed)))
    assert comparison.speeds[0].ratio == pytest.approx(1.2)
    assert comparison.slower == []


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


def test_limit(audit: Path, other_library: Path, command: Command) -> None:
    short = command("compare", audit, other_library, "--limit", "1").out
    assert "more: --limit 0 lists all" in short
    everything = command("compare", audit, other_library, "--limit", "0").out
    assert "--limit 0" not in everything
    assert "Neither clearly slower nor faster" in everything


def test_markdown_and_html(audit: Path, other_library: Path, tmp_path: Path,
                           command: Command) -> None:
    text = command("compare", audit, other_library, "--format", "markdown").out
    assert r"| Change | Left \<= right | Problem | A verdict |" in text
    assert "**violated!**" in text
    output = tmp_path / "difference.html"
    assert command("compare", audit, other_library, "--format", "html", "-o", output).code == 0
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
