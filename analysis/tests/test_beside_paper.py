# SPDX-License-Identifier: BSD-3-Clause
"""The kept simulated tables are what `beside_paper` makes of the audits kept with them."""

import json
import lzma
import shutil
import subprocess
from pathlib import Path

import pytest

from analysis.errors import InputError
from analysis.paper_agreement import agreement
from analysis.paper_libraries import Report, as_library, as_one_library
from analysis.paper_rows import OTHER_SIDES, paper_figures, rows_of
from analysis.tests.beside_paper import beside_paper
from analysis.tests.kept import ROOT, audits, document_in


@pytest.mark.parametrize("audit", audits("simulated-table-*"), ids=str)
def test_tables_mark_what_the_report_says(audit: Path, reference: Path) -> None:
    kept = document_in(reference / audit)
    table = int(audit.parts[0].split("-")[2])
    judged: Report = {**kept, "duplicates": []}  # rows with equal blocks are judged once
    marked = [row.violates(column, row.simulated, kept["rule"]["tolerance"])
              for row in rows_of(judged, table) for column in OTHER_SIDES].count(True)
    assert marked == sum(check["verdict"] == "violated" for check in kept["checks"]
                         if check["guideline"] in ("paper-1", "paper-2"))


def test_an_audit_that_was_cut_short_is_simulated_again(tmp_path: Path, reference: Path) -> None:
    """jobs/paper-tables with a simulator that only notes its arguments and says that all is done."""
    for folder in ("analysis", "libraries"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "jobs").mkdir()
    shutil.copy(ROOT / "jobs" / "paper-tables", tmp_path / "jobs")
    simulator = tmp_path / "jobs" / "simulate"
    simulator.write_text("#!/bin/sh\necho \"$@\" >>asked\n"
                         "sed -i 's/^ \"complete\": false/ \"complete\": true/' "
                         "results/paper-tables/table-1/report.json\n", encoding="utf-8")
    simulator.chmod(0o755)
    kept = reference / "simulated-table-1"
    report = tmp_path / "results" / "paper-tables" / "table-1" / "report.json"
    report.parent.mkdir(parents=True)
    report.write_text((kept / "report.json").read_text("utf-8").replace(
        '\n "complete": true', '\n "complete": false'), encoding="utf-8")
    for run in ("the audit is cut short", "it is complete"):
        done = subprocess.run([tmp_path / "jobs" / "paper-tables", "--tables", "1"],
                              capture_output=True, text=True, check=True)
        assert done.stdout == (kept / "beside-paper.txt").read_text("utf-8"), run
        asked = (tmp_path / "asked").read_text("utf-8").splitlines()
        assert len(asked) == 1 and "--overwrite" in asked[0].split(), run
    # An audit with other options does not stand for this one.
    subprocess.run([tmp_path / "jobs" / "paper-tables", "--tables", "1", "--block-sizes", "1"],
                   capture_output=True, text=True, check=True)
    assert len((tmp_path / "asked").read_text("utf-8").splitlines()) == 2


def without_a_time(report: Report, left: str) -> Report:
    """The report with no time of this contestant on the problem same/b=10."""
    changed: Report = json.loads(json.dumps(report))
    for contestant in next(each for each in changed["problems"] if each["id"] == "same/b=10")["contestants"]:
        if contestant["name"] == left:
            del contestant["statistics"]
            contestant["skipped"] = "wrong on this library: it is slow"
    return changed


