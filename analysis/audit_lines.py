# SPDX-License-Identifier: BSD-3-Clause
"""From a problem that was recorded to the audit of exactly this problem.

A collective whose count is the same on all ranks, such as MPI_Allreduce, has as many elements as
all blocks of an audit's problem together; all others have a block of each rank.
"""

import shlex
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

ELEMENTS = {
    "int": ("INT", "INTEGER", "INT32_T"),
    "long": ("LONG", "LONG_LONG", "INT64_T", "INTEGER8"),
    "float": ("FLOAT", "REAL", "REAL4"),
    "double": ("DOUBLE", "DOUBLE_PRECISION", "REAL8"),
}
ELEMENT_OF = {f"MPI_{name}": element for element, names in ELEMENTS.items() for name in names}
SIZES = {"int": 4, "long": 8, "float": 4, "double": 8, "byte": 1}
# Those that cost the same stand for each other.
OPERATORS = {"MPI_SUM": "sum", "MPI_MAX": "max", "MPI_MIN": "max", "MPI_BAND": "bor",
             "MPI_BOR": "bor", "MPI_BXOR": "bor"}
WHOLE = {"MPI_Allreduce", "MPI_Bcast", "MPI_Exscan", "MPI_Reduce", "MPI_Scan"}
AUDITED = WHOLE | {"MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall", "MPI_Barrier", "MPI_Gather",
                   "MPI_Gatherv", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block", "MPI_Scatter",
                   "MPI_Scatterv"}


@dataclass(frozen=True)
class Audit:
    """What an audit has to be told, in the words of its options. Equal for equal problems."""

    collective: str  # MPI_Gatherv
    counts: tuple[int, ...]
    element: str
    op: str
    root: int

    @property
    def ranks(self) -> int:
        return len(self.counts)

    def options(self) -> list[str]:
        words = ["--collectives", self.collective.removeprefix("MPI_").lower()]
        if self.collective != "MPI_Barrier":
            words += ["--counts", ",".join(map(str, self.counts)), "--element", self.element]
        if self.op:
            words += ["--op", self.op]
        return [*words, "--root", str(self.root)]


@dataclass(frozen=True)
class Refused:
    """Why there is no audit of a problem."""

    reason: str


def spread(total: int, ranks: int) -> list[int]:
    """A vector over ranks, as evenly as may be."""
    return [total // ranks + (rank < total % ranks) for rank in range(ranks)]


def block_bytes(problem: Json, ranks: int) -> list[int] | None:
    """Bytes of each rank's block, None where they are not kept."""
    sizes = problem.get("bytes", {})
    if "block" in sizes:
        return [sizes["block"]] * ranks
    if "runs" in sizes:
        return [size for times, size in sizes["runs"] for _ in range(times)]
    exact: list[int] | None = sizes.get("exact")
    return exact


def operator_of(problem: Json) -> str | Refused:
    op = problem.get("op")
    if op is None:
        return ""
    if not isinstance(op, str):
        return Refused("an operator of the application's own")
    return OPERATORS.get(op, Refused(f"the operator {op}"))


def element_of(problem: Json, is_reduction: bool, sizes: list[int]) -> str | Refused:
    """Bytes stand for a type that is only moved; what is reduced has to be the same type."""
    name = problem.get("element", {}).get("name", "")
    element = ELEMENT_OF.get(name)
    if is_reduction:
        return element or Refused(f"a reduction of {name}")
    if element is None or any(size % SIZES[element] for size in sizes):
        return "byte"
    return element


def audit_of(problem: Json, recording: Json) -> Audit | Refused:
    """The audit of a recorded problem. In place or not is the same to it."""
    collective = problem["collective"]
    ranks = recording["groups"][problem["group"]]["size"]
    if problem["mode"] != "blocking":
        return Refused(f"it is {problem['mode']}")
    if problem.get("inter"):
        return Refused("it is on an inter-communicator")
    if collective not in AUDITED:
        return Refused("no guideline is about it")
    if ranks < 2:
        return Refused("it is on one rank")
    if collective == "MPI_Barrier":
        return Audit(collective, (1,) * ranks, "int", "", 0)
    sizes = block_bytes(problem, ranks)
    if sizes is None:
        return Refused("not all of its sizes were kept")
    if sum(sizes) == 0:
        return Refused("it moves nothing")
    op = operator_of(problem)
    if isinstance(op, Refused):
        return op
    element = element_of(problem, op != "", sizes)
    if isinstance(element, Refused):
        return element
    counts = [size // SIZES[element] for size in sizes]
    if collective in WHOLE:
        counts = spread(counts[0], ranks)
    return Audit(collective, tuple(counts), element, op, problem.get("root", 0))


def shell_lines(recording: Json, most: int, budget_s: int, launch: str, folder: str) -> list[str]:
    """A line for each problem with most time first, which gets its share of the time; what is left
    out, and why, as comments."""
    problems = recording["problems"]
    chosen = problems if most == 0 else problems[:most]
    total = sum(problem["seconds"]["sum"] for problem in chosen) or 1.0
    lines: list[str] = []
    seen: set[Audit] = set()
    for number, problem in enumerate(chosen, 1):
        audit = audit_of(problem, recording)
        if isinstance(audit, Refused):
            lines.append(f"# {number}. {problem['collective']}: {audit.reason}")
        elif audit in seen:
            lines.append(f"# {number}. {problem['collective']}: the same audit as one above")
        else:
            seen.add(audit)
            seconds = max(5, round(budget_s * problem["seconds"]["sum"] / total))
            name = audit.collective.removeprefix("MPI_").lower()
            words = ["--budget", f"{seconds}s", "--output", f"{folder}/{number:03}-{name}"]
            lines.append(f"{launch} {audit.ranks} mpiaudit run "
                         f"{shlex.join([*audit.options(), *words])}")
    return lines
