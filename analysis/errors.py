# SPDX-License-Identifier: BSD-3-Clause
"""Errors in the input, and packages that are loaded only if needed."""

import importlib
import sys
from types import ModuleType

DEBIAN_PACKAGES = {
    "jinja2": "python3-jinja2",
    "matplotlib": "python3-matplotlib",
    "numpy": "python3-numpy",
}


class InputError(Exception):
    """A message of one line for the user: the error, its place and the remedy."""


def require(module: str, purpose: str) -> ModuleType:
    """Returns the imported package. Raises InputError that says how to install the package."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".", 1)[0]
        # Debian's packages are for Debian's Python only. The script installs all packages.
        how = (f"jobs/setup --for reports, apt-get install {DEBIAN_PACKAGES[package]}, or " if
               sys.executable.startswith("/usr/bin/") else "")
        raise InputError(
            f"{purpose} needs the Python package {package}, which {sys.executable} does not "
            f"have: {how}{sys.executable} -m pip install {package}"
        ) from None
