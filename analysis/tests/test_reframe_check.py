# SPDX-License-Identifier: BSD-3-Clause
"""The check for ReFrame, with stand-ins for what it uses of ReFrame: its variables and references."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from analysis.tests.synthetic import make_report, write_audit

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


def test_a_variable_for_each_operation_and_size(check: Any, tmp_path: Path) -> None:
    document = make_report(sizes=(1, 100), distributions=("same", "spikes"))[0]
    times = []
    for problem in document["problems"]:
        for contestant in problem["contestants"]:
            if problem["block_size"] == 100 and contestant["name"] == "MPI_Bcast(m)":
                times.append(1e6 * contestant["statistics"]["median_s"])
    check.stagedir = tmp_path
    write_audit(tmp_path / "audit", document)
    check.set_performance_variables()
    names = set(check.perf_variables)
    assert names == {"violations"} | {f"MPI_{operation}_{size}B" for size in (4, 400) for operation in (
        "Bcast", "Gather", "Gatherv", "Allgather", "Allgatherv")}
    assert check.perf_variables["MPI_Bcast_400B"] == pytest.approx(sum(times) / 2)
    assert check.perf_variables["violations"] == document["summary"]["violated"]
    assert not hasattr(check, "reference")

    earlier = make_report(sizes=(100, 1000), distributions=("same",))[0]
    check.references = str(write_audit(tmp_path / "earlier", earlier))
    check.set_performance_variables()
    assert set(check.reference["*"]) == {name for name in names if name.endswith("_400B")}
    value, lower, upper, unit = check.reference["*"]["MPI_Bcast_400B"]
    assert (lower, upper, unit) == (None, 0.25, "us")
    assert value == pytest.approx(1e6 * next(
        each["statistics"]["median_s"] for each in earlier["problems"][0]["contestants"]
        if each["name"] == "MPI_Bcast(m)"))
