# SPDX-License-Identifier: BSD-3-Clause
"""Words of the page that no other screen has: hosts, dates, counts and reasons."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from . import units
from .fields import Host, Problem, Verdict
from .reports import Report
from .marks import Kind

MOST_REASONS = 6
MOST_NAMES = 8
# As name_in_mpi() of src/auditor/problem/element.cpp.
WITH_GAPS = frozenset({"vector", "indexed", "struct", "tiled", "block", "bucket", "alternating"})


def separated(count: int) -> str:
    """Returns the count with narrow spaces between thousands."""
    return f"{count:,}".replace(",", "\u202f")


def plural(count: int, word: str) -> str:
    return f"{separated(count)} {word}{'' if count == 1 else 's'}"


def counts_of(report: Report, kind: Kind = "verdict") -> dict[Verdict, int]:
    """Returns how many checks of that kind have each verdict."""
    counter = Counter(check["verdict"] for check in
                      (report.verdicts if kind == "verdict" else report.remarks))
    return {"violated": counter["violated"], "undecided": counter["undecided"],
            "holds": counter["holds"], "skipped": counter["skipped"]}


def launches(count: int) -> str:
    return "1 launch" if count == 1 else f"{separated(count)} launches"


def name_in_mpi(name: str) -> str:
    """Returns MPI's name of an element or operator: MPI_DOUBLE of double."""
    if name.startswith("user-"):
        return "an operator of the user"
    return "elements with gaps" if name in WITH_GAPS else f"MPI_{name.upper().replace('-', '_')}"


def repeated_by(report: Report, distribution: str) -> str:
    """Returns the kind of blocks of a distribution whose name says more than that; else empty."""
    return next((str(each.get("repeats", "")) for each in report.data.get("distributions", [])
                 if each["name"] == distribution), "")


def blocks_of(report: Report, problem: Problem) -> str:
    """Returns the kind of blocks of a problem: spikes."""
    return repeated_by(report, problem["distribution"]) or problem["distribution"]


def data_of(report: Report, distribution: str) -> str:
    """Returns what the name of a distribution stands for: same, MPI_DOUBLE, MPI_MAX, root 0."""
    blocks = repeated_by(report, distribution)
    one, usual = (next((each for each in report.data["problems"] if each["distribution"] == name), None)
                  for name in (distribution, blocks))
    if one is None or usual is None:
        return blocks or distribution
    parts = [blocks]
    if one["element"] != usual["element"]:
        parts.append(name_in_mpi(one["element"]))
    if one.get("operator") != usual.get("operator"):
        parts.append(name_in_mpi(one.get("operator", "")))
    if one["root"] != usual["root"]:
        parts.append(f"root {one['root']}")
    return ", ".join(parts)


def in_mpi_words(report: Report, text: str) -> str:
    """Returns a text about places of an audit (on double-max-root-0 at 4 KiB) without names of mpiaudit."""
    for each in report.data.get("distributions", []):
        if each.get("repeats"):
            words = f"on {data_of(report, each['name'])}".replace("\\", "/")
            text = re.sub(rf"\bon {re.escape(each['name'])}(?![\w-])", words, text)
    return text


def hosts_of(report: Report) -> str:
    """Returns the names of the hosts: node01, or n1-n4."""
    return in_ranges([host["name"] for host in report.data["machine"]["hosts"]])


def placement_of(report: Report) -> str:
    """Returns how the ranks lie on the hosts: 8 ranks on 4 hosts, 2 on each, in blocks."""
    text = f"{plural(report.ranks, 'rank')} on {plural(report.nodes, 'host')}"
    placement = report.data["machine"].get("placement")
    if placement is None or report.nodes < 2:
        return text
    least, most = placement["least_ranks"], placement["most_ranks"]
    order = {"block": "in blocks", "cyclic": "cyclic (rank r on host r mod hosts)",
             "irregular": "in irregular order"}[placement["order"]]
    return f"{text}, {most if least == most else f'{least} to {most}'} on each, {order}"


def ranks_of(host: Host) -> str:
    """Returns the ranks of a host: 2 ranks: 0, 4."""
    text = plural(len(host["ranks"]), "rank")
    return f"{text}: {in_ranges(map(str, host['ranks']))}" if host["ranks"] else text


def in_ranges(names: Iterable[str]) -> str:
    """Returns names with consecutive numbers as n1-n4 and other names one by one; of many only the first."""
    # first and last name of a run of consecutive numbers, and the last number
    runs: list[tuple[str, str, int]] = []
    for name in names:
        match = re.fullmatch(r"(.*?)(\d{1,9})", name)
        if match and runs and runs[-1][2] + 1 == int(match[2]) and re.fullmatch(
                re.escape(match[1]) + r"\d+", runs[-1][1]):
            runs[-1] = (runs[-1][0], name, int(match[2]))
        else:
            runs.append((name, name, int(match[2]) if match else -2))
    texts = [first if first == last else f"{first}{' to ' if '-' in first else '-'}{last}"
             for first, last, _ in runs]
    if len(texts) > MOST_NAMES:
        texts[MOST_NAMES - 1:] = [f"{len(texts) - MOST_NAMES + 1} more"]
    return ", ".join(texts)


