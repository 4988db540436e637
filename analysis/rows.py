# SPDX-License-Identifier: BSD-3-Clause
"""Reports of version 2 as reports of version 1 were: with every name, text and statistic in its place.

A report has thousands of contestants and checks. Since version 2 a row of them is a list: the number of
its shape, and the values of the members that the shape names. `left:text` is the place of a text in
`texts`, `steps:texts` a list of such places, `launches:rows` a list of rows; a member of a member is
`ratio.median`. Checks that are violated or undecided stay objects. What follows from other parts of the
report is left out there and put back here.
"""

import math
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


class Rows:
    """The rows of one report. Raises LookupError, TypeError or ValueError if they are damaged."""

    def __init__(self, document: Json):
        self.texts: list[str] = document["texts"]
        self.shapes = [[self.reader(member) for member in shape] for shape in document["shapes"]]

    def reader(self, member: str) -> tuple[list[str], Callable[[Any], Any]]:
        """Returns the keys that lead to a member, and a function that decodes its value."""
        name, _, kind = member.partition(":")
        means: dict[str, Callable[[Any], Any]] = {
            "": lambda value: value, "text": self.text,
            "texts": lambda places: [self.text(place) for place in places],
            "rows": lambda rows: [self.object(row) for row in rows]}
        return name.split("."), means[kind]

    def text(self, place: int) -> str:
        if place < 0:
            raise IndexError("a place of a text is negative")
        return self.texts[place]

    def object(self, row: Any) -> Json:
        """Returns a row as an object; an object unchanged."""
        if isinstance(row, dict):
            return {key: self.objects(value) if key == "launches" else value for key, value in row.items()}
        made: Json = {}
        if row[0] < 0:
            raise IndexError("a number of a shape is negative")
        for (keys, means), value in zip(self.shapes[row[0]], row[1:], strict=True):
            inner = made
            for key in keys[:-1]:
                inner = inner.setdefault(key, {})
            inner[keys[-1]] = means(value)
        return made

    def objects(self, rows: list[Any]) -> list[Json]:
        return [self.object(row) for row in rows]


def complete_judgement(judgement: Json, rule: Json, checks: int) -> None:
    """Adds the bounds of the evidence, which are equal for all checks."""
    if "evidence" in judgement:
        judgement["evidence"] |= {"bound_violated": math.log(checks / rule["alpha"]),
                                  "bound_holds": math.log(1 / rule["alpha"])}


def complete_check(check: Json, document: Json, statistics: dict[tuple[str, str], Json]) -> None:
    rule = document["rule"]
    if "rounds" in check:
        for side in ("left", "right"):
            check.setdefault(f"{side}_statistics", statistics[check["problem"], check[side]])
    complete_judgement(check, rule, rule["checks"])
    for launch in check.get("launches", []):
        complete_judgement(launch, rule, document["launches"][launch["launch"] - 1]["checks"])
    if "young_heap" in check:
        complete_judgement(check["young_heap"], rule, rule["checks"])


def complete_remedy(finding: Json, codes: Json) -> None:
    """The code of the replacement, which stands once in the report."""
    remedy = finding.get("remedy")
    code = codes.get(f"{finding['left']} -> {remedy['contestant']}") if remedy else None
    if remedy and code is not None:
        remedy["code"] = code


def complete_contestant(contestant: Json) -> None:
    statistics = contestant.get("statistics")
    if statistics is not None:
        statistics.setdefault("raw_mean_s", statistics["mean_s"])
        statistics.setdefault("raw_minimum_s", statistics["minimum_s"])


def expanded(document: Any) -> Any:
    """Returns the report with objects in place of rows; any other document unchanged."""
    if not isinstance(document, dict) or "shapes" not in document:
        return document
    rows = Rows(document)
    left_out = ("shapes", "texts", "codes", "other_checks")
    made = {key: value for key, value in document.items() if key not in left_out}
    made["problems"] = [{**problem, "contestants": rows.objects(problem["contestants"])}
                        for problem in document["problems"]]
    for problem in made["problems"]:
        for contestant in problem["contestants"]:
            complete_contestant(contestant)
    if "launches" in document:
        made["launches"] = [
            {**launch, **({"confirms": {key: rows.objects(value) if key in ("suspects", "controls") else value
                                        for key, value in launch["confirms"].items()}}
                          if "confirms" in launch else {})} for launch in document["launches"]]
    checks = rows.objects(document["other_checks"])
    # Each finding knows its place in the order of the audit.
    for finding in document["checks"]:
        finding = rows.object(finding)
        complete_remedy(finding, document.get("codes", {}))
        checks.insert(finding.pop("place"), finding)
    made["checks"] = checks
    statistics = {(problem["id"], contestant["name"]): contestant["statistics"]
                  for problem in made["problems"] for contestant in problem["contestants"]
                  if "statistics" in contestant}
    for check in checks:
        complete_check(check, document, statistics)
    return made
