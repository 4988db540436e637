# SPDX-License-Identifier: BSD-3-Clause
"""Reads reports: only this module makes a report of the content of a report.json, or refuses it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

from . import audit_files, marks, plain, rows
from .errors import InputError
from .fields import (
    Check,
    Contestant,
    ContestantName,
    Document,
    Guideline,
    OperationCounts,
    OverviewRow,
    Problem,
)
from .validation import validate

Made = TypeVar("Made")
READ_MAJORS = (1, 2)
# What reports before 2.3 say of what the audit had no time for.
OLD_NO_TIME = "no time was left to measure it (--budget)"
READ_VERSIONS = " and ".join(f"{major}.x" for major in READ_MAJORS)
# The file in a folder with an audit for each number of ranks or nodes.
SCALING_FILE = "scaling.json"
SCALING_KIND = "mpiaudit scaling"


@dataclass(frozen=True)
class Report:
    """One audit and its file."""

    path: Path
    data: Document
    _made: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, make: "Callable[[Report], Made]") -> Made:
        """Returns make(self), which is called once."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    @cached_property
    def problems(self) -> dict[str, Problem]:
        """The problems by their id."""
        return {problem["id"]: problem for problem in self.data["problems"]}

    @cached_property
    def guidelines(self) -> dict[str, Guideline]:
        """The guidelines by their id."""
        return {guideline["id"]: guideline for guideline in self.data["guidelines"]}

    @cached_property
    def contestants(self) -> dict[tuple[str, str], Contestant]:
        """The contestants by problem id and name."""
        return {
            (problem["id"], contestant["name"]): contestant
            for problem in self.data["problems"]
            for contestant in problem["contestants"]
        }

    def status(self, check: Check) -> marks.Status:
        """Returns the verdict of the check; `remark` for a violated remark."""
        return marks.status_of(check["verdict"], check["kind"])

    @cached_property
    def verdicts(self) -> list[Check]:
        """The checks of the library, in the order of the report."""
        return [check for check in self.data["checks"] if check["kind"] == "verdict"]

    @cached_property
    def remarks(self) -> list[Check]:
        """The checks of reference algorithms, in the order of the report."""
        return [check for check in self.data["checks"] if check["kind"] == "remark"]

    @cached_property
    def violations(self) -> list[Check]:
        """The checks that find the library in violation, in the order of the report."""
        return [check for check in self.verdicts if check["verdict"] == "violated"]

    @property
    def ranks(self) -> int:
        return self.data["machine"]["ranks"]

    @property
    def nodes(self) -> int:
        return len(self.data["machine"]["hosts"])

    @property
    def folders(self) -> list[Path]:
        """The folders with the samples of its launches."""
        if "folders" in self.data:
            return [self.path.parent / folder for folder in self.data["folders"]]
        is_own = self.path.name.removesuffix(audit_files.COMPRESSED) == audit_files.REPORT
        return [self.path.parent if is_own else Path()]

    @property
    def is_simulated(self) -> bool:
        return self.data["simulated"]

    @property
    def library(self) -> str:
        """Name and version of the MPI library. A report before 2.0 has only the whole text of
        MPI_Get_library_version, of which this is the first part."""
        whole = self.data["mpi"]["library"].strip() or "unknown MPI library"
        return self.data["summary"].get("library", whole.splitlines()[0].partition(",")[0])

    @property
    def title(self) -> str:
        """One line that tells audits apart, as on the console. A report before 1.6 has no such line."""
        simulated = ", simulated" if self.is_simulated else ""
        return self.data["summary"].get("audited", f"{self.library}, {self.ranks} ranks{simulated}")

    @cached_property
    def names(self) -> dict[str, ContestantName]:
        """The parts of the names of contestants. A report before 2.0 has no parts: only the single calls of
        implementations are known, by the names that are printed for them."""
        if "names" in self.data:
            return {each["name"]: each for each in self.data["names"]}
        known: dict[str, ContestantName] = {}
        for item in self.data["implementations"]:
            single = item["name"]
            for size, label in (("", single), ("(m)", single), ("(m')", f"{single}(m')")):
                known[single + size] = {"name": single + size, "operation": single, "label": label,
                                        "implementation": single}
        return known

    def label(self, name: str) -> str:
        """MPI_Gatherv of MPI_Gatherv(m), as the tables of the papers print a contestant."""
        return self.names[name]["label"] if name in self.names else name

    def operation(self, name: str) -> str:
        """A contestant without its sizes: MPI_Scatter + MPI_Allgather."""
        return self.names[name]["operation"] if name in self.names else name

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        summary = self.data["summary"]
        decided = summary["violated"] + summary["holds"]
        return summary.get("headline", f"{summary['violated']} of {decided} decided checks violated.")

    @property
    def overview(self) -> list[OverviewRow]:
        """A row for each violated operation, in the order of the first screen. Raises InputError for a
        report before 2.0, which has no rows with sentences."""
        if "operations" not in self.data:
            raise InputError(f"{self.path}: has no rows for the violated operations, since an older mpiaudit "
                             f"wrote it; {self.judged_again()}")
        return self.data["overview"]

    @property
    def operations(self) -> list[OperationCounts]:
        """The numbers of verdicts on each operation, violated operations first; none before 2.0."""
        return self.data.get("operations", [])

    def judged_again(self) -> str:
        """Returns the command that makes a current report from the samples of an older report."""
        command = audit_files.judging(self.folders, self.folders[0] / audit_files.REPORT)
        return f"judge it again: {command}"


