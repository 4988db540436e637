# SPDX-License-Identifier: BSD-3-Clause
"""What is recorded of Debian's applications, against a library that counts their calls and knows nothing
else (count_calls.c): each collective as often, on all ranks together. And what recording costs them: pairs of
runs with and without the recorder. Prints a table of either.

Exit codes: 0, 1 when a count differs, a run fails or recording is shown to cost too much, 77 when no
application is installed (the last line says what would install them).
"""

import argparse
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INPUTS = ROOT / "tests" / "applications" / "inputs"
SKIPPED = 77
MOST_OVERHEAD, OF_SECONDS = 0.01, 1  # of the wall time of runs that are not mostly their own start
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_base_warn_component_unused": "0", "OMP_NUM_THREADS": "1"}
# Ranks that have a processor each: where two are put onto one, a run takes several times as long.
ALONE = {"openmpi": ("--bind-to", "core", "--mca", "mpi_yield_when_idle", "0"), "mpich": ("-bind-to", "core")}


@dataclass(frozen=True)
class Application:
    name: str
    package: str
    needs: str  # a file that is there when it is installed
    command: tuple[str, ...]
    ranks: int = 4
    mpi: str = "openmpi"
    inputs: tuple[str, ...] = ()  # put into the folder in which it runs
    prepare: str = ""  # a command of the shell, in that folder
    longer: tuple[str, ...] = ()  # instead of the command, where what it costs is measured

    def is_installed(self):
        return self.mpi_is_there() and bool(shutil.which(self.needs) or Path(self.needs).exists())

    def mpi_is_there(self):
        return bool(shutil.which(f"mpirun.{self.mpi}") and shutil.which(f"mpicc.{self.mpi}"))


def xdlu(mpi):
    return f"/usr/lib/x86_64-linux-gnu/scalapack/{mpi}-tests/xdlu"


MAKE_GRID = "/usr/bin/python3 grid_graph.py 30 30 30 > grid.grf"
APPLICATIONS = (
    Application("LAMMPS, liquid", "lammps", "lmp", ("lmp", "-in", "in.lj", "-var", "steps", "500"),
                inputs=("in.lj",), longer=("lmp", "-in", "in.lj", "-var", "steps", "3000")),
    Application("LAMMPS, averages in bins", "lammps", "lmp",
                ("lmp", "-in", "in.chunk", "-var", "steps", "100"), inputs=("in.chunk",),
                longer=("lmp", "-in", "in.chunk", "-var", "steps", "1000")),
    Application("CP2K, a molecule of water", "cp2k", "cp2k.psmp", ("cp2k.psmp", "-i", "h2o.inp"),
                inputs=("h2o.inp",)),
    Application("PT-Scotch, dgpart", "ptscotch", "dgpart", ("dgpart", "16", "grid.grf", "grid.map", "-vt"),
                inputs=("grid_graph.py",), prepare=MAKE_GRID),
    Application("PT-Scotch, dgord", "ptscotch", "dgord", ("dgord", "grid.grf", "grid.ord", "-vt"), ranks=3,
                inputs=("grid_graph.py",), prepare=MAKE_GRID),
    Application("NWChem, a molecule of water", "nwchem-openmpi", "nwchem.openmpi",
                ("nwchem.openmpi", "h2o.nw"), ranks=2, inputs=("h2o.nw",)),
    Application("ScaLAPACK, xdlu", "scalapack-mpi-test", xdlu("openmpi"), (xdlu("openmpi"),),
                prepare="cp /usr/share/scalapack/LU.dat ."),
    Application("ScaLAPACK, xdlu", "scalapack-mpi-test", xdlu("mpich"), (xdlu("mpich"),), ranks=2,
                mpi="mpich", prepare="cp /usr/share/scalapack/LU.dat ."),
    Application("mpi4py, k-means", "python3-mpi4py", "/usr/lib/python3/dist-packages/mpi4py",
                ("/usr/bin/python3", "kmeans.py", "20000", "50"), inputs=("kmeans.py",),
                longer=("/usr/bin/python3", "kmeans.py", "20000", "400")),
)


class Failure(Exception):
    """A run that did not end as it should."""


def program_of(mpi):
    return Path(os.environ["MPIAUDIT_BUILDS"]) / f"release-{mpi}" / "mpiaudit"


def run(words, folder):
    """Its seconds."""
    begin = time.monotonic()
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=600, env={**os.environ, **ENVIRONMENT})
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))} ended with {done.returncode}:\n"
                      f"{done.stderr[-2000:]}{done.stdout[-2000:]}")
    return time.monotonic() - begin


