# SPDX-License-Identifier: BSD-3-Clause
"""The options of `mpiaudit run` that follow --. What they mean, only the program knows."""

import difflib

from batch.errors import UsageError

# Options that jobs/templates/audit.sh gives: always, after an interruption, or to later launches.
GIVEN_BY_JOBS = ("output", "resume", "overwrite", "ranks", "ranks-per-node", "confirm", "launches")


def names(words: list[str]) -> list[str]:
    return [word[2:].split("=")[0] for word in words if word.startswith("--")]


def is_given(words: list[str], name: str) -> bool:
    return name in names(words)


def check(words: list[str]) -> None:
    """What a job could not be told. Throws UsageError."""
    for name in GIVEN_BY_JOBS:
        if is_given(words, name):
            raise UsageError(f"--{name} after --: the jobs give it themselves")


def check_known(words: list[str], table: str) -> None:
    """Says now what the program would say when the job starts. Throws UsageError.

    `table` is what `mpiaudit list options` prints: the name is the first word of a line."""
    known = [line.split()[0] for line in table.splitlines()]
    for name in names(words):
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean --{near[0]}?" if near else ""
            raise UsageError(f"--{name} after --: mpiaudit run has no such option{hint}")
