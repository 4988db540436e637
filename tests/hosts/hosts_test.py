# SPDX-License-Identifier: BSD-3-Clause
"""Audits over several hosts, made of namespaces: what a cluster does that one host does not. Asserts
hosts, errors of clocks, results, and that nothing is lost; never times.

MPIAUDIT_BUILD: the build folder, of Open MPI. Ends with 77 and the reason where there can be no hosts.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from launch import environment, mpich, open_mpi
from namespaces import Hosts, obstacle

from folder import DONE, GUARD_S, ROOT, FolderTest

BUILD = Path(os.environ.get("MPIAUDIT_BUILD", ROOT / "build/release-openmpi")).resolve()
MPIAUDIT = str(BUILD / "mpiaudit")
MPICH_BUILD = Path(os.environ.get("MPIAUDIT_MPICH_BUILD", ROOT / "build/checked-mpich")).resolve()
SKIPPED = 77
# These tests wait for seconds, and depend on the network's timers.
LONG_TOO = unittest.skipUnless(os.environ.get("HOSTS_LINKS", "1") == "1", "with --all or --stage hosts")
SHIFT_S = 1000
# An audit that takes a moment, and one that is disturbed on its way.
QUICK = ["--bind", "none", "--guidelines", "irregular", "--distributions", "same,random",
         "--block-sizes", "1,10", "--max-rounds", "8"]
LONG = ["--bind", "none", "--guidelines", "irregular", "--collectives", "gather,scatter", "--distributions",
        "same,random,spikes,decreasing", "--block-sizes", "1,10,100", "--max-rounds", "300"]
# A statement whose right side is always faster, also on a machine whose time slices are longer than a call,
# so that a second launch finds that, too.
VIOLATED = {"title": "planted", "guidelines": [
    {"id": "planted", "statement": " + ".join(8 * ["MPI_Allgather(m)"]) + " <= MPI_Allgather(m)"}]}


class OnHosts(FolderTest):
    """All tests share these hosts; a test that disturbs a host repairs it."""

    hosts: Hosts
    program = MPIAUDIT

    def command(self, arguments, hosts, ranks_per_host, variables=()):
        return open_mpi(self.hosts, [self.program, *arguments], hosts, ranks_per_host, variables, self.folder)

    def start(self, *arguments, hosts, ranks_per_host=1):
        process = subprocess.Popen(  # pylint: disable=consider-using-with
            self.command(arguments, hosts, ranks_per_host), cwd=self.folder, env=environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def run_on(self, *arguments, hosts, ranks_per_host=1, codes=DONE, **variables):
        return self.run_here(*self.command(arguments, hosts, ranks_per_host, variables), code=codes,
                             environment=environment(**variables))

    def measured(self):
        return [problem["id"] for problem in self.problems()]

    def planned(self):
        return len(json.loads(self.sample_lines()[0])["planned"])

    def disturbed(self, *options):
        """An audit that has measured something."""
        # The audit may be over before this process runs again on a busy machine.
        for _ in range(3):
            audit = self.start("run", *LONG, *options, "--output", "out", "--overwrite", hosts=3)
            self.wait_until(lambda: len(self.measured()) >= 2 or audit.poll() is not None, "two problems")
            if audit.poll() is None:
                return audit
        self.fail(f"it has ended with {audit.returncode}: {audit.stdout.read()}")

    def end_what_is_left(self):
        for name in self.hosts.names:
            self.hosts.kill(name)

    def resume(self, kept):
        self.run_on("run", *LONG, "--output", "out", "--resume", hosts=3)
        whole = self.measured()
        self.assertEqual(whole[:len(kept)], kept)
        self.assertEqual(len(set(whole)), len(whole))
        self.assertEqual(len(whole), self.planned())
        self.assertTrue(self.report()["complete"])

    def kill_a_rank_and_resume(self):
        audit = self.disturbed()
        self.wait_until(lambda: self.hosts.kill("h3", self.program), "a rank on h3")
        audit.communicate(timeout=GUARD_S)
        self.assertNotIn(audit.returncode, DONE)
        self.end_what_is_left()
        kept = self.measured()
        self.assertGreaterEqual(len(kept), 2)
        self.resume(kept)

    def names_of(self, report):
        return [host["name"] for host in report["machine"]["hosts"]]


class Results(OnHosts):
    def test_all_results_are_right(self):
        done = self.run_on("verify", "--block-sizes", "3", "--distributions", "random", hosts=2,
                           ranks_per_host=2, codes=(0,))
        self.assertRegex(done.stdout, r"\b0 wrong")

    def test_clocks_of_hosts_are_brought_to_agree(self):
        for hosts, ranks in ((2, 2), (4, 1)):
            self.run_on("run", *QUICK, "--sync", "global", "--clock", "monotonic", "--output", "out",
                        "--overwrite", hosts=hosts, ranks_per_host=ranks)
            report = self.report()
            self.assertEqual(self.names_of(report), self.hosts.names[:hosts])
            self.assertEqual([host["ranks"] for host in report["machine"]["hosts"]],
                             [list(range(i * ranks, (i + 1) * ranks)) for i in range(hosts)])
            # The shift is 1000 s. An overloaded machine delays messages by some time slices.
            self.assertLess(report["clock"]["global"]["worst_error_s"], 0.05)
            self.assertEqual(report["summary"]["wrong"], 0)

    def test_a_barrier_replaces_a_clock_that_cannot_be_followed(self):
        # One problem of two operations; the audit has waited for every late start.
        self.run_on("run", "--bind", "none", "--guidelines", "irregular", "--only", "irregular-1",
                    "--distributions", "same", "--block-sizes", "10", "--max-rounds", "8", "--sync", "global",
                    "--clock", "monotonic", "--output", "out", hosts=2,
                    HOST_STEP="h2=3", LD_PRELOAD=str(BUILD / "tests/hosts/libhost_drift.so"))
        report = self.report()
        problems = report["problems"]
        self.assertEqual(len(problems), self.planned())
        self.assertEqual([problem["window"]["instead"] for problem in problems], ["barrier"] * len(problems))
        self.assertTrue(all(check["rounds"] > 0 for check in report["checks"] if "rounds" in check))
        self.assertTrue(any("rounds" in check for check in report["checks"]))
        said = (f"{len(problems)} of {len(problems)} problems were measured after a barrier (barrier) "
                "instead of in the window of the global clock")
        self.assertTrue(any(warning.startswith(said) for warning in report["warnings"]), report["warnings"])
        self.assertEqual(report["summary"]["wrong"], 0)


class Networks(OnHosts):
    def test_links_are_probed_and_schedules_follow_them(self):
        self.run_on("probe", "--rounds", "2", "--bytes", "1,1Ki", "--largest", "256Ki", "--output",
                    "net.json", hosts=4, codes=(0,))
        self.assertEqual(json.loads(self.read("net.json"))["hosts"], self.hosts.names)
        done = self.run_on("verify", "--network", "./net.json", "--block-sizes", "3", "--collectives",
                           "allgather,allgatherv", hosts=4, codes=(0,))
        self.assertRegex(done.stdout, r"\b0 wrong")
        self.run_on("run", "--bind", "none", "--guidelines", "grid", "--network", "./net.json",
                    "--distributions", "same", "--block-sizes", "10", "--max-rounds", "8", "--output", "out",
                    hosts=4)
        report = self.report()
        self.assertEqual(report["summary"]["wrong"], 0)
        self.assertEqual(self.names_of(report), self.hosts.names)


class Files(OnHosts):
    def test_only_the_first_host_needs_them_also_to_go_on_and_to_confirm(self):
        others = self.hosts.names[1:2]
        self.write("planted.json", VIOLATED)
        # A file, which a rank would read below a folder that is empty.
        hidden = [self.folder, *(ROOT / each for each in ("guidelines", "distributions", "networks"))]
        for folder in hidden:
            self.hosts.hide(folder, others)
            self.addCleanup(self.hosts.show, folder, others)
        arguments = ["run", "--bind", "none", "--guidelines", "./planted.json", "--distributions", "same",
                     "--block-sizes", "1,10,100", "--max-rounds", "200", "--output", "out"]
        self.run_on(*arguments, hosts=2, codes=(0, 1, 5))
        whole = self.measured()
        self.assertEqual(len(whole), 3)
        # Leaves the files of an audit that was killed.
        self.write("out/samples.jsonl", b"".join(self.sample_lines()[:2]).decode())
        self.run_on(*arguments, "--resume", hosts=2, codes=(0, 1, 5))
        self.assertEqual(self.measured(), whole)
        self.assertGreater(self.report()["summary"]["violated"], 0)
        self.run_on("run", "--confirm", "out", "--output", "again", hosts=2, codes=(0, 1, 5))
        report = self.report("again")
        self.assertEqual(self.names_of(report), self.hosts.names[:2])
        self.assertTrue(report["confirms"]["suspects"])


class Disturbances(OnHosts):
    """Audits on three hosts, of which the third is disturbed."""

    def test_a_rank_that_is_killed(self):
        self.kill_a_rank_and_resume()

    @LONG_TOO
    def test_a_link_that_comes_back(self):
        audit = self.disturbed()
        self.hosts.set_link("h3", "down")
        time.sleep(2)
        self.hosts.set_link("h3", "up")
        output, _ = audit.communicate(timeout=GUARD_S)
        self.assertIn(audit.returncode, DONE, output)
        self.assertEqual(len(self.measured()), self.planned())

    def ranks(self, *names):
        return [command for name in names for command in self.hosts.processes(name).values()
                if command.startswith(self.program)]

    def end_launcher(self, audit):
        """The launcher's daemon on the dead host cannot report to the launcher."""
        audit.kill()
        self.end_what_is_left()
        audit.communicate(timeout=GUARD_S)

    def require_report_of(self, kept):
        report = self.report()
        self.assertCountEqual([problem["id"] for problem in report["problems"]], kept)
        self.assertFalse(report["complete"])

    @LONG_TOO
    def test_a_link_that_stays_down_ends_the_audit_on_the_other_hosts_with_its_report(self):
        audit = self.disturbed("--hang-after", "4s")
        self.hosts.set_link("h3", "down")
        self.addCleanup(self.hosts.set_link, "h3", "up")
        self.wait_until(lambda: not self.ranks("h1", "h2"), "the ranks on the others have ended")
        self.end_launcher(audit)
        kept = self.measured()
        self.assertGreaterEqual(len(kept), 2)
        self.require_report_of(kept)
        self.hosts.set_link("h3", "up")
        # The operation in which the others waited, if there was one, is not to blame.
        self.resume(kept)

    @LONG_TOO
    def test_a_stuck_audit_that_is_ended_leaves_a_report(self):
        audit = self.disturbed()
        self.hosts.set_link("h3", "down")
        self.addCleanup(self.hosts.set_link, "h3", "up")
        time.sleep(1)
        # As scancel does. mpirun may kill ranks in the millisecond after it has passed a signal on.
        for pid, command in self.hosts.processes("h1").items():
            if command.startswith(self.program):
                os.kill(pid, signal.SIGTERM)
        self.wait_until(lambda: (self.folder / "out/report.json").exists(), "rank 0 has left a report")
        self.end_launcher(audit)
        self.require_report_of(self.measured())


