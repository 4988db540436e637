# SPDX-License-Identifier: BSD-3-Clause
"""Buffers in the memory of a device, which an imitation stands for: see imitation.cpp. The tests
device.verify verify all collectives.
"""

import os
import signal
import sys

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
    def on_device(self, *arguments, kind="cuda", ranks=2, code=0, fault=None, **environment):
        """Runs the program with the imitation, and not its launcher. Returns what the program printed."""
        preload = os.environ["DEVICE_PRELOAD"]
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

    def test_staging(self):
        """A call on the device is compared with copies to the host, the call there, and copies back."""
        for kind in ("cuda", "host,cuda"):
            with self.subTest(kind):
                self.on_device("run", *PROBLEM, "--guidelines", "device", "--max-rounds", "4",
                               "--output", "out", "--overwrite", kind=kind, code=(0, 5))
                ways = {way["name"]: way for way in self.valid_report()["problems"][0]["contestants"]}
                for operation in ("Bcast", "Allreduce", "Gatherv", "Alltoallv", "Exscan"):
                    self.assertIn("statistics", ways[f"MPI_{operation}[staged](m)"])

    def test_reductions_of_mpiaudit_are_left_out(self):
        """The library reduces on the device; what mpiaudit computes itself is skipped with the reason."""
        self.on_device("run", *PROBLEM, "--guidelines", "all", "--collectives", "MPI_Reduce",
                       "--max-rounds", "4", "--output", "out", code=(0, 5))
        ways = {way["name"]: way for way in self.valid_report()["problems"][0]["contestants"]}
        self.assertIn("statistics", ways["MPI_Reduce(m)"])
        self.assertEqual(ways["binomial_Reduce(m)"]["skipped"],
                         "binomial_Reduce: mpiaudit computes or allocates on the host (see --memory-kind)")

    def test_functions_of_mpiaudit(self):
        printed = self.on_device("verify", *PROBLEM, "--collectives", "MPI_Reduce", "--op", "user-sum")
        self.assertIn(" 0 runs verified, 0 wrong", printed)

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

    def test_kinds_of_library(self):
        """The key of MPI 4.1 counts before the queries of single libraries."""
        few = ["verify", *PROBLEM, "--collectives", "MPI_Bcast"]
        for kinds, code in (("mpi,system,cuda:device", 0), ("mpi,system", 2)):
            self.on_device(*few, code=code, IMITATED_SUPPORT="0", IMITATED_KINDS=kinds)
        self.on_device(*few, IMITATED_SUPPORT="0", IMITATED_KINDS="rocm:device", kind="hip")

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
                ("cuda", ["--time", "5s"], "generated calls have buffers on the host; leave out --time or "
                                           "--memory-kind cuda")):
            with self.subTest(said):
                done = self.expect_code(2, *AUDIT, "--memory-kind", kind, *more)
                self.assertIn(said, words_of(done.stderr))


main()
