# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the paper come out of `table`, and its options choose what they say."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest

from analysis import table as table_command
from analysis.reports import read_all
from analysis.sheet import Cell, Heading, Row, Sheet, to_text
from analysis.tests.conftest import Command
from analysis.tests.paper import COLUMNS, GATHERV, PADDED, TUW, is_violated, paper_report, rows_of
from analysis.tests.synthetic import statistics_of, write_audit
from analysis.units import microseconds

TABLES = range(1, 12)
ORDER = ("gather", "padded", "gatherv", "tuw")


def marks_of_the_paper(row: dict[str, str], column: str) -> tuple[bool, bool]:
    """Returns whether MPI_Gather and MPI_Gatherv are marked in a row."""
    return (row["problem"] == "Same" and is_violated(row, "gather", "gatherv", column),
            is_violated(row, "gatherv", "padded", column))


@pytest.mark.parametrize("table", TABLES)
def test_the_tables_of_the_paper(table: int, tmp_path: Path, command: Command) -> None:
    result = command("table", write_audit(tmp_path, paper_report(table)), "--format", "csv")
    assert result.code == 0
    printed = list(csv.reader(io.StringIO(result.out)))
    assert len(printed) == 31
    for row, fields in zip(rows_of(table), printed[1:], strict=True):
        both = [marks_of_the_paper(row, column) for column in ("avg", "min")]
        expected = [row["problem"], fields[1], row["m"], row["m_padded"], str(4 * int(row["m"]))]
        for column in ORDER:
            marks = [(column == "gather" and gather) or (column == "gatherv" and gatherv)
                     for gather, gatherv in both]
            expected += [f"{float(row[f'{column}_avg']):.3f}", f"{float(row[f'{column}_min']):.3f}",
                         *("violated" if mark else "" for mark in marks)]
        assert fields == expected


def test_the_text_has_rows_numbers_and_marks_of_the_paper(tmp_path: Path,
                                                          command: Command) -> None:
    audit = write_audit(tmp_path, paper_report(1))
    lines = command("table", audit, "--width", "0").out.splitlines()
    assert any(re.fullmatch(r"Same +1 +560 +560 +2\.19 KiB +337\.8 +18\.12 +59\.43 +36\.95 +1756! +"
                            r"1195! +50\.20 +20\.98", line) for line in lines)
    # Rows of a distribution carry its name once.
    assert any(re.match(r" +10000 +5600000 +5600000 +21\.4 MiB 16875!", line) for line in lines)
    assert any("! violates MPI_Gather(m) <= MPI_Gatherv(m) [1]: 1 problem" in line
               for line in lines)


def test_averages_and_minima_are_each_marked_by_themselves(tmp_path: Path, command: Command) -> None:
    for rule in ("averages", "minima"):
        audit = write_audit(tmp_path, paper_report(3, rule))
        lines = command("table", audit, "--width", "0").out.splitlines()
        for row in rows_of(3):
            gatherv = [float(row[f"gatherv_{statistic}"]) for statistic in ("avg", "min")]
            marks = [marks_of_the_paper(row, statistic)[1] for statistic in ("avg", "min")]
            if marks[0] != marks[1]:
                texts = [microseconds(1e-6 * time) + ("!" if mark else "")
                         for time, mark in zip(gatherv, marks, strict=True)]
                assert any(all(text in line.split() for text in texts) for line in lines), texts


def test_a_table_of_several_launches_has_the_marks_of_the_report(tmp_path: Path, command: Command) -> None:
    # The launches disagree on all averages, whatever the numbers of the table are.
    report = paper_report(1)
    for check in report["checks"]:
        check["launches"] = []
        check["verdict"] = check["verdicts"]["averages"] = check["verdicts"]["minima"] = "undecided"
    text = command("table", write_audit(tmp_path, report), "--width", "0").out
    assert "!" not in text
    assert f"? undecided: {len(report['checks'])} checks" in text
    # A report before 1.8 says nothing about minima of several launches.
    for check in report["checks"]:
        del check["verdicts"]
    text = command("table", write_audit(tmp_path, report), "--width", "0").out
    assert "!" not in text


def test_reports_before_1_8_of_one_launch_are_compared(tmp_path: Path, command: Command) -> None:
    report = paper_report(3)
    tables = [command("table", write_audit(tmp_path, report), "--format", "csv").out]
    for check in report["checks"]:
        del check["verdicts"]
    report["schema_version"] = "1.7"
    tables.append(command("table", write_audit(tmp_path, report), "--format", "csv").out)
    assert tables[0].count("violated") > 0
    assert tables[0] == tables[1]


