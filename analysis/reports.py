# SPDX-License-Identifier: BSD-3-Clause
"""Opens reports: the only place that reads a report.json and decides whether it can be used."""

import gc
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, cast

from analysis.errors import InputError
from analysis.fields import Check, Contestant, Document, Guideline, Problem
from analysis.validation import validate

READ_MAJOR = 1
SCALING_KIND = "mpiaudit scaling"


@dataclass(frozen=True)
class Report:
    """One audit, and the file it came from."""

    path: Path
    data: Document

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

    @cached_property
    def violations(self) -> list[Check]:
        """The violated checks, in the order of the report."""
        return [check for check in self.data["checks"] if check["verdict"] == "violated"]

    @property
    def ranks(self) -> int:
        return self.data["machine"]["ranks"]

    @property
    def nodes(self) -> int:
        return len(self.data["machine"]["hosts"])

    @property
    def is_simulated(self) -> bool:
        return self.data["simulated"]

    @property
    def library(self) -> str:
        """Name and version of the MPI library, from what MPI_Get_library_version says."""
        text = self.data["mpi"]["library"].strip()
        first = re.split(r"[,\n]", text, maxsplit=1)[0] if text else "unknown MPI library"
        return re.sub(r"\s+", " ", re.sub(r"\bVersion:\s*", "", first)).strip()

    @property
    def title(self) -> str:
        """One line that tells audits apart: library, ranks, nodes, and whether it is real."""
        nodes = f" on {self.nodes} nodes" if self.nodes > 1 else ""
        ranks = f"{self.ranks} ranks" if self.ranks > 1 else "1 rank"
        simulated = ", simulated" if self.is_simulated else ""
        return f"{self.library}, {ranks}{nodes}{simulated}"


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a finite number")


def load_json(path: Path) -> Any:
    """What the file holds; NaN and Infinity, which are not JSON, are refused."""
    try:
        # As bytes: looking for line ends takes a tenth of the time for a large report.
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    if not text.strip():
        raise InputError(f"{path}: is empty; give the report.json of an audit")
    # Nothing that json makes is cyclic: without the collector a large report loads in half
    # the time, and frozen it is not searched again and again later.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}") from None
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def check_version(path: Path, document: Any) -> None:
    """A newer minor version only adds fields; another major version is refused."""
    version = document.get("schema_version") if isinstance(document, dict) else None
    if not isinstance(version, str):
        raise InputError(f"{path}: not a report of mpiaudit: it has no schema_version")
    if not re.fullmatch(rf"{READ_MAJOR}\.\d+", version):
        raise InputError(
            f"{path}: its schema_version is {version}, this program reads {READ_MAJOR}.x: "
            f"use the analysis of the mpiaudit that wrote it, or audit again"
        )


def check_references(report: Report) -> None:
    """Every check names a guideline and a problem of its own report."""
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


def report_from(path: Path, document: Any) -> Report:
    """The report in a parsed document, checked."""
    check_version(path, document)
    validate(path, document)
    report = Report(path, cast(Document, document))
    if not report.data["problems"]:
        raise InputError(f"{path}: an empty report: the audit has not measured any problem")
    check_references(report)
    return report


def read(argument: str | Path) -> Iterator[Report]:
    """The report, or the reports of a scaling document, that an argument names.

    The argument is a file, or the folder in results/ that holds report.json.
    """
    path = Path(argument)
    if path.is_dir():
        path = path / "report.json"
        if not path.is_file():
            raise InputError(f"{argument}: the folder has no report.json")
    document = load_json(path)
    if isinstance(document, dict) and document.get("kind") == SCALING_KIND:
        check_version(path, document)
        for part in document.get("reports", []):
            yield report_from(path, part)
    else:
        yield report_from(path, document)


def read_all(arguments: Iterable[str | Path]) -> list[Report]:
    """All reports that the arguments name, in their order."""
    reports = [report for argument in arguments for report in read(argument)]
    if not reports:
        raise InputError("no report in what was given")
    return reports
