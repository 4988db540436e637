# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts on the library, remarks on reference algorithms, and the way that is advised."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from analysis import page, page_rows, statements, summary
from analysis.compare import compare
from analysis.fields import Check, Contestant
from analysis.heatmap import REMARK_COLOURS, colour_of, heat_map
from analysis.reports import Report, read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, statistics_of, write_audit
from analysis.worst import findings

IMPLEMENTATIONS: list[Any] = [
    {"name": name, "collective": collective, "from": "a", "to": "b", "native": native,
     "summary": ""}
    for name, collective, native in (
        ("MPI_Gather", "gather", True), ("TUW_Gatherv", "gather", False),
        ("MPI_Igather", "gather", False), ("MPI_Pack", "local", False),
        ("zero fill", "local", False), ("MPI_Gather[binomial]", "gather", True))]
IMPLEMENTATIONS.append(IMPLEMENTATIONS[0] | {
    "name": "MPI_Gather[as mine]", "native": False, "stands_for": "MPI_Gather"})


def contestant(name: str, **fields: Any) -> Contestant:
    return {"name": name, "from": "a", "to": "b"} | fields  # type: ignore[return-value]


def check_with(left: str, **fields: Any) -> Check:
    return {"guideline": "g", "problem": "p", "left": left, "right": "r",
            "verdict": "violated"} | fields  # type: ignore[return-value]


@pytest.mark.parametrize(("left", "fields", "kind"), [
    ("MPI_Gather(m)", {"steps": ["MPI_Gather: a -> b"]}, "verdict"),
    ("TUW_Gatherv(m)", {"steps": ["TUW_Gatherv: a -> b"]}, "remark"),
    ("MPI_Gather(m) + TUW_Gatherv(m)", {"steps": ["MPI_Gather: a -> c", "TUW_Gatherv: c -> b"]},
     "remark"),
    # A variant of the library's own operation, and moves within a rank.
    ("MPI_Igather(m) + MPI_Wait", {"steps": ["MPI_Igather: a -> b"]}, "verdict"),
    ("MPI_Pack + MPI_Gather(m)", {"steps": ["MPI_Pack: a -> c", "zero fill: c -> d",
                                            "MPI_Gather: d -> b"]}, "verdict"),
    ("MPI_Gather[binomial](m)", {"steps": ["MPI_Gather[binomial]: a -> b"], "forced": True},
     "verdict"),
    # What stands for the library's in a simulation.
    ("MPI_Gather[as mine](m)", {"steps": ["MPI_Gather[as mine]: a -> b"]}, "remark"),
    ("TUW_Gatherv(m)#2", {}, "remark"),  # the name has to do where no steps are listed
    ("10 TUW_Gatherv(m/10)", {}, "remark"),
    ("MPI_Gather(m) + MPI_Gather(m)", {}, "verdict"),
])
def test_the_kind_follows_from_the_left_side(left: str, fields: dict[str, Any],
                                             kind: str) -> None:
    references = statements.reference_names(IMPLEMENTATIONS)
    assert references == {"TUW_Gatherv", "MPI_Gather[as mine]"}
    check = check_with(left)
    assert statements.kind_of(check, contestant(left, **fields), references) == kind


def test_what_the_report_says_counts() -> None:
    for said in ("verdict", "remark"):
        check = check_with("MPI_Gather(m)", kind=said)
        assert statements.kind_of(check, contestant("MPI_Gather(m)"), frozenset()) == said


def ways_of(*times: tuple[str, float]) -> statements.Ways:
    problem: Any = {"contestants": [
        contestant(name, statistics=statistics_of(us, us)) for name, us in times]}
    problem["contestants"] += [
        contestant("wrong", wrong="so", statistics=statistics_of(0.1, 0.1)),
        contestant("skipped", skipped="so"),
        {"name": "elsewhere", "from": "a", "to": "c", "statistics": statistics_of(0.1, 0.1)}]
    return statements.Ways(problem)


def test_the_remedy_is_the_fastest_between_the_layouts() -> None:
    ways = ways_of(("left", 10.0), ("r", 8.0), ("best", 5.0), ("left#2", 1.0),
                   ("best#2", 5.5))
    remedy = statements.remedy_of(check_with("left"), ways)
    assert remedy is not None
    assert (remedy.contestant, remedy.code) == ("best", "")
    assert remedy.factor == pytest.approx(2.0)
    assert remedy.saved_s == pytest.approx(5e-6)
    assert statements.remedy_of(check_with("left"), ways_of(("left", 1.0), ("r", 8.0))) is None
    assert statements.remedy_of(check_with("left", verdict="holds"), ways) is None
    assert statements.remedy_of(check_with("absent"), ways) is None


def test_a_recorded_remedy_is_kept_unless_something_was_faster() -> None:
    ways = ways_of(("left", 10.0), ("r", 8.0), ("best", 5.0))
    for said, expected in (("best", ("best", "call best")), ("r", ("best", "")),
                           ("wrong", ("best", "")), ("absent", ("best", ""))):
        recorded = {"contestant": said, "factor": 2.0, "saved_s": 5e-6, "code": f"call {said}"}
        remedy = statements.remedy_of(check_with("left", remedy=recorded), ways)
        assert remedy is not None
        assert (remedy.contestant, remedy.code) == expected


def test_words_about_something_slower_are_not_shown() -> None:
    check = check_with("left", advice="call r")
    assert statements.advice_of(check, None) == "call r"
    assert statements.advice_of(check, statements.Remedy("r", 2.0, 1e-6)) == "call r"
    assert statements.advice_of(check, statements.Remedy("best", 2.0, 1e-6)) == ""


