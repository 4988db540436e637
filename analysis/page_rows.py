# SPDX-License-Identifier: BSD-3-Clause
"""The checks of a page as compact columns for its script.

100 000 checks as table rows are 60 MB of HTML and seconds of layout. As columns of numbers that
point into lists of texts they are about 7 MB, and the script shows a page of rows at a time.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any

from . import samples, units
from .contestants import collectives_of
from .fields import VERDICTS, Check, Remedy, Statistics
from .heatmap import compared_s, effect, interval
from .reports import Report
from .marks import STATUSES, status_of

# About a quarter of a megabyte: samples of the worst checks, which a reader opens.
MOST_SAMPLES = 40_000


class Texts:
    """A list of different texts; rows hold the numbers of their texts."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str | None) -> int:
        """Returns the number of a text; -1 for None."""
        return -1 if text is None else self.numbers.setdefault(text, len(self.numbers))


def significant(value: float | None, digits: int = 4) -> float | int | None:
    """Returns the value with few significant digits, to save space."""
    if value is None:
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded.is_integer() else rounded


def time_us(statistics: Statistics | None, criterion: str) -> float | int | None:
    return None if statistics is None else significant(compared_s(statistics, criterion) * 1e6, 5)


def evidence_of(check: Check) -> float | int | None:
    """Returns the decimal logarithm of the e-value behind the verdict."""
    if "evidence" not in check:
        return None
    key = "log_e_holds" if check["verdict"] == "holds" else "log_e_violated"
    return significant(check["evidence"][key] / units.LN10, 3)  # type: ignore[literal-required]


def severity_order(reports: Sequence[Report]) -> list[tuple[int, Check]]:
    """Returns all checks with the number of their audit: violated ones first, each verdict by falling
    ratio.

    Remarks on reference algorithms come behind all checks of the library.
    """
    rank = {verdict: index for index, verdict in enumerate(VERDICTS)}
    keyed = [(check["kind"] == "remark", rank[check["verdict"]], -(effect(check) or 0.0),
              index, number, check)
             for number, report in enumerate(reports)
             for index, check in enumerate(report.data["checks"])]
    keyed.sort(key=lambda item: item[:5])
    return [(item[4], item[5]) for item in keyed]


def problem_entries(reports: Sequence[Report]) -> tuple[list[list[Any]], list[dict[str, int]]]:
    """Returns the entries of all problems for the script, and the number of each by audit and id."""
    entries: list[list[Any]] = []
    numbers: list[dict[str, int]] = []
    for report in reports:
        numbers.append({})
        for problem in report.data["problems"]:
            numbers[-1][problem["id"]] = len(entries)
            entries.append([problem["distribution"], problem["block_size"],
                            problem["total"] * problem["element_bytes"]])
    return entries, numbers


def common_prefix(texts: list[str]) -> str:
    """Returns the common beginning of all texts."""
    if not texts:
        return ""
    first, last = min(texts), max(texts)
    length = next((index for index, (one, other) in enumerate(zip(first, last, strict=False))
                   if one != other), min(len(first), len(last)))
    return first[:length]


def launches_of(check: Check) -> list[list[Any]]:
    """Returns an entry for each launch: number, verdict, rounds, ratio and its interval."""
    return [[launch["launch"], VERDICTS.index(launch["verdict"]), launch["rounds"],
             *((number_of(launch["factor"]), None, None) if "factor" in launch else
               (number_of(launch.get("ratio", {}).get(key)) for key in ("median", "low", "high")))]
            for launch in check.get("launches", [])]


def number_of(value: object) -> float | int | None:
    """Returns the number; None for a value of another type, since the schema allows any."""
    return significant(value) if type(value) in (int, float) else None  # type: ignore[arg-type]


def remedy_entry(remedy: Remedy, texts: Texts) -> list[Any]:
    """Returns contestant, factor, microseconds saved, and the code."""
    return [texts.number(remedy["contestant"]), significant(remedy["factor"]),
            significant(remedy["saved_s"] * 1e6), texts.number(remedy.get("code"))]


def sample_entries(reports: Sequence[Report], rows: Sequence[tuple[int, Check]], texts: Texts,
                   problem_numbers: Sequence[dict[str, int]]) -> dict[int, dict[int, list[Any]]]:
    """Returns the samples in microseconds by problem and name, for the first checks of the table."""
    entries: dict[int, dict[int, list[Any]]] = {}
    for number, report in enumerate(reports):
        mine = (check for audit, check in rows if audit == number and "rounds" in check)
        for problem, sides in samples.of_checks(report, mine, MOST_SAMPLES // len(reports)).items():
            entries[problem_numbers[number][problem]] = {
                texts.number(name): [significant(1e6 * value) for value in values]
                for name, values in sides.items()}
    return entries


def rows_json(reports: Sequence[Report], ordered: Sequence[tuple[int, Check]] | None = None,
              pictured: Collection[tuple[int, str]] = ()) -> str:
    """Returns the data of the script as JSON.

    `pictured` are the audits and collectives whose curves the page has.
    """
    problems, problem_numbers = problem_entries(reports)
    texts, commands = Texts(), Texts()
    collectives = [collectives_of(report) for report in reports]
    columns: dict[str, list[Any]] = {name: [] for name in (
        "audit", "about", "guideline", "collective", "problem", "left", "right", "verdict",
        "ratio", "low", "high", "leftTime", "rightTime", "means", "evidence", "rounds", "slower", "reason",
        "advice", "command")}
    remedies: dict[int, list[Any]] = {}
    launches: dict[int, list[list[Any]]] = {}
    if ordered is None:
        ordered = severity_order(reports)
    for row, (number, check) in enumerate(ordered):
        report = reports[number]
        is_violated = check["verdict"] == "violated"
        triple = (check["guideline"], check["left"], check["right"])
        # A single round, as in a simulation, has neither interval nor evidence.
        bounds = interval(check)
        criterion = report.data["rule"]["criterion"]
        remedy = check.get("remedy") if is_violated else None
        kind = check["kind"]
        if remedy is not None:
            remedies[row] = remedy_entry(remedy, texts)
        if "launches" in check:
            launches[row] = launches_of(check)
        values = (
            number, int(kind == "remark"), texts.number(check["guideline"]),
            texts.number(collectives[number].of_check[triple]),
            problem_numbers[number][check["problem"]], texts.number(check["left"]),
            texts.number(check["right"]), STATUSES.index(status_of(check["verdict"], kind)),
            significant(effect(check)), significant(bounds[0]) if bounds else None,
            significant(bounds[1]) if bounds else None,
            time_us(check.get("left_statistics"), criterion),
            time_us(check.get("right_statistics"), criterion),
            VERDICTS.index(check["verdicts"]["filtered_means"]) if "verdicts" in check else None,
            evidence_of(check) if check.get("rounds") != 1 else None,
            check.get("rounds"), check.get("slower"), texts.number(check.get("reason")),
            texts.number(check.get("advice")), commands.number(check.get("reproduce")))
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    found = sample_entries(reports, ordered, texts, problem_numbers)
    prefix = common_prefix(list(commands.numbers))
    data = {
        "audits": [report.title for report in reports], "verdicts": STATUSES,
        "tolerances": [report.data["rule"]["tolerance"] for report in reports],
        "problems": problems, "texts": list(texts.numbers), "commandPrefix": prefix,
        "commands": [command[len(prefix):] for command in commands.numbers], "rows": columns,
        "remedies": remedies, "launches": launches, "samples": found,
        "pictured": [[number, name] for number, name in pictured],
    }
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
