#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording costs Debian's applications: pairs of runs with and without the recorder.

MPIAUDIT_BUILDS: the folder of release-openmpi and release-mpich. Exit codes: 0, 1 when a run fails or
recording is shown to cost too much, 77 when no application is installed.
"""

import argparse
import math
import os
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests/applications"))
from applications import Application, for_all, prepared_folder, program_of, run  # noqa: E402

MOST_OVERHEAD, OF_SECONDS = 0.01, 1  # of the wall time of runs that are not mostly their own start
# Ranks that have a processor each: where two are put onto one, a run takes several times as long.
ALONE = {"openmpi": ("--bind-to", "core", "--mca", "mpi_yield_when_idle", "0"), "mpich": ("-bind-to", "core")}


def paired_estimate(differences: list[float]) -> tuple[float, float, float]:
    """Median of the means of all pairs of differences, and its 95 % interval (Hodges and Lehmann 1963; signed
    ranks, Wilcoxon 1945), exact where noise is as likely to be in favour of either run of a pair."""
    number = len(differences)
    means = sorted((differences[i] + differences[j]) / 2 for i in range(number) for j in range(i, number))
    ways = [1]  # to choose ranks of the signed differences that add up to so much
    for rank in range(1, number + 1):
        ways = [(ways[most] if most < len(ways) else 0) + (ways[most - rank] if most >= rank else 0)
                for most in range(len(ways) + rank)]
    outside, tail = 0, ways[0]
    while 2 * tail <= 0.05 * 2 ** number:
        outside += 1
        tail += ways[outside]
    if outside == 0:
        return statistics.median(means), -math.inf, math.inf
    return statistics.median(means), means[outside - 1], means[-outside]


def overhead(application: Application, seconds: float, folder: Path) -> tuple[list[Any], bool]:
    """A row: wall time with the recorder over that without, less 1, of pairs in random order as long as there
    is time. On no more ranks than processors, so that a run is not what the scheduler makes of it."""
    here = prepared_folder(application, folder)
    ranks = min(application.ranks, os.cpu_count() or 1)
    start = [f"mpirun.{application.mpi}", "-n", ranks, *ALONE[application.mpi]]
    record = [program_of(application.mpi), "record", "--overwrite", "--"]
    command = application.longer or application.command
    run([*start, *command], here)  # what is read from the disk is in memory afterwards
    ratios, differences, plain = [], [], []
    begin = time.monotonic()
    while len(ratios) < 6 or time.monotonic() - begin < seconds:
        took = {}
        for is_recorded in random.sample((True, False), 2):
            took[is_recorded] = run([*start, *(record if is_recorded else []), *command], here)
        ratios.append(math.log(took[True] / took[False]))
        differences.append(1000 * (took[True] - took[False]))
        plain.append(took[False])
    middle, low, high = map(math.expm1, paired_estimate(ratios))
    ms = paired_estimate(differences)
    answer = "at most" if high <= MOST_OVERHEAD else "more" if low > MOST_OVERHEAD else "not told apart"
    row = [application.name, application.mpi, ranks, len(ratios), f"{statistics.median(plain):.2f}",
           f"{ms[0]:+.0f} ({ms[1]:+.0f} to {ms[2]:+.0f})",
           f"{100 * middle:+.2f} ({100 * low:+.2f} to {100 * high:+.2f})", answer]
    return row, low <= MOST_OVERHEAD or statistics.median(plain) < OF_SECONDS


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="applications whose names have this in them")
    parser.add_argument("--seconds", type=float, default=30,
                        help="of pairs of runs of each application, six at least (default: %(default)s)")
    options = parser.parse_args()
    print(f"wall time with the recorder over that without, less 1; bar: {MOST_OVERHEAD:.0%}\n")
    return int(for_all(lambda each, folder: overhead(each, options.seconds, folder),
                       ["application", "MPI library", "ranks", "pairs", "seconds without",
                        "more, ms (95 % interval)", "more, %", f"{MOST_OVERHEAD:.0%}"], options.only))


if __name__ == "__main__":
    sys.exit(main())
