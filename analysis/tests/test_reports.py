# SPDX-License-Identifier: BSD-3-Clause
"""Reports that are accepted, and the errors about all other files."""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis.errors import InputError
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.paper import paper_report
from analysis.tests.synthetic import make_report, write_audit
from analysis.validation import predicate_of, schema


def test_synthetic_and_paper_reports_satisfy_the_schema() -> None:
    document, _ = make_report(sizes=(1, 10), distributions=("same", "spikes"))
    for report in (document, paper_report(1)):
        jsonschema.Draft202012Validator(schema()).validate(report)


def mutations(item: Any, path: tuple[Any, ...] = ()) -> list[Any]:
    """The item with one field removed or replaced by another type, for every field."""
    changed: list[Any] = []
    wrong_values: tuple[Any, ...] = (None, "x", 1, 1.5, 2.0, True, [], {})
    if isinstance(item, dict):
        for key in item:
            without = {name: value for name, value in item.items() if name != key}
            changed.append(without)
            changed += [item | {key: wrong} for wrong in wrong_values]
            changed += [item | {key: value} for value in mutations(item[key])]
    elif isinstance(item, list) and item:
        changed += [[*item[:-1], value] for value in mutations(item[-1])]
    return changed


@pytest.mark.parametrize(("definition", "key"), [("check", "checks"), ("problem", "problems")])
def test_the_fast_predicate_agrees_with_jsonschema(definition: str, key: str) -> None:
    document, _ = make_report(sizes=(1,), distributions=("same",))
    item = next(entry for entry in document[key] if entry.get("verdict", "violated") == "violated")
    validator = jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{definition}", "$defs": schema()["$defs"]})
    is_valid = predicate_of(definition)
    answers = set()
    for changed in [item, *mutations(item)]:
        answers.add(is_valid(changed))
        assert is_valid(changed) == validator.is_valid(changed), changed
    assert answers == {True, False}


def test_title_and_library(tmp_path: Path) -> None:
    document, _ = make_report(sizes=(1,), distributions=("same",), ranks=64, nodes=4,
                              simulated=True, library="MPICH Version:      4.0.2\nMPICH ABI: 1")
    report, = read_all([write_audit(tmp_path, document)])
    assert report.library == "MPICH 4.0.2"
    assert report.title == "MPICH 4.0.2, 64 ranks, simulated"
    document["summary"]["audited"] = "MPICH 4.0.2, 64 ranks on 4 nodes, --heap young"
    assert read_all([write_audit(tmp_path, document)])[0].title == document["summary"]["audited"]


def broken(change: dict[str, Any]) -> str:
    document, _ = make_report(sizes=(1,), distributions=("same",))
    return json.dumps(document | change)


def with_check(change: dict[str, Any]) -> str:
    document, _ = make_report(sizes=(1,), distributions=("same",))
    checks = copy.deepcopy(document["checks"])
    checks[0] |= change
    return json.dumps(document | {"checks": checks})


BAD = {
    "not JSON": ("{", "not JSON"),
    "empty file": ("\n", "is empty"),
    "NaN": (broken({"elapsed_s": float("nan")}), "NaN is not a finite number"),
    "a list": ("[]", "no schema_version"),
    "another program's": ('{"name": "x"}', "no schema_version"),
    "a newer major version": (broken({"schema_version": "3.0"}), "is 3.0, this program reads 1.x and 2.x"),
    "no rule": (json.dumps({"schema_version": "1.0"}), "is a required property"),
    "checks not a list": (broken({"checks": {}}), "at checks: {} is not of type 'array'"),
    "an unknown verdict": (with_check({"verdict": "maybe"}), "at checks/0/verdict: 'maybe'"),
    "an unknown problem": (with_check({"problem": "p"}), "checks/0 is about the problem 'p'"),
    "an unknown guideline": (with_check({"guideline": "g"}), "about the guideline 'g'"),
    "no problem": (broken({"problems": [], "checks": []}), "an empty report"),
    "an empty collection": ('{"kind": "mpiaudit scaling", "schema_version": "1.0"}', "no report"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_reports_are_refused_in_one_line(name: str, tmp_path: Path, command: Command) -> None:
    text, words = BAD[name]
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    result = command("table", path)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert words in result.err
    assert name == "an empty collection" or str(path) in result.err


def test_missing_files_and_folders(tmp_path: Path, command: Command) -> None:
    assert "No such file" in command("table", tmp_path / "absent.json").err
    result = command("table", tmp_path)
    assert result.code == 2
    assert "the folder has no report.json" in result.err
    (tmp_path / "report.json").write_bytes(b"\xff\xfe\x00")
    assert "not text in UTF-8" in command("table", tmp_path).err


def test_a_newer_minor_version_with_more_fields_is_read(tmp_path: Path) -> None:
    document, _ = make_report(sizes=(1,), distributions=("same",))
    document |= {"schema_version": "1.7", "novelties": 3}
    document["checks"][0]["novelties"] = [1, 2]
    assert read_all([write_audit(tmp_path, document)])[0].ranks == 8


def test_a_report_is_not_changed_by_reading(audit: Path) -> None:
    text = json.loads((audit / "report.json").read_text(encoding="utf-8"))
    assert read_all([audit])[0].data == text


def test_nothing_to_read() -> None:
    with pytest.raises(InputError, match="no report"):
        read_all([])
