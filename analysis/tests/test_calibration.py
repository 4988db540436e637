# SPDX-License-Identifier: BSD-3-Clause
"""The rates of bench/calibrate on the page, and broken files of them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from analysis.tests.bench_program import bench_program
from analysis.tests.conftest import Command

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "results" / "reference" / "calibration"

RATE = {"hits": 3, "trials": 40, "low": 0.0157, "high": 0.2039}
RATES: dict[str, Any] = {
    "kind": "mpiaudit calibration", "ranks": 2, "launches": 40, "host": "node7",
    "started": "2026-01-02T03:04:05+00:00", "library": "Open MPI v4.1.4",
    "null": {"audits": RATE, "checks": RATE, "decided": RATE, "median_rounds": 9},
    "planted": [{"operation": "MPI_Allreduce 4 B", "ratio": 1.25,
                 "measured": [1.19, 1.28], "violated": RATE,
                 "soon_violated": RATE, "median_rounds": 44}],
    "repeated": {"same_verdict": RATE, "confirmations": 6, "confirmed_stays_violated": RATE,
                 "confirmed_is_not_contradicted": RATE, "median_rounds": 7,
                 "median_audit_s": 1.04, "share_of_samples": {"75": 0.7, "300": 0.175}}}


def written(folder: Path, data: Any) -> Path:
    file = folder / "rates.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def test_the_page_has_the_rates(audit: Path, command: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = command("html", audit, "-o", page, "--calibration", written(tmp_path, RATES))
    assert result.code == 0, result.err
    text = page.read_text(encoding="utf-8")
    section = text[text.index('<section id="calibration">'):text.index('<section id="environment">')]
    assert "Open MPI v4.1.4, node7, 2 ranks, 40 launches" in section
    assert "1.0 s and 0.70 of the samples of 75 repetitions each" in section
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</th>(.*?)</tr>", section)
    assert len(rows) == 7
    name, cells = rows[3]
    assert name == "MPI_Allreduce 4 B, 1.25 times as slow (1.19 to 1.28 measured): violated"
    assert re.findall(r"<td>(.*?)</td>", cells) == [
        "7.5 %", "1.6 to 20.4 %", "40", "high", "44 rounds"]


def test_a_page_without_rates_does_not_mention_them(audit: Path, command: Command,
                                                    tmp_path: Path) -> None:
    assert command("html", audit, "-o", tmp_path / "page.html").code == 0
    assert "#calibration" not in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("data", "message"), [
    ("{", "not JSON"),
    (RATES | {"kind": "network"}, "kind"),
    (RATES | {"null": {"audits": RATE}}, "null"),
    (RATES | {"planted": [{"ratio": 1.0}]}, "planted.0"),
])
def test_broken_files_are_refused(data: Any, message: str, audit: Path, command: Command,
                                  tmp_path: Path) -> None:
    result = command("html", audit, "-o", tmp_path / "page.html", "--calibration",
                     written(tmp_path, data))
    assert result.code == 2
    assert message in result.err and len(result.err.splitlines()) == 1
    assert not (tmp_path / "page.html").exists()


def test_a_missing_file_is_named(audit: Path, command: Command, tmp_path: Path) -> None:
    result = command("html", audit, "--calibration", tmp_path / "none.json")
    assert result.code == 2
    assert "none.json: cannot be read: No such file" in result.err


def test_the_tables_of_the_kept_rates_are_theirs() -> None:
    """Every kept file is shown, and the bars that the document says are met are met."""
    files = sorted(KEPT.glob("*.json"))
    assert files
    page = (KEPT / "README.md").read_text(encoding="utf-8")
    tables = bench_program("calibrate").tables(files)
    assert tables in page
    null = re.findall(r"\| (\d+) of (\d+) \(at most", page)
    planted = [re.findall(r"(\d+) of (\d+)", line.split("|")[6])[0] for line in page.splitlines()
               if line.count("|") == 8 and " to " in line.split("|")[4]]
    method = " ".join((ROOT / "docs" / "method.md").read_text(encoding="utf-8").split())
    accused, audits, found, trials = (sum(int(row[column]) for row in rows)
                                      for rows in (null, planted) for column in (0, 1))
    assert f"{accused} of {audits} such audits accused anything" in method
    assert trials - found == 1 and f"all but one of {trials} trials" in method


def test_the_table_of_two_rules_is_that_of_the_kept_counts() -> None:
    """Each planted ratio has the numbers of checks that evidence and pgmpi accuse at both tolerances."""
    lines = (KEPT / "rules-openmpi-4.1.4-2.txt").read_text(encoding="utf-8").splitlines()
    counts = [line.replace(",", "").split() for line in lines[2:]]
    papers = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert {each[1] for each in counts} == {"114"} and "how many of 114 checks of MPI_Gatherv" in papers
    for title, cell in (("planted ratio", "{0}"), ("accused by evidence, tolerance 5 % (0 %)", "{2} ({4})"),
                        ("accused by pgmpi, tolerance 0 % (5 %)", "{3} ({5})"),
                        ("by both, each with its first tolerance", "{6}")):
        assert f"\n| {title} | {' | '.join(cell.format(*each) for each in counts)} |\n" in papers
