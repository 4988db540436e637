# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong because of the input, and the packages that are loaded only when needed."""

import importlib
import sys
from types import ModuleType

DEBIAN_PACKAGES = {
    "jinja2": "python3-jinja2",
    "matplotlib": "python3-matplotlib",
    "numpy": "python3-numpy",
}


class InputError(Exception):
    """A message of one line for the user: what is wrong, where, and what to do about it."""


def require(module: str, purpose: str) -> ModuleType:
    """The imported package, or an InputError that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".", 1)[0]
        # Debian's packages are for Debian's Python only. The script installs all packages at once.
        how = (f"jobs/setup --for reports, apt-get install {DEBIAN_PACKAGES[package]}, or " if
               sys.executable.startswith("/usr/bin/") else "")
        raise InputError(
            f"{purpose} needs the Python package {package}, which {sys.executable} does not "
            f"have: {how}{sys.executable} -m pip install {package}"
        ) from None
