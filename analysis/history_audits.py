# SPDX-License-Identifier: BSD-3-Clause
"""The audits of a history: read, and brought into an order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .errors import InputError
from .launches import launch_files
from .operations import Identity, native_times, problems_of
from .reports import Report, read

Times = dict[Identity, dict[str, float]]


@dataclass
class Audit:
    """One place of the history: the times of its launches in seconds, by problem and operation."""

    name: str
    report: Report  # without problems and checks, which need much memory
    launches: list[Times]
    byte_sizes: dict[Identity, int]

    @property
    def started(self) -> str:
        return self.report.data["started"]

    @property
    def version(self) -> tuple[str, tuple[int, ...], tuple[bool, str]]:
        """The library's name, the numbers of its version, and what follows them: 5.0.0rc1 precedes 5.0.0."""
        found = re.fullmatch(r"(.*?)\s*v?(\d+(?:\.\d+)+)(.*)", self.report.library)
        if found is None:
            return self.report.library, (), (True, "")
        return (found[1], tuple(map(int, found[2].split("."))), (not found[3].strip(), found[3].strip()))

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version[1])) + self.version[2][1] or self.version[0]


def slim(report: Report) -> Report:
    """Returns the report without its problems and checks."""
    kept = {key: value for key, value in report.data.items()
            if key in ("started", "mpi", "machine", "simulated", "environment", "options", "rule", "summary")}
    return Report(report.path, kept)  # type: ignore[arg-type]


def audit_of(name: str, files: Sequence[Path]) -> Audit:
    """Returns the audit of the launches in these files, which are read one after the other."""
    launches, sizes, first = [], {}, None
    for path in files:
        reports = list(read(path))
        if len(reports) != 1:
            raise InputError(f"{path}: holds {len(reports)} reports, history takes audits at one number of "
                             "ranks")
        launches.append(native_times(reports[0]))
        for key, problem in problems_of(reports[0]).items():
            sizes[key] = problem["total"] * problem["element_bytes"]
        first = first or slim(reports[0])
    assert first is not None
    return Audit(name, first, launches, sizes)


def read_audits(folders: Sequence[str]) -> list[Audit]:
    """Returns the audits of all folders; a result of jobs/before-after holds two."""
    audits = []
    for folder in folders:
        sides = [Path(folder) / side for side in ("before", "after")]
        parts = [str(side) for side in sides if side.is_dir()] or [folder]
        audits += [audit_of(part.rstrip("/"), launch_files(part)) for part in parts]
    return audits


def merged_versions(audits: Sequence[Audit]) -> list[Audit]:
    """Returns an audit for each version with the launches of all audits of this version."""
    merged: dict[str, Audit] = {}
    for audit in audits:
        known = merged.get(audit.version_text)
        if known is None:
            merged[audit.version_text] = replace(audit, name=audit.version_text)
        else:
            known.launches = known.launches + audit.launches
            known.byte_sizes = known.byte_sizes | audit.byte_sizes
    return list(merged.values())


def ordered(audits: Sequence[Audit], by: str | None) -> tuple[list[Audit], str]:
    """Returns the audits in the order of the history, and the name of this order."""
    libraries = {audit.version[0] for audit in audits}
    if by == "version" and len(libraries) > 1:
        raise InputError(f"--by version: the audits are of {', '.join(sorted(libraries))}, whose versions "
                         "have no order; use --by time or --by given")
    if by is None:
        by = "version" if len(libraries) == 1 and len({audit.version for audit in audits}) > 1 else "time"
    if by == "version":
        return merged_versions(sorted(audits, key=lambda audit: (audit.version, audit.started))), by
    kept = list(audits) if by == "given" else sorted(audits, key=lambda audit: audit.started)
    short = [Path(audit.name).name for audit in kept]
    if len(set(short)) == len(short):
        kept = [replace(audit, name=name) for audit, name in zip(kept, short, strict=True)]
    return kept, by
