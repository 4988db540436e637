# SPDX-License-Identifier: BSD-3-Clause
"""The code in docs/adding-an-algorithm.md compiles, together with the sources that it changes."""

import shutil
import subprocess

from blocks import ROOT, blocks_of

MPICXX = shutil.which("mpicxx.openmpi") or shutil.which("mpicxx")


def apply(folder):
    """Follows the page. Returns the files that it has written or changed."""
    changed = []
    for block in blocks_of("docs/adding-an-algorithm.md"):
        if "file" in block.marks:
            file = folder / block.marks["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
            changed.append(file)
        if "into" in block.marks:
            name, before = block.marks["into"].split(" before ", 1)
            file = folder / name
            lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
            at = next(i for i, line in enumerate(lines) if before in line)
            file.write_text("".join([*lines[:at], block.text, *lines[at:]]), encoding="utf-8")
            changed.append(file)
    return changed


def test_the_page_compiles(tmp_path):
    shutil.copytree(ROOT / "src", tmp_path / "src")
    changed = apply(tmp_path)
    assert len(changed) == 7
    (tmp_path / "mpiaudit").symlink_to(tmp_path / "src" / "auditor")  # as it is installed
    for file in changed:
        if file.suffix != ".cpp":
            continue
        rooms = [f"-I{tmp_path / folder}" for folder in ("src/auditor", "src/papers", "")]
        done = subprocess.run([MPICXX, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                               "-DOMPI_SKIP_MPICXX",  # as in the build: obsolete headers with warnings
                               *rooms, file], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