def counting_library(mpi, folder):
    library = folder / f"count_calls.{mpi}.so"
    if not library.exists():
        run([f"mpicc.{mpi}", "-shared", "-fPIC", "-O2", "-Wl,--no-as-needed", "-o", library,
             ROOT / "tests" / "applications" / "count_calls.c", "-ldl"], folder)
    return library


def counted(folder):
    calls = Counter()
    for file in folder.glob("counted.*"):
        for line in file.read_text(encoding="utf-8").splitlines():
            name, number = line.split()
            calls[name] += int(number)
    return calls


def recorded(recording):
    """Calls of all ranks by collective, as the counting library names them."""
    calls = Counter()
    for problem in recording["problems"]:
        name = problem["collective"].removeprefix("MPI_").lower()
        mode = {"blocking": "", "nonblocking": "i", "persistent": "persistent "}[problem["mode"]]
        calls[mode + name] += problem["calls"] * recording["groups"][problem["group"]]["size"]
    return calls


def prepared_folder(application, folder):
    made = Path(tempfile.mkdtemp(dir=folder))
    for name in application.inputs:
        shutil.copy(INPUTS / name, made)
    if application.prepare:
        run(["sh", "-c", application.prepare], made)
    return made


def launch(application):
    return [f"mpirun.{application.mpi}", "-n", application.ranks]


def compare(application, folder):
    """A row of the table, and whether both have found the same."""
    here = prepared_folder(application, folder)
    # The recorder is put before it by `mpiaudit record`, so that it sees what the recorder passes on.
    preload = ["env", f"LD_PRELOAD={counting_library(application.mpi, folder)}",
               f"COUNT_CALLS={here}/counted"]
    seconds = run([*launch(application), *preload, program_of(application.mpi), "record", "--",
                   *application.command], here)
    recording = json.loads((here / "problems.json").read_text(encoding="utf-8"))
    mine, theirs = recorded(recording), counted(here)
    differences = {name: (mine[name], theirs[name]) for name in sorted({*mine, *theirs})
                   if mine[name] != theirs[name]}
    for name, (own, other) in differences.items():
        print(f"DIFFERENT: {application.name}, {application.mpi}: {name}: recorded {own}, counted {other}")
    if recording["lost"]["calls"]:
        print(f"{application.name}: {recording['lost']['calls']} calls were not recorded")
    most = ", ".join(f"{name} {number}" for name, number in theirs.most_common(4))
    return [application.name, application.mpi, application.ranks, sum(mine.values()), sum(theirs.values()),
            len(recording["problems"]), len(recording["groups"]), most, f"{seconds:.1f}"], not differences


def print_row(cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def paired_estimate(differences):
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


def overhead(application, seconds, folder):
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


def tried(what, applications, head):
    """Prints a table of what is found of each application. Whether all is well."""
    print_row(head)
    print_row(["---"] * len(head))
    failures, is_right = [], True
    for each in applications:
        try:
            row, is_well = what(each)
            print_row(row)
        except Failure as failure:
            failures.append(f"FAILED: {each.name}: {failure}")
            is_well = False
        is_right = is_right and is_well
    print("\n".join(failures))
    return is_right


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="applications whose names have this in them")
    parser.add_argument("--no-counts", action="store_true", help="only what recording costs")
    parser.add_argument("--overhead", type=float, default=30, metavar="SECONDS",
                        help="of pairs of runs of each application, six at least; 0: none")
    options = parser.parse_args()
    chosen = [each for each in APPLICATIONS if options.only in each.name]
    installed = [each for each in chosen if each.is_installed()]
    for each in chosen:
        if each not in installed:
            print(f"skipped: {each.name} ({each.mpi}): {each.package} is not installed")
    if not installed:
        print("no application is installed; jobs/setup --for applications installs them")
        return SKIPPED
    is_right = True
    with tempfile.TemporaryDirectory(prefix="mpiaudit-applications-") as name:
        folder = Path(name)
        if not options.no_counts:
            is_right = tried(lambda each: compare(each, folder), installed,
                             ["application", "MPI library", "ranks", "calls recorded", "calls counted",
                              "problems", "groups", "most calls", "seconds"])
        if options.overhead > 0:
            print(f"\nwall time with the recorder over that without, less 1; bar: {MOST_OVERHEAD:.0%}\n")
            is_right = tried(lambda each: overhead(each, options.overhead, folder), installed,
                             ["application", "MPI library", "ranks", "pairs", "seconds without",
                              "more, ms (95 % interval)", "more, %", f"{MOST_OVERHEAD:.0%}"]) and is_right
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
