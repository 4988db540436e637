# SPDX-License-Identifier: BSD-3-Clause
"""Kept audits have samples and no report, unless a document needs the report."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from analysis import audit_files
from analysis.tests.conftest import Command
from analysis.tests.kept import REFERENCE, ROOT, audits, program

MOST_PLAIN_BYTES = 50000


def test_only_the_example_has_a_report_and_large_files_are_compressed() -> None:
    listed = subprocess.run(["git", "ls-files", "results/reference"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.splitlines()
    assert [name for name in listed if "/report.json" in name] == ["results/reference/example/report.json"]
    assert [name for name in listed if name.endswith((".json", ".jsonl"))
            and (ROOT / name).stat().st_size > MOST_PLAIN_BYTES] == []


def test_a_folder_without_a_report_names_the_command_that_makes_the_report(
        tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "kept audit"
    folder.mkdir()
    shutil.copy(REFERENCE / "simulated-table-2" / "samples.jsonl.xz", folder)
    said = command("table", folder)
    assert (said.code, said.err.count("\n")) == (2, 1)
    line = said.err.partition("make it of its samples: ")[2]
    assert line == (f"xz -dk '{folder}/samples.jsonl.xz' && mpiaudit judge '{folder}' "
                    f"--report '{folder}/report.json'\n")
    path = os.pathsep.join((str(program().parent), os.environ["PATH"]))
    subprocess.run(line, shell=True, env=os.environ | {"PATH": path}, check=True, capture_output=True)
    assert command("table", folder).code == 0


def test_the_names_of_all_kept_contestants_are_tested() -> None:
    """By tests/operations, which reads no compressed files."""
    names = set()
    for folder in audits():
        file = audit_files.samples_in(REFERENCE / folder)
        assert file
        for line in audit_files.content(file).splitlines():
            names |= {each["name"] for each in json.loads(line).get("contestants", [])}
    assert (ROOT / "tests" / "data" / "contestants.txt").read_text(encoding="utf-8") == "".join(
        f"{name}\n" for name in sorted(names))
