# SPDX-License-Identifier: BSD-3-Clause
"""Submits jobs again that have ended before their audits were complete."""

import json
from pathlib import Path

from batch import scheduler, submission
from batch.errors import UsageError
from batch.outcome import outcome


def resume(folder: Path) -> None:
    """Submits the incomplete jobs, which continue their audits. Raises UsageError."""
    record, jobs = submission.read(folder)
    numbers: list[str] = []
    for entry, job in zip(record["jobs"], jobs):
        found = outcome(job)
        if found.is_complete:
            continue
        entry["job"] = job.number
        if found.state.is_over:
            entry["job"] = scheduler.submit(job.folder / "job.sh", numbers[-1:])
            submission.save(folder / submission.RECORD, json.dumps(record, indent=1) + "\n")
            print(f"job {entry['job']}: {job.nodes} node{'s' if job.nodes > 1 else ''}, goes on "
                  f"after {found.progress}")
        numbers.append(entry["job"])
    if not numbers:
        raise UsageError(f"{folder}: all audits are complete, nothing is left to do")
    if (folder / "collect.sh").exists():
        record["collect_job"] = scheduler.submit(folder / "collect.sh", numbers)
        submission.save(folder / submission.RECORD, json.dumps(record, indent=1) + "\n")
        print(f"job {record['collect_job']}: merges them when they have ended")
