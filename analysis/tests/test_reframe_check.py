# SPDX-License-Identifier: BSD-3-Clause
"""The check for ReFrame, with stand-ins for what it uses of ReFrame: its variables and references."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

CHECK = Path(__file__).parent.parent.parent / "jobs" / "ci" / "reframe_check.py"


def unchanged(made: Any) -> Any:
    return made


@pytest.fixture(name="check")
def fixture_check(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class of the check; a performance function is called at once."""
    modules = {name: ModuleType(name) for name in ("reframe", "reframe.utility", "reframe.utility.sanity",
                                                   "reframe.core", "reframe.core.builtins")}
    reframe: Any = modules["reframe"]
    reframe.simple_test, reframe.RunOnlyRegressionTest = unchanged, object
    builtins: Any = modules["reframe.core.builtins"]
    builtins.parameter = lambda values: values[0]
    builtins.variable = lambda kind, value: value
    builtins.performance_function = builtins.run_after = builtins.run_before = lambda what: unchanged
    builtins.sanity_function = unchanged
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
        if "." in name:
            setattr(modules[name.rpartition(".")[0]], name.rpartition(".")[2], module)
    specification = importlib.util.spec_from_file_location("reframe_check", CHECK)
    assert specification is not None and specification.loader is not None
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    return loaded.MpiAudit()


HEAD = "distribution,implementation,problem,bytes,samples,median_s\n"
TIMES = HEAD + """same,MPI_Bcast,same/b=100,400,30,1e-6
even,MPI_Bcast,even/b=50,400,30,3e-6
same,MPI_Bcast,same/b=1,4,30,5e-7
same,MPI_Bcast[in a row],same/b=1,4,30,5e-7
,MPI_Barrier,barrier,,30,2e-7
"""
CHECKS = """<testsuites name="mpiaudit">
<testsuite name="a" tests="5" failures="2"><testcase name="b"/></testsuite>
<testsuite name="c" tests="1" failures="1"/></testsuites>"""


def test_a_variable_for_each_operation_and_size(check: Any, tmp_path: Path) -> None:
    check.stagedir = tmp_path
    (tmp_path / "times.csv").write_text(TIMES, encoding="utf-8")
    (tmp_path / "checks.xml").write_text(CHECKS, encoding="utf-8")
    check.set_performance_variables()
    assert check.perf_variables == {"violations": 3, "MPI_Bcast_400B": pytest.approx(2.0),
                                    "MPI_Bcast_4B": pytest.approx(0.5), "MPI_Barrier": pytest.approx(0.2)}
    assert not hasattr(check, "reference")

    check.references = "earlier"
    (tmp_path / "references.csv").write_text(
        HEAD + "same,MPI_Bcast,same/b=100,400,30,4e-6\nsame,MPI_Scan,same/b=1,4,30,1e-6\n", encoding="utf-8")
    check.set_performance_variables()
    assert check.reference == {"*": {"MPI_Bcast_400B": (pytest.approx(4.0), None, 0.25, "us")}}


def test_the_audit_is_that_of_the_first_command_with_confirmations(check: Any) -> None:
    class Job:
        """What ReFrame's job and its launcher have."""

        num_tasks = 1
        launcher: Any

        def run_command(self, job: Any) -> str:
            return f"mpirun -np {job.num_tasks}"

    check.job = Job()
    check.job.launcher = check.job
    check.set_audit()
    check.references = "/old audits/5.0"
    check.set_confirmations_and_judgement()
    # Without --guidelines and sizes the default: all of them, and generated calls.
    assert [word for word in check.executable_opts if word.startswith("--")] == [
        "--ranks", "--ranks-per-node", "--budget", "--output", "--overwrite"]
    assert check.postrun_cmds == [
        "for launch in $(seq 6); do mpirun -np 4 mpiaudit run --confirm audit --output "
        "audit/confirmation-$launch --overwrite; done",
        "mpiaudit judge audit --csv >times.csv",
        "mpiaudit judge audit --junit checks.xml --fail-on 'ratio>1.2' ; echo \"gate: $?\"",
        "mpiaudit judge '/old audits/5.0' --csv >references.csv"]
