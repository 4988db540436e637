# SPDX-License-Identifier: BSD-3-Clause
"""Cancels the jobs of an audit; their measurements stay."""

from pathlib import Path

from batch import scheduler, submission
from batch.errors import UsageError
from batch.outcome import outcome
from batch.place import COMMAND


def cancel(folder: Path) -> None:
    """Cancels the jobs that wait or run. Raises UsageError if all jobs have ended."""
    record, jobs = submission.read(folder)
    outcomes = [outcome(job) for job in jobs]
    open_ones = [each for each in outcomes if not each.state.is_over]
    numbers = [each.job.number for each in open_ones]
    collect_job = record.get("collect_job")
    if collect_job and not scheduler.state_of(collect_job).is_over:
        numbers.append(collect_job)
    if not numbers:
        raise UsageError(f"{folder}: all jobs have ended, there is nothing to cancel")
    scheduler.cancel(numbers)
    for each in open_ones:
        print(f"job {each.job.number}: {each.job.nodes} node{'s' if each.job.nodes > 1 else ''}, "
              f"cancelled after {each.progress}")
    if any(not each.is_complete for each in open_ones):
        print(f"all measurements stay; to continue: {COMMAND} resume {folder.name}")
