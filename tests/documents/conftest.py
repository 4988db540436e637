# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the project as a reader has it: the files of the repository, and a built program."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))
from blocks import files_of_the_project  # noqa: E402
from folder import LAUNCHERS  # noqa: E402
# Replaces the program, and adds the budget of a block's mark.
SHORTENED = """#!/usr/bin/env bash
words=() is_budget=false
for word; do
    if $is_budget; then is_budget=false && continue; fi
    case $word in
        --budget) is_budget=true ;;
        --budget=*) ;;
        *) words+=("$word") ;;
    esac
done
[[ ${words[0]} != run ]] || words+=(--budget "$DOCUMENT_BUDGET")
exec "@PROGRAM@" "${words[@]}"
"""


# Stands for jobs/build.
BUILD_FOR_SIMULATION = """#!/bin/sh
case $* in *--simulation*) exec "$0-for-simulation" "$@" ;; esac
"""


def build_folder():
    """MPIAUDIT_BUILD, else that of one of the presets for Open MPI."""
    given = os.environ.get("MPIAUDIT_BUILD")
    usual = [ROOT / "build" / name for name in ("release-openmpi", "release")]
    for folder in [Path(given)] if given else usual:
        if (folder / "mpiaudit").exists():
            return folder.resolve()
    pytest.exit("no program is built: jobs/build release-openmpi, or MPIAUDIT_BUILD=FOLDER", 2)


def executable(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """Returns the copy. Its build/release is the program under test. Results of the commands are deleted with
    the copy."""
    copy = tmp_path_factory.mktemp("documents") / "mpiaudit"
    for name in files_of_the_project():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    (copy / "build").mkdir()
    (copy / "build" / "release").symlink_to(build_folder())
    # The program under test is built already; stage `archive` of tests/run tests what jobs/build makes.
    (copy / "jobs" / "build").rename(copy / "jobs" / "build-for-simulation")
    executable(copy / "jobs" / "build", BUILD_FOR_SIMULATION)
    executable(copy.parent / "shortened" / "mpiaudit",
               SHORTENED.replace("@PROGRAM@", str(copy / "build" / "release" / "mpiaudit")))
    # `python3` is one that has the packages, `mpirun` that of the library that the program has.
    (copy.parent / "tools").mkdir()
    (copy.parent / "tools" / "python3").symlink_to(sys.executable)
    if shutil.which("mpirun.openmpi"):
        (copy.parent / "tools" / "mpirun").symlink_to(shutil.which("mpirun.openmpi"))
    return copy


@pytest.fixture(scope="session")
def environment(project):
    """Returns the environment of a shell in which the reader has followed the README: PATH, root, few
    cores."""
    words = {name: value for name, value in os.environ.items() if not name.startswith(("MPIAUDIT", "SLURM_"))}
    readme = (project / "README.md").read_text(encoding="utf-8")
    assert "export PATH=$PWD/build/release:$PATH\n" in readme
    # A launcher of Open MPI 5 fails if another launcher makes their common folder at the same moment.
    with tempfile.TemporaryDirectory() as own:
        yield words | LAUNCHERS | {"PATH": f"{project}/build/release:{project.parent}/tools:{words['PATH']}",
                                   "TMPDIR": own, "COLUMNS": "80"}
