# SPDX-License-Identifier: BSD-3-Clause
"""Rates that `bench/calibrate --json` has measured: how far verdicts can be trusted on a machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import checked_file

SCHEMA_FILE = Path(__file__).with_name("calibration.schema.json")


@dataclass(frozen=True, slots=True)
class Rate:
    """A line of the table: a rate with its 95 % interval, and the rate that it should be."""

    what: str
    hits: int
    trials: int
    low: float
    high: float
    aim: str
    note: str = ""

    @property
    def share(self) -> float:
        return self.hits / self.trials if self.trials else 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    title: str
    rates: list[Rate]
    effort: str


def _rate(what: str, found: dict[str, Any], aim: str, note: str = "") -> Rate:
    return Rate(what, found["hits"], found["trials"], found["low"], found["high"], aim, note)


def _planted(each: dict[str, Any]) -> Rate:
    """Returns the rate for a planted slow-down. Within the tolerance of 5 % it is no violation; at 5 %
    either answer is right."""
    ratio = each["ratio"]
    aim = "low" if ratio < 1.05 else "high" if ratio > 1.05 else "either"
    rounds = f"{each['median_rounds']:.0f} rounds" if each["median_rounds"] else ""
    low, high = each["measured"]
    return _rate(f"{each['operation']}, {ratio:.2f} times as slow "
                 f"({low:.2f} to {high:.2f} measured): violated",
                 each["violated"], aim, rounds)


def _rates(data: dict[str, Any]) -> list[Rate]:
    rates = []
    if null := data.get("null"):
        rates += [_rate("audits of operations against themselves that accuse any", null["audits"],
                        "at most 5 %"),
                  _rate("checks of an operation against itself: violated", null["checks"], "low"),
                  _rate("checks of an operation against itself: decided", null["decided"], "high",
                        f"{null['median_rounds']:.0f} rounds")]
    rates += [_planted(each) for each in data.get("planted", [])]
    if repeated := data.get("repeated"):
        rates += [_rate("checks with the same verdict in the next launch",
                        repeated["same_verdict"], "high"),
                  _rate(f"violations that {repeated['confirmations']} launches confirm: violated "
                        "in each of two more launches",
                        repeated["confirmed_stays_violated"], "high"),
                  _rate(f"violations that {repeated['confirmations']} launches confirm: hold in "
                        "neither of two more launches",
                        repeated["confirmed_is_not_contradicted"], "high")]
    return rates


def _effort(data: dict[str, Any]) -> str:
    repeated = data.get("repeated")
    if not repeated:
        return ""
    shares = " and ".join(f"{share:.2f} of the samples of {repetitions} repetitions each"
                          for repetitions, share in repeated["share_of_samples"].items())
    return (f"A default audit took {repeated['median_audit_s']:.1f} s and {shares}; its checks "
            f"were decided after a median of {repeated['median_rounds']:.0f} rounds.")


def read(path: Path) -> Calibration:
    """Returns the rates of a file. Raises InputError with the place of a flaw."""
    data = checked_file.read(path, SCHEMA_FILE, "html --calibration",
                             "; bench/calibrate --json writes such files")
    where = ", ".join(data[key] for key in ("library", "host") if key in data)
    title = f"{data['ranks']} ranks, {data['launches']} launches, {data['started']}"
    return Calibration(f"{where}, {title}" if where else title, _rates(data), _effort(data))
