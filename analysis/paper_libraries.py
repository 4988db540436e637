# SPDX-License-Identifier: BSD-3-Clause
"""Simulated audits as audits of a library: its stand-ins, and several audits joined into one."""

import copy
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import InputError

ROOT = Path(__file__).parent.parent

Report = dict[str, Any]  # report.json, or a part of it
Cell = tuple[str, int]  # problem of the paper, block size


@dataclass
class Library:
    """The stand-ins for the operations of the library in a simulation (jobs/simulate --library)."""

    name: str = ""
    stand_ins: dict[str, str] = field(default_factory=dict)  # operation -> name in the report
    summaries: list[str] = field(default_factory=list)
    fitted: set[Cell] = field(default_factory=set)

    def contestant(self, name: str) -> str:
        """Returns the contestant's name with the library's operations."""
        for operation, stand_in in self.stand_ins.items():
            name = name.replace(f"{operation}(", f"{stand_in}(")
        return name


def library_of(report: Report, table: int) -> Library:
    """Returns the stand-ins of an audit, and the rows to which they were fitted."""
    given = report["options"].get("library", "")
    if not given:
        return Library()
    file = library_file(given)
    described = json.loads(file.read_text(encoding="utf-8"))
    library = Library(file.stem)
    for each in described["stand_ins"]:
        operation = each["operation"]
        library.stand_ins[operation] = f"{operation}[as {library.name}]"
        algorithms = ", ".join(choice["algorithm"] for choice in each["choices"])
        library.summaries.append(f"{library.stand_ins[operation]}, which is {algorithms} with costs "
                                 f"of messages, is in the place of {operation}.")
    library.fitted = {(problem, size) for each in described["fitted"] if each["table"] == table
                      for problem in each["problems"] for size in each["block_sizes"]}
    # Alternating blocks b + floor(b / 2) and b - floor(b / 2): of b = 1 they are those of Same.
    if ("Same", 1) in library.fitted:
        library.fitted.add(("Alternating", 1))
    return library


def library_file(name: str) -> Path:
    """Returns the path of a file in libraries/, or of the user's file."""
    return Path(name) if name.endswith(".json") else ROOT / "libraries" / f"{name}.json"


def costs_in(library: Report) -> dict[str, Any]:
    """Returns for each operation with a stand-in the algorithms and their costs."""
    return {each["operation"]: [{key: value for key, value in choice.items() if key != "reason"}
                                for choice in each["choices"]] for each in library["stand_ins"]}


def as_library(report: Report, name: str) -> Report:
    """Returns the audit as if its library were another one on the same simulated cluster: stand-ins of both
    libraries get the operation's name, stand-ins of its own library alone are left out."""
    files = [library_file(each) for each in (report["options"]["library"], name)]
    own, other = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    for key in ("base", "parameters"):
        if own[key] != other[key]:
            raise InputError(f"{files[1].stem} has another {key} than {files[0].stem}")
    shared = [operation for operation, costs in costs_in(other).items()
              if costs == costs_in(own).get(operation)]
    said = copy.deepcopy(report)
    said["options"]["library"] = name
    for problem in said["problems"]:
        for each in problem["contestants"]:
            for operation in shared:
                each["name"] = each["name"].replace(*(f"{operation}[as {file.stem}]" for file in files))
        problem["contestants"] = [each for each in problem["contestants"]
                                  if "[as " not in each["name"] or f"[as {files[1].stem}]" in each["name"]]
    return said


def as_one_library(reports: list[Report], name: str) -> list[Report]:
    """Returns all audits of one simulated cluster as_library() of the first one."""
    clusters = [{key: report["simulation"][key] for key in ("settings", "platform_parameters")}
                for report in reports]
    if any(cluster != clusters[0] for cluster in clusters):
        raise InputError("these audits are of different simulated clusters")
    return [as_library(report, name) for report in reports]


def sides_of(report: Report, problem: Any) -> set[str]:
    """Returns the sides of the guidelines of the audits that measured a problem (joined() notes them)."""
    own = {side.strip() for each in report["guidelines"] for side in each["statement"].split("<=")}
    return set(problem.get("sides", own))


def joined(reports: list[Report]) -> Report:
    """Returns all problems of several audits. If audits share a problem, the fastest time of each
    contestant counts."""
    for report in reports:
        for problem in report["problems"]:
            problem["sides"] = sorted(sides_of(report, problem))
    best = copy.deepcopy(reports[0])
    libraries = dict.fromkeys(report["mpi"]["library"] for report in reports)
    best["mpi"]["library"] = " or ".join(
        library if i == 0 else library.rpartition(", ")[2] for i, library in enumerate(libraries))
    for report in reports[1:]:
        known = {problem["id"]: problem for problem in best["problems"]}
        best.setdefault("duplicates", []).extend(report.get("duplicates", []))
        for other in report["problems"]:
            mine = known.get(other["id"])
            if mine is None:
                best["problems"].append(other)
                continue
            mine["sides"] = sorted({*mine["sides"], *other["sides"]})
            contestants = {each["name"]: each for each in mine["contestants"]}
            for theirs in other["contestants"]:
                ours = contestants.get(theirs["name"])
                if ours is None:
                    mine["contestants"].append(theirs)
                elif "statistics" in theirs and (
                        "statistics" not in ours or theirs["statistics"]["median_s"]
                        < ours["statistics"]["median_s"]):
                    ours["statistics"] = theirs["statistics"]
    return best
