# SPDX-License-Identifier: BSD-3-Clause
"""Kept tables beside the paper come from the kept audits."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.tests.beside_paper import beside_paper
from analysis.tests.kept import REFERENCE, ROOT, audits, document_in, without_last_digits

KEPT = sorted(REFERENCE.glob("simulated-*/beside-paper*.txt"))


def table_of(kept: Path) -> str:
    """The number of the table: the one of the file, or else of the folder; the sweep's is 3."""
    in_file = kept.stem.rpartition("-")[2]
    return in_file if in_file.isdigit() else (
        "3" if "sweep" in kept.parent.name else kept.parent.name.split("-")[2])


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: f"{kept.parent.name}-{kept.stem}")
def test_kept_tables_come_from_the_kept_audits(kept: Path, reference: Path) -> None:
    pattern = kept.parent.name
    options: tuple[str, ...] = ()
    if pattern == "simulated-table-6-stand-ins":  # of the operations of two others
        pattern = "simulated-table-[89]-stand-ins"
        options = ("--library", "intel-2017.2")
    done = beside_paper(table_of(kept), *(reference / each for each in audits(pattern)), *options)
    text = kept.read_text(encoding="utf-8")
    assert without_last_digits(done.stdout, text) == text


def test_the_kept_agreements_come_from_the_kept_audits(reference: Path) -> None:
    assert beside_paper("agreement", reference).stdout == (
        REFERENCE / "simulated-agreement.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: f"{kept.parent.name}-{kept.stem}")
def test_every_kept_table_has_its_agreement_about_both_guidelines_by_both_statistics(kept: Path) -> None:
    rest = re.sub(r"^simulated-(table-\d+)?-?", "", kept.parent.name).replace("-", " ")
    title = f"Table {table_of(kept)} {rest}".strip()
    lines = (REFERENCE / "simulated-agreement.txt").read_text(encoding="utf-8").splitlines()
    assert [line[len(title):].split()[:2] for line in lines if re.match(rf"{title}  ", line)] == [
        [guideline, statistic] for guideline in ("(1)", "(2)") for statistic in ("averages", "minima")]


def rows_said(heading: str) -> list[list[str]]:
    """The cells of a table of the document about the simulations, without bold face."""
    document = (REFERENCE / "simulation" / "README.md").read_text(encoding="utf-8").replace("**", "")
    lines = document[document.index(heading):].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def agreement_said(text: str, title: str) -> list[str]:
    """Returns the rows with equal answers about Guideline (2), all rows, the best constant answer, and
    kappa."""
    same, rows, kappa, constant = re.findall(
        rf"{title}: same answer in (\d+) of (\d+) rows, kappa ([-.\w]+); the best constant answer: (\d+)",
        text)[-1]
    return [same, rows, constant, kappa]


def test_the_document_has_the_agreements_of_the_kept_tables() -> None:
    files = {"6, b = 10000": "table-6-10000/beside-paper", "7, b <= 1000": "table-6/beside-paper-7",
             "10, b <= 1000": "table-11/beside-paper-10", "sweep": "sweep/beside-paper"}
    rows = rows_said("| table | library, ranks |")
    assert len(rows) == 11
    for label, _, same, constant, kappa, slower, ratios in rows:
        file = files.get(label, f"table-{label.partition(',')[0]}/beside-paper")
        text = (REFERENCE / f"simulated-{file}.txt").read_text(encoding="utf-8")
        assert [*re.findall(r"\d+", same), constant, kappa] == agreement_said(
            text, "all but two blocks"), label
        found = re.search(r"slower than MPI_Gatherv in (\d+) of \d+ rows, in the\s+paper in (\d+)", text)
        assert found and slower == "{} ({})".format(*found.groups()), label
        if "(" in ratios:
            equal = next(line for line in text.splitlines() if line.startswith("  Same  "))
            pairs = re.findall(r"([.\d]+) \(([.\d]+)\)", equal)
            numbers = re.findall(r"[.\d]+", ratios)
            for kept, said in zip([pair[side] for side in (0, 1) for pair in pairs], numbers, strict=True):
                last_digit = 10.0 ** -len(said.partition(".")[2])  # kept has one place, rounded as well
                assert float(said) == pytest.approx(float(kept), abs=last_digit / 2 + 0.051), label


def test_the_document_has_the_agreements_with_stand_ins() -> None:
    rows = rows_said("| table | same answer |")
    assert [row[0][0] for row in rows] == ["3", "4", "5", "6", "8", "9"]
    for label, same, constant, kappa, *parts in rows:
        text = (REFERENCE / f"simulated-table-{label[0]}-stand-ins" / "beside-paper.txt").read_text("utf-8")
        assert [*re.findall(r"\d+", same), constant, kappa.partition(" ")[0]] == agreement_said(
            text, "all but two blocks"), label
        for said, title in zip(parts, ("those fitted", "those held out"), strict=True):
            if title in text:
                counts, _, of_part = said.partition(", ")
                found = agreement_said(text, title)
                assert [*re.findall(r"\d+", counts), of_part] == [*found[:2], found[3]], (label, title)
    document = " ".join((REFERENCE / "simulation" / "README.md").read_text(encoding="utf-8").split())
    for table, said in (("6", "Table 6 #"), ("8", "), 8 #"), ("9", "), 9 #")):
        text = (REFERENCE / f"simulated-table-{table}-stand-ins" / "beside-paper.txt").read_text("utf-8")
        same, counted, constant, kappa = agreement_said(text, "all problems")
        pattern = re.escape(said).replace(
            r"\#", rf"{same} of {counted} \((best constant answer )?{constant}, (kappa )?{kappa}\)")
        assert re.search(rf"by the paper's minima: .*{pattern}", document), table


@pytest.mark.parametrize("kept", sorted(REFERENCE.glob("simulated-scatter-*/table.txt")),
                         ids=lambda kept: str(kept.parent.name))
def test_kept_tables_of_scatter_come_from_the_kept_audits(kept: Path, reference: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "analysis", "table", reference / kept.parent.name],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    text = kept.read_text(encoding="utf-8")
    assert without_last_digits(done.stdout, text) == text


def test_every_kept_audit_is_of_a_clean_commit_and_warmed_up(reference: Path) -> None:
    for kept in audits():
        report = document_in(reference / kept)
        assert not report["tool"]["commit"].endswith("-dirty"), kept
        assert report["options"]["warmup"] != 0, kept
