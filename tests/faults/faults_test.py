# SPDX-License-Identifier: BSD-3-Clause
"""An MPI library with one fault: mpiaudit names the operation and never times it as right.

Without arguments a few faults, as CI does; with --all the whole table (tests/run --stage faults).
With --table each outcome is a line of that file, and what stands there already is not tried again.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

MPIAUDIT = os.environ["MPIAUDIT"]
LAUNCH = os.environ["MPIAUDIT_LAUNCH"].split()
LAYER = os.environ["FAULTY_COLLECTIVES"]
IS_MPICH = "mpich" in LAUNCH[0]
LIBRARY = "MPICH" if IS_MPICH else "Open MPI"

WRONG_RESULT, HANGS = 3, 6
# Faults that the process does not survive, and the exit code of the launcher then.
SIGNALS = {"segv": 11, "abort": 6, "bus": 7}

BLOCKING = ["Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
            "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce", "Reduce_scatter_block",
            "Reduce_scatter", "Scan", "Exscan"]
NONBLOCKING = ["I" + each.lower() for each in BLOCKING]
PERSISTENT = [each + "_init" for each in BLOCKING]

# Every collective gives wrong data, and every one returns an error: the program steers itself
# without them. Then, for some, each kind of fault at other moments, places and sizes.
EVERY = [f"MPI_{each} {kind}" for each in BLOCKING + NONBLOCKING + PERSISTENT
         for kind in ("flip", "refuse")]
EVERY += [f"MPI_{each} {kind}" for each in ("Barrier", "Ibarrier", "Barrier_init")
          for kind in ("noop", "refuse")]
KINDS = [
    "MPI_Gather middle", "MPI_Gatherv last rank=1", "MPI_Bcast last every=10", "MPI_Scatter plus",
    "MPI_Scatterv swap", "MPI_Allgather zero", "MPI_Allgatherv shift every=3",
    "MPI_Alltoall stale from=3", "MPI_Alltoallv truncate", "MPI_Alltoallw middle every=7",
    "MPI_Reduce plus from=20", "MPI_Allreduce plus", "MPI_Allreduce flip max=4",
    "MPI_Allreduce plus rank=1 max=4", "MPI_Allreduce noop max=4", "MPI_Allreduce noop",
    "MPI_Reduce_scatter_block last min=40", "MPI_Reduce_scatter code", "MPI_Reduce_scatter truncate",
    "MPI_Scan plus rank=1", "MPI_Exscan stale", "MPI_Gatherv code every=11", "MPI_Bcast code rank=0",
    "MPI_Bcast handler", "MPI_Gather handler from=30", "MPI_Allreduce code from=40",
    "MPI_Allgather send", "MPI_Gather send rank=1", "MPI_Reduce send every=5", "MPI_Scan shift",
    "MPI_Bcast flip from=60", "MPI_Gather zero from=100", "MPI_Scatterv last from=50",
    "MPI_Allreduce last from=120", "MPI_Alltoall code from=45", "MPI_Reduce_local flip",
    "MPI_Reduce_local code", "MPI_Barrier code", "MPI_Barrier noop rank=1", "MPI_Barrier noop from=9",
    "MPI_Ibarrier code", "MPI_Igatherv truncate every=12", "MPI_Ibcast stale",
    "MPI_Iallreduce code from=5", "MPI_Gather_init last", "MPI_Alltoallv_init truncate",
    "MPI_Allreduce_init code", "MPI_Bcast_init flip rank=0", "MPI_Iallgather swap every=4",
    "MPI_Bcast hang", "MPI_Gather hang rank=1 from=20", "MPI_Allreduce hang rank=0",
    "MPI_Igatherv hang rank=1", "MPI_Barrier hang rank=0 from=15", "MPI_Scan hang from=15",
    "MPI_Alltoall_init hang rank=0", "MPI_Gatherv segv rank=1", "MPI_Reduce segv from=25",
    "MPI_Alltoallw abort", "MPI_Bcast abort rank=1 from=50", "MPI_Allgather bus rank=0",
    "MPI_Gather behind", "MPI_Reduce before", "MPI_Bcast behind rank=0", "MPI_Scan before rank=0",
    "MPI_Iscan plus", "MPI_Igather send", "MPI_Ireduce_scatter zero min=20",
]
FEW = ["MPI_Allreduce flip max=4", "MPI_Gatherv zero every=10", "MPI_Bcast refuse",
       "MPI_Barrier noop", "MPI_Alltoallw_init refuse", "MPI_Scan code from=30",
       "MPI_Gather hang rank=1 from=20", "MPI_Bcast segv rank=1"]


def collective_of(operation):
    """The family to be audited."""
    name = re.sub(r"_init$", "", operation.removeprefix("MPI_")).lower()
    name = re.sub(r"^i(?=bcast|gather|scatter|all|reduce|scan|exscan|barrier)", "", name)
    families = ["reduce_scatter", "allgather", "allreduce", "alltoall", "gather", "scatter", "reduce",
                "bcast", "exscan", "scan", "barrier"]
    family = next(each for each in families if name.startswith(each))
    return {"exscan": "scan"}.get(family, family)


class Trial:
    """The program under one fault: what it does is in `row` then, what is wrong with it in `failure`."""

    def __init__(self, fault, command, folder):
        self.fault = fault
        self.command = command
        self.operation = fault.split()[0]
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.mark = self.folder / "hit"
        self.row = ""
        self.failure = ""

    def words(self, *arguments):
        preload = ":".join(filter(None, [LAYER, os.environ.get("LD_PRELOAD")]))
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        return [*LAUNCH, "2", "env", f"LD_PRELOAD={preload}", f"MPIAUDIT_FAULT={self.fault}",
                f"MPIAUDIT_FAULT_MARK={self.mark}",
                f"ASAN_OPTIONS={sanitizer}", MPIAUDIT, *arguments]

    def is_hang(self):
        # Whoever leaves a barrier alone leaves the others in it, and MPICH 4.0 waits without end for a
        # request that was not started.
        return (self.fault.split()[1] == "hang" or self.fault == "MPI_Barrier noop rank=1"
                or (IS_MPICH and self.fault == "MPI_Barrier_init noop"))

    def code(self):
        kind = self.fault.split()[1]
        if kind in SIGNALS:  # MPICH's launcher ends with the number of the signal itself
            return SIGNALS[kind] + (0 if IS_MPICH else 128)
        return HANGS if self.is_hang() else WRONG_RESULT

    def sentences(self):
        """What the program has to say, first of the operation, then of the problem as well."""
        named = rf"{self.operation}\b" if "Reduce_local" not in self.operation else "_Reduce|Reduce_local"
        if self.is_hang():
            operation, problem = rf"mpiaudit: [^\n]*({named})", r"[^\n]* on same/b=10 hangs"
        elif self.code() != WRONG_RESULT:
            operation, problem = rf"mpiaudit: rank \d: SIG\w+ in [^\n]*({named})", r"[^\n]* on same/b=10"
        else:
            operation = rf"WRONG[:,]? [^\n]*({named})"
            problem = r"([\s\S]{0,300}same/b=10|, which brings the ranks together)"
        return operation, operation + problem

    def arguments(self):
        # Others have all the time that a busy machine takes.
        limit = ["--hang-after", "2s"] if self.is_hang() else []
        # The agreement on the largest block is one of gathers.
        collectives = sorted({collective_of(self.operation), "gather"})
        problem = [*limit, "--block-sizes", "10", "--distributions", "same", "--collectives",
                   ",".join(collectives)]
        if self.command == "verify":
            return ["verify", *problem]
        # Those that are late or seldom need more calls.
        rounds = "30" if re.search("from=|every=", self.fault) else "8"
        return ["run", "--guidelines", "all", "--max-rounds", rounds, "--warmup", "0", "--output", "out",
                "--overwrite", *problem]

    def carry_out(self):
        self.mark.unlink(missing_ok=True)
        start = time.monotonic()
        try:
            done = subprocess.run(self.words(*self.arguments()), cwd=self.folder, capture_output=True,
                                  text=True, timeout=240, check=False)
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess([], None, "", "has not ended after 240 s")
        said = done.stdout + done.stderr
        operation, problem = (bool(re.search(each, said)) for each in self.sentences())
        if not self.mark.exists():
            # Too few calls, or too short ones; an audit makes enough of all.
            verdict = "not hit" if self.command == "verify" else "NEVER HIT"
        elif done.returncode != self.code():
            verdict = "WRONG CODE"
        else:
            verdict = "right" if operation and problem else "NOT NAMED"
        self.row = "\t".join([self.fault, self.command, LIBRARY, str(done.returncode),
                              "operation" if operation else "-", "problem" if problem else "-",
                              f"{time.monotonic() - start:.1f}", verdict])
        if verdict not in ("right", "not hit"):
            self.failure = f"FAILED: {self.fault}: {self.command}: {verdict}: {done.returncode}\n{said}"
        return self


def failures_of_resumption(folder):
    """What hung is left out by --resume, which ends well with it as a wrong result."""
    trial = Trial("MPI_Ibcast hang rank=1 from=9", "run", folder)
    audit = ["run", "--guidelines", "specialisation", "--collectives", "bcast", "--max-rounds", "30",
             "--warmup", "0", "--output", "hung", "--hang-after", "2s", "--block-sizes", "10",
             "--distributions", "same"]

    def run(*more):
        return subprocess.run(trial.words(*audit, *more), cwd=trial.folder, capture_output=True, text=True,
                              timeout=240, check=False)
    first, second = run(), run("--resume")
    if first.returncode != HANGS or "--output hung --resume" not in first.stderr:
        return f"a hang: exit code {first.returncode}\n{first.stderr}"
    samples = (trial.folder / "hung" / "samples.jsonl").read_text(encoding="utf-8")
    if second.returncode != WRONG_RESULT or '"kind":"incident"' not in samples:
        return f"--resume: exit code {second.returncode}\n{second.stdout}{second.stderr}"
    if not re.search(r"WRONG: MPI_Ibcast\(m\)[\s\S]{0,60}same/b=10:\s+hangs:", second.stdout):
        return f"--resume: what hangs is not wrong\n{second.stdout}"
    return ""


def failures_of_slowness(folder):
    """An operation that is far too slow stands first on the first screen, with what to call."""
    trial = Trial("MPI_Bcast slow us=2000", "run", folder)
    words = trial.words("run", "--output", "slow", "--collectives", "bcast,gather",
                        "--block-sizes", "10", "--distributions", "same", "--max-rounds", "60")
    done = subprocess.run(words, cwd=trial.folder, capture_output=True, text=True, timeout=240, check=False)
    screen = done.stdout.splitlines()[:24]
    first = next((number for number, line in enumerate(screen) if line.startswith("!")), 0)
    is_named = re.match(r"! MPI_Bcast +\d+", screen[first]) if screen else None
    if is_named and " times as fast " in " ".join(screen[first + 1:first + 3]):
        return ""
    return f"a slow MPI_Bcast is not the first on the screen\n{done.stdout}{done.stderr}"


def known_rows(table):
    """Those of trials of this library, by fault and command."""
    rows = Path(table).read_text(encoding="utf-8").splitlines() if table and Path(table).exists() else []
    words = [row.split("\t") for row in rows]
    return {(word[0], word[1]) for word in words if word[2] == LIBRARY}


def failed_trials(faults, table, jobs):
    number = 0
    known = known_rows(table)
    wanted = [(fault, command) for fault in faults for command in ("run", "verify")
              if (fault, command) not in known]
    with tempfile.TemporaryDirectory(prefix="mpiaudit-") as folder, ThreadPoolExecutor(jobs) as pool:
        for failure in filter(None, (failures_of_slowness(folder), failures_of_resumption(folder))):
            number += 1
            print(f"FAILED: {failure}", flush=True)
        trials = [pool.submit(Trial(fault, command, folder).carry_out) for fault, command in wanted]
        for trial in (each.result() for each in as_completed(trials)):
            if table:
                with open(table, "a", encoding="utf-8") as file:
                    file.write(trial.row + "\n")
            if trial.failure:
                number += 1
                print(trial.failure, flush=True)
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="the whole table")
    parser.add_argument("--table", default=os.environ.get("FAULTS_TABLE"),
                        help="file of outcomes, in columns: fault, command, library, exit code, whether the "
                             "operation and the problem were named, seconds, verdict (FAULTS_TABLE)")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time (default: %(default)s)")
    parser.add_argument("fault", nargs="*", help="these faults; see tests/faults/fault.h")
    options = parser.parse_args()
    faults = options.fault or (EVERY + KINDS if options.all else FEW)
    failed = failed_trials(faults, options.table, options.jobs)
    print(f"{len(faults)} faults x {{run, verify}}: {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