def date_of(report: Report) -> str:
    """Returns day and minute of the audit: 2026-01-15 09:30 UTC."""
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z", report.data["started"])
    return f"{match[1]} {match[2]} UTC" if match else report.data["started"]


def reasons(report: Report, verdict: Verdict) -> list[tuple[str, int]]:
    """Returns why checks were skipped or undecided, most frequent reason first; rare reasons are one entry.
    Reasons of undecided checks differ in numbers, so these are told by their kinds, which reports before 2.3
    do not have."""
    counter = Counter((check.get("reason_kind") if verdict == "undecided" else None)
                      or check.get("reason", "no reason recorded")
                      for check in report.verdicts if check["verdict"] == verdict)
    listed = counter.most_common(MOST_REASONS)
    rest = sum(counter.values()) - sum(count for _, count in listed)
    if rest:
        listed.append((f"{len(counter) - MOST_REASONS} other reasons", rest))
    return listed


def wrong_results(report: Report) -> list[str]:
    """Returns a sentence for each new fault of generated calls, and for each contestant with a wrong result
    on the first problem that shows the result."""
    findings = report.data.get("generated_calls", {}).get("findings", [])
    said = {f"{', '.join(filter(None, (each['form'], each['conditions'])))}": each["what"]
            for each in findings if not each.get("known")}
    for problem in report.data["problems"]:
        for each in problem["contestants"]:
            if "wrong" in each:
                data = (units.amount_of_bytes(problem["total"] * problem["element_bytes"]),
                        f"blocks: {blocks_of(report, problem)}")
                said.setdefault(each["name"], f"{each['wrong']} ({', '.join(data)})")
    return [f"{who}: {what}" for who, what in said.items()]


def right_results(report: Report) -> str:
    """Returns that no result is wrong, in the words of the first screen; empty if nothing was verified."""
    calls = report.data.get("generated_calls")
    if calls is None:
        return "RIGHT: no wrong result in what was measured" if report.data["summary"]["samples"] else ""
    known = sum(bool(each.get("known")) for each in calls["findings"])
    return (f"RIGHT: no new fault in {calls['calls']} generated calls ({calls['covered_pairs']} of "
            f"{calls['valid_pairs']} pairs)" + (f"; {known} known" if known else ""))


def words(value: object) -> str:
    """Returns the value of an option or a setting as a user would write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join(map(words, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {words(item)}" for key, item in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def warnings_of_all(reports: Sequence[Report]) -> list[str]:
    """Returns the warnings of several audits, each once."""
    if len(reports) == 1:
        return warnings(reports[0])
    hosts = list(dict.fromkeys(host["name"] for report in reports
                               for host in report.data["machine"]["hosts"]))
    own = [text for report in reports for text in [*settings(report), *report.data["warnings"]]]
    incomplete = [f"{report.title}: {text}" for report in reports if (text := incomplete_in_words(report))]
    return [*incomplete, *folded(own, hosts)]


def title_of(reports: Sequence[Report]) -> str:
    """Returns the libraries and the range of ranks in one line."""
    libraries = ", ".join(dict.fromkeys(report.library for report in reports))
    ranks = sorted({report.ranks for report in reports})
    sizes = (f"{ranks[0]} to {ranks[-1]} ranks" if len(ranks) > 1 else
             f"{ranks[0]} rank{'s' if ranks[0] > 1 else ''}")
    return f"{libraries}, {sizes}"


def occasion(reports: Sequence[Report]) -> str:
    """Returns the day of the first audit, the day of the last, and the hosts."""
    days = sorted(date_of(report) for report in reports)
    hosts = in_ranges(sorted({host["name"] for report in reports
                              for host in report.data["machine"]["hosts"]}, key=natural))
    period = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    return f"{period}, {'simulated' if reports[0].is_simulated else 'on ' + hosts}"


def natural(name: str) -> tuple[str, int]:
    """Returns a key that sorts n10 behind n9."""
    match = re.fullmatch(r"(.*?)(\d{0,9})", name)
    return (match[1], int(match[2] or -1)) if match else (name, -1)


def folded(texts: Sequence[str], hosts: Sequence[str]) -> list[str]:
    """Returns the warnings; equal warnings about several hosts are one line."""
    named: dict[str, list[str]] = {}
    for text in dict.fromkeys(texts):
        host, colon, rest = text.partition(": ")
        is_of_host = bool(colon) and host in hosts
        named.setdefault(rest if is_of_host else text, []).extend([host] if is_of_host else [])
    return [f"{in_ranges(names)}: {text}" if names else text for text, names in named.items()]


def incomplete_in_words(report: Report) -> str:
    """Returns how much an audit that is not complete has measured; else empty."""
    return "" if report.data["complete"] else report.data["summary"].get(
        "incomplete", "The audit is not complete.")


def settings(report: Report) -> list[str]:
    """Returns what the audit says about settings of the library."""
    return [each["sentence"] for each in report.data.get("settings", []) if each.get("sentence")]


def warnings(report: Report) -> list[str]:
    """Returns the warnings of the audit; first that the audit is not complete, last on settings."""
    own = folded(report.data["warnings"],
                 [host["name"] for host in report.data["machine"]["hosts"]])
    return [*filter(None, [incomplete_in_words(report)]), *own, *settings(report)]
