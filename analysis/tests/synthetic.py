# SPDX-License-Identifier: BSD-3-Clause
"""Makes reports and sample files like those of an audit, the same ones on every call.

Times come from a model with a start-up and a bandwidth term per implementation plus noise from
a seeded generator. The verdicts follow from them by a crude rule: they are material for
pictures, not judged by the method of mpiaudit.
"""

import copy
import json
import math
import random
import re
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

DISTRIBUTIONS = ("same", "random", "spikes", "decreasing", "alternating", "two_blocks")
SIZES = (1, 10, 100, 1000, 10000)
ROUNDS = 30
OLD_VERSIONS = ("1.0", "1.5", "1.6", "1.7")
TOLERANCE = 0.05

# name: collective, from, to, kind, start-up in us per level of a tree, us per KiB, and the
# amount that the second one is multiplied with.
MODELS: dict[str, tuple[str, str, str, str, float, float, str]] = {
    "MPI_Gather(m)": ("gather", "scattered", "rooted", "native", 1.1, 0.32, "total"),
    "MPI_Gatherv(m)": ("gather", "scattered", "rooted", "native", 4.0, 0.30, "total"),
    "MPI_Allreduce(1) + MPI_Gather(m')":
        ("gather", "scattered", "rooted", "composed", 2.6, 0.32, "padded_total"),
    "TUW_Gatherv(m)": ("gather", "scattered", "rooted", "reference", 1.5, 0.26, "total"),
    "linear_Gatherv(m)": ("gather", "scattered", "rooted", "reference", 4.1, 0.31, "total"),
    "MPI_Allgather(m)": ("allgather", "scattered", "replicated", "native", 1.6, 0.7, "total"),
    "MPI_Allgatherv(m)": ("allgather", "scattered", "replicated", "native", 3.9, 0.75, "total"),
    "MPI_Gatherv(m) + MPI_Bcast(m)":
        ("allgather", "scattered", "replicated", "composed", 5.3, 0.62, "total"),
    "ring_Allgatherv(m)": ("allgather", "scattered", "replicated", "reference", 4.4, 0.68, "total"),
    "MPI_Bcast(m)": ("bcast", "rooted", "replicated", "native", 1.0, 0.45, "total"),
    "MPI_Scatterv(m) + MPI_Allgatherv(m)":
        ("bcast", "rooted", "replicated", "composed", 3.4, 0.24, "total"),
}
GUIDELINES = [
    ("gather-gatherv", "MPI_Gather(m)", "MPI_Gatherv(m)", "use MPI_Gatherv with equal counts"),
    ("gatherv-padded", "MPI_Gatherv(m)", "MPI_Allreduce(1) + MPI_Gather(m')",
     "agree on the largest block, pad to it, and call MPI_Gather"),
    ("gatherv-tuw", "MPI_Gatherv(m)", "TUW_Gatherv(m)", "link the ordered tree TUW_Gatherv"),
    ("allgather-allgatherv", "MPI_Allgather(m)", "MPI_Allgatherv(m)", "use MPI_Allgatherv"),
    ("allgatherv-gatherv-bcast", "MPI_Allgatherv(m)", "MPI_Gatherv(m) + MPI_Bcast(m)",
     "gather to one rank and broadcast"),
    ("bcast-scatterv-allgatherv", "MPI_Bcast(m)", "MPI_Scatterv(m) + MPI_Allgatherv(m)",
     "scatter the message and gather it everywhere (van de Geijn)"),
]
LAYOUT_REASON = "needs equal blocks"


ASSURANCE = {"evidence": "Violated means more than 5 % slower, in the whole audit at most 1 % by chance.",
             "averages": "Violated means that the average of the left side is more than 5 % slower; "
                         "no bound on the chance of false violations."}


def statistics_of(mean_us: float, minimum_us: float, samples: int = 75) -> dict[str, Any]:
    """Statistics from an average and a minimum alone, in seconds."""
    mean, minimum = mean_us * 1e-6, minimum_us * 1e-6
    return {"samples": samples, "outliers": 0, "mean_s": mean, "median_s": mean,
            "minimum_s": minimum, "maximum_s": max(mean, minimum), "mean_low_s": mean,
            "mean_high_s": mean, "standard_deviation_s": 0.0}