def test_a_table_with_an_empty_cell_is_an_error(tmp_path: Path, reference: Path) -> None:
    kept = document_in(reference / "simulated-table-1")
    renamed = json.loads(json.dumps(kept).replace('"TUW_Gatherv(m)"', '"TUW_Gatherv"'))
    shorter = {**kept, "problems": [each for each in kept["problems"] if each["id"] != "spikes/b=100"]}
    other = json.loads(json.dumps(kept).replace('"distribution": "', '"distribution": "my '))
    other["duplicates"] = []
    for report, error in (
            (kept, ""),
            (without_a_time(kept, "MPI_Gatherv(m)"), "MPI_Gatherv on Same, b = 10: wrong on this library"),
            (renamed, "TUW_Gatherv on Same, b = 1; TUW_Gatherv on Same, b = 10; "),
            (renamed, "TUW_Gatherv on Random, b = 1 and 24 more: the report has no TUW_Gatherv(m)"),
            (shorter, "MPI_Gather on Spikes, b = 100; Guideline (2) on Spikes, b = 100; "),
            (shorter, ": the report has no such problem"),
            (other, "Table 1 has empty cells: no row: the audit has no problem of the paper")):
        report["checks"] = []
        (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
        done = beside_paper("1", tmp_path)
        assert (done.returncode, error in done.stderr) == (1 if error else 0, True), done.stderr
        assert ("   empty " in done.stdout) == (report not in (kept, other))


def test_a_table_of_scatters_with_an_empty_cell_is_an_error(tmp_path: Path, reference: Path) -> None:
    kept = document_in(reference / "simulated-scatter-table-1")
    for report, error in ((kept, ""), (without_a_time(kept, "MPI_Scatterv(m)"),
                                       "MPI_Scatterv(m) on same/b=10: wrong on this library: it is slow\n")):
        (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
        done = beside_paper("scatter", tmp_path)
        assert (done.returncode, error in done.stderr) == (1 if error else 0, True), done.stderr


def test_audits_may_be_compressed(tmp_path: Path, reference: Path) -> None:
    kept = reference / "simulated-table-1"
    (tmp_path / "report.json.xz").write_bytes(lzma.compress((kept / "report.json").read_bytes()))
    assert beside_paper("1", tmp_path).stdout == (kept / "beside-paper.txt").read_text("utf-8")


@pytest.mark.parametrize(("table", "of_1", "of_2"), [
    ("1", (1, 1), (19, 19)), ("2", (1, 2), (15, 15)), ("3", (3, 2), (10, 7)), ("4", (5, 5), (2, 1)),
    ("5", (0, 0), (13, 14)), ("6", (0, 0), (20, 22)), ("11", (0, 0), (18, 14))])
def test_the_papers_own_table_has_its_violations(table: str, of_1: tuple[int, int],
                                                 of_2: tuple[int, int]) -> None:
    done = beside_paper(table)
    for guideline, rows, (averages, minima) in ((1, 5, of_1), (2, 30, of_2)):
        assert (f"Guideline ({guideline}): violated by averages in {averages} of {rows} rows, by minima in "
                f"{minima}.\n") in done.stdout
    assert done.stdout.count("!") - 1 == sum(of_1) + sum(of_2)  # one explains the mark


def test_the_papers_own_table_is_as_in_the_paper() -> None:
    first = next(line.split() for line in beside_paper("4").stdout.splitlines() if line.startswith("Same"))
    assert first == ["Same", "1600", "1600", "6785.78!", "4585.03!", "7325.16", "5573.03", "3881.19",
                     "2460.96", "51.04", "33.86"]
    assert "!" not in beside_paper("9").stdout  # "too numerous and not shown"


@pytest.mark.parametrize(("table", "averages", "minima"), [("1", 2, 0), ("3", 2, 2), ("11", 11, 0)])
def test_the_papers_own_table_says_where_its_algorithm_is_slower(table: str, averages: int,
                                                                 minima: int) -> None:
    assert (f"TUW_Gatherv takes longer than the right side of Guideline (2) in {averages} rows by "
            f"averages, in {minima} by minima.\n") in beside_paper(table).stdout


def test_rows_with_the_blocks_of_fitted_ones_are_not_held_out(reference: Path) -> None:
    kept = document_in(reference / "simulated-table-4-stand-ins")
    fitted = {(row.problem, row.block_size) for row in rows_of(kept, 4) if row.is_fitted}
    assert fitted == {("Same", 1), ("Same", 10000), ("Alternating", 1)}


def test_agreement_is_told_from_chance() -> None:
    always = agreement([(True, True)] * 15 + [(False, True)] * 5)
    assert (always.same, always.best_constant, always.kappa) == (15, 15, 0)
    # Both say yes in half of the rows and agree in 3 of 4: chance gives 1/2.
    half = agreement([(True, True)] * 6 + [(True, False)] * 2
                     + [(False, True)] * 2 + [(False, False)] * 6)
    assert (half.same, half.best_constant, half.kappa) == (12, 8, 0.5)
    assert agreement([(True, True)] * 3).kappa is None


def test_a_reference_algorithm_stands_in_for_what_the_simulator_lacks(tmp_path: Path,
                                                                      reference: Path) -> None:
    kept = json.dumps(document_in(reference / "simulated-table-1"))
    (tmp_path / "report.json").write_text(
        kept.replace('"MPI_Gatherv(m)"', '"binomial_Gatherv(m)"'), encoding="utf-8")
    done = beside_paper("11", tmp_path)
    assert "binomial_Gatherv is in the place of MPI_Gatherv.\n" in done.stdout
    same = next(line.split() for line in done.stdout.splitlines() if line.startswith("Same"))
    assert same[7:9] == ["984.2!", "124.0!"]


def test_twice_the_data_is_what_k_nomial_gather_takes(reference: Path) -> None:
    """The constant of a stand-in, fitted to one row of Table 9, in the other rows of three tables."""
    library = json.loads((ROOT / "libraries" / "intel-2017.2-table-9.json").read_text("utf-8"))
    k_nomial, = library["stand_ins"][1]["choices"]
    assert k_nomial["algorithm"] == "binomial_Gatherv"  # section 5: radix k = 2
    cost = k_nomial["message_us"]
    per_byte_us = float(cost.removesuffix(" * bytes"))
    kept = document_in(reference / "simulated-table-11")
    problems = [each for each in rows_of(kept, 11) if each.problem != "Two blocks"]
    assert len(problems) == 20
    with_cost = [row.simulated["gatherv"] + 4 * row.total * per_byte_us for row in problems]
    for table in (9, 10, 11):
        paper = paper_figures(table)
        factors = [(row.block_size, time / paper[row.problem, row.block_size]["gatherv"])
                   for row, time in zip(problems, with_cost, strict=True)]
        assert all(0.9 < factor < 1.1 for size, factor in factors if size >= 100)
        assert all(0.4 < factor < 0.9 for size, factor in factors if size < 100)
    slower = [row.simulated["tuw"] > time for row, time in zip(problems, with_cost, strict=True)]
    assert slower.count(True) == 2  # in the paper never
    for table, same, best_constant, kappa in ((10, 11, 13, 0.04), (11, 12, 12, 0.20)):
        padded = [row.simulated["padded"] for row in rows_of(kept, table)
                  if row.problem != "Two blocks"]
        paper = paper_figures(table)
        answers = agreement([
            (paper[row.problem, row.block_size]["gatherv"]
             > paper[row.problem, row.block_size]["padded"], time > other)
            for row, time, other in zip(problems, with_cost, padded, strict=True)])
        assert (answers.same, answers.best_constant) == (same, best_constant)
        assert round(answers.kappa or 0, 2) == kappa


def test_a_table_may_be_made_of_parts(tmp_path: Path, reference: Path) -> None:
    kept = reference / "simulated-table-1"
    whole = document_in(kept)
    equal = {problem for each in whole["duplicates"] for problem in each.values()}
    for name in ("one", "other"):
        problems = [each for each in whole["problems"]
                    if (each["id"] in equal or each["block_size"] > 10) == (name == "one")]
        assert 0 < len(problems) < len(whole["problems"])
        (tmp_path / name).mkdir()
        kept_ids = {each["id"] for each in problems}
        (tmp_path / name / "report.json").write_text(json.dumps({
            **whole, "problems": problems,
            "checks": [each for each in whole["checks"] if each["problem"] in kept_ids],
            "duplicates": whole["duplicates"] if name == "one" else []}), encoding="utf-8")
    assert beside_paper("1", tmp_path / "other", tmp_path / "one").stdout == beside_paper("1", kept).stdout


def test_an_audit_stands_for_a_library_with_the_same_stand_in(reference: Path) -> None:
    report = document_in(reference / "simulated-table-8-stand-ins" / "same")
    renamed = as_library(report, "intel-2017.2")["problems"][0]["contestants"]
    assert [each["name"] for each in renamed] == ["MPI_Gatherv[as intel-2017.2](m)", "TUW_Gatherv(m)"]
    assert renamed[0]["statistics"] == report["problems"][0]["contestants"][1]["statistics"]
    with pytest.raises(InputError, match="openmpi-2.0.1 has another base than intel-2017.2-table-8"):
        as_library(report, "openmpi-2.0.1")
    slower = json.loads(json.dumps(report).replace("receive_remote_us=0.1", "receive_remote_us=0.2"))
    with pytest.raises(InputError, match="different simulated clusters"):
        as_one_library([report, slower], "intel-2017.2")


def test_of_several_audits_the_best_is_taken(tmp_path: Path, reference: Path) -> None:
    one = reference / "simulated-table-1"
    report = document_in(one)
    report["mpi"]["library"] += ", gather another"
    for problem in report["problems"]:
        for contestant in problem["contestants"]:
            if "statistics" in contestant:
                factor = 0.5 if contestant["name"] == "TUW_Gatherv(m)" else 2
                contestant["statistics"]["median_s"] *= factor
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    done = beside_paper("1", one, tmp_path)
    assert "algorithms of mpich, alltoallv ring or gather another;" in done.stdout
    same = next(line.split() for line in done.stdout.splitlines() if line.startswith("Same"))
    assert same[3::2] == ["23.96", "48.50", "984.2!", "19.55"]
