# SPDX-License-Identifier: BSD-3-Clause
"""Reports of version 2, whose checks and contestants are rows, say the same as reports of version 1."""

import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest

from analysis.reports import read_all
from analysis.rows import complete_contestant, complete_remedy, expanded
from analysis.tests.conftest import Command
from analysis.tests.synthetic import completed, make_report, write_audit

Json = dict[str, Any]


class Writer:
    """Writes rows as mpiaudit does."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.shapes: list[list[str]] = []

    def place(self, text: str) -> int:
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def cells(self, item: Json, prefix: str = "") -> list[tuple[str, Any]]:
        cells: list[tuple[str, Any]] = []
        for key, value in item.items():
            if isinstance(value, str):
                cells.append((f"{prefix}{key}:text", self.place(value)))
            elif isinstance(value, dict):
                cells += self.cells(value, f"{prefix}{key}.")
            elif isinstance(value, list) and value and all(isinstance(each, str) for each in value):
                cells.append((f"{prefix}{key}:texts", [self.place(each) for each in value]))
            elif isinstance(value, list) and value:
                cells.append((f"{prefix}{key}:rows", [self.row(each) for each in value]))
            else:
                cells.append((f"{prefix}{key}", value))
        return cells

    def row(self, item: Json) -> list[Any]:
        names, values = zip(*self.cells(item), strict=True)
        if list(names) not in self.shapes:
            self.shapes.append(list(names))
        return [self.shapes.index(list(names)), *values]


def compact(document: Json) -> Json:
    writer, made = Writer(), copy.deepcopy(document)
    statistics = {(problem["id"], each["name"]): each.get("statistics")
                  for problem in document["problems"] for each in problem["contestants"]}
    for problem in made["problems"]:
        problem["contestants"] = [writer.row(each) for each in problem["contestants"]]
    findings, others = [], []
    for place, check in enumerate(made["checks"]):
        for side in ("left", "right"):
            if check.get(f"{side}_statistics", {}) == statistics[check["problem"], check[side]]:
                del check[f"{side}_statistics"]
        for each in (check, *check.get("launches", [])):
            for bound in ("bound_violated", "bound_holds"):
                each.get("evidence", {}).pop(bound, None)
        if check["verdict"] in ("violated", "undecided"):
            findings.append({**check, "place": place})
        else:
            others.append(writer.row(check))
    return {**made, "schema_version": "2.0", "checks": findings, "other_checks": others,
            "shapes": writer.shapes, "texts": writer.texts}


@pytest.fixture(name="document")
def fixture_document() -> Json:
    document, _ = make_report(sizes=(1, 100), distributions=("same", "spikes"))
    rule = document["rule"]
    for problem in document["problems"]:
        for contestant in problem["contestants"]:
            complete_contestant(contestant)
    for check in document["checks"]:
        if "evidence" in check:
            check["evidence"] |= {"bound_violated": math.log(rule["checks"] / rule["alpha"]),
                                  "bound_holds": math.log(1 / rule["alpha"])}
    return completed(document)


def test_nothing_is_lost(document: Json, tmp_path: Path, command: Command) -> None:
    short = compact(document)
    assert len(json.dumps(short)) < len(json.dumps(document))
    assert expanded(short) == {**document, "schema_version": "2.0"}
    assert expanded(document) is document
    old, new = (write_audit(tmp_path / name, each) for name, each in (("old", document), ("new", short)))
    assert read_all([new])[0].violations == read_all([old])[0].violations
    for words in (["table"], ["scales"], ["export", "checks"], ["export", "violations"]):
        assert command(*words, new) == command(*words, old)


@pytest.mark.parametrize("change", [
    {"texts": []}, {"shapes": []}, {"shapes": [["a:unknown"]]}, {"other_checks": [[0]]},
    {"other_checks": [[-1]]}, {"other_checks": ["x"]}, {"texts": 3}, {"other_checks": [[0, -1] * 20]},
    {"rule": {}}, {"codes": 3}])
def test_damaged_rows_are_refused_in_one_line(change: Json, document: Json, tmp_path: Path,
                                              command: Command) -> None:
    folder = write_audit(tmp_path / "audit", compact(document) | change)
    result = command("table", folder)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "not a report of mpiaudit: its rows are damaged (" in result.err


def test_the_code_of_a_replacement_stands_once() -> None:
    codes = {"A -> B": "call B"}
    for remedy, code in (({"contestant": "B"}, "call B"), ({"contestant": "C", "code": "call C"}, "call C")):
        complete_remedy({"left": "A", "remedy": remedy}, codes)
        assert remedy["code"] == code
    finding = {"left": "A"}
    complete_remedy(finding, codes)
    assert finding == {"left": "A"}
