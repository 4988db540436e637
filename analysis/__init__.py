# SPDX-License-Identifier: BSD-3-Clause
"""Shows what an audit found: tables, plots, an HTML page, the difference of two audits.

Reads the JSON reports of mpiaudit and nothing else. No verdict is judged again here: what a
report says is shown as it is. In the repository the package is called `analysis`, installed
`mpiaudit_report`; within itself it knows neither name.
"""

__version__ = "0.2.0"

import sys

from . import interpreter

# sys.argv[0] is "-m" while `python3 -m analysis` looks for the package, but not if a program imports it.
if sys.argv[0] == "-m":
    interpreter.use_one_that_has_the_packages(sys.orig_argv)
