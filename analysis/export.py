# SPDX-License-Identifier: BSD-3-Clause
"""The command `export`: checks, raw samples as CSV, violations as CSV, JSON or
profiles of PGMPITuneLib, and the catalogue of its mock-ups as guidelines.

A row of samples is one sample: sample k of every contestant of a problem was taken in round k, so that
rows with the same launch, problem and round are pairs.
"""

import argparse
import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from . import audit_files, output, samples
from .errors import InputError
from .fields import Check, Problem
from .heatmap import effect
from .reports import Report, read_all

EXAMPLES = """examples:
  python3 -m analysis export checks results/laptop -o checks.csv
  python3 -m analysis export violations results/laptop -o violations.csv
  python3 -m analysis export violations results/laptop --format json -o violations.json
  python3 -m analysis export samples results/laptop -o samples.csv
  python3 -m analysis export profiles results/laptop -o profiles
  python3 -m analysis export guidelines pgmpi_info.csv -o pgmpi.json

checks:     a row for each check, times in seconds; bytes are of all blocks of a problem (m), where the screen
            of an audit counts one block or the vector of a rank
violations: a row for each violated check of the library, with what to do; with --format json an object
samples:    a row for each sample, of the audit and of the launches in its folders confirmation-*
profiles:   a folder with a file MPI_X-P.prf for each operation that a mock-up of PGMPITuneLib makes faster,
            on P ranks, for problems with equal blocks; start the application with --ppath=FOLDER
guidelines: the output of pgmpi_info, as a file for mpiaudit run --guidelines"""

RULES: tuple[Literal["evidence", "averages", "filtered_means", "minima"], ...] = (
    "evidence", "averages", "filtered_means", "minima")
CHECKS = ("library", "ranks", "guideline", "operation", "left", "right", "kind", "distribution",
          "block_size", "bytes", "problem", "verdict", "reason", "launches", "rounds", "slower", "ratio",
          "ratio_low", "ratio_high", "left_median_s", "right_median_s", "left_lower_bound_s", "instead",
          "instead_factor", "instead_saved_s", *(f"verdict_{rule}" for rule in RULES))
VIOLATIONS = (*CHECKS, "code", "advice", "reproduce")
SAMPLES = ("library", "ranks", "launch", "distribution", "block_size", "bytes", "problem", "contestant",
           "round", "seconds")

# The mock-ups of PGMPITuneLib, with the path that each takes.
MOCKUPS = {
    "allgather_as_allgatherv": "MPI_Allgatherv(m)",
    "allgather_as_allreduce": "MPI_Allreduce(m)",
    "allgather_as_alltoall": "MPI_Alltoall(m)",
    "allgather_as_gather_bcast": "MPI_Gather(m) + MPI_Bcast(m)",
    "allreduce_as_reduce_bcast": "MPI_Reduce(m) + MPI_Bcast(m)",
    "allreduce_as_reducescatterblock_allgather": "MPI_Reduce_scatter_block(m) + MPI_Allgather(m)",
    "allreduce_as_reducescatter_allgatherv": "MPI_Reduce_scatter(m) + MPI_Allgatherv(m)",
    "alltoall_as_alltoallv": "MPI_Alltoallv(m)",
    "bcast_as_allgatherv": "MPI_Allgatherv(m)",
    "bcast_as_scatter_allgather": "MPI_Scatter(m) + MPI_Allgather(m)",
    "gather_as_allgather": "MPI_Allgather(m)",
    "gather_as_gatherv": "MPI_Gatherv(m)",
    "gather_as_reduce": "MPI_Reduce(m)",
    "reduce_as_allreduce": "MPI_Allreduce(m)",
    "reduce_as_reducescatterblock_gather": "MPI_Reduce_scatter_block(m) + MPI_Gather(m)",
    "reduce_as_reducescatter_gatherv": "MPI_Reduce_scatter(m) + MPI_Gatherv(m)",
    "reduce_as_reducescatter": "MPI_Reduce_scatter(m)",
    "reducescatterblock_as_reduce_scatter": "MPI_Reduce(m) + MPI_Scatter(m)",
    "reducescatterblock_as_reducescatter": "MPI_Reduce_scatter(m)",
    "reducescatterblock_as_allreduce": "MPI_Allreduce(m)",
    "scan_as_exscan_reducelocal": "MPI_Exscan(m) + MPI_Reduce_local(m)",
    "scatter_as_bcast": "MPI_Bcast(m)",
    "scatter_as_scatterv": "MPI_Scatterv(m)",
} | {f"{name}_as_{name}_{form}": f"MPI_{name.capitalize()}[{ours}](m)"
     for name in ("allgather", "allreduce", "bcast", "gather", "reduce", "scatter")
     for form, ours in (("lane", "lane"), ("hier", "hierarchical"))}
