# SPDX-License-Identifier: BSD-3-Clause
"""Reads a recording, and says what the application could save."""

from pathlib import Path
from typing import Any

from . import checked_file, units
from .errors import InputError
from .reports import Report

# Pairs of runs cannot show a gain below this share of the time in collectives.
LEAST_SHARE = 0.01
TOO_LITTLE = f"A gain below {100 * LEAST_SHARE:g} % would not be visible in pairs of runs."
# The lack of processors is named from this share of the waiting on.
LOAD_SHARE = 0.1
SCHEMA_FILE = Path(__file__).with_name("problems.schema.json")
Json = dict[str, Any]


def read(path: Path) -> Json:
    """Returns the problems.json of a path or folder. Raises InputError with the place of a flaw."""
    return checked_file.read(path / "problems.json" if path.is_dir() else path, SCHEMA_FILE, "problems")


def taken(recording: Json) -> tuple[str, float, float]:
    """Returns the time in collectives in words, in seconds per rank, and as a share of the run."""
    ranks, wall = recorded_ranks(recording), recording["wall_seconds"]
    total = (sum(problem["seconds"]["sum"] + problem["seconds"].get("waiting", 0)
                 for problem in recording["problems"]) + recording["lost"]["seconds"]) / ranks
    share = total / wall if wall > 0 else 0.0
    return f"Collectives take {in_time(total)} of {in_time(wall)} per rank ({percent(share)}).", total, share


def first_gain_of(recording: Json) -> tuple[str, bool]:
    """Returns what the recording alone says about the possible gain, and whether the gain is too little."""
    text, total, share = taken(recording)
    ranks = recorded_ranks(recording)
    if recording["synchronised"]:
        waiting = sum(problem["seconds"]["waiting"] for problem in recording["problems"]) / ranks
        how = "measured at barriers before the calls"
    else:
        # No rank waits in the shortest call.
        moving = sum(problem["calls"] * recording["groups"][problem["group"]]["size"]
                     * problem["seconds"]["min_call"] for problem in recording["problems"]) / ranks
        waiting, how = max(0.0, total - moving), "judged by the shortest call of each problem"
    left = max(0.0, total - waiting) / recording["wall_seconds"] if recording["wall_seconds"] > 0 else 0.0
    text += (f" About {in_time(waiting)} of that is waiting for other ranks{load_of(recording, waiting)}, "
             f"{how}. Even with free collectives the run would be only {percent(left)} shorter: the rest is "
             "waiting.")
    is_too_little = share < LEAST_SHARE
    return text + (f" {TOO_LITTLE}" if is_too_little else ""), is_too_little


def load_of(recording: Json, waiting: float) -> str:
    """Returns words about ranks that lacked processors, if that explains much of the waiting."""
    delayed = recording.get("delayed_seconds", 0.0) / recorded_ranks(recording)
    if delayed < LOAD_SHARE * waiting or waiting == 0:
        return ""
    return (f" or for a processor (each rank lacked one for {in_time(delayed)} of the run: other programs, "
            "or more ranks than processors)")


def buffers_of(recording: Json) -> tuple[str, str]:
    """Returns the value of --buffers for most of the time in blocking calls with data, and why."""
    seconds = dict.fromkeys(("same", "used", "rotate"), 0.0)
    for problem in recording["problems"]:
        seen = problem.get("buffers", {"calls": 0})
        if problem["mode"] != "blocking" or not seen["calls"] or "bytes" not in problem:
            continue
        share = problem["seconds"]["sum"] / seen["calls"]
        # The first call of a rank has no other call to be compared with.
        others = max(0, seen["calls"] - seen["same"] - recorded_ranks(recording))
        seconds["same"] += share * seen["untouched"]
        seconds["used"] += share * (seen["calls"] - seen["untouched"] - others)
        seconds["rotate"] += share * others
    choice = max(("used", "same", "rotate"), key=lambda each: seconds[each])
    return choice, {"used": "calls use the buffers of earlier calls, with time to change their contents",
                    "same": "calls use the buffers of earlier calls, too soon to change their contents",
                    "rotate": "calls use other buffers than the calls before"}[choice]


def gain_of(recording: Json, audits: list[Report]) -> tuple[str, bool]:
    """Returns the time in collectives and the possible gain in words, and whether the gain is too little."""
    if not audits:
        return first_gain_of(recording)
    text, total, _ = taken(recording)
    found = [report.data["savings"] for report in audits if "savings" in report.data]
    if not found:
        raise InputError("--gain: give audits of `mpiaudit run --problems`")
    library = sum(item["calls"] * item["library_s"] for savings in found for item in savings["problems"])
    most = sum(savings["high_s"] for savings in found)
    share = most / total if total > 0 else 0.0
    of_run = most / recording["wall_seconds"] if recording["wall_seconds"] > 0 else 0.0
    text += (f" If all ranks came together to each call, the audited ones would take {in_time(library)}, "
             f"and the faster ways that were found would save up to {in_time(most)}: {percent(share)} of the "
             f"time in collectives, {percent(of_run)} of the run. The rest is waiting"
             f"{load_of(recording, max(0.0, total - library))}, of which slow calls of other ranks may be a "
             "part.")
    is_too_little = share < LEAST_SHARE
    return text + (f" {TOO_LITTLE}" if is_too_little else ""), is_too_little


def in_time(seconds: float) -> str:
    for limit, factor, unit in ((1e-3, 1e6, "us"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{units.short(factor * seconds)} {unit}"
    return f"{units.short(seconds)} s"


def percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def recorded_ranks(recording: Json) -> int:
    """Returns the number of recorded ranks: 1 if only one rank has left a recording."""
    return 1 if "part" in recording else int(recording["ranks"])
