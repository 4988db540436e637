# SPDX-License-Identifier: BSD-3-Clause
"""A check for ReFrame (4.x) that audits the MPI library of a system's programming environments.

    reframe -c jobs/ci/reframe_check.py -r -S MpiAudit.mpiaudit=/sw/mpiaudit/bin/mpiaudit

It needs `mpiaudit` built with the MPI of the environment. It passes when the library
violates nothing beyond `condition`; with a `baseline`, an earlier audit, only operations that became slower
since count. It logs the number of violations as a performance variable.
"""

import json
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import (
    parameter,
    performance_function,
    run_after,
    sanity_function,
    variable,
)


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

    @performance_function("checks")
    def violations(self) -> object:
        """Returns the number of violated checks."""
        report = Path(self.stagedir, "audit", "report.json").read_text(encoding="utf-8")
        return json.loads(report)["summary"]["violated"]
