# SPDX-License-Identifier: BSD-3-Clause
"""A check for ReFrame (4.x) that audits the MPI library of a system's programming environments.

    reframe -c jobs/ci/reframe_check.py -r -S MpiAudit.mpiaudit=/sw/mpiaudit/bin/mpiaudit

It needs `mpiaudit` built with the MPI of the environment. It passes when the library
violates nothing beyond `condition`; with a `baseline`, an earlier audit, only operations that became slower
since count. It logs the number of violations, and the time of each operation and block size, as performance
variables such as MPI_Bcast_4096B. With `references`, an earlier audit, ReFrame compares the times with those
of that audit.
"""

import json
import statistics
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


def times_us(report: Path) -> dict[str, float]:
    """Returns the median time of each operation of the library on the problems of each block size, by names
    such as MPI_Bcast_4096B."""
    found: dict[str, list[float]] = {}
    for problem in json.loads(report.read_text(encoding="utf-8"))["problems"]:
        for operation, seconds in problem["native_s"].items():
            name = f"{operation}_{problem['block_size'] * problem['element_bytes']}B"
            found.setdefault(name, []).append(1e6 * seconds)
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
    guidelines = variable(str, value="self-consistent,irregular")
    budget = variable(str, value="10m")
    condition = variable(str, value="ratio>1.2")
    baseline = variable(str, value="")
    references = variable(str, value="")

    time_limit = "30m"
    exclusive_access = True
    keep_files = ["audit/report.json", "checks.xml"]

    @run_after("init")
    def set_commands(self) -> None:
        self.num_tasks_per_node = self.tasks_per_node
        self.num_tasks = self.nodes * self.tasks_per_node
        self.executable = self.mpiaudit
        # If the launcher does not fit the MPI library, each task becomes an audit of one rank.
        self.executable_opts = ["run", "--ranks", str(self.num_tasks), "--guidelines", self.guidelines,
                                "--budget", self.budget, "--output", "audit", "--overwrite"]
        known = f"--baseline '{self.baseline}'" if self.baseline else ""
        self.postrun_cmds = [
            f"{self.mpiaudit} judge audit --junit checks.xml --fail-on '{self.condition}' "
            f"{known}; echo \"gate: $?\""]

    @sanity_function
    def is_passed(self) -> object:
        return sn.assert_found(r"^gate: 0$", self.stdout,
                               msg="the library violates guidelines; see the job's output")

    @run_before("performance")
    def set_performance_variables(self) -> None:
        self.perf_variables = {"violations": self.violations()} | {
            name: self.time(name) for name in times_us(self.report)}
        if self.references:
            known = times_us(Path(self.references, "report.json"))
            self.reference = {"*": {name: (value, None, SLOWER_BY, "us") for name, value in known.items()
                                    if name in self.perf_variables}}

    @property
    def report(self) -> Path:
        return Path(self.stagedir, "audit", "report.json")

    @performance_function("checks")
    def violations(self) -> object:
        """Returns the number of violated checks."""
        return json.loads(self.report.read_text(encoding="utf-8"))["summary"]["violated"]

    @performance_function("us")
    def time(self, name: str = "") -> object:
        return times_us(self.report)[name]
