# SPDX-License-Identifier: BSD-3-Clause
"""Buffers in the memory of a device, which an imitation stands for: see imitation.cpp. The tests
device.verify verify all collectives.
"""

import os
import re
import signal
import sys
from pathlib import Path

from folder import ROOT
from program import LAUNCH, MPIAUDIT, ProgramTest, main

PROBLEM = ["--distributions", "same", "--block-sizes", "10"]
AUDIT = ["run", *PROBLEM, "--guidelines", "irregular", "--collectives", "gatherv", "--max-rounds", "8",
         "--output", "out"]


def words_of(text):
    """One line, whatever the screen has folded."""
    return " ".join(text.split())


# Reads memory of the device, first through a copy and then without one.
STRAY_READ = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
address = ctypes.c_void_p()
library.cudaMalloc(ctypes.byref(address), ctypes.c_size_t(8))
copy = ctypes.create_string_buffer(8)
print(library.cudaMemcpy(copy, address, ctypes.c_size_t(8), 4), flush=True)
ctypes.string_at(address, 8)
print("survived")
"""


class Devices(ProgramTest):
    def on_device(self, *arguments, kind="cuda", ranks=2, code=0, fault=None, is_silent=False,
                  library="libdevice_imitation.so", **environment):
        """Runs the program with the imitation, and not its launcher. Returns what the program printed.
        is_silent: the library has no function that tells whether it supports such buffers. library: the
        name under which the imitation is loaded."""
        preload = os.environ["SILENT_PRELOAD" if is_silent else "DEVICE_PRELOAD"]
        preload = preload.replace("libdevice_imitation.so", library)
        if fault:
            preload += ":" + os.environ["FAULTY_MPI"]
            environment["FAULT"] = fault
        done = self.run_here(*LAUNCH, str(ranks), *os.environ["WITH_DEVICE"].split(), f"LD_PRELOAD={preload}",
                             *(f"{name}={value}" for name, value in environment.items()),
                             MPIAUDIT, *arguments, "--memory-kind", kind, code=code)
        return words_of(done.stdout + done.stderr)

    def test_imitation(self):
        """Code that touches the memory of the device itself crashes."""
        library = os.environ["DEVICE_PRELOAD"].split(":", maxsplit=1)[0]
        done = self.run_here(sys.executable, "-c", STRAY_READ, library, code=-signal.SIGSEGV)
        self.assertEqual(done.stdout, "0\n")

    def test_audit(self):
        """An audit measures on the device, and says so."""
        printed = self.on_device(*AUDIT, code=(0, 5))
        self.assertIn("send buffers are in cuda memory and receive buffers in cuda memory", printed)
        report = self.valid_report()
        self.assertEqual(report["options"]["memory-kind"], "cuda")
        self.assertEqual(report["options"]["buffers"], "same")
        ways = report["problems"][0]["contestants"]
        self.assertIn("MPI_Gatherv(m)", {way["name"] for way in ways if "statistics" in way})

    def ways_on_device(self, *arguments, **how):
        """Runs an audit of few rounds. Returns the contestants of its problem by their names."""
        self.on_device("run", *PROBLEM, "--max-rounds", "4", "--output", "out", "--overwrite", *arguments,
                       code=(0, 5), **how)
        ways = self.valid_report()["problems"][0]["contestants"]
        # Ways between other layouts have equal names.
        return {way["name"]: way for way in sorted(ways, key=lambda way: "statistics" in way)}

    def places_seen(self, ways, *arguments, **how):
        """Verifies ways with large blocks. Returns which functions got large buffers in which memory."""
        file = Path(self.folder, "seen")
        file.unlink(missing_ok=True)
        self.on_device("verify", "--block-sizes", "2000", "--collectives", ways, *arguments,
                       IMITATED_SEEN=str(file), **how)
        return set(file.read_text(encoding="utf-8").splitlines())

    def test_places(self):
        """[staged] calls the library on the host, [on the device] in the device's own memory."""
        for way, kind, seen in (("[staged]", "cuda", "host"), ("[staged]", "host,cuda", "host"),
                                ("[on the device]", "cuda,host", "device"), ("", "cuda", "device")):
            with self.subTest(way, kind=kind):
                found = self.places_seen(f"MPI_Allgather{way}", "--distributions", "same", kind=kind)
                self.assertEqual(found, {f"MPI_Allgather {seen}"})

    def test_staging(self):
        """A call on the device is compared with copies to the host, the call there, and copies back."""
        for kind in ("cuda", "host,cuda"):
            with self.subTest(kind):
                ways = self.ways_on_device("--guidelines", "device", kind=kind)
                for operation in ("Bcast", "Allreduce", "Gatherv", "Alltoallv", "Exscan"):
                    self.assertIn("statistics", ways[f"MPI_{operation}[staged](m)"])

    def test_copies_to_the_device(self):
        """Managed buffers, and a side on the host, are compared with copies to the device's own memory."""
        chosen = ["--guidelines", "device", "--collectives", "bcast,gatherv"]
        for kind in ("managed", "cuda,host", "managed,cuda"):
            with self.subTest(kind):
                ways = self.ways_on_device(*chosen, kind=kind)
                for operation in ("Bcast", "Gatherv"):
                    self.assertIn("statistics", ways[f"MPI_{operation}[on the device](m)"])
        ways = self.ways_on_device(*chosen, kind="cuda")
        self.assertEqual(ways["MPI_Bcast[on the device](m)"]["skipped"], "MPI_Bcast[on the device]: both "
                         "buffers are in the device's own memory (see --memory-kind)")

    def test_packing_on_the_device(self):
        """Elements with gaps are compared with packing by copies of the device."""
        for element in ("vector", "struct"):
            with self.subTest(element):
                seen = Path(self.folder, f"seen-{element}")
                ways = self.ways_on_device("--guidelines", "device", "--collectives", "gatherv",
                                           "--element", element, IMITATED_SEEN=str(seen))
                packed = "MPI_Pack[on the device](m) + MPI_Gatherv(m) + MPI_Unpack[on the device](m)"
                self.assertIn("statistics", ways[packed])
                self.assertIn("Memcpy2D device", seen.read_text(encoding="utf-8"))

    def test_new_buffers(self):
        """The first call on buffers of a device is compared with calls on known buffers."""
        ways = self.ways_on_device("--guidelines", "calls", "--collectives", "bcast")
        for way in ("new buffers", "beside new buffers"):
            self.assertIn("statistics", ways[f"MPI_Bcast[{way}](m)"])

    def test_reductions_of_mpiaudit_are_staged(self):
        """The library reduces on the device, mpiaudit on copies, and the report says so."""
        ways = self.ways_on_device("--guidelines", "all", "--collectives", "MPI_Reduce,MPI_Scan")
        for way in ("MPI_Reduce(m)", "binomial_Reduce(m)", "MPI_Exscan(m) + MPI_Reduce_local(m)"):
            self.assertIn("statistics", ways[way])
        report = self.valid_report()
        summary = {each["name"]: each["summary"] for each in report["implementations"]}
        said = ", on copies of its buffers on the host"
        self.assertIn(said, summary["binomial_Reduce"])
        self.assertNotIn(said, summary["MPI_Reduce"])
        self.assertIn("algorithms of mpiaudit that reduce work on copies on the host, and their times "
                      "include the copies", " ".join(report["warnings"]))

    def test_functions_of_mpiaudit(self):
        """An operator of mpiaudit runs on the host: only for reductions that work on copies."""
        printed = self.on_device("verify", *PROBLEM, "--collectives", "MPI_Reduce", "--op", "user-sum")
        self.assertIn(" 0 runs verified, 0 wrong", printed)
        printed = self.on_device("verify", *PROBLEM, "--collectives", "binomial_Reduce", "--op", "user-sum")
        self.assertIn(" 1 runs verified, 0 wrong", printed)

    def test_temporary_memory(self):
        """Algorithms that only move data have all blocks on the device, also blocks that they forward."""
        names = self.run_here(MPIAUDIT, "list", "collectives").stdout
        moving = re.findall(r"^  (?!MPI_)(\w+_(?:Gather|Scatter|Allgather|Alltoall)\w*)$", names, re.M)
        seen = self.places_seen(",".join(moving), "--distributions", "same", "--node-size", "2", ranks=4)
        self.assertEqual(seen, {f"MPI_{each} device" for each in (
            "Send", "Recv", "Isend", "Irecv", "Sendrecv", "Pack", "Unpack", "Send_init", "Recv_init")})

    def test_writes_outside_of_blocks(self):
        """Bytes around buffers are checked by copies."""
        for far, said in (("0", "behind the end"), ("-4096", "before the start")):
            with self.subTest(far):
                printed = self.on_device("verify", *PROBLEM, "--collectives", "MPI_Gatherv", code=3,
                                         fault="outside", FAULT_HOW="write", FAULT_BYTES=far)
                self.assertRegex(printed, rf"WRONG MPI_Gatherv\b.*rank 1: wrote {said} of a buffer")

    def test_library_without_support(self):
        """One sentence from one rank, and no crash."""
        for arguments in (["verify", *PROBLEM], AUDIT):
            printed = self.on_device(*arguments, code=2, IMITATED_SUPPORT="0")
            self.assertRegex(printed, r"--memory-kind cuda: .+ does not support such buffers: "
                             r"MPIX_Query_cuda_support\(\) returns 0; use a library that is built with "
                             r"support for the device, or give --memory-kind host")
            self.assertEqual(printed.count("does not support"), 1)

    def test_library_without_support_that_claims_it(self):
        """A trial message crashes in place of the audit."""
        for arguments in (["verify", *PROBLEM], AUDIT):
            printed = self.on_device(*arguments, code=2, IMITATED_ACCESS="0")
            self.assertRegex(printed, r"--memory-kind cuda: .+ does not support such buffers: a trial "
                             r"message between such buffers, in a job of one rank, ends the job (by|with)")
            self.assertEqual(printed.count("does not support"), 1)
            self.assertNotIn("SIGSEGV", printed)

    def test_wrong_trial_message(self):
        printed = self.on_device("verify", *PROBLEM, "--collectives", "MPI_Bcast", code=2, IMITATED_WRONG="1")
        self.assertIn("does not support such buffers: a trial message between such buffers, in a job of one "
                      "rank, arrives with wrong contents", printed)

    def test_library_that_does_not_say(self):
        """A trial message tells whether the library supports such buffers."""
        few = ["verify", *PROBLEM, "--collectives", "MPI_Bcast"]
        printed = self.on_device(*few, kind="hip", is_silent=True, code=(0, 2))
        if "MPIX_Query_hip_support() returns 0" in printed:
            self.skipTest("this library always says")
        self.assertIn(" 0 wrong", printed)
        self.assertNotIn("does not say", printed)
        printed = self.on_device(*few, code=2, kind="hip", is_silent=True, IMITATED_ACCESS="0")
        self.assertIn("--memory-kind hip", printed)
        self.assertIn("a trial message", printed)

    def test_variable_of_library(self):
        """A control variable counts if the library has no function that says."""
        few = ["verify", *PROBLEM, "--collectives", "MPI_Bcast"]
        printed = self.on_device(*few, kind="hip", is_silent=True, code=(0, 2),
                                 IMITATED_VARIABLE="opal_built_with_rocm_support")
        if "MPIX_Query_hip_support() returns 0" in printed:
            self.skipTest("this library always says")
        self.assertIn("does not support such buffers: the variable opal_built_with_rocm_support is 0",
                      printed)

    def test_kinds_of_library(self):
        """The key of MPI 4.1 counts before the queries of single libraries."""
        few = ["verify", *PROBLEM, "--collectives", "MPI_Bcast"]
        for kinds, code in (("mpi,system,cuda:device", 0), ("mpi,system", 2)):
            self.on_device(*few, code=code, IMITATED_SUPPORT="0", IMITATED_KINDS=kinds)
        self.on_device(*few, IMITATED_SUPPORT="0", IMITATED_KINDS="rocm:device", kind="hip")

    def recorded_kinds(self, kind):
        """Records a verification. Returns the operations and values of --memory-kind in the recording."""
        # The recorder knows the driver's library by its name.
        self.on_device("record", "--output", "recorded", "--overwrite", "--", MPIAUDIT, "verify", *PROBLEM,
                       "--collectives", "MPI_Bcast,MPI_Gatherv,MPI_Allreduce", kind=kind,
                       library="libcuda.so.1")
        recording = self.read_valid("recorded/problems.json", "problems")
        # mpiaudit itself calls some of the operations, on the host.
        return {(each["collective"], each["buffers"].get("memory")) for each in recording["problems"]
                if each["mode"] == "blocking"}

    def test_recorded_buffers(self):
        """A recording notes where the buffers of an application live; an audit of the recording says so."""
        kinds = self.recorded_kinds("cuda")
        for operation in ("MPI_Bcast", "MPI_Gatherv", "MPI_Allreduce"):
            self.assertIn((operation, "cuda"), kinds)
        shown = self.run_here(sys.executable, "-B", "-m", "analysis", "problems", "recorded",
                              environment={"PYTHONPATH": str(ROOT)}).stdout
        self.assertIn("cuda memory", shown)
        audit = ["run", "--problems", "recorded", "--max-rounds", "2", "--overwrite", "--output", "out"]
        said = "the application has its buffers in cuda memory"
        self.assertIn(f"{said} and the audit has buffers in the memory of the host; give --memory-kind cuda",
                      self.on_device(*audit, kind="host", code=(0, 5)))
        self.assertNotIn(said, self.on_device(*audit, kind="cuda", code=(0, 5)))

    def test_recorded_sides(self):
        """The kinds of both sides are noted, and nothing for buffers on the host."""
        self.assertIn(("MPI_Gatherv", "cuda,host"), self.recorded_kinds("cuda,host"))
        kinds = self.recorded_kinds("host")
        self.assertIn(("MPI_Gatherv", None), kinds)
        self.assertEqual({kind for _, kind in kinds}, {None})

    def test_without_device(self):
        printed = self.on_device("verify", *PROBLEM, code=2, IMITATED_DEVICES="0")
        self.assertIn("--memory-kind cuda: libcudart.so.13 finds no device (no device is detected); start "
                      "the ranks on a node with a device, or give --memory-kind host", printed)

    def test_without_library_of_vendor(self):
        printed = self.on_device("verify", *PROBLEM, code=2, LD_LIBRARY_PATH="")
        if "finds no device" not in printed:  # on a machine with the library of the vendor
            self.assertRegex(printed, "--memory-kind cuda: none of the libraries libcudart.so.13, .* can be "
                             "loaded; install CUDA, or put the folder of the library into LD_LIBRARY_PATH, "
                             "or give --memory-kind host")

    def test_contradictions(self):
        """Options about the host are refused before MPI starts."""
        for kind, more, said in (
                ("gpu", [], "'gpu' is no memory kind; give host, cuda, managed or hip"),
                ("cuda,hip", [], "'cuda,hip' names devices of two vendors"),
                ("cuda", ["--buffers", "cold"], "'cold' is about the caches of the host; with --memory-kind "
                                                "cuda give same or rotate"),
                ("cuda", ["--check-calls", "5s"], "generated calls have buffers on the host; leave out "
                                                  "--check-calls or --memory-kind cuda")):
            with self.subTest(said):
                done = self.expect_code(2, *AUDIT, "--memory-kind", kind, *more)
                self.assertIn(said, words_of(done.stderr))


main()
