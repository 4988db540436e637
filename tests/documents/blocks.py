# SPDX-License-Identifier: BSD-3-Clause
"""The commands in the documents: fenced blocks of sh and console, and the marks above them.

A mark is a comment of HTML in front of a block, which a reader does not see:
    <!-- doctest: skip: REASON -->         cannot be run here, and why
    <!-- doctest: exit 2 -->               ends with this exit code, not with 0; `exit 0 or 2`
    <!-- doctest: budget 5s: REASON -->    each `mpiaudit run` with this budget
    <!-- doctest: file PATH -->            what the reader writes into this file, whatever language
    <!-- doctest: into PATH before TEXT --> what he adds in front of the first line with this text
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"<!-- doctest: (skip|exit|budget|file|into)\b:? ?(.*?) ?-->")
# How a line with a command begins. Commands outside of fenced blocks would not be tested.
COMMAND = re.compile(r" {4}(OMPI_\S+ )?(mpiaudit|mpirun|mpiaudit-report|python3|cmake|ctest|tests/run|"
                     r"jobs/(local|slurm|simulate|build|setup|paper-tables)|bench/\S+|build/\S+|spack|"
                     r"apt-get|sbatch|pip|dpkg\S*|reframe)( |$)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its first line, its language, its text and the marks above it."""

    document: str
    line: int
    language: str
    text: str
    marks: dict = field(default_factory=dict)

    @property
    def name(self):
        return f"{self.document}:{self.line}"


def documents():
    return sorted(["README.md", "CONTRIBUTING.md", "bench/README.md", "jobs/ci/README.md",
                   "packaging/README.md", "results/README.md",
                   *(f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md"))])


def files_of_the_project():
    """The files of the repository, and new ones that git does not ignore."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def blocks_of(document):
    """All fenced blocks of a document."""
    found, marks, fence, lines = [], {}, None, []
    for number, line in enumerate((ROOT / document).read_text(encoding="utf-8").splitlines(), 1):
        if fence is not None:
            if line.rstrip() == "```":
                found.append(Block(document, fence[0], fence[1], "\n".join(lines) + "\n", marks))
                fence, marks = None, {}
            else:
                lines.append(line)
        elif line.startswith("```"):
            fence, lines = (number, line[3:].strip()), []
        elif mark := MARK.fullmatch(line):
            marks[mark[1]] = mark[2]
        elif re.match(r"\s*<!-- *doctest", line):
            raise ValueError(f"{document}:{number}: unknown mark: {line}")
        elif line.strip():
            marks = {}
    return found


def all_blocks():
    return [block for document in documents() for block in blocks_of(document)]


def commands_outside_of_blocks(document):
    """Lines that look like commands and would not be tried."""
    is_fenced, found = False, []
    for number, line in enumerate((ROOT / document).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            is_fenced = not is_fenced
        elif not is_fenced and COMMAND.match(line):
            found.append(f"{document}:{number}: {line.strip()}")
    return found


def dialogue(text):
    """Returns the commands of a console block, with continued lines joined, and the output of each."""
    pairs = []
    for line in text.splitlines():
        if line.startswith("$ "):
            pairs.append([line[2:], []])
        elif line.startswith("> ") and not pairs[-1][1]:
            pairs[-1][0] += "\n" + line[2:]
        else:
            pairs[-1][1].append(line.rstrip())
    return pairs


def is_as_printed(expected, printed):
    """Line by line; a line `...` stands for any lines."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed.splitlines())) is not None
