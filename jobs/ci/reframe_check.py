# SPDX-License-Identifier: BSD-3-Clause
"""A check for ReFrame (4.x) that audits the MPI library of a system's programming environments.

    reframe -c jobs/ci/reframe_check.py -r -S MpiAudit.mpiaudit=/sw/mpiaudit/bin/mpiaudit

It needs `mpiaudit` built with the MPI of the environment. It audits what `jobs/local` audits, generated calls
of the library among them, and measures the violations again in more launches. It passes when the library
violates nothing beyond `condition`; with a `baseline`, an earlier audit, only operations that became slower
since count. It logs the number of violations beyond the condition, and the time of each operation and size,
as performance variables such as MPI_Bcast_4096B. The bytes are those of a rank's vector or block, as on the
screen of mpiaudit. With `references`, an earlier audit, ReFrame compares the times with those of that audit.
"""

import csv
import shlex
import statistics
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import (
    parameter,
    performance_function,
    run_after,
    run_before,
    sanity_function,
    variable,
)


# The times of two launches of one library differ by up to a quarter.
SLOWER_BY = 0.25
GATE = r"^gate: (?P<code>\d+)$"
# Exit codes of `mpiaudit judge`.
REASONS = {"1": "the library violates guidelines", "3": "a call gave a wrong result",
           "5": "nothing was decided: give more time (-S MpiAudit.budget=20m)"}


def times_us(file: Path) -> dict:
    """Returns the median time of each operation of the library at each size, by names such as
    MPI_Bcast_4096B, from a table of `mpiaudit judge --csv`."""
    found: dict = {}
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            operation, size = row["implementation"], row["bytes"]
            if operation.isidentifier():  # not MPI_Bcast[in a row]
                name = f"{operation}_{size}B" if size else operation
                found.setdefault(name, []).append(1e6 * float(row["median_s"]))
    return {name: statistics.median(times) for name, times in found.items()}


@rfm.simple_test
class MpiAudit(rfm.RunOnlyRegressionTest):
    """One audit on a number of nodes. mpiaudit judges the audit."""

    descr = "MPI collectives against performance guidelines"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]

    nodes = parameter([1, 2])
    tasks_per_node = variable(int, value=4)
    mpiaudit = variable(str, value="mpiaudit")
    budget = variable(str, value="10m")
    confirmations = variable(int, value=6)
    condition = variable(str, value="ratio>1.2")
    baseline = variable(str, value="")
    references = variable(str, value="")

    time_limit = "30m"
    exclusive_access = True
    keep_files = ["audit/report.json", "checks.xml", "times.csv"]

    @run_after("init")
    def set_audit(self) -> None:
        self.num_tasks_per_node = self.tasks_per_node
        self.num_tasks = self.nodes * self.tasks_per_node
        self.executable = self.mpiaudit
        # If the launcher does not fit the MPI library, each task becomes an audit of one rank.
        self.executable_opts = ["run", "--ranks", str(self.num_tasks), "--ranks-per-node",
                                str(self.tasks_per_node), "--budget", self.budget, "--output", "audit",
                                "--overwrite"]

    @run_before("run")
    def set_confirmations_and_judgement(self) -> None:
        # ReFrame tells the job its size only afterwards.
        self.job.num_tasks, self.job.num_tasks_per_node = self.num_tasks, self.num_tasks_per_node
        launcher = self.job.launcher.run_command(self.job)
        known = f"--baseline {shlex.quote(self.baseline)}" if self.baseline else ""
        self.postrun_cmds = [
            # Without a violation there is nothing to confirm.
            f"for launch in $(seq {self.confirmations}); do {launcher} {self.mpiaudit} run --confirm audit "
            "--output audit/confirmation-$launch --overwrite; done",
            f"{self.mpiaudit} judge audit --csv >times.csv",
            f"{self.mpiaudit} judge audit --junit checks.xml --fail-on {shlex.quote(self.condition)} "
            f"{known}; echo \"gate: $?\""]
        if self.references:
            self.postrun_cmds.append(
                f"{self.mpiaudit} judge {shlex.quote(self.references)} --csv >references.csv")

    @sanity_function
    def is_passed(self) -> object:
        codes = sn.evaluate(sn.extractall(GATE, self.stdout, "code"))
        code = codes[0] if codes else "none"
        reason = REASONS.get(code, f"mpiaudit judge ended with {code}")
        return sn.assert_eq(code, "0", msg=f"{reason}; see the job's output")

    @run_before("performance")
    def set_performance_variables(self) -> None:
        self.perf_variables = {"violations": self.violations(), **{
            name: self.time(name) for name in times_us(self.kept("times.csv"))}}
        if self.references:
            known = times_us(self.kept("references.csv"))
            self.reference = {"*": {name: (value, None, SLOWER_BY, "us") for name, value in known.items()
                                    if name in self.perf_variables}}

    def kept(self, name: str) -> Path:
        return Path(self.stagedir, name)

    @performance_function("checks")
    def violations(self) -> object:
        """Returns the number of checks that fail."""
        suites = ElementTree.parse(self.kept("checks.xml")).getroot().iter("testsuite")
        return sum(int(suite.get("failures", "0")) for suite in suites)

    @performance_function("us")
    def time(self, name: str = "") -> object:
        return times_us(self.kept("times.csv"))[name]
