# SPDX-License-Identifier: BSD-3-Clause
"""The fields of a report that Python reads, for the type checker; report.schema.json has all.

Plain dictionaries, because a report may hold 100 000 checks and an object for each would cost
more than everything that is done with them. Times are seconds, amounts are elements.
"""

from typing import Any, Literal, NotRequired, TypedDict

Verdict = Literal["violated", "holds", "undecided", "skipped"]
VERDICTS: tuple[Verdict, ...] = ("violated", "undecided", "holds", "skipped")


class Statistics(TypedDict):
    samples: int
    mean_s: float
    median_s: float
    minimum_s: float
    mean_low_s: float
    mean_high_s: float
    raw_minimum_s: NotRequired[float]


Contestant = TypedDict(
    "Contestant",
    {
        "name": str,
        "from": str,
        "to": str,
        "skipped": NotRequired[str],
        "reason_kind": NotRequired[str],
        "wrong": NotRequired[str],
        "statistics": NotRequired[Statistics],
        "predicted_s": NotRequired[float],
        "lower_bound_s": NotRequired[float],
    },
)


class Problem(TypedDict):
    id: str
    distribution: str
    block_size: int
    ranks: int
    root: int
    element: str
    element_bytes: int
    operator: NotRequired[str]
    total: int
    padded_total: int
    smallest: int
    largest: int
    rounds: int
    identity: NotRequired[str]  # both since 2.0
    native_s: NotRequired[dict[str, float]]
    contestants: list[Contestant]


class Ratio(TypedDict):
    median: float
    low: float
    high: float


class Evidence(TypedDict):
    log_e_violated: float
    log_e_holds: float
    bound_violated: float


class LaunchCheck(TypedDict):
    """The judgement of one of several launches on a check."""

    launch: int
    verdict: Verdict
    rounds: int
    slower: int
    left_statistics: Statistics
    right_statistics: Statistics
    ratio: NotRequired[Ratio]
    factor: NotRequired[float]
    evidence: Evidence


class RuleVerdicts(TypedDict):
    """The verdict of each rule on the same samples; since version 1.8."""

    evidence: Verdict
    averages: Verdict
    filtered_means: Verdict
    minima: Verdict


class Remedy(TypedDict):
    """The fastest way to which guidelines lead from the left side of a violated check; since version 1.1."""

    contestant: str
    factor: float
    saved_s: float
    left_s: NotRequired[float]  # both since 1.8
    instead_s: NotRequired[float]
    code: NotRequired[str]
    caveat: NotRequired[str]  # since 2.2


class Check(TypedDict):
    kind: Literal["verdict", "remark"]
    remedy: NotRequired[Remedy]
    guideline: str
    problem: str
    left: str
    right: str
    verdict: Verdict
    reason: NotRequired[str]
    reason_kind: NotRequired[str]  # since 2.3
    rounds: NotRequired[int]
    slower: NotRequired[int]
    left_statistics: NotRequired[Statistics]
    right_statistics: NotRequired[Statistics]
    ratio: NotRequired[Ratio]
    ratio_of_medians: NotRequired[float]
    factor: NotRequired[float]
    evidence: NotRequired[Evidence]
    verdicts: NotRequired[RuleVerdicts]
    launches: NotRequired[list[LaunchCheck]]
    advice: NotRequired[str]
    reproduce: NotRequired[str]


class Guideline(TypedDict):
    id: str
    statement: str
    source: NotRequired[str]
    advice: NotRequired[str]
    file: NotRequired[str]


Implementation = TypedDict(
    "Implementation",
    {"name": str, "collective": str, "from": str, "to": str, "native": bool, "summary": str},
)


class Host(TypedDict):
    name: str
    ranks: list[int]


class Placement(TypedDict):
    hosts: int
    least_ranks: int
    most_ranks: int
    order: Literal["block", "cyclic", "irregular"]