def test_no_advice_is_slower_than_another_contestant(audit: Path, other_library: Path) -> None:
    for report in read_all([audit, other_library]):
        for check in report.violations:
            remedy = report.remedy(check)
            assert remedy is not None
            layouts = report.contestants[check["problem"], check["left"]]
            medians = [item["statistics"]["median_s"]
                       for item in report.problems[check["problem"]]["contestants"]
                       if (item["from"], item["to"]) == (layouts["from"], layouts["to"])
                       and "statistics" in item]
            chosen = report.contestants[check["problem"], remedy.contestant]
            assert chosen["statistics"]["median_s"] == min(medians)


@pytest.fixture
def remarks(tmp_path: Path) -> Path:
    """An audit in which nothing but a reference algorithm is slower than another way."""
    document, lines = make_report(sizes=(1, 100), distributions=("same",))
    slow = copy.deepcopy(next(item for item in document["checks"]
                              if item["verdict"] == "violated"))
    for check in document["checks"]:
        check["verdict"] = "holds"
        for key in ("advice", "reproduce"):
            check.pop(key, None)
    document["guidelines"].append({"id": "tuw", "statement": "TUW_Gatherv(m) <= MPI_Gather(m)"})
    document["checks"].append(slow | {"guideline": "tuw", "left": "TUW_Gatherv(m)",
                                      "right": "MPI_Gather(m)", "problem": "same/b=1"})
    return write_audit(tmp_path / "remarks", document, lines)


def only(path: Path) -> Report:
    report, = read_all([path])
    return report


def test_remarks_are_neither_counted_nor_violations(remarks: Path) -> None:
    report = only(remarks)
    assert report.violations == [] and len(report.remarks) == 1
    assert report.status(report.remarks[0]) == "remark"
    assert sum(summary.counts_of(report).values()) == 12
    assert summary.headline(report) == "None of 12 checks found a violated guideline."
    assert "1 more check is about reference algorithms" in summary.about_remarks(report)
    assert findings(report) == []
    assert [item.check["guideline"] for item in findings(report, "remark")] == ["tuw"]
    assert heat_map(report).rows[-1] == "tuw"
    assert heat_map(report, kind="verdict").rows == [
        name for name in heat_map(report).rows if name != "tuw"]
    assert colour_of(7, "remark") == REMARK_COLOURS[-1] != colour_of(7, "verdict")


def test_the_headline_acquits_only_what_was_decided(remarks: Path) -> None:
    report = only(remarks)
    report.verdicts[0]["verdict"] = "skipped"
    report.verdicts[1]["verdict"] = "undecided"
    assert summary.headline(report) == ("No violated guideline in 10 decided checks; 2 more have "
                                        "no verdict.")


def test_remarks_in_tables_are_marked_apart(remarks: Path, command: Command) -> None:
    text = command("table", remarks, "--collective", "gather").out
    assert "! violates" not in text
    assert "~ of a reference algorithm, no verdict: TUW_Gatherv(m) <= MPI_Gather(m) [tuw]" in text
    assert "!" not in text.replace("! ", "")
    assert "remark" in command("table", remarks, "--format", "csv").out
    assert "textcolor{red}" not in command("table", remarks, "--format", "latex").out


def test_remarks_on_the_page(remarks: Path) -> None:
    report = only(remarks)
    text = page.render([report])
    assert "Worst violations" not in text
    assert "Remarks on reference algorithms" in text
    data = json.loads(page_rows.rows_json([report]))
    assert data["rows"]["about"] == [0] * 12 + [1]
    assert data["verdicts"][data["rows"]["verdict"][-1]] == "remark"


def test_remarks_are_no_regression(remarks: Path, tmp_path: Path, command: Command) -> None:
    document = json.loads((remarks / "report.json").read_text())
    document["checks"][-1]["verdict"] = "holds"
    before = write_audit(tmp_path / "before", document)
    comparison = compare(only(before), only(remarks))
    assert comparison.counts["new"] == 0
    assert [pair.change for pair in comparison.remarks] == ["new"]
    result = command("compare", before, remarks, "--fail-on", "regression")
    assert result.code == 0
    assert "Reference algorithms, no verdicts on the library" in result.out


def test_contestants_between_several_layouts_are_compared_once(tmp_path: Path) -> None:
    document, _ = make_report(sizes=(1,), distributions=("same",))
    contestants = document["problems"][0]["contestants"]
    contestants.append(contestants[-1] | {"to": "elsewhere"})
    report = only(write_audit(tmp_path, document))
    names = [speed.name for speed in compare(report, report).speeds]
    assert len(names) == len(set(names))


def test_layouts_are_those_of_both_sides() -> None:
    problem: Any = {"contestants": [
        {"name": name, "from": "a", "to": to, "statistics": statistics_of(us, us)}
        for name, to, us in (("left", "b", 9.0), ("left", "c", 9.0), ("r", "c", 5.0),
                             ("only b", "b", 1.0), ("also c", "c", 4.0))]}
    remedy = statements.remedy_of(check_with("left"), statements.Ways(problem))
    assert remedy is not None and remedy.contestant == "also c"


def test_what_a_report_does_not_recommend_is_not_computed() -> None:
    ways = ways_of(("left", 10.0), ("r", 8.0), ("best", 5.0))
    assert statements.remedy_of(check_with("left", kind="verdict"), ways) is None
    # Some per cent are no reason to recommend another way than the report does.
    recorded = {"contestant": "r", "factor": 1.25, "saved_s": 2e-6, "code": "call r"}
    near = ways_of(("left", 10.0), ("r", 8.0), ("best", 7.8))
    remedy = statements.remedy_of(check_with("left", kind="verdict", remedy=recorded), near)
    assert remedy is not None and remedy.contestant == "r"