# PGMPITuneLib's sizes are those of the count argument; for these operations the whole vector.
OF_VECTORS = ("MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Scan")


def bytes_of(problem: Problem) -> int:
    return problem["total"] * problem["element_bytes"]


def check_rows(reports: Iterable[Report]) -> Iterator[Sequence[object]]:
    for report in reports:
        yield from rows_of_checks(report, report.data["checks"])


def violation_rows(reports: Iterable[Report]) -> Iterator[Sequence[object]]:
    for report in reports:
        for row, check in zip(rows_of_checks(report, report.violations), report.violations, strict=True):
            yield (*row, check.get("remedy", {}).get("code"), check.get("advice"), check.get("reproduce"))


def rows_of_checks(report: Report, checks: Sequence[Check]) -> Iterator[Sequence[object]]:
    bounds = {(problem["id"], each["name"]): each.get("lower_bound_s")
              for problem in report.data["problems"] for each in problem["contestants"]}
    for check in checks:
        problem = report.problems[check["problem"]]
        ratio, remedy, verdicts = check.get("ratio"), check.get("remedy"), check.get("verdicts")
        sides = [check["left_statistics"]["median_s"] if "left_statistics" in check else None,
                 check["right_statistics"]["median_s"] if "right_statistics" in check else None]
        yield (report.library, problem["ranks"], check["guideline"], report.operation(check["left"]),
               check["left"], check["right"], check["kind"], problem["distribution"],
               problem["block_size"], bytes_of(problem), problem["id"], check["verdict"],
               check.get("reason"), len(check.get("launches", [])) or None, check.get("rounds"),
               check.get("slower"), effect(check), ratio["low"] if ratio else None,
               ratio["high"] if ratio else None, *sides, bounds.get((problem["id"], check["left"])),
               remedy["contestant"] if remedy else None, remedy["factor"] if remedy else None,
               remedy["saved_s"] if remedy else None,
               *(verdicts[rule] if verdicts else None for rule in RULES))


