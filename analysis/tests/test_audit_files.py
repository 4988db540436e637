# SPDX-License-Identifier: BSD-3-Clause
"""One module opens the files of audits, as they are or compressed."""

import json
import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest

from analysis import audit_files, reports
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit

ROOT = Path(__file__).parents[2]
# What else is JSON: no report.
OTHERS = {"analysis/audit_files.py": "the member of a report that says whether the audit is complete",
          "analysis/plain.py": "the bytes that audit_files.py has read", "analysis/validation.py": "a schema",
          "analysis/checked_file.py": "a schema", "analysis/paper_libraries.py": "files of libraries/",
          "jobs/simulate": "files of libraries/", "jobs/batch/submission.py": "the record of a submission",
          "jobs/batch/outcome.py": "the first line of the samples, which audit_files.py opens"}
READS_JSON = re.compile(r"json\.loads?\b")
OPENS_A_FILE_OF_AN_AUDIT = re.compile(
    r"(report\.json|samples\.jsonl|\bREPORT\b|\bSAMPLES\b)[^\n]*(open\(|read_text|read_bytes)"
    r"|open\([^\n]*(report\.json|samples\.jsonl)|grep[^\n]*report\.json")


def sources() -> dict[str, str]:
    """The text of each file of `analysis` and `jobs`, tests left out."""
    files = [path for folder in ("analysis", "jobs") for path in (ROOT / folder).rglob("*")
             if path.is_file() and "tests" not in path.parts and path.suffix in ("", ".py", ".sh")]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}


def test_only_one_module_opens_reports_and_samples() -> None:
    texts = sources()
    assert len(texts) > 80
    assert {name for name, text in texts.items() if READS_JSON.search(text)} == OTHERS.keys()
    assert [name for name, text in texts.items() if OPENS_A_FILE_OF_AN_AUDIT.search(text)] == []
    assert {name for name, text in texts.items() if re.search(r"\bload_json\(", text)} == {
        "analysis/reports.py", "analysis/checked_file.py"}
    assert [name for name, text in texts.items() if "rows.expanded" in text] == ["analysis/reports.py"]


def compressed(folder: Path) -> Path:
    for name in (audit_files.REPORT, audit_files.SAMPLES):
        if (folder / name).exists():
            (folder / f"{name}.xz").write_bytes(lzma.compress((folder / name).read_bytes()))
            (folder / name).unlink()
    return folder


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A compressed audit with its samples."""
    document, lines = make_report(sizes=(1, 100), distributions=("same",))
    return compressed(write_audit(tmp_path / "packed", document, lines))


def test_compressed_audits_are_read_as_they_were(packed: Path, tmp_path: Path, command: Command) -> None:
    document, lines = make_report(sizes=(1, 100), distributions=("same",))
    plain = write_audit(tmp_path / "plain", document, lines)
    for words in (("table",), ("export", "checks"), ("export", "samples")):
        assert command(*words, packed).out == command(*words, plain).out != ""
    assert reports.read_all([packed / "report.json.xz"])[0].data == reports.read_all([plain])[0].data
    assert command("compare", plain, packed).code == 0


def test_damaged_compressed_files_are_refused_in_one_line(packed: Path, command: Command) -> None:
    for name, words in ((audit_files.SAMPLES, ("export", "samples")), (audit_files.REPORT, ("table",))):
        file = packed / f"{name}.xz"
        whole = file.read_bytes()
        for data in (b"no archive at all", whole[:len(whole) // 2]):
            file.write_bytes(data)
            result = command(*words, packed)
            assert (result.code, result.err.count("\n")) == (2, 1), result.err
            assert str(file) in result.err and "it is damaged: " in result.err
        file.write_bytes(whole)


def test_what_mpiaudit_has_to_read_must_not_be_compressed(packed: Path, command: Command) -> None:
    result = command("merge", packed, packed, "-o", packed / "merged.json", "--mpiaudit", "/bin/true")
    assert (result.code, f"xz -dk {packed}" in result.err) == (2, True)


def test_whether_an_audit_is_complete(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    for name, report, is_complete in (
            ("whole", document, True), ("cut short", document | {"complete": False}, False),
            ("other", [], False), ("damaged", None, False)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "report.json").write_text("{" if report is None else json.dumps(report), encoding="utf-8")
        for each in (folder, compressed(folder)):
            done = subprocess.run([sys.executable, ROOT / "analysis" / "audit_files.py", each], check=False)
            assert (audit_files.is_complete(each), done.returncode == 0) == (is_complete, is_complete), name
    assert not audit_files.is_complete(tmp_path / "absent")
