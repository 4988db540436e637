# SPDX-License-Identifier: BSD-3-Clause
"""In what two audits differ beside their times."""

from typing import Any

from .operations import problems_of
from .reports import Report


def difference(mine: dict[Any, str], theirs: dict[Any, str], where: str, what: str) -> list[str]:
    """Returns a line about the things that only one audit has."""
    names = [text for key, text in mine.items() if key not in theirs]
    if not names:
        return []
    shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    return [f"only in {where}: {len(names)} {what}{'' if len(names) == 1 else 's'}: {shown}"]


def unmatched_problems(before: Report, after: Report) -> list[str]:
    mine, theirs = ({key: f"{item['id']} at p={item['ranks']}" for key, item in problems_of(report).items()}
                    for report in (before, after))
    return (difference(mine, theirs, "A", "problem") + difference(theirs, mine, "B", "problem"))


# Options that change the time of a call, with the values of versions that lack the option.
CONDITIONS = {"sync": "barrier", "heap": "free", "buffers": "same", "arrivals": "together",
              "bind": "core", "setting": [], "warmup": "auto"}


def conditions_that_differ(before: Report, after: Report) -> list[str]:
    """Returns the options that measure under other conditions in A than in B."""
    sides = [report.data.get("options", {}) for report in (before, after)]
    differing = []
    for name, absent in CONDITIONS.items():
        values = [side.get(name, absent) for side in sides]
        if values[0] != values[1]:
            texts = [",".join(value) if isinstance(value, list) else str(value) for value in values]
            differing.append(f"--{name} {texts[0] or 'none'} in A, {texts[1] or 'none'} in B")
    return differing


def systems_that_differ(before: Report, after: Report, names: tuple[str, str] = ("A", "B")) -> list[str]:
    """Returns the builds of the library and the variables that differ; `names` are those of the audits."""
    mine, theirs = before.data["mpi"], after.data["mpi"]
    lines = []
    if mine["library"] == theirs["library"] and mine.get("checksum") != theirs.get("checksum"):
        lines.append("The same version of the library, but other files: "
                     f"{mine.get('file', 'not recorded')} in {names[0]}, "
                     f"{theirs.get('file', 'not recorded')} in {names[1]}")
    variables = [report.data.get("environment", {}) for report in (before, after)]
    lines += [f"{name}: {variables[0].get(name, 'not set')} in {names[0]}, "
              f"{variables[1].get(name, 'not set')} in {names[1]}"
              for name in sorted({*variables[0], *variables[1]})
              if variables[0].get(name) != variables[1].get(name)]
    return lines
