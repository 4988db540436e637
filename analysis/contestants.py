# SPDX-License-Identifier: BSD-3-Clause
"""Groups contestants: the collective of each, and whether it is native."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from .errors import InputError
from .fields import Check, Contestant, ContestantName, Document, Implementation, Problem
from .reports import Report

Kind = Literal["native", "reference", "composed"]


@dataclass(frozen=True)
class Collectives:
    """The collectives of one report, with the contestants and checks of each.

    A contestant of one operation belongs to the collective of that operation. A composed one
    belongs to those that it is compared with, so MPI_Allgatherv + view may be in two places.
    """

    members: dict[str, list[str]] = field(default_factory=dict)
    checks: dict[str, list[Check]] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    of_check: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def find(self, name: str) -> str:
        """Returns the collective of that name in any case."""
        for known in self.members:
            if known.lower() == name.lower():
                return known
        raise InputError(f"no collective {name!r} in the report; it has {', '.join(self.members)}")


def native_between(implementations: Iterable[Implementation]) -> dict[tuple[str, str], str]:
    """Returns the first native collective between two layouts."""
    found: dict[tuple[str, str], str] = {}
    for implementation in implementations:
        if implementation["native"]:
            key = (implementation["from"], implementation["to"])
            found.setdefault(key, implementation["collective"])
    return found


def kind_of(parts: ContestantName | None, implementation: Implementation | None) -> Kind:
    """Returns the kind of a contestant. A report before 2.2 does not say it: there a function that is called
    in its usual form is native, and of other names only the implementations are known."""
    if parts is not None and "kind" in parts:
        return parts["kind"]
    if parts is not None and "start" in parts:
        return "native"
    if implementation is None:
        return "composed"
    return "native" if implementation["native"] else "reference"


def collectives_of(report: Report) -> Collectives:
    """Returns the contestants and checks of a report by collective, in the report's order."""
    return report.once(_sorted)


def _sorted(report: Report) -> Collectives:
    implementations = {item["name"]: item for item in report.data["implementations"]}
    between = native_between(report.data["implementations"])
    ends: dict[str, tuple[str, str]] = {}
    for problem in report.data["problems"]:
        for contestant in problem["contestants"]:
            ends.setdefault(contestant["name"], (contestant["from"], contestant["to"]))
    owners: dict[str, str] = {}
    result = Collectives()
    for name in ends:
        parts = report.names.get(name)
        implementation = implementations.get(parts.get("implementation", "") if parts else "")
        if implementation:
            owners[name] = implementation["collective"]
        result.kinds[name] = kind_of(parts, implementation)
    members: dict[str, set[str]] = {}
    for check in report.data["checks"]:
        left, right = check["left"], check["right"]
        triple = (check["guideline"], left, right)
        collective = result.of_check.get(triple)
        if collective is None:
            collective = (owners.get(left) or owners.get(right)
                          or between.get(ends.get(left, ("", ""))) or "composed")
            result.of_check[triple] = collective
            members.setdefault(collective, set()).update((left, right))
        result.checks.setdefault(collective, []).append(check)
    for name, collective in owners.items():
        members.setdefault(collective, set()).add(name)
    for collective, names in members.items():
        result.members[collective] = [name for name in ends if name in names]
        result.checks.setdefault(collective, [])
    return result


def distributions_of(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    """Returns the problems by distribution in the order of the report, each by rising block size."""
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(problem["distribution"], []).append(problem)
    for group in groups.values():
        group.sort(key=lambda problem: (problem["block_size"], problem["total"]))
    return groups


def all_problems(document: Document) -> list[Problem]:
    """Returns all problems, including those that were left out because another problem has equal blocks."""
    problems = {problem["id"]: problem for problem in document["problems"]}
    found = list(problems.values())
    for each in document.get("duplicates", []):
        distribution, _, size = each["problem"].rpartition("/b=")
        if each["equal_to"] in problems and size.isdigit():
            same = problems[each["equal_to"]].copy()
            same["distribution"], same["block_size"] = distribution, int(size)
            found.append(same)
    return found


def choose_problems(report: Report, distributions: list[str] | None,
                    sizes: list[int] | None = None, twice: bool = False) -> list[Problem]:
    """Returns the problems with these distributions and block sizes; all if nothing is asked for.

    `twice`: include problems with the blocks of another problem. Raises InputError for unknown names and
    sizes.
    """
    problems = all_problems(report.data) if twice else report.data["problems"]
    known = list(dict.fromkeys(problem["distribution"] for problem in problems))
    for name in distributions or []:
        if name not in known:
            raise InputError(f"{report.path}: no distribution {name!r}; it has {', '.join(known)}")
    known_sizes = sorted({problem["block_size"] for problem in problems})
    for size in sizes or []:
        if size not in known_sizes:
            raise InputError(f"{report.path}: no block size {size}; it has "
                             f"{', '.join(map(str, known_sizes))}")
    return [problem for problem in problems
            if (not distributions or problem["distribution"] in distributions)
            and (not sizes or problem["block_size"] in sizes)]


def named(problem: Problem, name: str) -> Contestant | None:
    """Returns the contestant of this name, if the problem has one. A name may stand between several layouts:
    then the first measured contestant counts."""
    found = [item for item in problem["contestants"] if item["name"] == name]
    return next((item for item in found if "statistics" in item), found[0] if found else None)


def by_name(problem: Problem, names: Collection[str]) -> dict[str, Contestant]:
    """Returns the contestants of these names. A name may stand between several layouts, such as an
    allgather that is also compared with a gather. The layouts that most of the names have in common
    count, since only such times can be compared."""
    wanted = [item for item in problem["contestants"] if item["name"] in names]
    layouts = Counter(ends for _, ends in {(item["name"], (item["from"], item["to"])) for item in wanted})
    found: dict[str, Contestant] = {}
    for item in wanted:
        other = found.get(item["name"])
        if other is None or layouts[item["from"], item["to"]] > layouts[other["from"], other["to"]]:
            found[item["name"]] = item
    return found
