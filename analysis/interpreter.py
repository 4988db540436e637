# SPDX-License-Identifier: BSD-3-Clause
"""Which Python runs the package: one of the user's own (pyenv, conda) often hides the system's."""

import importlib.util
import os
import subprocess
import sys

TO_READ, TO_DRAW = ("jsonschema",), ("numpy", "matplotlib", "jinja2", "jsonschema")
# These print text, which takes no other package.
COMMANDS_OF_TEXT = ("merge", "rank", "summary", "table")
SYSTEM = "/usr/bin/python3"


def use_one_that_has_the_packages(arguments: list[str]) -> None:
    """Starts the command again with the system's Python if only that one has what is needed.

    `arguments`: those of the interpreter, in which the command follows `-m analysis`."""
    command = arguments[arguments.index("-m") + 2:][:1]
    needed = TO_READ if command and command[0] in COMMANDS_OF_TEXT else TO_DRAW
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if not missing:
        return
    try:
        system_has_them = subprocess.run([SYSTEM, "-c", f"import {', '.join(needed)}"],
                                         stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        system_has_them = False
    if not system_has_them:
        sys.exit(f"{sys.executable} has no {', '.join(missing)}, and {SYSTEM} lacks packages as well: "
                 f"'jobs/setup --for reports' installs them on Debian, "
                 f"'{sys.executable} -m pip install {' '.join(missing)}' elsewhere")
    os.execv(SYSTEM, [SYSTEM, *sys.orig_argv[1:]])
