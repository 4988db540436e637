# SPDX-License-Identifier: BSD-3-Clause
"""The documents stay short enough to be read and kept true."""

from blocks import ROOT, documents

MOST_BYTES = 200_000  # of all pages but those of kept results
MOST_LINES_OF_README = 120


def test_all_pages_together():
    sizes = {page: (ROOT / page).stat().st_size for page in [*documents(), "CHANGELOG.md"]}
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda each: -each[1])


def test_readme():
    assert (ROOT / "README.md").read_bytes().count(b"\n") <= MOST_LINES_OF_README
