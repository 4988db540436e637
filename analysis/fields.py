# SPDX-License-Identifier: BSD-3-Clause
"""The fields of a report as report.schema.json has them, for the type checker.

Plain dictionaries, because a report may hold 100 000 checks and an object for each would cost
more than everything that is done with them. Times are seconds, amounts are elements.
"""

from typing import Any, Literal, NotRequired, TypedDict

Verdict = Literal["violated", "holds", "undecided", "skipped"]
VERDICTS: tuple[Verdict, ...] = ("violated", "undecided", "holds", "skipped")


class Statistics(TypedDict):
    samples: int
    outliers: int
    mean_s: float
    median_s: float
    minimum_s: float
    maximum_s: float
    mean_low_s: float
    mean_high_s: float
    standard_deviation_s: float
    raw_mean_s: NotRequired[float]
    raw_minimum_s: NotRequired[float]


Contestant = TypedDict(
    "Contestant",
    {
        "name": str,
        "from": str,
        "to": str,
        "steps": NotRequired[list[str]],
        "forced": NotRequired[bool],
        "skipped": NotRequired[str],
        "wrong": NotRequired[str],
        "statistics": NotRequired[Statistics],
        "predicted_s": NotRequired[float],
        "lower_bound_s": NotRequired[float],
        "first_call_bytes": NotRequired[float],
        "further_call_bytes": NotRequired[float],
        "lost_bytes": NotRequired[float],
        "call_bytes": NotRequired[float],
    },
)


class CostModel(TypedDict):
    alpha_s: float
    beta_s_per_byte: float
    gamma_s_per_byte: float


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
    warm_up: NotRequired[dict[str, Any]]
    barrier: NotRequired[dict[str, float]]
    window: NotRequired[dict[str, Any]]
    contestants: list[Contestant]


class Ratio(TypedDict):
    median: float
    low: float
    high: float
    coverage: float


class Evidence(TypedDict):
    log_e_violated: float
    log_e_holds: float
    bound_violated: float
    bound_holds: float


class LaunchCheck(TypedDict):
    """What one of several launches says about a check."""

    launch: int
    verdict: Verdict
    rounds: int
    decided_at: NotRequired[int]
    slower: int
    left_statistics: Statistics
    right_statistics: Statistics
    ratio: NotRequired[Ratio]
    factor: NotRequired[float]
    evidence: Evidence


class RecordedRemedy(TypedDict):
    """As statements.Remedy, in a report of version 1.1 or later."""

    contestant: str
    factor: float
    saved_s: float
    code: NotRequired[str]


class Check(TypedDict):
    kind: Literal["verdict", "remark"]
    remedy: NotRequired[RecordedRemedy]
    guideline: str
    problem: str
    left: str
    right: str
    verdict: Verdict
    reason: NotRequired[str]
    rounds: NotRequired[int]
    decided_at: NotRequired[int]
    slower: NotRequired[int]
    left_statistics: NotRequired[Statistics]
    right_statistics: NotRequired[Statistics]
    ratio: NotRequired[Ratio]
    factor: NotRequired[float]
    evidence: NotRequired[Evidence]
    synchronisations_disagree: NotRequired[bool]
    second: NotRequired[dict[str, Any]]
    launches_disagree: NotRequired[bool]
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
    topology: NotRequired[dict[str, Any]]
    conditions: NotRequired[dict[str, Any]]


class Binding(TypedDict):
    rank: int
    host: str
    launched_on: NotRequired[str]
    processing_units: str
    bound_by: Literal["launcher", "mpiaudit", "nobody"]


class Placement(TypedDict):
    hosts: int
    least_ranks: int
    most_ranks: int
    order: Literal["block", "cyclic", "irregular"]


class Machine(TypedDict):
    ranks: int
    placement: NotRequired[Placement]
    hosts: list[Host]
    bindings: list[Binding]
    after: NotRequired[dict[str, Any]]


class Rule(TypedDict):
    criterion: Literal["evidence", "averages", "minima", "intervals", "pgmpi"]
    tolerance: float
    alpha: float
    checks: int
    max_rounds: NotRequired[int]


class Distribution(TypedDict):
    name: str
    summary: NotRequired[str]
    formula: NotRequired[str]
    source: NotRequired[str]
    parameters: NotRequired[dict[str, float]]
    counts: NotRequired[list[int]]


class Tool(TypedDict):
    name: str
    version: str
    commit: str


class Library(TypedDict):
    library: str
    standard: str


class Clock(TypedDict):
    name: str
    resolution_s: float
    read_s: NotRequired[float]
    synchronisation: str


class CheckKey(TypedDict):
    problem: str
    guideline: str


class Confirms(TypedDict):
    folder: str
    started: str
    order_seed: int
    suspects: list[CheckKey]
    controls: list[CheckKey]


class Launch(TypedDict):
    started: str
    order_seed: int
    checks: int
    elapsed_s: float
    machine: Machine
    confirms: NotRequired[Confirms]


class Summary(TypedDict):
    checks: int
    violated: int
    holds: int
    undecided: int
    skipped: int
    wrong: int
    samples: int
    fixed_protocol_samples: int
    audited: NotRequired[str]
    headline: NotRequired[str]
    other_forms: NotRequired[list[str]]
    synchronisations_disagree: NotRequired[int]
    launches_disagree: NotRequired[int]


class Duplicate(TypedDict):
    problem: str
    equal_to: str


class Document(TypedDict):
    """One report.json."""

    schema_version: str
    tool: Tool
    started: str
    duplicates: NotRequired[list[Duplicate]]
    elapsed_s: float
    complete: bool
    command: list[str]
    options: dict[str, Any]
    default_options: NotRequired[dict[str, Any]]
    mpi: Library
    machine: Machine
    simulated: bool
    simulation: NotRequired[dict[str, Any]]
    clock: Clock
    environment: dict[str, str]
    warnings: list[str]
    rule: Rule
    cost_model: NotRequired[CostModel]
    distributions: list[Distribution]
    guidelines: list[Guideline]
    implementations: list[Implementation]
    confirms: NotRequired[Confirms]
    launches: NotRequired[list[Launch]]
    ranges: NotRequired[list[dict[str, Any]]]
    problems: list[Problem]
    checks: list[Check]
    application: NotRequired[dict[str, Any]]
    savings: NotRequired[dict[str, Any]]
    summary: Summary
