# SPDX-License-Identifier: BSD-3-Clause
"""Reads the numbers of the overview's rows from what users read: the page, the screen and JUnit's XML."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Literal

from .errors import InputError
from .fields import OverviewRow
from .reports import Report

What = Literal["ratio", "takes", "instead", "lost", "worst", "fastest"]
NUMBER = r"(\d[\d.]*(?:e[+-]?\d+)?[kM]?)"
TIME = rf"{NUMBER} (?:µs|us)"
PATTERNS: tuple[tuple[What, re.Pattern[str]], ...] = (
    ("ratio", re.compile(rf"\bratio {NUMBER}")),
    ("ratio", re.compile(rf"{NUMBER} times as (?:long|fast|slow)")),
    ("takes", re.compile(rf"{TIME} a call")),
    ("takes", re.compile(rf"\btakes {TIME}")),
    ("instead", re.compile(rf"\btakes {TIME}, .*? {TIME}: ")),
    ("lost", re.compile(rf"\b(?:loses|saves) {TIME}")))
LINE = re.compile(rf"S(?P<number>\d+) +.+? +(?P<takes>{NUMBER}) +(?P<instead>{NUMBER}|-) +"
                  rf"(?P<lost>{NUMBER}|-) +(?P<worst>{NUMBER}|-|inf)  ")
# The columns of the table on the page.
COLUMNS: dict[str, What] = {"takes": "takes", "instead": "instead", "lost": "lost", "times": "worst"}
# The title of a point of a picture, and the line of a size in `mpiaudit explain`.
OF_POINT: tuple[What, ...] = ("takes", "instead", "fastest")
POINT = {what: re.compile(rf"\b{what} {TIME}") for what in OF_POINT}
SIZE = re.compile(rf" *(?:\d[\d.]* [KMGT]?i?B|-) [!? ]\S+ +(?P<takes>{NUMBER}) +(?P<instead>{NUMBER}|-) +"
                  rf"(?P<fastest>{NUMBER}) +(?:{NUMBER}|inf)(?: +#+)?$")
SPACES = str.maketrans({"\u202f": None, "\u00a0": " ", "\n": " "})
FACTORS = {"k": 1e3, "M": 1e6}


@dataclass(frozen=True, slots=True)
class Shown:
    """A number of a row, and where a user reads the number. Times are seconds."""

    place: str
    what: What
    value: float


def value_of(what: What, text: str) -> float:
    """Returns a ratio, or the seconds of a number of microseconds."""
    number = float(text.rstrip("kM")) * FACTORS.get(text[-1], 1.0)
    return number if what in ("ratio", "worst") else number * 1e-6


def numbers_in(text: str, place: str) -> Iterator[Shown]:
    """Yields the numbers of a row that stand in a text of sentences."""
    plain = re.sub(" +", " ", text.translate(SPACES))
    for what, pattern in PATTERNS:
        for match in pattern.finditer(plain):
            yield Shown(place, what, value_of(what, match[match.lastindex or 1]))


@dataclass
class Finding:
    """A row of the page's table by columns, its sentence, its table of ways, the points of its picture."""

    columns: dict[str, str] = field(default_factory=dict)
    sentence: str = ""
    ways: list[list[str]] = field(default_factory=list)
    points: list[str] = field(default_factory=list)


