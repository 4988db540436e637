# SPDX-License-Identifier: BSD-3-Clause
"""A submitted audit: its folder in results/ and the record in the folder."""

import json
import os
import shutil
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from batch import packages, scheduler, scripts
from batch.errors import UsageError
from batch.place import COMMAND, IS_ARCHIVE, IS_INSTALLED
from batch.request import Request

RECORD = "submission.json"
KIND = "mpiaudit submission"


def latest(number: str, folder: Path) -> str:
    """Returns the number of the last job that has begun in the folder, also one submitted by hand."""
    begun = [file.stem.removeprefix("job-") for file in folder.glob("job-*.txt")]
    return max([number, *begun], key=lambda text: int(text) if text.isdigit() else 0)


@dataclass(frozen=True)
class Job:
    """The audit on one number of nodes."""

    nodes: int
    ranks: int
    folder: Path
    number: str
    launches: int
    scales: list[int]  # the numbers of nodes that the job audits; empty: all its nodes alone

    def folders_of(self, launch: Path) -> list[Path]:
        """Returns the folders of the audits of a launch."""
        return [launch / f"nodes-{nodes}" for nodes in self.scales] or [launch]


def save(file: Path, text: str) -> None:
    """Replaces the file as a whole, so that readers never see a part of the text."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)


def read(folder: Path) -> tuple[dict[str, Any], list[Job]]:
    """Returns the record and the jobs of a submission. Raises UsageError if there is none."""
    file = folder / RECORD
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such audit; submit makes it")
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        if record["kind"] != KIND:
            raise ValueError(record["kind"])
        jobs = [Job(each["nodes"], each["ranks"], folder / each["folder"],
                    latest(each["job"], folder / each["folder"]), record["launches"],
                    each.get("scales", []))
                for each in record["jobs"]]
    except FileNotFoundError:
        raise UsageError(f"{folder}: not submitted by jobs/slurm: it has no {RECORD}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file}: not the record of a submission ({error!r})") from None
    return record, jobs


def claim(folder: Path) -> None:
    """Makes the folder. Raises UsageError if the folder exists."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except FileExistsError:
        what = ("an audit of this name was submitted already"
                if (folder / RECORD).exists() else "the folder exists already")
        raise UsageError(f"{folder}: {what}; give another --name, or remove it") from None
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}") from None


def write_scripts(request: Request, program: Path, folder: Path, command: str) -> list[Path]:
    """Writes the scripts of all jobs. Returns their paths, that of `collect` last."""
    written = []
    for nodes in request.jobs:
        place = folder / f"nodes-{nodes}"
        place.mkdir()
        written.append(place / "job.sh")
        written[-1].write_text(scripts.audit_script(request, program, place, nodes, command),
                               encoding="utf-8")
    if request.collects:
        written.append(folder / "collect.sh")
        written[-1].write_text(scripts.collect_script(request, folder), encoding="utf-8")
    for script in written:
        script.chmod(0o755)
    return written


def submit_all(request: Request, folder: Path, written: list[Path], record: dict[str, Any]) -> None:
    """Submits the scripts one after the other, and completes the record after each."""
    numbers: list[str] = []
    try:
        for nodes, script in zip(request.jobs, written):
            after = numbers[-1:] if request.is_chained else []
            numbers.append(scheduler.submit(script, after))
            record["jobs"].append({"nodes": nodes, "ranks": nodes * request.ranks_per_node,
                                   "folder": script.parent.name, "job": numbers[-1],
                                   "scales": request.scales})
            save(folder / RECORD, json.dumps(record, indent=1) + "\n")
            print(f"job {numbers[-1]}: {nodes} node{'s' if nodes > 1 else ''}, "
                  f"{nodes * request.ranks_per_node} ranks")
        if request.collects:
            record["collect_job"] = scheduler.submit(written[-1], numbers)
            save(folder / RECORD, json.dumps(record, indent=1) + "\n")
            print(f"job {record['collect_job']}: merges them when they have ended")
    except UsageError as error:
        if not numbers:
            raise
        raise UsageError(f"{error}\nonly these are submitted: {' '.join(numbers)}; "
                         f"`scancel {' '.join(numbers)}` takes them back") from None


def dry_run(request: Request, folder: Path, program: Path, command: str) -> None:
    for nodes in request.jobs:
        place = folder / f"nodes-{nodes}"
        print(f"##### {place}/job.sh")
        print(scripts.audit_script(request, program, place, nodes, command))
    if request.collects:
        print(f"##### {folder}/collect.sh")
        print(scripts.collect_script(request, folder))


def submit(request: Request, results: Path, prints_only: bool) -> None:
    """Writes the scripts of all jobs and submits them, or only prints them. Raises UsageError."""
    folder = results / request.name
    command = scripts.in_one_line([COMMAND, *sys.argv[1:]])
    program = scripts.program_of(request)
    if prints_only:
        dry_run(request, folder, program, command)
        return
    if not (request.program or IS_INSTALLED or IS_ARCHIVE):
        scripts.build(request)
    if not os.access(program, os.X_OK) or program.is_dir():
        raise UsageError(f"--program {program}: not an executable file")
    if request.collects:
        packages.check(request)
    scripts.check_library(request, program)
    scripts.check_options(request, program)
    claim(folder)
    try:
        written = write_scripts(request, program, folder, command)
        for script in written:
            scheduler.test(script)
        if request.launcher == "srun":
            scheduler.check_pmi(request.pmi)
        record: dict[str, Any] = {
            "kind": KIND, "command": [COMMAND, *sys.argv[1:]],
            "submitted": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "program": str(program), "launches": request.launches, "jobs": []}
        submit_all(request, folder, written, record)
    except UsageError:
        # Without a job the folder has only scripts.
        if not (folder / RECORD).exists():
            shutil.rmtree(folder)
        raise
    print(f"{COMMAND} status {request.name}; {COMMAND} collect {request.name}")