def load_json(path: Path) -> Any:
    """Returns the value in a file. Raises InputError if the file is not JSON in UTF-8."""
    try:
        # Reading bytes: looking for line ends takes a tenth of the time of a large report.
        data = audit_files.content(path)
        if not data or data.isspace():
            raise InputError(f"{path}: is empty; give the report.json of an audit")
        return plain.parse(data)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read: it is not text in UTF-8 (byte "
                         f"{error.start + 1})") from None
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}") from None


def check_version(path: Path, document: Any) -> None:
    """Raises InputError for another major version; newer minor versions only add fields."""
    version = document.get("schema_version") if isinstance(document, dict) else None
    if not isinstance(version, str):
        raise InputError(f"{path}: not a report of mpiaudit: it has no schema_version")
    if not re.fullmatch(rf"({'|'.join(map(str, READ_MAJORS))})\.\d+", version):
        raise InputError(
            f"{path}: its schema_version is {version}, this program reads {READ_VERSIONS}: "
            f"use the analysis of the mpiaudit that wrote it, or audit again"
        )


def check_references(report: Report) -> None:
    """Raises InputError for a check with a guideline or problem that the report does not have."""
    problems, guidelines = report.problems, report.guidelines
    for index, check in enumerate(report.data["checks"]):
        if check["problem"] not in problems:
            raise InputError(
                f"{report.path}: checks/{index} is about the problem {check['problem']!r}, "
                f"which the report does not have"
            )
        if check["guideline"] not in guidelines:
            raise InputError(
                f"{report.path}: checks/{index} is about the guideline "
                f"{check['guideline']!r}, which the report does not have"
            )


def check_rows(report: Report) -> None:
    """Raises InputError for a row of the overview without its violated check or counts."""
    violated = {(check["guideline"], check["problem"]) for check in report.violations}
    operations = {each["operation"] for each in report.operations}
    for index, row in enumerate(report.data.get("overview", [])):
        if (row["guideline"], row["problem"]) not in violated or row["operation"] not in operations:
            raise InputError(f"{report.path}: overview/{index} is about {row['operation']} on "
                             f"{row['problem']}, which the report has not found violated")


def add_kinds(document: Document) -> None:
    """Adds the kind of the reason that a report before 2.3 gives to what the audit had no time for. Other
    reasons of such a report are not told apart."""
    contestants = [each for problem in document["problems"] for each in problem["contestants"]]
    for entry in [*document["checks"], *contestants]:
        if OLD_NO_TIME in (entry.get("reason"), entry.get("skipped")):
            entry.setdefault("reason_kind", "no time")


def report_from(path: Path, document: Any) -> Report:
    """Returns the report in a parsed document. Raises InputError if the document is damaged."""
    check_version(path, document)
    # Rows of an older mpiaudit have no sentences; Report.overview says so.
    if "overview" in document and "operations" not in document:
        document = {key: value for key, value in document.items() if key != "overview"}
    try:
        document = rows.expanded(document)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: not a report of mpiaudit: its rows are damaged "
                         f"({type(error).__name__}: {error})") from None
    validate(path, document)
    add_kinds(document)
    report = Report(path, cast(Document, document))
    if not report.data["problems"]:
        raise InputError(f"{path}: an empty report: the audit has not measured any problem")
    check_references(report)
    check_rows(report)
    return report


def remedy(folder: Path) -> str:
    """Returns the command that makes the missing report of a folder, if the folder has samples."""
    if audit_files.samples_in(folder) is None:
        return ""
    return f"; make it of its samples: {audit_files.judging([folder], folder / audit_files.REPORT)}"


def read(argument: str | Path) -> Iterator[Report]:
    """Yields the report, or the reports of a scaling document, that an argument names.

    The argument is a file, or a folder that holds report.json, or scaling.json for several scales. Files may
    be compressed by xz.
    """
    path = Path(argument)
    if path.is_dir():
        found = audit_files.report_in(path) or audit_files.existing(path / SCALING_FILE)
        if found is None:
            raise InputError(f"{argument}: the folder has no report.json{remedy(path)}")
        path = found
    document = load_json(path)
    if isinstance(document, dict) and document.get("kind") == SCALING_KIND:
        check_version(path, document)
        for part in document.get("reports", []):
            yield report_from(path, part)
    else:
        yield report_from(path, document)


def read_all(arguments: Iterable[str | Path], option: str = "") -> list[Report]:
    """Returns all reports that the arguments name, in their order. `option` is named in errors."""
    reports = [report for argument in arguments for report in read(argument)]
    if not reports:
        raise InputError(f"no report in what was given{' to ' + option if option else ''}")
    return reports