class Machine(TypedDict):
    ranks: int
    placement: NotRequired[Placement]
    hosts: list[Host]


class Rule(TypedDict):
    criterion: Literal["evidence", "averages", "minima", "intervals", "pgmpi"]
    tolerance: float
    alpha: float
    checks: int


class Library(TypedDict):
    library: str


class Way(TypedDict):
    contestant: str
    time_s: float


class ContestantName(TypedDict):
    """The parts of the name of a contestant; since version 2.0."""

    name: str
    operation: str
    label: str
    implementation: NotRequired[str]
    function: NotRequired[str]
    start: NotRequired[str]
    kind: NotRequired[Literal["native", "reference", "composed"]]  # since 2.2
    is_copy: NotRequired[bool]


class OperationCounts(TypedDict):
    """The numbers of verdicts on one operation; since version 2.0."""

    operation: str
    is_other_form: bool
    checks: int
    violated: int
    holds: int
    undecided: int
    skipped: int


class Caveat(TypedDict):
    """Where a replacement is no good; since version 2.2."""

    is_wrong: bool
    problem: str
    factor: NotRequired[float]


class Worst(TypedDict):
    factor: float
    problem: str
    contestant: str
    bytes: NotRequired[int]


class OverviewRow(TypedDict):
    """A violated operation and one replacement on one problem."""

    operation: str
    is_other_form: bool
    is_per_block: bool
    sentence: str
    ranges: list[str]
    ways: list[Way]
    guideline: str
    problem: str
    kind: str
    instead: str
    lost_s: float
    is_clear: bool
    contestant: NotRequired[str]
    code: NotRequired[str]
    data: NotRequired[str]
    lacks_program: NotRequired[bool]  # since 2.2
    factor: NotRequired[float]
    factor_low: NotRequired[float]  # these six since 2.2
    factor_high: NotRequired[float]
    takes_s: NotRequired[float]
    instead_s: NotRequired[float]
    caveat: NotRequired[str]
    caveats: NotRequired[list[Caveat]]
    worst: NotRequired[Worst]  # since 2.3
    bytes: NotRequired[int]
    low_bytes: NotRequired[int]
    high_bytes: NotRequired[int]
    is_lowest: NotRequired[bool]
    is_highest: NotRequired[bool]


class Summary(TypedDict):
    checks: int
    violated: int
    holds: int
    undecided: int
    skipped: int
    wrong: int
    samples: int
    audited: NotRequired[str]
    headline: NotRequired[str]
    library: NotRequired[str]
    incomplete: NotRequired[str]
    generated_calls_in_words: NotRequired[str]


class Duplicate(TypedDict):
    problem: str
    equal_to: str


class Document(TypedDict):
    """One report.json."""

    schema_version: str
    started: str
    duplicates: NotRequired[list[Duplicate]]
    complete: bool
    command: list[str]
    options: dict[str, Any]
    mpi: Library
    machine: Machine
    simulated: bool
    simulation: NotRequired[dict[str, Any]]
    environment: dict[str, str]
    warnings: list[str]
    rule: Rule
    guidelines: list[Guideline]
    implementations: list[Implementation]
    confirms: NotRequired[dict[str, Any]]
    launches: NotRequired[list[dict[str, Any]]]
    ranges: NotRequired[list[dict[str, Any]]]
    folders: NotRequired[list[str]]
    names: NotRequired[list[ContestantName]]
    operations: NotRequired[list[OperationCounts]]
    overview: NotRequired[list[OverviewRow]]
    memory_losses: NotRequired[list[dict[str, Any]]]
    settings: NotRequired[list[dict[str, Any]]]
    faster_settings: NotRequired[list[dict[str, Any]]]
    distributions: NotRequired[list[dict[str, Any]]]
    generated_calls: NotRequired[dict[str, Any]]
    problems: list[Problem]
    checks: list[Check]
    savings: NotRequired[dict[str, Any]]
    summary: Summary
