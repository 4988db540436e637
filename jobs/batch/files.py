# SPDX-License-Identifier: BSD-3-Clause
"""The module that opens the files of audits. It belongs to the package that shows reports."""

import importlib
import sys

from batch.place import REPORTS

sys.path.append(str(REPORTS.parent))
audit_files = importlib.import_module(f"{REPORTS.name}.audit_files")
