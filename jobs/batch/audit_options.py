# SPDX-License-Identifier: BSD-3-Clause
"""The options of `mpiaudit run` that follow --. Only the program knows their meaning."""

import difflib

from batch.errors import UsageError

# Options that jobs/templates/audit.sh gives itself, at least in some launches.
GIVEN_BY_JOBS = ("output", "resume", "overwrite", "ranks", "nodes", "ranks-per-node", "confirm",
                 "launches")
# Options that need a single report, which a job for several numbers of nodes does not have.
NEEDS_ONE_REPORT = ("baseline", "junit", "markdown", "github")


def split(words: list[str]) -> tuple[list[str], list[str]]:
    """Returns the words before -- and the words behind it."""
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end + 1:]


def names(words: list[str]) -> list[str]:
    return [word[2:].split("=")[0] for word in words if word.startswith("--")]


def is_given(words: list[str], name: str) -> bool:
    return name in names(words)


def check(words: list[str], is_one_job: bool) -> None:
    """Raises UsageError for options that the jobs give themselves, or cannot give."""
    for name in NEEDS_ONE_REPORT if is_one_job else ():
        if is_given(words, name):
            raise UsageError(f"--{name} after --: with --one-job each number of nodes has a report of its "
                             "own; leave --one-job out")
    for name in GIVEN_BY_JOBS:
        if is_given(words, name):
            raise UsageError(f"--{name} after --: the jobs give it themselves")


def check_known(words: list[str], table: str) -> None:
    """Raises UsageError for an option that the program would refuse when the job starts.

    `table` is the output of `mpiaudit list options`: each line begins with the name of an option."""
    known = [line.split()[0] for line in table.splitlines()]
    for name in names(words):
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean --{near[0]}?" if near else ""
            raise UsageError(f"--{name} after --: mpiaudit run has no such option{hint}")