def test_the_legend_counts_both_statistics(tmp_path: Path, command: Command) -> None:
    for rule in ("averages", "minima"):
        text = command("table", write_audit(tmp_path, paper_report(3, rule)), "--width", "0").out
        counts = [sum(marks_of_the_paper(row, statistic)[1] for row in rows_of(3))
                  for statistic in ("avg", "min")]
        assert counts[0] != counts[1]
        assert f"[2]: {counts[0]} problems by avg, {counts[1]} by min" in text


def evidence_report(verdict: str, averages: str, minima: str) -> dict[str, Any]:
    """Table 1 with Guideline 2 judged by evidence."""
    report = paper_report(1)
    report["rule"]["criterion"] = "evidence"
    report["checks"] = [check for check in report["checks"] if check["guideline"] == "2"]
    for check in report["checks"]:
        check["verdict"] = verdict
        check["verdicts"] = {"evidence": verdict, "averages": averages, "filtered_means": averages,
                             "minima": minima}
    return report


@pytest.mark.parametrize(("verdicts", "signs", "legend"), [
    (("violated", "violated", "violated"), "!!", "! violates"),
    (("violated", "holds", "violated"), "*!", "* violated by the evidence of all rounds, not by this number"),
    (("violated", "violated", "holds"), "!*", "* violated by the evidence of all rounds, not by this number"),
    (("holds", "violated", "violated"), "^ ", "^ the average is larger by more than the tolerance"),
    (("undecided", "violated", "violated"), "^?", "? undecided: 30 checks"),
    (("undecided", "holds", "holds"), "??", "? undecided: 30 checks"),
    (("holds", "holds", "holds"), "  ", ""),
])
def test_marks_tell_where_a_number_differs_from_the_evidence(
        verdicts: tuple[str, str, str], signs: str, legend: str, tmp_path: Path, command: Command) -> None:
    audit = write_audit(tmp_path, evidence_report(*verdicts))
    text = command("table", audit, "--width", "0").out
    assert re.search(rf"Same +1 .*1756{re.escape(signs[0])} +1195{re.escape(signs[1])}", text)
    assert legend in text
    names = {"!": "violated", "*": "evidence only", "^": "number only", "?": "undecided", " ": ""}
    first = command("table", audit, "--format", "csv", "--column", "MPI_Gatherv").out.splitlines()[1]
    assert first.split(",")[-2:] == [names[sign] for sign in signs]
    latex = {"!": r"\textcolor{red}{\textbf{1756}}",
             "*": r"\textcolor{red}{1756}\rlap{\textcolor{red}{$^{\ast}$}}",
             "^": r"1756\rlap{$^{\wedge}$}", "?": r"1756\rlap{?}", " ": "1756 &"}
    assert latex[signs[0]] in command("table", audit, "--format", "latex").out


def test_problems_that_have_the_blocks_of_another_one_are_shown(tmp_path: Path, command: Command) -> None:
    report = paper_report(1)
    dropped = report["problems"].pop(20)
    report["duplicates"] = [{"problem": dropped["id"], "equal_to": report["problems"][0]["id"]}]
    report["checks"] = [check for check in report["checks"] if check["problem"] != dropped["id"]]
    printed = list(csv.reader(io.StringIO(
        command("table", write_audit(tmp_path, report), "--format", "csv").out)))
    assert len(printed) == 31
    assert [dropped["distribution"], "1", *printed[1][2:]] in printed


def test_text_is_folded_at_eighty_columns(tmp_path: Path, command: Command) -> None:
    audit = write_audit(tmp_path, paper_report(6))
    text = command("table", audit, "--width", "80").out
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("Problem") == 2
    assert text.count("Two blocks") == 2


def test_markdown(tmp_path: Path, command: Command) -> None:
    text = command("table", write_audit(tmp_path, paper_report(1)), "--format", "markdown").out
    assert r"| Same | 1 | 560 | 560 | 2.19 KiB | 337.8 | 18.12 | 59.43 | 36.95 | **1756!** |" in text
    counts = {line.replace("\\|", "").count("|") for line in text.splitlines()
              if line.startswith("|")}
    assert counts == {14}


def test_columns_by_name_with_headings(tmp_path: Path, command: Command) -> None:
    audit = write_audit(tmp_path, paper_report(1))
    result = command("table", audit, "--format", "csv", "--column", "TUW_Gatherv",
                     "--column", f"Guideline (2)={PADDED}")
    assert result.out.splitlines()[0] == (
        "Problem,b,m,m',bytes,TUW_Gatherv avg,TUW_Gatherv min,TUW_Gatherv avg mark,TUW_Gatherv min mark,"
        "Guideline (2) avg,Guideline (2) min,Guideline (2) avg mark,Guideline (2) min mark")


def test_columns_by_guideline(tmp_path: Path, command: Command) -> None:
    audit = write_audit(tmp_path, paper_report(1))
    result = command("table", audit, "--guideline", "1", "--format", "csv")
    heads = result.out.splitlines()[0]
    assert heads.startswith("Problem,b,m,m',bytes,MPI_Gather avg,")
    assert COLUMNS["padded"] not in heads
    # Guideline 2 marks MPI_Gatherv, but it is not asked about. Guideline 1 marks average and minimum.
    assert result.out.count("violated") == 2


