# SPDX-License-Identifier: BSD-3-Clause
"""An MPI library with one fault (fault.h): mpiaudit names the operation and never times it as right.

A few faults, as CI does; FAULTS=all: the whole table (tests/run --stage faults), FAULTS=FAULT;...: these.
"""

import os
import re

from folder import needs_checker
from program import LAUNCH, MPIAUDIT, ProgramTest, main

IS_MPICH = "mpich" in LAUNCH[0]

DONE, WRONG_RESULT, NOTHING_DECIDED, HANGS, EXITS, INTERRUPTED = 0, 3, 5, 6, 9, 75
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
       "MPI_Gather hang rank=1 from=20", "MPI_Bcast segv rank=1", "MPI_Reduce exit rank=1"]


def collective_of(operation):
    """The family to be audited."""
    name = re.sub(r"_init$", "", operation.removeprefix("MPI_")).lower()
    name = re.sub(r"^i(?=bcast|gather|scatter|all|reduce|scan|exscan|barrier)", "", name)
    families = ["reduce_scatter", "allgather", "allreduce", "alltoall", "gather", "scatter", "reduce",
                "bcast", "exscan", "scan", "barrier"]
    family = next(each for each in families if name.startswith(each))
    return {"exscan": "scan"}.get(family, family)


class Faults(ProgramTest):
    def run_with(self, fault, *arguments, code=None, ranks=2):
        """Runs the program on ranks of a library with this fault. The library makes the file `hit` when
        the fault has hit."""
        preload = ":".join(filter(None, [os.environ["FAULTY_COLLECTIVES"], os.environ.get("LD_PRELOAD")]))
        return self.launch(ranks, "env", f"LD_PRELOAD={preload}", f"MPIAUDIT_FAULT={fault}",
                           "MPIAUDIT_FAULT_MARK=hit", MPIAUDIT, *arguments, code=code)

    def expected(self, fault):
        """Returns the exit code, and what the program has to say about the operation and the problem."""
        operation, kind = fault.split()[:2]
        named = rf"{operation}\b" if "Reduce_local" not in operation else "_Reduce|Reduce_local"
        # A rank that skips a barrier leaves the other ranks waiting, and MPICH 4.0 waits forever for a
        # request that was not started.
        if (kind == "hang" or fault == "MPI_Barrier noop rank=1"
                or (IS_MPICH and fault == "MPI_Barrier_init noop")):
            return HANGS, rf"mpiaudit: [^\n]*({named})[^\n]* on same/b=10 hangs"
        if kind == "exit":
            return EXITS, rf"mpiaudit: rank \d: exit in [^\n]*({named})[^\n]* on same/b=10"
        if kind in SIGNALS:  # MPICH's launcher ends with the number of the signal itself
            return (SIGNALS[kind] + (0 if IS_MPICH else 128),
                    rf"mpiaudit: rank \d: SIG\w+ in [^\n]*({named})[^\n]* on same/b=10")
        return WRONG_RESULT, (rf"WRONG[:,]? [^\n]*({named})([\s\S]{{0,300}}same/b=10"
                              "|, which brings the ranks together)")

    def test_each_is_named(self):
        chosen = os.environ.get("FAULTS", "")
        for fault in EVERY + KINDS if chosen == "all" else chosen.split(";") if chosen else FEW:
            code, said = self.expected(fault)
            # The agreement on the largest block is one of gathers.
            problem = ["--block-sizes", "10", "--distributions", "same", "--collectives",
                       ",".join(sorted({collective_of(fault.split()[0]), "gather"}))]
            # Others have all the time that a busy machine takes.
            problem += ["--hang-after", "2s"] if code == HANGS else []
            # Late or rare faults need more calls.
            rounds = "30" if re.search("from=|every=", fault) else "8"
            audit = ["run", "--guidelines", "all", "--max-rounds", rounds, "--warmup", "0", "--output", "out",
                     "--overwrite", *problem]
            for arguments in (audit, ["verify", *problem]):
                with self.subTest(fault, command=arguments[0]):
                    (self.folder / "hit").unlink(missing_ok=True)
                    done = self.run_with(fault, *arguments)
                    is_hit = (self.folder / "hit").exists()
                    # A verification may make too few calls, or too short ones; an audit makes enough of all.
                    self.assertTrue(is_hit or arguments[0] == "verify")
                    if is_hit:
                        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                        self.assertRegex(done.stdout + done.stderr, said)

    def test_a_hang_is_left_out_by_resume(self):
        """The resumed audit ends well, with the hang as a wrong result."""
        audit = ["MPI_Ibcast hang rank=1 from=9", "run", "--guidelines", "specialisation", "--collectives",
                 "bcast", "--max-rounds", "30", "--warmup", "0", "--output", "hung", "--hang-after", "2s",
                 "--block-sizes", "10", "--distributions", "same"]
        self.assertIn("--output hung --resume", self.run_with(*audit, code=HANGS).stderr)
        done = self.run_with(*audit, "--resume", code=WRONG_RESULT)
        self.assertIn('"kind":"incident"', self.read("hung/samples.jsonl"))
        self.assertRegex(done.stdout, r"WRONG: MPI_Ibcast\(m\)[\s\S]{0,60}same/b=10:\s+hangs:")

    def test_a_hang_on_some_ranks_of_a_launch(self):
        """The ranks that sleep are not named, and end with the others. Each number of ranks is resumed."""
        audit = ["MPI_Ibcast hang rank=1 from=9", "run", "--guidelines", "specialisation", "--collectives",
                 "bcast", "--max-rounds", "30", "--warmup", "0", "--output", "parts", "--hang-after", "2s",
                 "--block-sizes", "10", "--distributions", "same", "--ranks", "2,3"]
        done = self.run_with(*audit, code=HANGS, ranks=3)
        self.assertRegex(done.stderr, r"MPI_Ibcast\(m\)[^\n]* hangs: after \S+ s in the call: rank 0, 1\n")
        self.assertIn("--ranks 2,3 --output parts --resume", done.stderr)
        self.run_with(*audit, "--resume", code=HANGS, ranks=3)
        self.assertTrue(self.report("parts/ranks-2")["complete"])
        self.run_with(*audit, "--resume", code=WRONG_RESULT, ranks=3)
        for ranks in (2, 3):
            self.assertIn('"kind":"incident"', self.read(f"parts/ranks-{ranks}/samples.jsonl"))

    @needs_checker
    def test_a_crash_of_a_generated_call_comes_after_screen_and_report(self):
        """The next session checks the other calls, and measures nothing again."""
        audit = ["MPI_Bcast segv empty", "run", "--collectives", "bcast", "--budget", "1s", "--output",
                 "crash"]
        done = self.run_with(*audit, code=INTERRUPTED)
        self.assertIn("report: crash/report.json", done.stdout)
        self.assertIn("memory was damaged by this or an earlier call", done.stderr)
        self.assertIn("The report of the measurements is complete.", done.stderr)
        report = self.valid_report("crash")
        self.assertTrue(report["complete"])
        self.assertIn("--output crash --resume", done.stderr)
        launches = 1
        while done.returncode == INTERRUPTED and launches < 12:
            done = self.run_with(*audit, "--resume")
            launches += 1
        self.assertEqual(done.returncode, WRONG_RESULT, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"WRONG: MPI_Bcast, no elements: crashes: SIGSEGV")
        self.assertEqual([each["id"] for each in self.valid_report("crash")["problems"]],
                         [each["id"] for each in report["problems"]])

    @needs_checker
    def test_a_crash_that_no_other_launch_repeats_is_no_fault(self):
        """A call of the first launch crashes, as if an earlier one had damaged memory."""
        audit = ["run", "--collectives", "bcast", "--budget", "1s", "--output", "once"]
        self.run_with("MPI_Bcast segv empty", *audit, code=INTERRUPTED)
        done = self.run_with("MPI_Barrier noop from=1000000", *audit, "--resume")
        self.assertIn(done.returncode, (DONE, NOTHING_DECIDED), done.stdout + done.stderr)
        found = self.valid_report("once")["generated_calls"]
        self.assertEqual([each for each in found["findings"] if not each.get("known")], [])
        self.assertEqual(len(found["unconfirmed"]), 1)
        self.assertIn("1 call ended a launch, but no other launch alone", re.sub(r"\s+", " ", done.stdout))

    def test_a_wrong_barrier_does_not_end_the_audit(self):
        """The program's own barrier takes its place, also in a session that goes on."""
        audit = ["run", "--guidelines", "specialisation", "--collectives", "bcast", "--max-rounds", "8",
                 "--warmup", "0", "--output", "barrier", "--block-sizes", "10,20", "--distributions", "same"]
        done = self.run_with("MPI_Barrier noop", *audit, code=WRONG_RESULT)
        self.assertIn("the audit goes on as with --sync dissemination", done.stderr)
        self.assertRegex(done.stdout, r"WRONG: MPI_Barrier \(--sync\) gives a wrong result on same/b=\d0: ")
        report = self.valid_report("barrier")
        self.assertEqual(report["wrong_barrier"]["operation"], "MPI_Barrier (--sync)")
        self.assertTrue(report["complete"])
        self.assertTrue(all("statistics" in way for problem in report["problems"]
                            for way in problem["contestants"] if way["name"] == "MPI_Bcast(m)"))

    def test_ranks_get_the_same_sums(self):
        """A sum of doubles that another rank rounds otherwise is wrong in each form, at each length."""
        for fault in ("MPI_Iallreduce round rank=1", "MPI_Allreduce_init round rank=1 min=1000",
                      "MPI_Allreduce round rank=0"):
            with self.subTest(fault):
                done = self.run_with(fault, "verify", "--collectives", "allreduce", "--element", "double",
                                     "--block-sizes", "7,1000", "--distributions", "same", code=WRONG_RESULT)
                self.assertRegex(done.stdout, rf"WRONG {fault.split()[0]}\b.* ranks get different sums: ")
                self.assertNotRegex(done.stdout, "WRONG .* is .*, not ")

    @needs_checker
    def test_no_data(self):
        """An audit finds a fault of calls without data, and prints the command that shows the fault."""
        done = self.run_with("MPI_Bcast code empty", "run", "--collectives", "bcast", "--budget", "1s",
                             "--output", "nothing", code=WRONG_RESULT)
        self.assertIn("WRONG: MPI_Bcast, no elements: rank ", done.stdout)
        # The command is folded.
        call = re.search(r" verify --call '(.*?)'", re.sub(r"\s*\\\n\s*", " ", done.stdout))[1]
        said = self.run_with("MPI_Bcast code empty", "verify", "--call", call, code=WRONG_RESULT).stdout
        self.assertIn("WRONG MPI_Bcast, no elements, 2 ranks: ", said)

    def test_a_very_slow_operation_stands_first_with_its_replacement(self):
        done = self.run_with("MPI_Bcast slow us=2000", "run", "--output", "slow", "--collectives",
                             "bcast,gather", "--block-sizes", "10", "--distributions", "same", "--max-rounds",
                             "60")
        screen = done.stdout.splitlines()[:24]
        row = next(line for line in screen if line.startswith("S1 "))
        # The two milliseconds, and the operation in a few words.
        self.assertRegex(row, r"^S1 +Bcast +2\d{3} +[\d.]+ +\d+ +\d+.* +\S+")


main()
