# SPDX-License-Identifier: BSD-3-Clause
"""The table that a page opens with: each violated operation once, as on the first screen.

Rows, sentences and ways are those of the report; page_explanations.py has what a row opens.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import units
from .fields import Check, OverviewRow, Way
from .heatmap import compared_s
from .operations import NO_TIME
from .page_words import in_mpi_words
from .reports import Report

# As screen_rows.cpp and overview_rows.cpp have them: what a screen counts, and does not list.
SMALL_LOSS_S, CLEAR_RATIO = 1e-6, 1.2
# The version of reports since which rows have their largest ratio.
WITH_WORST = (2, 3)


def short_name(name: str) -> str:
    """Returns a name as a row has it: without MPI_ and MPI_Wait."""
    return name.replace(" + MPI_Wait", "").replace("MPI_", "")


@dataclass(frozen=True)
class Operation:
    """A violated operation of one audit."""

    report: Report
    row: OverviewRow
    code: str  # S1: `mpiaudit explain FOLDER S1`

    @property
    def name(self) -> str:
        return self.row["operation"]

    @property
    def short_name(self) -> str:
        return short_name(self.name)

    @property
    def check(self) -> Check:
        """The check that the row shows."""
        return next(check for check in self.report.violations if (
            check["guideline"], check["problem"]) == (self.row["guideline"], self.row["problem"]))

    @property
    def setting(self) -> str:
        """The variables of a setting that another audit has found, or that the row advises; may be empty."""
        of_row = self.row.get("code", "") if self.row["kind"] == "setting" else ""
        found = self.faster_setting
        return str(found["variables"]) if found else of_row

    @property
    def faster_setting(self) -> dict[str, Any] | None:
        return next((each for each in self.report.data.get("faster_settings", [])
                     if each["operation"] == self.name), None)

    @property
    def advice(self) -> str:
        """What to do instead, in the words of the screen."""
        row = self.row
        if self.setting:
            return "set a variable"
        if row["kind"] == "report":
            return "report it" if "factor" in row else "not confirmed"
        if row["kind"] == "communicator":
            return "keep it"
        return short_name(row["instead"].partition("; needs")[0])

    @property
    def caveats(self) -> list[str]:
        """On which data the row was measured, if these are unusual, and where the replacement is no good."""
        row, texts = self.row, []
        if row.get("data"):
            texts.append(row["data"])
        if row.get("caveat"):
            texts.append(in_mpi_words(self.report, row["caveat"]))
        return texts

    @property
    def has_conditions(self) -> bool:
        return bool(self.caveats) or "; needs" in self.row["instead"]

    @property
    def instead(self) -> str:
        """The advice in a few words, with its conditions."""
        return " ".join([self.row["instead"], *(f"({text})" for text in self.caveats)])

    @property
    def takes_s(self) -> float | None:
        """The time of a call. A report before 2.2 has the time of the check's left side instead."""
        if "takes_s" in self.row:
            return self.row["takes_s"]
        statistics = self.check.get("left_statistics")
        return compared_s(statistics, self.report.data["rule"]["criterion"]) if statistics else None

    @property
    def times_us(self) -> list[float | None]:
        """The microseconds of a call and of its replacement, and what a call loses."""
        takes_s, instead_s = self.takes_s, self.row.get("instead_s")
        return [None if value is None else 1e6 * value
                for value in (takes_s, instead_s, self.row["lost_s"] if instead_s is not None else None)]

    @property
    def worst(self) -> float | None:
        """The largest ratio of the operation over any way on any problem. Reports before 2.3 have none: the
        ratio of the row then."""
        if "worst" in self.row:
            return self.row["worst"]["factor"]
        is_older = tuple(map(int, self.report.data["schema_version"].split("."))) < WITH_WORST
        return self.row.get("factor") if is_older else None

    @property
    def is_small(self) -> bool:
        """Whether the operation is barely slow: the first screen counts, and does not list it."""
        return self.row["lost_s"] < SMALL_LOSS_S and (self.worst or 1.0) < CLEAR_RATIO

    @property
    def sizes(self) -> str:
        """The sizes from the first to the last at which the operation is slow."""
        if "low_bytes" not in self.row or "high_bytes" not in self.row:
            return ""
        low, high = (units.amount_of_bytes(each) for each in (self.row["low_bytes"], self.row["high_bytes"]))
        return low if low == high else f"{low} to {high}"

    @property
    def ways(self) -> list[Way]:
        return self.row["ways"]


def operations_of(report: Report) -> list[Operation]:
    """Returns the violated operations, in the order of the first screen."""
    return [Operation(report, row, f"S{number}") for number, row in enumerate(report.overview, 1)]


def in_order(operations: Iterable[Operation]) -> list[Operation]:
    """Returns the rows of several reports in the order of a first screen."""
    return sorted(operations, key=lambda each: (each.row["is_other_form"], -each.row["lost_s"]))


def without_time(report: Report) -> int:
    """Returns the number of checks that were not measured for want of time. Other skipped checks do not
    apply."""
    return sum(check.get("reason_kind") == NO_TIME for check in report.verdicts
               if check["verdict"] == "skipped")
