#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The short tables at the end of tests/device/run.

table.py FOLDER...         of audits on a device, each folder with its launches: calls against staging
table.py --cores FOLDER    of many cores
table.py --planning COMMAND...  runs the command, and prints its seconds and the memory of its largest process
"""

import csv
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any, cast

sys.path.append(str(Path(__file__).resolve().parents[2]))
from analysis import audit_files, reports  # noqa: E402

Json = dict[str, Any]
Check = tuple[str, str]  # the ids of problem and guideline


def report_of(folder: Path) -> Json:
    """The report of an audit; an empty one if the audit has left none."""
    if audit_files.report_in(folder) is None:
        return {"problems": [], "checks": []}
    report, = reports.read(folder)
    return cast(Json, report.data)


def medians_of(report: Json) -> dict[tuple[str, str], float]:
    """Microseconds of each contestant that was timed, by its problem and its name."""
    return {(problem["id"], way["name"]): 1e6 * way["statistics"]["median_s"]
            for problem in report["problems"] for way in problem["contestants"] if "statistics" in way}


def staged_table(folder: Path) -> Iterable[str]:
    """A line for each operation and size: medians over the launches, and the ratio of each launch, "-" if the
    launch has no time."""
    reports = [report_of(launch) for launch in sorted(folder.glob("launch-*"))]
    times = [medians_of(report) for report in reports]
    bytes_of = {problem["id"]: problem["total"] * problem["element_bytes"]
                for report in reports for problem in report["problems"]}
    ways = {key for known in times for key in known}
    for problem, left in sorted(ways, key=lambda key: (key[1], bytes_of[key[0]])):
        right = left.replace("(m)", "[staged](m)")
        pairs = [(known.get((problem, left)), known.get((problem, right))) for known in times]
        found = [(one, other) for one, other in pairs if one and other]
        if not found:
            continue
        here, staged = (median(pair[side] for pair in found) for side in (0, 1))
        ratios = " ".join(f"{one / other:8.2f}" if one and other else f"{'-':>8}" for one, other in pairs)
        yield f"{left.removesuffix('(m)'):22} {bytes_of[problem]:10} {here:11.1f} {staged:11.1f}  {ratios}"


def last_line(file: Path, pattern: str) -> str:
    """The last line of a log that has the pattern; "no answer" without such a line."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return next((line.strip() for line in reversed(lines) if re.search(pattern, line)), "no answer")


def verdicts_of(report: Json) -> dict[Check, str]:
    return {(check["problem"], check["guideline"]): check["verdict"] for check in report["checks"]}


def repeated(folder: Path, library: str) -> str:
    """How many of the violations that the first audit has confirmed are violated in later launches."""
    first = max(folder.glob(f"{library}-*"), key=lambda each: int(each.name.rpartition("-")[2]))
    confirmed = {key for key, verdict in verdicts_of(report_of(first)).items() if verdict == "violated"}
    seen = again = 0
    for launch in sorted(folder.glob("again-*")):
        verdicts = verdicts_of(report_of(launch))
        for key in confirmed:
            seen += verdicts.get(key) in ("violated", "holds")
            again += verdicts.get(key) == "violated"
    return f"{again} of {seen} confirmed violations are violated in a later launch"


def planted(file: Path) -> str:
    """How many of the planted slow-downs are found, of the file with counts of bench/planted."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    lines = text[text.find("operation,planted,"):].splitlines() if "operation,planted," in text else []
    counts = [row for row in csv.DictReader(lines) if row["repetitions"]]
    found, all_of_them = (sum(int(row[column]) for row in counts) for column in ("violated", "repetitions"))
    return f"{found} of {all_of_them} planted slow-downs are found"


def cores_table(folder: Path) -> Iterable[str]:
    for library in ("openmpi", "mpich"):
        for audit in sorted(folder.glob(f"{library}-*")):
            if "summary" in (report := report_of(audit)):
                yield f"{audit.name}: " + ", ".join(f"{report['summary'][verdict]} {verdict}"
                                                    for verdict in ("violated", "holds", "undecided"))
        yield f"null, {library}: " + last_line(folder / f"null-{library}.log", "report a violation")
        yield f"planning, {library}: " + last_line(folder / f"plan-{library}.log", "MiB")
    yield planted(folder / "planted.log")
    if any(folder.glob("openmpi-*")):
        yield repeated(folder, "openmpi")
    loop = folder / "loop-by-hand.log"
    yield from loop.read_text(encoding="utf-8").splitlines() if loop.exists() else ["loop by hand: no answer"]


def plan(command: list[str]) -> int:
    start_s = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    seconds = time.monotonic() - start_s
    print(f"{seconds:.1f} s, {mib:.0f} MiB in the largest process, exit code {done.returncode}")
    return done.returncode


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--planning"]:
        sys.exit(plan(words[1:]))
    elif words[:1] == ["--cores"]:
        print("\n".join(cores_table(Path(words[1]))))
    else:
        for folder in map(Path, words):
            print(f"# {folder.name}: medians in us; ratio of the call to staging in each launch")
            print(f"{'operation':22} {'bytes':>10} {'device':>11} {'staged':>11}    ratios")
            print("\n".join(staged_table(folder)))


main()
