# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of applications with known calls have all of these calls, and no others."""

import os
import shutil
import sys
from pathlib import Path

from folder import LAUNCHERS, ROOT
from program import MPIAUDIT, ProgramTest, main

IS_SLOW, ADVERSARY = os.environ["IS_SLOW"] == "1", os.environ["ADVERSARY"]
CALLS, SOURCE = os.environ["RECORDED_CALLS"], str(ROOT / "tests" / "recorder" / "calls.c")
FORTRAN = [program for program in os.environ["FORTRAN_PROGRAMS"].split(":") if program]

# The calls of calls.c on 3 ranks: function, mode, ranks, root, other properties, bytes, calls.
WORLD, EVEN, ODD = "0-2", "0,2", "1"
EXPECTED = sorted([
    ("MPI_Allreduce", "blocking", WORLD, None, "MPI_SUM", {"block": 4}, 3 + 3),
    ("MPI_Allreduce", "blocking", WORLD, None, "MPI_MAX in_place", {"block": 4}, 1),
    ("MPI_Barrier", "blocking", WORLD, None, "", None, 1),
    ("MPI_Allgather", "blocking", WORLD, None, "", {"block": 4}, 1),
    ("MPI_Gather", "blocking", WORLD, 2, "in_place", {"block": 4}, 1),
    ("MPI_Scatter", "blocking", WORLD, 0, "", {"block": 4}, 1),
    ("MPI_Alltoall", "blocking", WORLD, None, "in_place", {"block": 4}, 1),
    ("MPI_Bcast", "blocking", WORLD, 0, "", {"block": 0}, 1),
    ("MPI_Bcast", "blocking", WORLD, 0, "", {"block": 32}, 1),
    ("MPI_Allgatherv", "blocking", WORLD, None, "", {"exact": [8, 16, 24]}, 1),
    ("MPI_Gatherv", "blocking", WORLD, 0, "", {"exact": [8, 16, 24]}, 2),
    ("MPI_Scatterv", "blocking", WORLD, 0, "", {"exact": [8, 16, 24]}, 1),
    ("MPI_Reduce_scatter", "blocking", WORLD, None, "MPI_SUM", {"exact": [8, 16, 24]}, 1),
    ("MPI_Alltoallv", "blocking", WORLD, None, "", {"block": 0}, 1),
    # Rank 0 sends one more than the other two: (4 + 3 + 3) doubles over three ranks.
    ("MPI_Alltoallv", "blocking", WORLD, None, "",
     {"sent_mean": 80 / 3, "largest": 16, "partners_mean": 3.0}, 1),
    ("MPI_Allreduce", "blocking", EVEN, None, "user", {"block": 4}, 1),
    ("MPI_Allreduce", "blocking", ODD, None, "user", {"block": 4}, 1),
    ("MPI_Allreduce", "blocking", EVEN, None, "inter", None, 1),
    ("MPI_Allreduce", "blocking", ODD, None, "inter", None, 1),
    *[("MPI_Barrier", "blocking", str(rank), None, "", None, 1) for rank in range(3)],
    ("MPI_Allreduce", "nonblocking", WORLD, None, "MPI_SUM", {"block": 4}, 1),
    ("MPI_Barrier", "nonblocking", WORLD, None, "", None, 1),
    ("MPI_Allreduce", "persistent", WORLD, None, "MPI_MIN", {"block": 4}, 1),
    ("MPI_Bcast", "blocking", WORLD, 1, "", {"block": 12}, 1),
    ("MPI_Neighbor_allgather", "blocking", WORLD, None, "", None, 1),
], key=str)


def known(recording):
    """Returns the exact members of a recording."""
    found = []
    for problem in recording["problems"]:
        op = problem.get("op", "")
        words = [op if isinstance(op, str) else "user",
                 *[word for word in ("in_place", "inter") if word in problem]]
        found.append((problem["collective"], problem["mode"],
                      recording["groups"][problem["group"]]["ranks"], problem.get("root"),
                      " ".join(filter(None, words)), problem.get("bytes"), problem["calls"]))
    return sorted(found, key=str)


