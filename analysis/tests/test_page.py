# SPDX-License-Identifier: BSD-3-Clause
"""The page as text."""

import html
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from analysis import page, page_operations, page_rows, page_words
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.paper import paper_report
from analysis.tests.shown_page import first_check
from analysis.tests.synthetic import make_report, write_audit

VOID = {"meta", "link", "br", "input"}


class Checker(HTMLParser):
    """Elements that do not close, and what the page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.identifiers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        values = dict(attrs)
        self.identifiers += [values["id"] or ""] if "id" in values else []
        for key in ("src", "href", "xlink:href"):
            value = values.get(key) or "#"
            if not value.startswith(("#", "data:")):
                self.fetched.append(value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_fetches_nothing(written: Path) -> None:
    checker = Checker()
    checker.feed(written.read_text(encoding="utf-8"))
    assert checker.open == []
    assert checker.fetched == []
    assert len(set(checker.identifiers)) == len(checker.identifiers)


def test_what_the_page_says(written: Path, audit: Path) -> None:
    text = written.read_text(encoding="utf-8")
    report, = read_all([audit])
    worst = first_check(report)
    for words in (report.headline,
                  "needs equal blocks", "at most 1 %", worst["reproduce"],
                  "slower in", "e-value", "MPI_Wtime", "OMPI_MCA_coll"):
        assert words in text
    assert text.count("<svg ") == 3 + len(report.overview)
    assert "simulated" not in text


def test_an_operation_stands_once_with_its_ways_and_programs(written: Path, audit: Path) -> None:
    text = written.read_text(encoding="utf-8")
    report, = read_all([audit])
    names = {check["left"].partition("(")[0] for check in report.violations}
    assert text.count('<details class="finding"') == text.count('<tr class="row') == len(names)
    operations = page_operations.operations_of(report)
    assert {each.name for each in operations} == names
    for each in operations:
        assert f'<p class="said"><b class="name">{each.name}</b>: {each.row["sentence"]}</p>' in text
        for way in each.ways:
            assert f"<td>{report.label(way['contestant'])}</td>" in text
        assert (f"mpiaudit reproduce {html.escape(str(audit))} --row {each.code} --output {each.code}.c"
                in text)
        assert f"mpiaudit run --confirm {html.escape(str(audit))} --row {each.code}" in text


def test_a_report_without_rows_names_the_command(tmp_path: Path, command: Command) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    folder = write_audit(tmp_path / "old", document | {"schema_version": "1.7"})
    result = command("html", folder, "-o", tmp_path / "page.html")
    assert result.code == 2
    assert result.err.strip().endswith(
        "has no rows for the violated operations, since an older mpiaudit wrote it; judge it again: "
        f"mpiaudit judge {folder} --report {folder}/report.json")
    # Tables need no rows.
    assert command("table", folder).code == 0


def test_the_page_has_the_verdict_of_filtered_means(tmp_path: Path) -> None:
    report, _ = make_report(sizes=(100,), distributions=("same",))
    check = next(each for each in report["checks"] if each["verdict"] == "violated")
    check["verdicts"]["filtered_means"] = "holds"
    report["summary"]["filtered_means_in_words"] = "Means accuse 2 of 5 measured checks."
    text = page.render(read_all([write_audit(tmp_path, report)]))
    assert '<p class="fine">Means accuse 2 of 5 measured checks.</p>' in text
    data = json.loads(page_rows.rows_json(read_all([tmp_path])))
    row = next(row for row, guideline in enumerate(data["rows"]["guideline"])
               if data["texts"][guideline] == check["guideline"])
    assert data["verdicts"][data["rows"]["means"][row]] == "holds"
    # A report before 1.8 has no such verdict.
    del check["verdicts"]
    old = write_audit(tmp_path, report)
    assert json.loads(page_rows.rows_json(read_all([old])))["rows"]["means"][row] is None


def test_launches_of_one_audit_are_one_audit(tmp_path: Path, command: Command) -> None:
    first, second, joint = (make_report(sizes=(1, 10), distributions=("same",))[0] for _ in range(3))
    seeds = {"order_seed": 1, "checks": 12, "elapsed_s": 1.0, "machine": {}}
    second["started"] = "2026-01-15T09:40:00Z"
    second["confirms"] = {"folder": "a", "started": first["started"], "order_seed": 1, "suspects": [],
                          "controls": []}
    joint["launches"] = [{"started": each["started"], **seeds} for each in (first, second)]
    paths = [write_audit(tmp_path / name, each) for name, each in
             (("a", first), ("a/confirmation-1", second), ("joint", joint))]
    page_file = tmp_path / "page.html"
    refused = command("html", paths[0], paths[1], "-o", page_file)
    assert refused.code == 2
    assert f"mpiaudit judge {paths[0]} {paths[1]} --report {paths[0] / 'report.json'}" in refused.err
    assert command("html", paths[2], paths[1], "-o", page_file).code == 0
    text = page_file.read_text(encoding="utf-8")
    assert "1 audit, 2 launches judged together" in text and "2 audits" not in text


@pytest.mark.parametrize(("nodes", "order", "ranks", "lines"), [
    ([[0, 1, 2, 3], [4, 5, 6, 7]], "block", "8 ranks on 2 hosts, 4 on each, in blocks",
     ["4 ranks: 0-3", "4 ranks: 4-7"]),
    ([[0, 2, 4, 6], [1, 3, 5, 7]], "cyclic",
     "8 ranks on 2 hosts, 4 on each, cyclic (rank r on host r mod hosts)", ["4 ranks: 0, 2, 4, 6"]),
    ([[0, 1, 2, 4, 6, 7], [3, 5]], "irregular",
     "8 ranks on 2 hosts, 2 to 6 on each, in irregular order", ["6 ranks: 0-2, 4, 6-7", "2 ranks: 3, 5"])])
def test_the_page_says_how_ranks_lie_on_hosts(nodes: list[list[int]], order: str, ranks: str,
                                              lines: list[str], tmp_path: Path) -> None:
    document = make_report(sizes=(1, 10), distributions=("same",))[0]
    machine = document["machine"]
    machine["hosts"] = [{"name": f"n{i}", "ranks": own} for i, own in enumerate(nodes)]
    sizes = [len(own) for own in nodes]
    machine["placement"] = {"hosts": 2, "least_ranks": min(sizes), "most_ranks": max(sizes), "order": order}
    reports = read_all([write_audit(tmp_path, document)])
    text = page.render(reports)
    for words in (f"<dt>Ranks</dt><dd>{ranks}</dd>", *(f"<dd>{line}</dd>" for line in lines)):
        assert words in text


def test_reasons_that_differ_in_numbers_are_counted_together(tmp_path: Path) -> None:
    document = make_report(sizes=(1, 10), distributions=("same",))[0]
    said = {"not clear after 111 rounds": "too close", "not clear after 79 rounds": "too close",
            "launches disagree: ratios 1.40 0.97 in launches 1 2": "launches disagree",
            "launches disagree: ratios 1.10 1.05 1.08 in launches 1 2 4": "launches disagree"}
    document["checks"] = document["checks"][:len(said)]
    for check, reason in zip(document["checks"], said, strict=True):
        check.update(verdict="undecided", reason=reason)
    older = read_all([write_audit(tmp_path / "older", document)])[0]
    assert page_words.reasons(older, "undecided") == [(reason, 1) for reason in said]
    for check in document["checks"]:
        check["reason_kind"] = said[check["reason"]]
    report = read_all([write_audit(tmp_path, document)])[0]
    assert page_words.reasons(report, "undecided") == [
        ("too close", 2), ("launches disagree", 2)]
    for check in document["checks"]:
        check.update(verdict="skipped", reason="needs 9.1 GiB per rank", reason_kind="too much memory")
    report = read_all([write_audit(tmp_path / "skipped", document)])[0]
    assert page_words.reasons(report, "skipped") == [("needs 9.1 GiB per rank", 4)]


def test_hostile_names_are_text(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    document["warnings"] = ["<script>alert(1)</script>"]
    document["checks"][0]["reason"] = "</script><b>"
    document["guidelines"][0]["statement"] = "a < b & c"
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "<script>alert" not in text
    assert "</script><b>" not in text
    assert "a &lt; b &amp; c" in text


def test_incomplete_wrong_and_simulated_are_told(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",), simulated=True)[0]
    document["complete"] = False
    document["summary"]["incomplete"] = "The audit is not complete: 1 of 8 problems measured."
    contestant = document["problems"][0]["contestants"][3]
    del contestant["statistics"]
    contestant["wrong"] = "rank 3 holds block 2 instead of 3"
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "The audit is not complete: 1 of 8 problems measured." in text
    assert "<b>WRONG:</b>" in text
    assert "rank 3 holds block 2 instead of 3" in text
    assert "All times are simulated" in text
    assert text.count('class="badge">simulated') >= 3


def test_distributions_that_share_no_size(tmp_path: Path) -> None:
    """The audit of an application has more distributions than a picture shows, each with other sizes."""
    document = make_report()[0]
    for i, problem in enumerate(document["problems"]):
        problem["distribution"], problem["block_size"] = f"call site {i}", 8440 + i
    assert "8440" in page.render(read_all([write_audit(tmp_path, document)]))


def test_a_report_by_averages_and_one_without_checks(tmp_path: Path) -> None:
    text = page.render(read_all([write_audit(tmp_path / "t", paper_report(1))]))
    assert "no bound on the chance of false violations" in text
    document = make_report(sizes=(1,), distributions=("same",))[0]
    document["checks"] = []
    document["summary"]["headline"] = "It measured implementations and compared none."
    text = page.render(read_all([write_audit(tmp_path / "n", document)]))
    assert "compared none" in text


def test_several_audits_and_scaling(scales: list[Path], tmp_path: Path, command: Command) -> None:
    output = tmp_path / "page.html"
    assert command("html", *scales, "-o", output).out == f"{output}\n"
    text = output.read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert "<h1>3 audits: Open MPI v4.1.4, 2 to 8 ranks</h1>" in text
    assert 'id="scaling"' in text
    assert 'data-key="audit"' in text


def test_title_with_date_and_host(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    assert ("<title>Open MPI v4.1.4, 8 ranks: audit of 2026-01-15 09:30 UTC, on node00</title>"
            in text)


def test_no_python_in_the_environment(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",), simulated=True)[0]
    document["simulation"]["settings"] = ["smpi/privatization:no", "a:b"]
    document["options"] = {"distributions": ["same", "random"], "resume": False}
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "smpi/privatization:no a:b" in text
    assert "['" not in text and "False" not in text and "[&#39;" not in text


def test_what_an_application_could_save(tmp_path: Path, command: Command) -> None:
    report, lines = make_report()
    report["application"] = {
        "program": "app", "library": "L", "ranks": 8, "seconds": 3.6, "problems": [],
        "left_out": [{"name": "9-Bcast", "collective": "MPI_Bcast", "calls": 1, "seconds": 0.25,
                      "reason": "it is nonblocking"},
                     {"name": "8-Bcast", "collective": "MPI_Bcast", "calls": 1, "seconds": 0.25,
                      "reason": "it is on 2 ranks", "command": "mpirun -n 2 mpiaudit"}]}
    saved = {"problem": "1-Gatherv/b=5", "collective": "MPI_Gatherv", "calls": 50,
             "recorded_s": 1.0, "library_s": 1e-3, "instead": "linear_Gatherv(m)", "factor": 1.5,
             "saved_s": 0.6, "low_s": 0.5, "high_s": 0.7, "launches": 7}
    nothing = {key: saved[key] for key in ("problem", "calls", "recorded_s", "library_s")}
    report["savings"] = {"in_words": "0.6 s (0.5 to 0.7 s) of 3.6 s per rank in collectives can be saved.",
                         "recorded_s": 3.6, "audited_s": 3.1, "saved_s": 0.6, "low_s": 0.5,
                         "high_s": 0.7, "problems": [saved, nothing | {"collective": "MPI_Scan"}]}
    write_audit(tmp_path / "audit", report, lines)
    page = tmp_path / "page.html"
    assert command("html", tmp_path / "audit", "-o", page).code == 0
    text = " ".join(page.read_text(encoding="utf-8").split())
    for words in ("What app could save", "0.6 s (0.5 to 0.7 s) of 3.6 s per rank in collectives",
                  "linear_Gatherv(m)", "2 recorded problems were not audited",
                  "9-Bcast, 0.25 s: it is nonblocking", "<code>mpirun -n 2 mpiaudit</code>"):
        assert words in text, words
    assert "MPI_Scan" not in text