class PageReader(HTMLParser):
    """Collects the slow operations of a page."""

    VOID = frozenset({"br", "meta", "link", "img", "input", "path"})

    def __init__(self) -> None:
        super().__init__()
        self.findings: list[Finding] = []
        self.open: list[tuple[str, list[str]]] = []  # tags and classes

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = (dict(attributes).get("class") or "").split()
        if tag == "tr" and "row" in names:
            self.findings.append(Finding())
        if tag == "tr" and self.is_within("table", "ways"):
            self.findings[-1].ways.append([])
        if tag not in self.VOID:
            self.open.append((tag, names))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Elements such as <path/> hold no text."""

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag not in self.VOID:
            if self.open.pop()[0] == tag:
                break

    def is_within(self, tag: str, name: str = "") -> bool:
        return any(each == tag and (not name or name in names) for each, names in self.open)

    def handle_data(self, data: str) -> None:
        if self.is_within("tr", "row"):
            for column in COLUMNS:
                if self.is_within("td", column):
                    self.findings[-1].columns[column] = data.strip()
        elif self.is_within("details", "finding"):
            if self.open[-1][0] == "td" and self.is_within("table", "ways"):
                self.findings[-1].ways[-1].append(data.strip())
            elif self.is_within("p", "said"):
                self.findings[-1].sentence += data
            elif self.is_within("title"):
                self.findings[-1].points.append(data)


def findings_of(report: Report, text: str) -> list[Finding]:
    """Returns the rows on the page of a report."""
    reader = PageReader()
    reader.feed(text)
    if len(reader.findings) != len(report.overview):
        raise InputError(f"{report.path}: the page has {len(reader.findings)} rows, not "
                         f"{len(report.overview)}")
    return reader.findings


def of_page(report: Report, text: str) -> list[list[Shown]]:
    """Returns the numbers of each row on the page of a report."""
    found: list[list[Shown]] = []
    for row, finding in zip(report.overview, findings_of(report, text), strict=True):
        shown = [Shown("row of the page", what, value_of(what, finding.columns[column]))
                 for column, what in COLUMNS.items() if finding.columns.get(column, "–") != "–"]
        shown += numbers_in(finding.sentence, "sentence of the page")
        found.append(shown + list(of_ways(report, row, finding.ways)))
    return found


def of_ways(report: Report, row: OverviewRow, ways: list[list[str]]) -> Iterator[Shown]:
    """Yields the numbers of the row's two sides in the table of ways."""
    check = next(each for each in report.violations if (each["guideline"], each["problem"]) == (
        row["guideline"], row["problem"]))
    times = {way[0]: value_of("takes", way[1]) for way in ways if len(way) == 2}
    takes = times.get(report.label(check["left"]))
    instead = times.get(report.label(row.get("contestant", "")))
    if takes is None:
        return
    yield Shown("ways of the page", "takes", takes)
    if instead is not None and row["kind"] != "communicator":
        yield Shown("ways of the page", "instead", instead)
        yield Shown("ways of the page", "ratio", takes / instead)


def points_of_page(finding: Finding) -> list[list[Shown]]:
    """Returns the numbers of each point of the picture of a row."""
    place = "picture of the page"
    return [[Shown(place, what, value_of("takes", match[1])) for what, pattern in POINT.items()
             if (match := pattern.search(point.translate(SPACES)))] for point in finding.points]


def points_of_explanation(text: str) -> list[list[Shown]]:
    """Returns the numbers of each size that `mpiaudit explain` prints."""
    place = "mpiaudit explain"
    return [[Shown(place, what, value_of("takes", match[what])) for what in OF_POINT if match[what] != "-"]
            for match in map(SIZE.match, text.splitlines()) if match is not None]


def of_screen(report: Report, text: str) -> list[list[Shown]]:
    """Returns the numbers of each row on the screen of a report with all rows (--all); none if the screen
    names operations only, since there are more ranks than cores."""
    rows = [match for match in map(LINE.match, text.splitlines()) if match is not None]
    if not rows and "\nSlower here: " in text:
        return [[] for _ in report.overview]
    if [int(match["number"]) for match in rows] != list(range(1, len(report.overview) + 1)):
        raise InputError(f"{report.path}: the screen has {len(rows)} rows, not {len(report.overview)}")
    found = []
    for match, row in zip(rows, report.overview, strict=True):
        # A communicator that another function makes faster has times, and no ratio in the report.
        times: list[What] = ["takes"]
        if row.get("instead_s"):
            times += ["instead", "lost"]
        found.append([Shown("screen", what, value_of(what, match[what])) for what in times])
        if match["worst"] not in ("-", "inf"):
            found[-1].append(Shown("screen", "worst", value_of("worst", match["worst"])))
    return found


def of_junit(report: Report, text: str) -> list[list[Shown]]:
    """Returns the numbers of each row in JUnit's XML."""
    cases: dict[tuple[str, str], ElementTree.Element] = {}
    for case in ElementTree.fromstring(text).iter("testcase"):
        cases[case.get("classname", ""), case.get("name", "").rpartition(" on ")[2]] = case
    found = []
    for row in report.overview:
        key = row["guideline"], row["problem"]
        if key not in cases:
            raise InputError(f"{report.path}: JUnit's XML lacks {' on '.join(key)}")
        words = " ".join(each.get("message", "") for each in cases[key])
        found.append(list(numbers_in(words, "JUnit's XML")))
    return found


def of_report(report: Report) -> list[list[Shown]]:
    """Returns the numbers of each row in report.json."""
    keys: Sequence[tuple[Literal["factor", "takes_s", "instead_s", "lost_s"], What]] = (
        ("factor", "ratio"), ("takes_s", "takes"), ("instead_s", "instead"), ("lost_s", "lost"))
    found = []
    for row in report.overview:
        shown = [Shown("report.json", what, row[key]) for key, what in keys if row.get(key)]
        if "worst" in row:
            shown.append(Shown("report.json", "worst", row["worst"]["factor"]))
        if row.get("instead_s") and "factor" in row:
            shown.append(Shown("times of report.json", "ratio", row["takes_s"] / row["instead_s"]))
            shown.append(Shown("times of report.json", "lost", row["takes_s"] - row["instead_s"]))
        found.append(shown)
    return found
