# SPDX-License-Identifier: BSD-3-Clause
"""The scripts of bench/, which have no suffix, as modules."""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

BENCH = Path(__file__).parents[2] / "bench"


def bench_program(name: str) -> ModuleType:
    """Beside its own modules."""
    sys.path.insert(0, str(BENCH))
    try:
        loader = SourceFileLoader(name, str(BENCH / name))
        specification = importlib.util.spec_from_loader(name, loader)
        assert specification
        module = importlib.util.module_from_spec(specification)
        loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module
