# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the Python that runs the package: a user's own Python (pyenv, conda) often hides the system's."""

import importlib.util
import os
import subprocess
import sys

NEEDED = ("numpy", "matplotlib", "jinja2")
SYSTEM = "/usr/bin/python3"
STARTED_AGAIN = "MPIAUDIT_REPORT_STARTED_AGAIN"


def makes_pictures_or_pages(words: list[str]) -> bool:
    """Returns whether these words of a command line need more than the standard library."""
    return any(word in ("plot", "html", "network", "--format=html", "--picture") for word in words)


def use_one_that_has_the_packages(arguments: list[str]) -> None:
    """Starts the command again with the system's Python if only that one has what is needed. Where neither
    has, the command says which package is missing.

    `arguments`: those of the interpreter, the command among them."""
    if not makes_pictures_or_pages(arguments) or STARTED_AGAIN in os.environ:
        return
    if all(importlib.util.find_spec(name) is not None for name in NEEDED):
        return
    try:
        system_has_them = subprocess.run([SYSTEM, "-c", f"import {', '.join(NEEDED)}"],
                                         stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        system_has_them = False
    if system_has_them:
        os.environ[STARTED_AGAIN] = "1"  # an option such as -S would hide the packages there, too
        os.execv(SYSTEM, [SYSTEM, *sys.orig_argv[1:]])
