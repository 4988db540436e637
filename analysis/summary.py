# SPDX-License-Identifier: BSD-3-Clause
"""What an audit found, in sentences. Counts only; nothing is judged."""

import re
from collections import Counter

from analysis.fields import Verdict
from analysis.reports import Report

MOST_REASONS = 6
# Undecided checks differ in their numbers of rounds and in their ratios by launch.
NUMBER = re.compile(r"\d+")
RATIOS_BY_LAUNCH = re.compile(r": ratio.*")


def separated(count: int) -> str:
    """Thousands apart by narrow spaces."""
    return f"{count:,}".replace(",", "\u202f")


def plural(count: int, word: str) -> str:
    return f"{separated(count)} {word}{'' if count == 1 else 's'}"


def counts_of(report: Report) -> dict[Verdict, int]:
    """How many checks have each verdict, counted from the checks themselves."""
    counter = Counter(check["verdict"] for check in report.data["checks"])
    return {"violated": counter["violated"], "undecided": counter["undecided"],
            "holds": counter["holds"], "skipped": counter["skipped"]}


def headline(report: Report) -> str:
    """The answer in one sentence."""
    counts = counts_of(report)
    total = sum(counts.values())
    if total == 0:
        return "The audit has no checks: it measured implementations and compared none."
    if counts["violated"] == 0:
        return f"None of {plural(total, 'check')} found a violated guideline."
    guidelines = len({check["guideline"] for check in report.violations})
    return (f"{separated(counts['violated'])} of {plural(total, 'check')} found a violation; "
            f"{plural(guidelines, 'guideline')} {'is' if guidelines == 1 else 'are'} violated.")


def _kind(reason: str, verdict: Verdict) -> str:
    """A reason without what differs from check to check."""
    if verdict != "undecided":
        return reason
    return NUMBER.sub("\u2026", RATIOS_BY_LAUNCH.sub("", reason))


def reasons(report: Report, verdict: Verdict) -> list[tuple[str, int]]:
    """Why checks were skipped or undecided, the most frequent first; the rest in one entry."""
    counter = Counter(_kind(check.get("reason", "no reason recorded"), verdict)
                      for check in report.data["checks"] if check["verdict"] == verdict)
    listed = counter.most_common(MOST_REASONS)
    rest = sum(counter.values()) - sum(count for _, count in listed)
    if rest:
        listed.append((f"{len(counter) - MOST_REASONS} other reasons", rest))
    return listed


def wrong_results(report: Report) -> list[str]:
    """Every contestant whose result was wrong, with what its verification found."""
    return [f"{contestant['name']} on {problem['id']}: {contestant['wrong']}"
            for problem in report.data["problems"] for contestant in problem["contestants"]
            if "wrong" in contestant]


def assurance(report: Report) -> str:
    """How far the verdicts can be trusted, from the rule of the audit."""
    rule = report.data["rule"]
    slack = f"more than {100 * rule['tolerance']:g} % slower"
    if report.is_simulated:
        return (f"All times are simulated. A simulation repeats itself exactly, so one round "
                f"decides: violated means {slack}.")
    if rule["criterion"] == "evidence":
        return (f"Violated means {slack}, with enough evidence that the chance of any false "
                f"violation in the whole audit is at most {100 * rule['alpha']:g} %.")
    number = {"averages": "average", "minima": "minimum"}[rule["criterion"]]
    return (f"Violated means that the {number} of the left side is "
            f"{slack if rule['tolerance'] else 'larger'}; this rule gives no bound on the "
            f"chance of false violations.")


def warnings(report: Report) -> list[str]:
    """The audit's own warnings, and that it is incomplete."""
    own = list(report.data["warnings"])
    if not report.data["complete"]:
        own.insert(0, "The audit was interrupted; what it had not measured yet is missing.")
    return own
