# SPDX-License-Identifier: BSD-3-Clause
"""What is recorded of Debian's applications, against a library that counts their calls and knows nothing
else (count_calls.c): each collective as often, on all ranks together. Prints a table.

Exit codes: 0, 1 when a count differs or a run fails, 77 when no application is installed (the last line says
what would install them).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from folder import LAUNCHERS, ROOT  # noqa: E402

INPUTS = ROOT / "tests" / "applications" / "inputs"
SKIPPED = 77
ENVIRONMENT = {**LAUNCHERS, "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Application:
    name: str
    package: str
    needs: str  # a file that shows that the application is installed
    command: tuple[str, ...]
    ranks: int = 4
    mpi: str = "openmpi"
    inputs: tuple[str, ...] = ()  # files that are copied into the folder in which the application runs
    prepare: str = ""  # a command of the shell, in that folder
    longer: tuple[str, ...] = ()  # instead of the command, for bench/recorded_applications

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
    """A run that has failed."""


def program_of(mpi):
    return Path(os.environ["MPIAUDIT_BUILDS"]) / f"release-{mpi}" / "mpiaudit"


def run(words, folder):
    """Runs the command in the folder. Returns its seconds."""
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
    """Returns a row of the table, and whether recorder and counter agree."""
    here = prepared_folder(application, folder)
    # `mpiaudit record` preloads the recorder before the counter, so the counter sees the calls that the
    # recorder passes on.
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


def tried(what, applications, head):
    """Prints a table of the results of each application. Returns whether all results are right."""
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


def for_all(what, head, only=""):
    """Prints a table of the results of each installed application. Returns the exit code."""
    chosen = [each for each in APPLICATIONS if only in each.name]
    installed = [each for each in chosen if each.is_installed()]
    for each in chosen:
        if each not in installed:
            print(f"skipped: {each.name} ({each.mpi}): {each.package} is not installed")
    if not installed:
        print("no application is installed; jobs/setup --for applications installs them")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="mpiaudit-applications-") as name:
        return 0 if tried(lambda each: what(each, Path(name)), installed, head) else 1


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="applications whose names have this in them")
    return for_all(compare, ["application", "MPI library", "ranks", "calls recorded", "calls counted",
                             "problems", "groups", "most calls", "seconds"], parser.parse_args().only)


if __name__ == "__main__":
    sys.exit(main())
