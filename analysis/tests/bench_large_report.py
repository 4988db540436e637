# SPDX-License-Identifier: BSD-3-Clause
"""Measures `table` and `html` on a report of 100 000 checks; run by hand, not a test.

    python3 -m analysis.tests.bench_large_report [FOLDER]

Makes a report of 500 guidelines over 200 problems (20 collectives with 12 implementations each,
10 distributions, 20 sizes; 107 MB) and prints, for each command in a process of its own,
its processor time, elapsed time and largest memory. The limits: `table` below 3 s, `html` below
30 s and a page below 20 MB, both below 1 GiB of memory.

Recorded in November 2026 on 2 cores with nothing else to do:

    table --collective   3.0 s   364 MiB
    table (all 20)       3.6 s   364 MiB
    html                23.6 s   413 MiB   page 13.4 MB; shown in Chromium after 4.7 s, then 14 ms
                                           to sort and show all 100 000 checks
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from analysis.tests.synthetic import describe_samples, document_around

COLLECTIVES, MEMBERS, GUIDELINES_EACH, DISTRIBUTIONS, SIZES = 20, 12, 25, 10, 20
VERDICTS = ("violated", "holds", "holds", "undecided", "skipped")


def problem_of(distribution: int, size: int, source: random.Random) -> dict[str, Any]:
    contestants = []
    for collective in range(COLLECTIVES):
        for member in range(MEMBERS):
            base = (2 + member) * 1e-6 * (1 + 1.7**size / 50)
            samples = [base * source.lognormvariate(0, 0.1) for _ in range(12)]
            contestants.append({
                "name": f"C{collective}_{member}(m)", "from": "scattered", "to": f"t{collective}",
                "statistics": describe_samples(samples)})
    return {"id": f"d{distribution}/b={2**size}", "distribution": f"d{distribution}",
            "block_size": 2**size, "ranks": 64, "root": 0, "element": "MPI_INT",
            "element_bytes": 4, "total": 64 * 2**size, "padded_total": 128 * 2**size,
            "smallest": 1, "largest": 2 ** (size + 1), "rounds": 12, "contestants": contestants}


def check_of(problem: dict[str, Any], collective: int, number: int,
             source: random.Random) -> dict[str, Any]:
    contestants = problem["contestants"]
    left, right = source.sample(range(MEMBERS), 2)
    sides = [contestants[collective * MEMBERS + member] for member in (left, right)]
    verdict = source.choice(VERDICTS)
    guideline = f"c{collective}-{number}"
    check: dict[str, Any] = {"guideline": guideline, "problem": problem["id"],
                             "left": sides[0]["name"], "right": sides[1]["name"],
                             "kind": "verdict", "verdict": verdict}
    if verdict == "skipped":
        return check | {"reason": "needs equal blocks"}
    ratio = sides[0]["statistics"]["mean_s"] / sides[1]["statistics"]["mean_s"]
    check |= {
        "rounds": 12, "decided_at": 12, "slower": 11,
        "left_statistics": sides[0]["statistics"], "right_statistics": sides[1]["statistics"],
        "ratio": {"median": ratio, "low": 0.93 * ratio, "high": 1.08 * ratio, "coverage": 0.961},
        "evidence": {"log_e_violated": 19.1 * source.random(), "log_e_holds": -7.123456789,
                     "bound_violated": 16.11809565095832, "bound_holds": 4.605170185988092}}
    if verdict == "violated":
        check |= {"advice": f"use the right side of guideline {guideline}",
                  "reproduce": f"mpirun -n 64 mpiaudit --guidelines {guideline} --distributions "
                               f"{problem['distribution']} --sizes {problem['block_size']}"}
    return check


def large_document() -> dict[str, Any]:
    source = random.Random(7)
    problems = [problem_of(distribution, size, source)
                for distribution in range(DISTRIBUTIONS) for size in range(SIZES)]
    guidelines = [{"id": f"c{collective}-{number}", "statement": f"C{collective}_0(m) <= "
                   f"C{collective}_{number}(m)"}
                  for collective in range(COLLECTIVES) for number in range(GUIDELINES_EACH)]
    checks = [check_of(problem, collective, number, source) for problem in problems
              for collective in range(COLLECTIVES) for number in range(GUIDELINES_EACH)]
    implementations = [
        {"name": f"C{collective}_{member}", "collective": f"collective{collective}",
         "from": "scattered", "to": f"t{collective}", "native": member < 2, "summary": ""}
        for collective in range(COLLECTIVES) for member in range(MEMBERS)]
    return document_around(problems, checks, guidelines, implementations, ranks=64, nodes=4)


def measure(arguments: list[str]) -> None:
    """Runs one command and prints what it took."""
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "analysis", *arguments],
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - started
    print(f"{arguments[0]}: {usage.ru_utime + usage.ru_stime:.1f} s of processor time, "
          f"{elapsed:.1f} s elapsed, {usage.ru_maxrss / 1024:.0f} MiB, "
          f"code {os.waitstatus_to_exitcode(status)}")


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        report, page = folder / "report.json", folder / "page.html"
        report.write_text(json.dumps(large_document()), encoding="utf-8")
        print(f"report: {report.stat().st_size / 1e6:.0f} MB")
        measure(["table", str(report), "--collective", "collective3"])
        measure(["table", str(report)])
        measure(["html", str(report), "-o", str(page)])
        print(f"page: {page.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