def sample_rows(reports: Iterable[Report]) -> Iterator[Sequence[object]]:
    for report in reports:
        folder = report.path.parent
        confirmations = sorted(folder.glob("confirmation-*"), key=lambda each: (len(each.name), each.name))
        for launch, place in enumerate([folder, *confirmations], start=1):
            if launch > 1 and audit_files.samples_in(place) is None:
                continue
            beside = Report(place / audit_files.REPORT, report.data)
            found = samples.read_problems(beside, set(report.problems))
            for name, contestants in found.items():
                problem = report.problems[name]
                for contestant, values in contestants.items():
                    for number, seconds in enumerate(values, start=1):
                        yield (report.library, problem["ranks"], launch, problem["distribution"],
                               problem["block_size"], bytes_of(problem), name, contestant, number, seconds)


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def as_json(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a list of objects, a line each, without unknown values."""
    lines = [json.dumps({key: value for key, value in zip(columns, row, strict=True) if value is not None},
                        ensure_ascii=False) for row in rows]
    return "[" + ",".join(f"\n {line}" for line in lines) + ("\n]\n" if lines else "]\n")


FORMATS = {"csv": as_csv, "json": as_json}
TABLES = {"checks": (CHECKS, check_rows), "violations": (VIOLATIONS, violation_rows),
          "samples": (SAMPLES, sample_rows)}


def mockup_of(report: Report, check: Check) -> str | None:
    """Returns the mock-up that is the right side of a check."""
    prefix = report.operation(check["left"]).removeprefix("MPI_").replace("_", "").lower()
    return next((name for name, path in MOCKUPS.items()
                 if name.startswith(f"{prefix}_as_") and path == check["right"]), None)


def ranges_of(sizes: Mapping[int, str | None]) -> list[tuple[int, int, str]]:
    """Returns the ranges of sizes with one mock-up from the mock-up of each audited size, or None. A range
    ends in the middle, on a logarithmic scale, between its last size and the next audited one."""
    ordered = sorted(sizes)
    ranges: list[tuple[int, int, str]] = []
    for before, size, after in zip([None, *ordered], ordered, [*ordered[1:], None]):
        mockup = sizes[size]
        if mockup is None:
            continue
        first = size if before is None else math.isqrt(before * size) + 1
        last = size if after is None else math.isqrt(size * after)
        if ranges and ranges[-1][1] + 1 >= first and ranges[-1][2] == mockup:
            ranges[-1] = (ranges[-1][0], last, mockup)
        else:
            ranges.append((first, last, mockup))
    return ranges


def profiles_of(report: Report) -> dict[str, str]:
    """Returns profiles by file name. For every decided size the fastest mock-up counts of those confirmed
    to be faster."""
    best: dict[str, dict[int, tuple[float, str]]] = {}
    decided: dict[str, set[int]] = {}
    for check in report.verdicts:
        name, problem = report.operation(check["left"]), report.problems[check["problem"]]
        mockup = mockup_of(report, check)
        if (problem["smallest"] != problem["largest"] or mockup is None
                or check["verdict"] not in ("violated", "holds")):
            continue
        size = (bytes_of(problem) if name in OF_VECTORS
                else problem["block_size"] * problem["element_bytes"])
        decided.setdefault(name, set()).add(size)
        if check["verdict"] == "violated":
            found = (effect(check) or 1.0, mockup)
            best.setdefault(name, {})[size] = max(found, best.get(name, {}).get(size, found))
    files = {}
    for name, sizes in best.items():
        ranges = ranges_of({size: sizes[size][1] if size in sizes else None for size in decided[name]})
        numbers = {mockup: number for number, mockup in enumerate(
            dict.fromkeys(each[2] for each in ranges), start=1)}
        files[f"{name}-{report.ranks}.prf"] = "\n".join([
            "# written by mpiaudit", f"{name} # collective name", f"{report.ranks} # number of processes",
            str(len(numbers)), *(f"{number} {mockup}" for mockup, number in numbers.items()),
            f"{len(ranges)} # ranges of bytes",
            *(f"{low} {high} {numbers[mockup]}" for low, high, mockup in ranges), ""])
    return files


def guidelines_of(path: Path) -> str:
    """Returns a guideline file from the lines of pgmpi_info, one for each mock-up:
    allgather;MPI_Allgather;allgather_as_alltoall;0"""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if next((line for line in lines if not line.startswith("#")), "").startswith("MPI_"):
        raise InputError(f"{path}: is a profile, which mpiaudit run --guidelines {path} reads as it is")
    entries, unknown = [], []
    for line in lines:
        match = re.fullmatch(r"\w+;(MPI_\w+);(\w+)(?:;\d+)?", line.strip())
        if match is None or match[2] == "default":
            continue
        if match[2] not in MOCKUPS:
            unknown.append(match[2])
            continue
        entries.append({"id": match[2].replace("_", "-"),
                        "statement": f"{match[1]}(m) <= {MOCKUPS[match[2]]}"})
    if not entries:
        raise InputError(f"{path}: has no mock-up of PGMPITuneLib; give what pgmpi_info prints, "
                         "such as allgather;MPI_Allgather;allgather_as_alltoall;0")
    if unknown:
        output.remark(f"export: left out, since mpiaudit has nothing like them: {', '.join(unknown)}")
    return json.dumps({"title": "The mock-ups of PGMPITuneLib",
                       "source": "S. Hunold, A. Carpen-Amarie, HPC Asia 2018",
                       "guidelines": entries}, indent=1) + "\n"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "export", epilog=EXAMPLES,
        help="checks, violations and samples as CSV or JSON; profiles, guidelines of PGMPITuneLib",
        description="Writes what other programs read.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=[*TABLES, "profiles", "guidelines"])
    parser.add_argument("sources", nargs="+", metavar="REPORT",
                        help="report.json or its folder; for guidelines the output of pgmpi_info")
    parser.add_argument("--format", choices=FORMATS, default="csv", help="of tables; default csv")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE",
                        help="default: print it; for profiles a folder, default profiles")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.kind == "guidelines":
        if len(options.sources) > 1:
            raise InputError("export guidelines takes one file")
        output.give(guidelines_of(Path(options.sources[0])), options.output)
        return 0
    reports = read_all(options.sources)
    if options.kind == "profiles":
        files = {name: text for report in reports for name, text in profiles_of(report).items()}
        folder = options.output or Path("profiles")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            output.write_text(folder / name, text)
        print("\n".join(str(folder / name) for name in files)
              or "No mock-up of PGMPITuneLib is faster on equal blocks.")
        return 0
    columns, rows_of = TABLES[options.kind]
    output.give(FORMATS[options.format](columns, rows_of(reports)), options.output)
    return 0
