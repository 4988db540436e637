# SPDX-License-Identifier: BSD-3-Clause
"""The version stands in five files for five readers, and is equal in all of them."""

import re

from blocks import ROOT

PLACES = {
    "CMakeLists.txt": r"^project\(mpiaudit VERSION (\S+)",
    "CITATION.cff": r"^version: (\S+)$",
    "analysis/__init__.py": r'^__version__ = "(\S+)"$',
    "debian/changelog": r"^mpiaudit \((\S+)\)",
    "CHANGELOG.md": r"^## (\d\S+)",
}


def test_one_version():
    found = {name: re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.M)[1]
             for name, pattern in PLACES.items()}
    assert len(set(found.values())) == 1, found
