# SPDX-License-Identifier: BSD-3-Clause
"""The checks of a page as compact columns for its script.

100 000 checks as table rows are 60 MB of HTML and seconds of layout. As columns of numbers that
point into lists of texts they are about 7 MB, and the script shows a page of rows at a time.
"""

import json
from collections.abc import Sequence
from typing import Any

from analysis import units
from analysis.contestants import collectives_of
from analysis.fields import VERDICTS, Check, Statistics
from analysis.heatmap import effect
from analysis.reports import Report


class Texts:
    """Every text once; rows hold its number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str | None) -> int:
        """The number of a text; -1 where there is none."""
        return -1 if text is None else self.numbers.setdefault(text, len(self.numbers))


def significant(value: float | None, digits: int = 4) -> float | int | None:
    """Rounded to significant digits, to save space."""
    if value is None:
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded.is_integer() else rounded


def time_us(statistics: Statistics | None, key: str) -> float | int | None:
    return None if statistics is None else significant(
        statistics[key] * 1e6, 5)  # type: ignore[literal-required]


def evidence_of(check: Check) -> float | int | None:
    """The decimal logarithm of the e-value behind the verdict."""
    if "evidence" not in check:
        return None
    key = "log_e_holds" if check["verdict"] == "holds" else "log_e_violated"
    return significant(check["evidence"][key] / units.LN10, 3)  # type: ignore[literal-required]


def severity_order(reports: Sequence[Report]) -> list[tuple[int, Check]]:
    """All checks with the number of their audit: violated first, each by falling ratio."""
    rank = {verdict: index for index, verdict in enumerate(VERDICTS)}
    everything = [(number, check) for number, report in enumerate(reports)
                  for check in report.data["checks"]]
    everything.sort(key=lambda item: (rank[item[1]["verdict"]], -(effect(item[1]) or 0.0)))
    return everything


def problem_entries(reports: Sequence[Report]) -> tuple[list[list[Any]], list[dict[str, int]]]:
    """What the script shows of each problem, and its number by audit and id."""
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
    """What all texts begin with; the smallest and the largest differ first."""
    if not texts:
        return ""
    first, last = min(texts), max(texts)
    length = next((index for index, (one, other) in enumerate(zip(first, last, strict=False))
                   if one != other), min(len(first), len(last)))
    return first[:length]


def rows_json(reports: Sequence[Report]) -> str:
    """The data of the script as JSON that may stand inside a <script> element."""
    problems, problem_numbers = problem_entries(reports)
    texts, commands = Texts(), Texts()
    collectives = [collectives_of(report) for report in reports]
    columns: dict[str, list[Any]] = {name: [] for name in (
        "audit", "guideline", "collective", "problem", "left", "right", "verdict", "ratio", "low",
        "high", "leftTime", "rightTime", "evidence", "rounds", "slower", "reason", "advice",
        "command")}
    for number, check in severity_order(reports):
        triple = (check["guideline"], check["left"], check["right"])
        ratio = check.get("ratio")
        values = (
            number, texts.number(check["guideline"]),
            texts.number(collectives[number].of_check[triple]),
            problem_numbers[number][check["problem"]], texts.number(check["left"]),
            texts.number(check["right"]), VERDICTS.index(check["verdict"]),
            significant(effect(check)), significant(ratio["low"]) if ratio else None,
            significant(ratio["high"]) if ratio else None,
            time_us(check.get("left_statistics"), "mean_s"),
            time_us(check.get("right_statistics"), "mean_s"), evidence_of(check),
            check.get("rounds"), check.get("slower"), texts.number(check.get("reason")),
            texts.number(check.get("advice")), commands.number(check.get("reproduce")))
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    prefix = common_prefix(list(commands.numbers))
    data = {
        "audits": [report.title for report in reports], "verdicts": VERDICTS,
        "problems": problems, "texts": list(texts.numbers), "commandPrefix": prefix,
        "commands": [command[len(prefix):] for command in commands.numbers], "rows": columns,
    }
    # "</script>" and "<!--" would end the element early.
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
