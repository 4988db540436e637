# SPDX-License-Identifier: BSD-3-Clause
"""Which Python runs the package: one of the user's own (pyenv, conda) often hides the system's."""

import importlib.util
import os
import subprocess
import sys

NEEDED = ("numpy", "matplotlib", "jinja2", "jsonschema")
SYSTEM = "/usr/bin/python3"


def use_one_that_has_the_packages() -> None:
    """Starts the command again with the system's Python if only that one has what is needed."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if not missing:
        return
    try:
        system_has_them = subprocess.run([SYSTEM, "-c", f"import {', '.join(NEEDED)}"],
                                         stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        system_has_them = False
    if not system_has_them:
        sys.exit(f"{sys.executable} has no {', '.join(missing)}, and {SYSTEM} lacks packages as well: "
                 f"'jobs/setup --for reports' installs them on Debian, "
                 f"'{sys.executable} -m pip install {' '.join(missing)}' elsewhere")
    os.execv(SYSTEM, [SYSTEM, *sys.orig_argv[1:]])
