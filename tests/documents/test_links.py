# SPDX-License-Identifier: BSD-3-Clause
"""Links between the documents lead somewhere, also where the documents are shipped, and every document is
reached from the index."""

import importlib.util
import os
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from blocks import ROOT, documents, files_of_the_project

LINK = re.compile(r"\]\(\s*([^)\s#]*)(?:#([^)\s]*))?\s*\)")
KEPT = sorted(str(page.relative_to(ROOT)) for page in (ROOT / "results").glob("**/README.md"))


def anchors(file):
    """Returns the anchors that GitHub makes from headings."""
    headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links_of(document):
    """Returns (path from the project's folder, anchor) of each link to a file."""
    text = re.sub(r"^```.*?^```|^    .*?$|`[^`]*`", "", (ROOT / document).read_text(encoding="utf-8"),
                  flags=re.M | re.S)
    found = [(target, anchor) for target, anchor in LINK.findall(text) if "://" not in target]
    return [(os.path.normpath(Path(document).parent / target) if target else document, anchor)
            for target, anchor in found]


@pytest.mark.parametrize("document", documents() + KEPT)
def test_links(document):
    for target, anchor in links_of(document):
        assert (ROOT / target).exists(), f"{document}: {target}"
        assert not anchor or anchor in anchors(ROOT / target), f"{document}: {target}#{anchor}"


def test_index_has_all_documents():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for file in (ROOT / "docs").glob("*.md"):
        assert file.name == "README.md" or f"]({file.name})" in index, file.name


def in_archive():
    """Returns the names that packaging/binary-archive puts into an archive."""
    loader = SourceFileLoader("binary_archive", str(ROOT / "packaging/binary-archive"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("binary_archive", loader))
    loader.exec_module(module)
    return [*module.SHIPPED, *module.linked_documents(ROOT)]


def in_installation():
    """Returns the names that CMakeLists.txt installs beside each other with the documents."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    installed = r"install\((?:FILES|DIRECTORY) ([^$]*?) DESTINATION \$\{CMAKE_INSTALL_DOCDIR\}\)"
    names = re.findall(installed, text)
    assert "file(STRINGS packaging/documents.txt DOCUMENTS" in text
    rows = (ROOT / "packaging/documents.txt").read_text(encoding="utf-8").splitlines()
    return [*" ".join(names).split(), *(row for row in rows if row and not row.startswith("#"))]


@pytest.mark.parametrize("shipment", [in_archive, in_installation])
def test_links_hold_where_the_documents_are_shipped(shipment):
    names = [name.rstrip("/") for name in shipment()]
    files = {file for file in files_of_the_project() for name in names
             if file == name or file.startswith(name + "/")}
    # An installation leaves these out, in case a user has unpacked more of them.
    files = {file for file in files if Path(file).name not in ("samples.jsonl", "report.json")}
    places = files | {str(folder) for file in files for folder in Path(file).parents}
    pages = [page for page in documents() + KEPT if page in files]
    assert {"README.md", "docs/method.md", "results/README.md"} <= set(pages)
    broken = [f"{page}: {target}" for page in pages for target, _ in links_of(page) if target not in places]
    assert broken == []