class Mpich(OnHosts):
    """Over hydra. Its program may be one with sanitizers."""

    program = str(MPICH_BUILD / "mpiaudit")

    def setUp(self):
        if shutil.which("mpirun.mpich") is None:
            self.skipTest("there is no mpirun.mpich")
        if not Path(self.program).exists():
            self.skipTest(f"there is no {self.program}")
        super().setUp()

    def command(self, arguments, hosts, ranks_per_host, variables=()):
        # The preloaded library also keeps MPICH 4.0 from hanging in MPI_Finalize.
        preload = str(MPICH_BUILD / "tests/libmpi_yield.so")
        return mpich(self.hosts, [self.program, *arguments], hosts, ranks_per_host,
                     {"LD_PRELOAD": preload, "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"},
                     self.folder)

    def test_all_results_are_right(self):
        done = self.run_on("verify", "--block-sizes", "3", "--distributions", "random", "--collectives",
                           "gather,allgather,bcast,reduce", hosts=2, ranks_per_host=2, codes=(0,))
        self.assertRegex(done.stdout, r"\b0 wrong")

    @LONG_TOO
    def test_an_audit_and_a_rank_that_is_killed(self):
        self.run_on("run", *QUICK, "--sync", "global", "--clock", "monotonic", "--output", "out", hosts=3)
        report = self.report()
        self.assertEqual(self.names_of(report), self.hosts.names[:3])
        self.assertEqual(report["summary"]["wrong"], 0)
        self.assertLess(report["clock"]["global"]["worst_error_s"], 0.05)
        shutil.rmtree(self.folder / "out")
        self.kill_a_rank_and_resume()


def main():
    reason = obstacle()
    if not reason and not Path(MPIAUDIT).exists():
        reason = f"there is no {MPIAUDIT}"
    if not reason and shutil.which("mpirun") is None:
        reason = "there is no mpirun"
    if reason:
        print(f"no hosts can be made of namespaces: {reason}")
        sys.exit(SKIPPED)
    try:
        with Hosts(4, [0, SHIFT_S, -1]) as OnHosts.hosts:
            ended = unittest.main(verbosity=2, exit=False)
    except KeyboardInterrupt as interruption:
        sys.exit(128 + (interruption.args or (signal.SIGINT,))[0])
    sys.exit(not ended.result.wasSuccessful())


if __name__ == "__main__":
    main()
