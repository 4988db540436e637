# SPDX-License-Identifier: BSD-3-Clause
"""Links between the documents lead somewhere, and every document is reached from the index."""

import re

import pytest
from blocks import ROOT, documents

LINK = re.compile(r"\]\(\s*([^)\s#]*)(?:#([^)\s]*))?\s*\)")


def anchors(file):
    """Returns the anchors that GitHub makes from headings."""
    headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


KEPT = sorted(str(page.relative_to(ROOT)) for page in (ROOT / "results").glob("**/README.md"))


@pytest.mark.parametrize("document", documents() + KEPT)
def test_links(document):
    text = re.sub(r"^```.*?^```|^    .*?$|`[^`]*`", "", (ROOT / document).read_text(encoding="utf-8"),
                  flags=re.M | re.S)
    for target, anchor in LINK.findall(text):
        if "://" in target:
            continue
        file = (ROOT / document).parent / target if target else ROOT / document
        assert file.exists(), f"{document}: {target}"
        assert not anchor or anchor in anchors(file), f"{document}: {target}#{anchor}"


def test_index_has_all_documents():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for file in (ROOT / "docs").glob("*.md"):
        assert file.name == "README.md" or f"]({file.name})" in index, file.name