def describe_samples(samples: Sequence[float]) -> dict[str, Any]:
    """Statistics of samples in seconds, none removed."""
    mean = statistics.fmean(samples)
    deviation = statistics.stdev(samples) if len(samples) > 1 else 0.0
    half = 2.045 * deviation / math.sqrt(len(samples))
    return {"samples": len(samples), "outliers": 0, "mean_s": mean,
            "median_s": statistics.median(samples), "minimum_s": min(samples),
            "maximum_s": max(samples), "mean_low_s": mean - half, "mean_high_s": mean + half,
            "standard_deviation_s": deviation}


def document_around(problems: list[dict[str, Any]], checks: list[dict[str, Any]],
                    guidelines: list[dict[str, Any]], implementations: list[dict[str, Any]],
                    library: str = "Open MPI v4.1.4, package: synthetic", ranks: int = 8,
                    nodes: int = 1, criterion: str = "evidence", simulated: bool = False,
                    ) -> dict[str, Any]:
    """The rest of a report around its problems and checks."""
    verdicts = [check["verdict"] for check in checks]
    per_node = -(-ranks // nodes)
    hosts: list[dict[str, Any]] = [
        {"name": f"node{node:02d}",
         "ranks": list(range(node * per_node, min((node + 1) * per_node, ranks)))}
        for node in range(nodes)]
    names = list(dict.fromkeys(problem["distribution"] for problem in problems))
    assurance = "All times are simulated." if simulated else ASSURANCE.get(criterion, "")
    document: dict[str, Any] = {
        "schema_version": "1.8",
        "tool": {"name": "mpiaudit", "version": "0.1.0", "commit": "0123abc"},
        "started": "2026-01-15T09:30:00Z", "elapsed_s": 74.2, "complete": True,
        "command": ["mpiaudit", "--collectives", "gather"], "options": {"seed": 1, "slack": 0.05},
        "mpi": {"library": library, "standard": "3.1"},
        "machine": {"ranks": ranks, "hosts": hosts, "bindings": [
            {"rank": rank, "host": host["name"], "processing_units": str(rank % per_node),
             "bound_by": "launcher"} for host in hosts for rank in host["ranks"]]},
        "simulated": simulated,
        "clock": {"name": "MPI_Wtime", "resolution_s": 1e-9, "synchronisation": "barrier"},
        "environment": {"OMPI_MCA_coll": "tuned,basic"}, "warnings": [],
        "rule": {"criterion": criterion, "tolerance": TOLERANCE, "alpha": 0.01,
                 "checks": max(1, len(checks))},
        "distributions": [{"name": name} for name in names],
        "guidelines": guidelines, "implementations": implementations,
        "problems": problems, "checks": checks,
        "summary": {"checks": len(checks), "violated": verdicts.count("violated"),
                    "holds": verdicts.count("holds"), "undecided": verdicts.count("undecided"),
                    "skipped": verdicts.count("skipped"), "wrong": 0,
                    "library": " ".join(library.splitlines()[0].partition(",")[0].replace(
                        "Version:", " ").split()),
                    "assurance": assurance, "remarks_in_words": "", "filtered_means_in_words": "",
                    "samples": 30 * len(problems), "fixed_protocol_samples": 75 * len(problems)},
    }
    if simulated:
        document["simulation"] = {"platform": "fat_tree.xml", "simulator": "SimGrid 3.35"}
    return document


def counts_of(distribution: str, block_size: int, ranks: int, source: random.Random) -> list[int]:
    formulas: dict[str, Callable[[int], int]] = {
        "same": lambda i: block_size, "random": lambda i: source.randint(1, 2 * block_size),
        "spikes": lambda i: 5 * block_size if source.random() < 0.2 else 1,
        "decreasing": lambda i: 2 * block_size * (ranks - i) // ranks + 1,
        "alternating": lambda i: block_size + (block_size // 2) * (1 if i % 2 else -1),
        "two_blocks": lambda i: block_size if i in (0, ranks - 1) else 0,
    }
    formula = formulas.get(distribution, formulas["same"])
    return [formula(i) for i in range(ranks)]


def samples_of(name: str, amounts: dict[str, int], ranks: int, rounds: int,
               source: random.Random) -> list[float]:
    """Seconds: the model's time with multiplicative noise and now and then a disturbance."""
    _, _, _, kind, startup, per_kib, amount = MODELS[name]
    levels = ranks if "linear" in name or "ring" in name else 4 * math.log2(max(2, ranks))
    base_us = startup * levels / 2 + per_kib * amounts[amount] * 4 / 1024
    if kind == "native" and 4000 < amounts["total"] < 90000:
        base_us *= 1.9  # a badly chosen switching point between algorithms
    return [base_us * 1e-6 * source.lognormvariate(0, 0.06) * (1 if source.random() < 0.95 else 3)
            for _ in range(rounds)]


def remedy_of(left: str, samples: dict[str, list[float]]) -> dict[str, Any]:
    """The fastest between the layouts of an implementation."""
    medians = {name: statistics.median(times) for name, times in samples.items()
               if MODELS[name][1:3] == MODELS[left][1:3]}
    best = min(medians, key=medians.__getitem__)
    return {"remedy": {"contestant": best, "factor": medians[left] / medians[best],
                       "saved_s": medians[left] - medians[best],
                       "left_s": medians[left], "instead_s": medians[best]}} if best != left else {}


def compared(check: dict[str, Any], tolerance: float = TOLERANCE) -> dict[str, str]:
    """Returns the verdicts of plain comparisons of the statistics of a check."""
    def verdict(statistic: str) -> str:
        left, right = (check[f"{side}_statistics"][statistic] for side in ("left", "right"))
        return "violated" if left > (1 + tolerance) * right else "holds"

    means = verdict("mean_s")
    return {"averages": means, "filtered_means": means, "minima": verdict("minimum_s")}


def check_of(guideline: tuple[str, str, str, str], problem: str, rounds: int, count: int,
             samples: dict[str, list[float]], simulated: bool) -> dict[str, Any]:
    identity, left, right, advice = guideline
    check: dict[str, Any] = {"guideline": identity, "problem": problem, "left": left,
                             "right": right, "kind": "verdict"}
    if left not in samples or right not in samples:
        return check | {"verdict": "skipped", "reason": f"{left}: {LAYOUT_REASON}"}
    ratios = sorted(a / b for a, b in zip(samples[left], samples[right], strict=True))
    slower = sum(ratio > 1 + TOLERANCE for ratio in ratios)
    log_e = math.log(2) * (slower - 0.6 * rounds) if not simulated else 50.0 * (slower - 0.5)
    bound, verdict = math.log(count / 0.01), "undecided"
    if slower > 0.85 * rounds:
        verdict, log_e = "violated", max(log_e, bound + 0.5)
    elif slower < 0.3 * rounds:
        verdict = "holds"
    check |= {
        "verdict": verdict, "rounds": rounds, "slower": slower,
        "left_statistics": describe_samples(samples[left]),
        "right_statistics": describe_samples(samples[right]),
        "ratio": {"median": statistics.median(ratios), "low": ratios[rounds // 3],
                  "high": ratios[rounds - 1 - rounds // 3], "coverage": 0.95},
        "evidence": {"log_e_violated": log_e, "log_e_holds": -log_e, "bound_violated": bound,
                     "bound_holds": math.log(100)},
    }
    check["verdicts"] = {"evidence": verdict, **compared(check)}
    if verdict == "violated":
        remedy = remedy_of(left, samples)
        if remedy.get("remedy", {}).get("contestant", right) == right:
            check["advice"] = advice
        check |= {"decided_at": 12, **remedy,
                  "reproduce": f"mpirun -n 8 mpiaudit run --guideline {identity} --problem {problem}"}
    if verdict == "undecided":
        check["reason"] = "rounds used up"
    return check


def make_report(ranks: int = 8, nodes: int = 1, seed: int = 1, sizes: Sequence[int] = SIZES,
                distributions: Sequence[str] = DISTRIBUTIONS, simulated: bool = False,
                library: str = "Open MPI v4.1.4, package: synthetic",
                slower: dict[str, float] | None = None,
                ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A report and the lines of its samples.jsonl; slower multiplies times of contestants."""
    source = random.Random(seed)
    rounds = 1 if simulated else ROUNDS
    problems, checks, lines = [], [], []
    for distribution in distributions:
        for block_size in sizes:
            counts = counts_of(distribution, block_size, ranks, source)
            amounts = {"total": sum(counts), "padded_total": ranks * max(counts)}
            identity = f"{distribution}/b={block_size}"
            samples: dict[str, list[float]] = {}
            contestants: list[dict[str, Any]] = []
            for name, model in MODELS.items():
                entry: dict[str, Any] = {"name": name, "from": model[1], "to": model[2],
                                         "steps": [f"{part.partition('(')[0]}: {model[1]} -> {model[2]}"
                                                   for part in name.split(" + ")]}
                if name in ("MPI_Gather(m)", "MPI_Allgather(m)") and distribution != "same":
                    entry["skipped"] = LAYOUT_REASON
                else:
                    factor = (slower or {}).get(name, 1.0)
                    samples[name] = [factor * value for value in
                                     samples_of(name, amounts, ranks, rounds, source)]
                    entry["statistics"] = describe_samples(samples[name])
                contestants.append(entry)
            problems.append({
                "id": identity, "distribution": distribution, "block_size": block_size,
                "ranks": ranks, "root": 0, "element": "MPI_INT", "element_bytes": 4,
                **amounts, "smallest": min(counts), "largest": max(counts), "rounds": rounds,
                "contestants": contestants})
            total = len(GUIDELINES) * len(distributions) * len(sizes)
            checks += [check_of(guideline, identity, rounds, total, samples, simulated)
                       for guideline in GUIDELINES]
            order = [source.sample(range(len(samples)), len(samples)) for _ in range(rounds)]
            lines.append({
                "kind": "problem", "id": identity, "distribution": distribution,
                "block_size": block_size, "counts": counts, "order": order, "checks": [],
                "contestants": [
                    {key: entry[key] for key in ("name", "from", "to", "steps", "skipped")
                     if key in entry}
                    | ({"samples_s": samples[entry["name"]]} if entry["name"] in samples else {})
                    for entry in contestants]})
    guidelines = [{"id": identity, "statement": f"{left} <= {right}", "advice": advice,
                   "source": "synthetic"} for identity, left, right, advice in GUIDELINES]
    implementations = [
        {"name": name.removesuffix("(m)"), "collective": model[0], "from": model[1],
         "to": model[2], "native": model[3] == "native", "summary": f"{model[3]} {name}"}
        for name, model in MODELS.items() if model[3] != "composed"]
    document = document_around(problems, checks, guidelines, implementations, library, ranks,
                               nodes, simulated=simulated)
    header = {key: document[key] for key in ("schema_version", "mpi", "machine", "simulated")}
    return document, [{"kind": "header", **header}, *lines]


def parts_of(name: str, implementations: set[str]) -> dict[str, Any]:
    """The parts of the name of a contestant, as mpiaudit writes them."""
    operation = re.sub(r"\([^)]*\)", "", name.partition(" #")[0])
    label = operation if re.fullmatch(r"\w+\(m\)", name) else name
    parts: dict[str, Any] = {"name": name, "operation": operation, "label": label}
    if operation in implementations:
        parts["implementation"] = operation
    if found := re.fullmatch(r"(MPI_[A-Z]\w*?)(_init(\[once\])?)?", operation):
        start = {None: "blocking", "_init": "persistent", "_init[once]": "persistent once"}[found[2]]
        parts |= {"function": found[1], "start": start}
    return parts | ({"is_copy": True} if "#" in name else {})


def row_of(operation: str, check: dict[str, Any], problem: dict[str, Any]) -> dict[str, Any]:
    """A row of the overview about a violated check."""
    remedy = check.get("remedy", {"contestant": check["right"], "saved_s": 1e-6})
    factor = remedy.get("factor", check.get("ratio", {}).get("median"))
    amount = problem["total"] * problem["element_bytes"] // problem["ranks"]
    times = [{"contestant": check[side], "time_s": check[f"{side}_statistics"]["median_s"]}
             for side in ("right", "left") if f"{side}_statistics" in check]
    return {"operation": operation, "is_other_form": False, "guideline": check["guideline"],
            "problem": check["problem"], "contestant": remedy["contestant"], "kind": "calls",
            "instead": remedy["contestant"].replace("(m)", ""), "lost_s": 1e-6 * (factor or 1),
            "bytes": amount, "is_per_block": True, "is_clear": True,
            "sentence": f"slower at {amount} B", "ranges": [], "ways": times,
            **({"code": remedy["code"]} if "code" in remedy else {}),
            **({"factor": factor} if factor else {})}


def with_times(problem: dict[str, Any]) -> dict[str, Any]:
    """A problem with the members for comparisons of launches."""
    key = " ".join(str(problem[name]) for name in ("distribution", "block_size", "ranks", "root", "element"))
    times = {parts["operation"]: each["statistics"]["median_s"] for each in problem["contestants"]
             if "statistics" in each and "function" in (parts := parts_of(each["name"], set()))}
    return {**problem, "identity": key, "native_s": times}


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the members that mpiaudit writes since version 2.0, unless it has them."""
    implementations = {each["name"] for each in document["implementations"]}
    names = dict.fromkeys(each["name"] for problem in document["problems"] for each in problem["contestants"])
    parts = {name: parts_of(name, implementations) for name in names}
    problems = {problem["id"]: problem for problem in document["problems"]}
    operations: dict[str, dict[str, Any]] = {}
    worst: dict[str, dict[str, Any]] = {}
    for check in document["checks"]:
        name = parts[check["left"]]["operation"] if check["left"] in parts else check["left"]
        if check.get("kind") != "verdict":
            continue
        counts = operations.setdefault(name, {
            "operation": name, "is_other_form": False, "checks": 0, "violated": 0, "holds": 0,
            "undecided": 0, "skipped": 0})
        counts["checks"] += 1
        counts[check["verdict"]] += 1
        if check["verdict"] == "violated":
            row = row_of(name, check, problems[check["problem"]])
            if row.get("factor", 0.0) >= worst.get(name, {}).get("factor", 0.0):
                worst[name] = row
    rows = sorted(worst.values(), key=lambda row: -float(row["factor"] if "factor" in row else 0.0))
    return {"names": list(parts.values()), "operations": list(operations.values()), "overview": rows,
            **document, "problems": [with_times(problem) for problem in document["problems"]]}


def write_audit(folder: Path, document: dict[str, Any],
                lines: list[dict[str, Any]] | None = None) -> Path:
    """The folder of an audit with report.json and, if given, samples.jsonl. The report gets names and rows
    unless the document has them; a document of a version before 1.8 stays as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    if document["schema_version"] not in OLD_VERSIONS and "shapes" not in document:
        document = completed(document)
    (folder / "report.json").write_text(json.dumps(document), encoding="utf-8")
    if lines is not None:
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / "samples.jsonl").write_text(text, encoding="utf-8")
    return folder


def slowed(document: dict[str, Any], operation: str, factor: float) -> dict[str, Any]:
    """All times of an operation longer by this factor."""
    changed = copy.deepcopy(document)
    for problem in changed["problems"]:
        for contestant in problem["contestants"]:
            if contestant["name"] == f"{operation}(m)" and "statistics" in contestant:
                numbers = contestant["statistics"]
                numbers |= {key: value * factor for key, value in numbers.items() if key.endswith("_s")}
    return changed
