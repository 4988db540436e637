# SPDX-License-Identifier: BSD-3-Clause
"""The progress of one audit's jobs or of all audits, shown once or until all jobs are over."""

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Optional

from batch import submission
from batch.errors import UsageError
from batch.outcome import Outcome, obstacle_to_collect, outcome
from batch.place import COMMAND

CLEAR_SCREEN = "\x1b[H\x1b[2J"


def table(rows: list[tuple[str, ...]]) -> str:
    """Returns the rows in columns as wide as their longest cell. The first row has the names."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                     for row in rows)


def of_audit(name: str, outcomes: list[Outcome], obstacle: list[str]) -> str:
    """Returns a line for each number of nodes, and the reason if the results cannot be collected."""
    rows: list[tuple[str, ...]] = [("nodes", "ranks", "job", "state", "restarts", "finished")]
    for each in outcomes:
        rows.append((str(each.job.nodes), str(each.job.ranks), each.job.number, str(each.state),
                     str(each.state.restarts), each.progress))
    lines = [table(rows)]
    if obstacle:
        lines += ["the results cannot be collected:", *obstacle,
                  f"to try again: {COMMAND} collect {name}"]
    return "\n".join(lines)


def look_at(folder: Path) -> tuple[list[Outcome], list[str]]:
    """Returns the progress of an audit's jobs, and the reason if the results cannot be collected."""
    record, jobs = submission.read(folder)
    return [outcome(job) for job in jobs], obstacle_to_collect(folder, record)


def in_short(outcomes: list[Outcome], obstacle: list[str]) -> str:
    """Returns the states of the incomplete jobs: 1 RUNNING, 2 PENDING"""
    states = Counter(each.state.state for each in outcomes if not each.is_complete)
    texts = [f"{count} {state}" for state, count in states.items()]
    if obstacle:
        texts.append("collect fails")
    return ", ".join(texts) or "done"


def of_all(results: Path) -> tuple[str, bool]:
    """Returns a line for each audit, the latest first, and whether all are over. Raises UsageError."""
    records = sorted(results.glob(f"*/{submission.RECORD}"), reverse=True,
                     key=lambda file: file.stat().st_mtime)
    if not records:
        raise UsageError(f"{results}: no audits there; submit makes them")
    rows: list[tuple[str, ...]] = [("name", "submitted", "complete", "others")]
    are_over = True
    for file in records:
        try:
            record, _ = submission.read(file.parent)
            outcomes, obstacle = look_at(file.parent)
        except UsageError as error:
            print(f"{COMMAND}: {error}", file=sys.stderr)
            continue
        complete = sum(each.is_complete for each in outcomes)
        are_over = are_over and is_over(outcomes)
        rows.append((file.parent.name, str(record.get("submitted", "")),
                     f"{complete} of {len(outcomes)}", in_short(outcomes, obstacle)))
    return table(rows), are_over


def is_over(outcomes: list[Outcome]) -> bool:
    return all(each.state.is_over for each in outcomes)


def look(results: Path, name: Optional[str]) -> tuple[str, bool]:
    """Returns the status now, and whether all jobs are over."""
    if name is None:
        return of_all(results)
    outcomes, obstacle = look_at(results / name)
    return of_audit(name, outcomes, obstacle), is_over(outcomes)


def watch(results: Path, name: Optional[str], interval_s: float) -> None:
    """Shows the status repeatedly until all jobs are over: on a terminal in one place, in a file only after
    a change."""
    shown = ""
    while True:
        text, is_last = look(results, name)
        if sys.stdout.isatty():
            print(f"{CLEAR_SCREEN}{time.strftime('%H:%M:%S')}\n{text}", flush=True)
        elif text != shown:
            print(text, flush=True)
        if is_last:
            return
        shown = text
        time.sleep(interval_s)