def test_choices_of_rows_and_statistics(audit: Path, command: Command) -> None:
    result = command("table", audit, "--collective", "GATHER", "--distribution", "spikes",
                     "--size", "100", "--statistics", "median,interval", "--format", "csv")
    lines = result.out.splitlines()
    assert len(lines) == 2
    assert "MPI_Gatherv median" in lines[0]
    assert re.search(r",\d+\.\d{3}-\d+\.\d{3},", lines[1])


def test_a_name_between_several_layouts_is_that_of_the_other_columns(tmp_path: Path,
                                                                     command: Command) -> None:
    document = paper_report(1)
    for problem in document["problems"]:
        gatherv = next(each for each in problem["contestants"] if each["name"] == GATHERV)
        elsewhere = gatherv | {"to": "replicated", "statistics": statistics_of(9999.0, 9999.0)}
        problem["contestants"] = [elsewhere, *problem["contestants"], elsewhere]
    audit = write_audit(tmp_path, document)
    assert "9999" not in command("table", audit, "--width", "0").out
    assert "9999" not in command("table", audit, "--width", "0", "--guideline", "2").out


def test_skipped_and_wrong_are_shown(tmp_path: Path, command: Command) -> None:
    document = paper_report(1)
    contestants = document["problems"][0]["contestants"]
    for contestant, key in ((contestants[2], "skipped"), (contestants[3], "wrong")):
        assert contestant["name"] in (GATHERV, TUW)
        del contestant["statistics"]
        contestant[key] = "because"
    text = command("table", write_audit(tmp_path, document), "--width", "0").out
    assert re.search(r"Same +1 +560 .* - +- +wrong +wrong", text)
    assert "- not measured" in text


def test_simulated_is_said(simulated: Path, command: Command) -> None:
    for layout in ("text", "markdown", "latex"):
        assert "simulated" in command("table", simulated, "--format", layout).out


@pytest.mark.parametrize(("option", "words"), [
    (("--column", "MPI_Nothing"), "no implementation 'MPI_Nothing'; it has MPI_Gather(m)"),
    (("--guideline", "9"), "no guideline '9'; it has gather-gatherv"),
    (("--collective", "scan"), "no collective 'scan' in the report; it has gather"),
    (("--distribution", "odd"), "no distribution 'odd'; it has same, spikes"),
    (("--size", "7"), "no block size 7; it has 1, 100, 10000"),
    (("--statistics", "mode"), "'mode' is none of average, minimum, median, interval"),
    (("--column", "MPI_Gather", "--distribution", "spikes"), "no problem with a measured"),
])
def test_unknown_names_are_answered_with_the_known(option: tuple[str, ...], words: str,
                                                   audit: Path, command: Command) -> None:
    result = command("table", audit, *option)
    assert result.code == 2
    assert words in result.err


def test_output_file_and_unwritable_output(audit: Path, tmp_path: Path, command: Command) -> None:
    assert command("table", audit, "-o", tmp_path / "t.txt").out == ""
    assert "MPI_Gatherv" in (tmp_path / "t.txt").read_text(encoding="utf-8")
    result = command("table", audit, "-o", tmp_path / "absent" / "t.txt")
    assert result.code == 2
    assert "No such file" in result.err


def test_a_heading_wider_than_its_cells_widens_them() -> None:
    sheet = Sheet("c", ("p",), [Heading("a long heading", ("x", "y"))],
                  [Row(("r",), (Cell("1", "violated"), Cell("2")), True)])
    lines = to_text(sheet).splitlines()
    assert lines[2] == "  a long heading"
    assert lines[-1] == "r      1!      2"


def test_violated_rows_of_the_library(audit: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    report, = read_all([audit])
    expected = {(report.label(check["left"]), check["problem"]) for check in report.violations}
    lines = command("table", audit, "--rows", "violated", "--format", "csv").out.splitlines()
    rows = list(csv.DictReader(lines))
    assert {(row["Operation"], row["Problem"]) for row in rows} == expected
    assert len(rows) == len(expected)
    for row in rows:
        assert row["median mark"] == "violated"
        assert float(row["times"]) > 1
    text = command("table", audit, "--rows", "violated", "--width", 80).out
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("!") == len(expected) + 1
    # A report with very many numbers is shown so by itself; options give the rest.
    monkeypatch.setattr(table_command, "MOST_CELLS", 10)
    assert command("table", audit, "--width", 80).out == text
    full = command("table", audit, "--rows", "all", "--width", 80).out
    monkeypatch.undo()
    assert command("table", audit, "--width", 80).out == full != text