class Recorder(ProgramTest):
    def record(self, *words, ranks=3, options=(), shell=(), **how):
        return self.launch(ranks, *shell, MPIAUDIT, "record", *options, "--", *words, **how)

    def recording(self, name="problems.json"):
        return self.read_valid(name, "problems")

    def test_all_calls_and_nothing_else(self):
        # The collectives of MPI-IO are the library's own.
        self.record(CALLS, "finalize", str(self.folder / "file"))
        self.assertEqual([each.name for each in self.folder.glob("problems*")], ["problems.json"])
        recording = self.recording()
        self.assertEqual(known(recording), EXPECTED)
        self.assertEqual((recording["ranks"], recording["lost"]["calls"]), (3, 0))
        # Three duplicates, a ring and the original.
        self.assertEqual(recording["groups"][0],
                         {"ranks": WORLD, "size": 3, "communicators": 5})
        for problem in recording["problems"]:
            seconds = problem["seconds"]
            self.assertGreaterEqual(seconds["sum"], seconds["max_rank"])
            self.assertGreaterEqual(seconds["max_rank"], seconds["min_rank"])
            self.assertNotIn("waiting", seconds)
        # Only the root knows the sizes, so the time of the other ranks belongs to the root.
        [gatherv] = [each for each in recording["problems"] if each["collective"] == "MPI_Gatherv"]
        self.assertGreater(gatherv["seconds"]["sum"], gatherv["seconds"]["root"])

    def test_each_call_belongs_to_a_function_and_to_a_place(self):
        self.record(CALLS, "finalize", str(self.folder / "file"))
        recording = self.recording()
        shares = recording["shares"]
        [whole] = [each for each in shares if "function" not in each]
        functions = [each for each in shares if "function" in each and "object" not in each]
        places = [each for each in shares if "object" in each]
        ranks = {WORLD: 3, EVEN: 2}
        calls = sum(ranks.get(each[2], 1) * each[6] for each in EXPECTED)
        for parts in ([whole], functions, places):
            self.assertEqual(sum(each["calls"] for each in parts), calls)
            self.assertAlmostEqual(sum(each["sum"] for each in parts),
                                   sum(each["seconds"]["sum"] for each in recording["problems"]), 6)
        self.assertEqual(whole["ranks"], 3)
        self.assertEqual({each["function"] for each in functions},
                         {each["function"] for each in places})
        self.assertIn("MPI_Iallreduce", {each["function"] for each in functions})
        self.assertEqual({each["object"] for each in places}, {str(Path(CALLS).resolve())})
        # Three of them in a loop: one place.
        self.assertIn(9, [each["calls"] for each in places if each["function"] == "MPI_Allreduce"])
        for share in shares:
            self.assertGreaterEqual(share["max_rank"], share["min_rank"])
            self.assertEqual("least_on" in share, share["ranks"] == 3)

    def test_fortran(self):
        if not FORTRAN:
            self.skipTest("no mpifort")
        for program in FORTRAN:
            with self.subTest(Path(program).name):
                self.record(program, ranks=2, options=["--overwrite"])
                self.assertEqual(known(self.recording()), [
                    ("MPI_Allreduce", "blocking", "0-1", None, "MPI_SUM in_place", {"block": 4}, 1),
                    ("MPI_Barrier", "blocking", "0-1", None, "", None, 2),
                    ("MPI_Bcast", "blocking", "0-1", 0, "", {"block": 4}, 1)])

    def test_a_file_after_abort_and_exit(self):
        self.record(CALLS, "abort", ranks=2, code=None)
        recording = self.recording("problems.json.rank-0")
        self.assertEqual(recording["part"], {"rank": 0, "reason": "MPI_Abort"})
        (self.folder / "problems.json.rank-0").unlink()
        # A launcher may kill the other ranks when the first one has gone.
        self.record(CALLS, "exit", ranks=2, shell=["sh", "-c", '"$@"; sleep 1', "-"], code=None)
        for rank in (0, 1):
            recording = self.recording(f"problems.json.rank-{rank}")
            self.assertEqual(recording["part"],
                             {"rank": rank, "reason": "exit without MPI_Finalize"})
            self.assertIn("MPI_Allgatherv", [each["collective"] for each in recording["problems"]])
        self.assertFalse((self.folder / "problems.json").exists())

    def test_no_file_of_an_earlier_run_stays(self):
        for name in ("problems.json", "problems.json.rank-7", "problems-2.json"):
            self.write(name, "of an earlier run")
            self.assertIn(f"{name} is there already", self.record(CALLS, code=None).stderr)
            (self.folder / name).unlink()
        earlier = ("problems.json", "problems.json.rank-0", "problems.json.rank-7", "problems-2.json")
        for how, files in (("exit", 2), ("quit", 0)):
            with self.subTest(how):
                for name in earlier:
                    self.write(name, "of an earlier run")
                self.write("problems-mine.json", "of the user")
                done = self.record(CALLS, how, ranks=2, options=["--overwrite"],
                                   shell=["sh", "-c", '"$@"; sleep 1', "-"], code=None)
                found = sorted(each.name for each in self.folder.glob("problems*"))
                self.assertEqual(found, ["problems-mine.json", *(f"problems.json.rank-{rank}"
                                                                 for rank in range(files))])
                if files:
                    self.assertIn("was not written; each rank has written its own calls", done.stderr)

    def test_only_the_program_that_is_asked_for_is_recorded(self):
        """A child program, a second program of the same script, and programs of MPI_Comm_spawn."""
        exports = "".join(f"export {name}='{value}'\n" for name, value in LAUNCHERS.items())
        self.write("alone", "for v in $(env | cut -d= -f1 | grep -E '^(OMPI_|PMI|PRTE_)'); do unset $v\n"
                   f"done\n{exports}exec {CALLS} finalize child-file\n")
        done = self.record(CALLS, "child", "sh alone", ranks=2)
        self.assertEqual(self.recording()["ranks"], 2)
        self.assertIn("was started by a program that is recorded, and is not recorded", done.stderr)
        self.assertEqual(done.stderr.count("problems in"), 1)
        self.write("both", f"{CALLS} finalize file && exec sh alone")
        done = self.record("sh", "both", ranks=1, options=["--overwrite"])
        self.assertRegex(done.stderr, r"problems in .*/problems-2.json, "
                                      r"since .*/problems.json belongs to another program")
        self.assertEqual(known(self.recording("problems-2.json")), known(self.recording()))
        done = self.record(CALLS, "spawn", ranks=1, options=["--overwrite"], code=None,
                           environment={"LD_PRELOAD": ""})
        if done.returncode == 0:  # else the launcher cannot start more processes here
            self.assertEqual(self.recording()["ranks"], 1)
            self.assertEqual(done.stderr.count("problems in"), 1)

    def test_a_recording_that_cannot_be_written_is_an_error(self):
        done = self.record(CALLS, ranks=1, options=["--output", "/proc/x"], code=2)
        self.assertIn("--output: nothing can be written into /proc/x", done.stderr)
        # The folder goes while the application runs.
        self.write("remove", f"rm -r there; exec {CALLS} finalize file")
        done = self.record("sh", "remove", ranks=1, options=["--output", "there"], code=74)
        self.assertRegex(done.stderr, "record: .*there/problems.json.* cannot be written")
        self.assertNotIn("problems in", done.stderr)

    def test_a_tool_inside_the_program_is_named(self):
        self.write("tool.c", "#include <mpi.h>\n"
                   "int MPI_Allreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c)\n{"
                   "    return PMPI_Allreduce(s, r, n, t, o, c);\n}\n")
        self.run_here(os.environ["MPI_COMPILER"], "-o", "with-tool", SOURCE, "tool.c")
        self.run_here(os.environ["MPI_COMPILER"], "-no-pie", "-fno-pie", "-o", "without-tool", SOURCE)
        done = self.record("./with-tool", "finalize", "file", ranks=1, code=2)
        self.assertIn("record: the program itself defines MPI_Allreduce, as a tool", done.stderr)
        self.record("./without-tool", "finalize", "file", ranks=1)
        # A tool that is preloaded sees the calls, too.
        self.run_here(os.environ["MPI_COMPILER"], "-shared", "-fPIC", "-o", "tool.so", "tool.c")
        self.record(CALLS, "finalize", "file", ranks=1, options=["--overwrite"],
                    environment={"LD_PRELOAD": f"{self.folder}/tool.so"})
        self.assertIn("MPI_Allreduce", [each["collective"] for each in self.recording()["problems"]])

    def test_addresses_of_buffers_are_compared(self):
        self.record(CALLS, "buffers", ranks=2)
        problems = [each for each in self.recording()["problems"] if "block" in each.get("bytes", {})]
        found = {each["collective"]: each["buffers"] for each in problems
                 if each["bytes"]["block"] == 4 << 17}
        # Each rank makes 50 calls: at once with the same buffers, after work on them, and on 10 buffers in
        # turns.
        self.assertEqual(found["MPI_Allreduce"]["calls"], 100)
        self.assertEqual(found["MPI_Allreduce"]["same"], 98)
        # A slow machine cannot exclude that the program has passed through 512 KiB in the meantime.
        self.assertLessEqual(found["MPI_Allreduce"]["untouched"], 98)
        self.assertEqual((found["MPI_Bcast"]["same"], found["MPI_Bcast"]["untouched"]), (98, 0))
        self.assertEqual((found["MPI_Allgather"]["same"], found["MPI_Allgather"]["untouched"]), (0, 0))
        vast = [each["buffers"] for each in problems if each["bytes"]["block"] == 8 * (2**31 - 1)]
        self.assertEqual([each["same"] for each in vast], [49, 49])
        for each in vast:
            self.assertGreater(each["untouched"], 0)

    def test_calls_without_room_are_counted(self):
        done = self.record(CALLS, options=["--problems", "4"])
        self.assertRegex(done.stderr, r"[0-9]+ problems in .*; \d+ calls of ranks are LOST, as there")
        recording = self.recording()
        calls = sum(each["calls"] * recording["groups"][each["group"]]["size"]
                    for each in recording["problems"])
        ranks = {WORLD: 3, EVEN: 2}
        self.assertEqual(calls + recording["lost"]["calls"],
                         sum(ranks.get(each[2], 1) * each[6] for each in EXPECTED))
        self.assertGreater(recording["lost"]["calls"], 0)

    def test_synchronised(self):
        self.record(CALLS, options=["--synchronise", "--output", "other.json"])
        recording = self.recording("other.json")
        # Our own barriers are not recorded.
        self.assertEqual(known(recording), EXPECTED)
        self.assertTrue(all("waiting" in each["seconds"] for each in recording["problems"]))

    def test_threads_lose_nothing(self):
        if self.record(os.environ["RECORDED_THREADS"], ranks=1, code=(0, 77)).returncode == 77:
            self.skipTest("the library has no MPI_THREAD_MULTIPLE")
        recording = self.recording()
        self.assertEqual(recording["threads"], "multiple")
        # 4 threads, each 50000 times on duplicates of its own that come and go. One rank, as threads of
        # several would mostly wait.
        self.assertEqual(known(recording), [
            ("MPI_Allreduce", "blocking", "0", None, "MPI_SUM", {"block": 4}, 200000),
            ("MPI_Bcast", "blocking", "0", 0, "", {"block": 4}, 200000)])

    def refused(self, *words, code=2):
        return self.expect_code(code, "record", *words).stderr

    def test_sentences_instead_of_crashes(self):
        self.assertIn("uses " + str(Path(os.environ["FOREIGN_PROGRAM"]).parent),
                      self.refused("--", os.environ["FOREIGN_PROGRAM"]))
        self.assertIn("no call of MPI was seen",
                      self.refused("--", sys.executable, "-c", "", code=0))
        self.assertIn("cannot be started", self.refused("--", "./missing"))
        self.assertIn("-- APPLICATION", self.refused())
        self.assertIn("did you mean --output", self.refused("--otput", "x", "--", "./missing"))
        self.write("problems.json", "mine")
        self.assertIn("--overwrite", self.refused("--", CALLS))
        self.assertEqual(self.read("problems.json"), "mine")

    def test_functions_that_the_library_lacks_seem_missing(self):
        # Wrappers exist for all functions, and mpiaudit looks for functions by name.
        verify = [MPIAUDIT, "verify", "--collectives", "bcast", "--distributions", "same",
                  "--block-sizes", "2"]
        of_itself = self.launch(2, *verify).stdout
        self.assertEqual(self.record(*verify, ranks=2).stdout, of_itself)
        self.assertTrue(self.recording()["problems"])

    def test_results_stay_as_they_are(self):
        verify = [MPIAUDIT, "verify", "--distributions", "spikes", "--block-sizes", "3"]
        alone, recorded = self.launch(3, *verify, code=None), self.record(*verify, code=None)
        self.assertEqual((recorded.returncode, recorded.stdout), (alone.returncode, alone.stdout))

    def with_a_decimal_comma(self):
        """Returns an environment with a decimal comma, if such a locale can be made."""
        made = self.run_here("localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8", code=None)
        return {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(self.folder)} if made.returncode == 0 else {}

    def test_an_adversary_gets_what_it_gets_alone(self):
        communicators = "200" if IS_SLOW else "2000"
        self.launch(2, ADVERSARY, "alone", communicators)
        done = self.record("sh", "-c", "mkdir -p below && cd below && "
                           f"exec {ADVERSARY} ../recorded {communicators}", ranks=2,
                           environment=self.with_a_decimal_comma())
        for rank in range(2):
            self.assertEqual(self.read(f"recorded.{rank}"), self.read(f"alone.{rank}"))
        if not IS_SLOW:  # with sanitizers freed memory stays for a while
            self.assertLess(int(done.stdout), 512)
        # New communicators may have the handles of communicators that were used while they were deleted.
        recording = self.recording()
        for group, each in enumerate(recording["groups"]):
            if each["size"] == 1:
                of_half = {problem["collective"]: problem["calls"] for problem in recording["problems"]
                           if problem["group"] == group}
                # There are three times four rounds; calls that MPI makes in MPI_Finalize are left alone.
                self.assertEqual(of_half, {"MPI_Allreduce": 12, "MPI_Allgather": 12, "MPI_Bcast": 12})

    def test_a_path_that_cannot_be_preloaded_is_refused(self):
        (self.folder / "a b").mkdir()
        for file in (MPIAUDIT, Path(MPIAUDIT).parent / "libmpiaudit-record.so"):
            shutil.copy(file, self.folder / "a b")
        done = self.run_here("a b/mpiaudit", "record", "--", "true", code=2)
        self.assertIn("takes no path with a blank or colon; install mpiaudit elsewhere", done.stderr)

    def test_static_programs_are_refused(self):
        self.write("a.c", "int main(void) { return 0; }")
        if self.run_here("cc", "-static", "-o", "a", "a.c", code=None).returncode != 0:
            self.skipTest("no static C library")
        self.assertIn("linked statically", self.refused("--", "./a"))


main()
