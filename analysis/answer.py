# SPDX-License-Identifier: BSD-3-Clause
"""The command `summary`: the answer on one screen, for people and for pipelines."""

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import gate, junit, output, summary, units
from .operations import identity
from .errors import InputError
from .heatmap import effect
from .reports import Report, read_all
from .sheet import escape_markdown
from .statements import remedy_of
from .worst import Finding, findings

EXAMPLES = """examples:
  python3 -m analysis summary results/laptop
  python3 -m analysis summary results/laptop --fail-on violation --junit checks.xml
  python3 -m analysis summary results/new --baseline results/old --fail-on 'ratio>1.5'
  python3 -m analysis summary results/laptop --format github >> "$GITHUB_STEP_SUMMARY"

Only verdicts on the library count. Remarks on reference algorithms, which come with mpiaudit,
are told apart, never counted, and never fail.

--fail-on violation:  exit code 1 when the library violates a guideline
--fail-on 'ratio>R':  only when the left side took more than R times as long; also 'ratio>=R'
--baseline REPORT:    only for violations that REPORT does not have; compared problem by problem.
                      May be repeated; without --fail-on it means --fail-on violation

Of an audit that decided nothing, --fail-on fails too: it gives no reason to pass.
--format github is Markdown with one annotation for each failing guideline on standard error,
which a workflow of GitHub shows beside the run. jobs/ci has workflows that are ready to use."""

FORMATS = ("text", "markdown", "github", "junit")
MOST_FINDINGS = 10
WIDTH = 80


@dataclass(frozen=True, slots=True)
class Told:
    """One audit with what the gate says of it."""

    report: Report
    outcome: gate.Outcome


def size_words(report: Report, finding: Finding) -> str:
    problem = report.problems[finding.check["problem"]]
    amount = units.amount_of_bytes(problem["total"] * problem["element_bytes"])
    return f"{finding.check['problem']} ({amount})"


def time_words(finding: Finding) -> str:
    """The time of the worst check's left side, and what it is by the ratio of the verdict."""
    check, ratio = finding.check, effect(finding.check)
    if "left_statistics" not in check or not ratio:
        return ""
    left = check["left_statistics"]["median_s"]
    return f"{units.microseconds(left)} instead of {units.microseconds(left / ratio)} µs"


def ratio_words(finding: Finding) -> str:
    value = effect(finding.check)
    return f"{units.ratio(value)}x" if value is not None else "-"


def advice_words(report: Report, finding: Finding) -> str:
    return (junit.remedy_words(remedy_of(finding.check))
            or finding.check.get("advice", ""))


def text_of(told: Told) -> list[str]:
    report = told.report
    lines = [f"{report.title}, {summary.date_of(report)}, {summary.hosts_of(report)}",
             summary.headline(report)]
    lines += [f"Wrong result. {text}" for text in summary.wrong_results(report)]
    lines += gate_words(told)
    lines += [f"Warning: {text}" for text in summary.warnings(report)]
    found = findings(report)
    paragraphs = ["\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines)]
    for finding in found[:MOST_FINDINGS]:
        statement = f"{finding.check['left']} <= {finding.check['right']}"
        head = (f"! {ratio_words(finding):>6}  {statement} [{finding.check['guideline']}], "
                f"{finding.violated} of {finding.tested} problems")
        body = [f"worst on {size_words(report, finding)}", time_words(finding)]
        parts = [textwrap.fill(head, WIDTH, subsequent_indent=" " * 10),
                 textwrap.fill(", ".join(filter(None, body)), WIDTH, initial_indent=" " * 10,
                               subsequent_indent=" " * 10)]
        if advice := advice_words(report, finding):
            parts.append(textwrap.fill(f"instead: {advice}", WIDTH, initial_indent=" " * 10,
                                       subsequent_indent=" " * 10, break_long_words=False))
        paragraphs.append("\n".join(parts))
    if len(found) > MOST_FINDINGS:
        paragraphs.append(f"and {len(found) - MOST_FINDINGS} more violated guidelines")
    if remarks := summary.about_remarks(report):
        paragraphs.append(textwrap.fill(f"~ {remarks}", WIDTH, subsequent_indent="  "))
    return paragraphs


def gate_words(told: Told) -> list[str]:
    """What of the violations was known before, or is within the condition."""
    known, tolerated = len(told.outcome.known), len(told.outcome.tolerated)
    words = []
    if known:
        words.append(f"{summary.plural(known, 'violation')} known from the baseline")
    if tolerated:
        words.append(f"{summary.plural(tolerated, 'violation')} within the condition")
    if known or tolerated:
        words.append(f"{summary.plural(len(told.outcome.failing), 'violation')} that "
                     f"{'fails' if len(told.outcome.failing) == 1 else 'fail'}")
    return [", ".join(words) + "."] if words else []


def markdown_of(told: Told) -> list[str]:
    report = told.report
    escape = escape_markdown
    parts = [f"## {escape(report.title)}",
             f"**{escape(summary.headline(report))}** {escape(' '.join(gate_words(told)))}".strip(),
             escape(f"{summary.date_of(report)}, {summary.hosts_of(report)}. "
                    f"{summary.assurance(report)}")]
    parts += [f"**Wrong result.** {escape(text)}" for text in summary.wrong_results(report)]
    parts += [f"> Warning: {escape(text)}" for text in summary.warnings(report)]
    found = findings(report)
    if found:
        rows = ["| | Left ≤ right | Guideline | Problems | Worst on | Left instead of right "
                "| Instead |", "| --: | :-- | :-- | --: | :-- | :-- | :-- |"]
        for finding in found[:MOST_FINDINGS]:
            check = finding.check
            cells = (f"{ratio_words(finding)} !", f"{check['left']} ≤ {check['right']}",
                     check["guideline"], f"{finding.violated} of {finding.tested}",
                     size_words(report, finding), time_words(finding),
                     advice_words(report, finding))
            rows.append("| " + " | ".join(escape(cell).replace("\n", " ") for cell in cells) + " |")
        parts.append("\n".join(rows))
    if len(found) > MOST_FINDINGS:
        parts.append(f"and {len(found) - MOST_FINDINGS} more violated guidelines")
    commands = [finding.check["reproduce"] for finding in found[:3]
                if "reproduce" in finding.check]
    if commands:
        block = "\n".join(commands).replace("```", "'''")
        parts.append(f"To measure the worst again:\n\n```sh\n{block}\n```")
    if remarks := summary.about_remarks(report):
        parts.append(escape(remarks))
    return parts


def annotations(told: Told) -> list[str]:
    """Commands of a GitHub workflow; a line end would end one early."""
    lines = []
    worst = {id(check) for check in told.outcome.failing}
    for finding in findings(told.report):
        if id(finding.check) not in worst:
            continue
        words = junit.finding_words(told.report, finding.check)
        advice = advice_words(told.report, finding)
        text = f"{words}. {advice}".rstrip(". ") + "."
        text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        lines.append(f"::error title=MPI guideline violated::{text}")
    return lines


def rendered(audits: Sequence[Told], style: str) -> str:
    if style == "junit":
        return junit.document([told.report for told in audits], [told.outcome for told in audits])
    make = text_of if style == "text" else markdown_of
    return "\n\n".join("\n\n".join(make(told)) for told in audits) + "\n"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "summary", help="the answer on one screen, and a gate for pipelines", epilog=EXAMPLES,
        description="Says what the audits found about the library, worst first, and what to do.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT",
                        help="report.json, the folder that holds it, or a scaling document")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("--junit", type=Path, metavar="FILE",
                        help="write the checks as JUnit XML, beside what is printed")
    parser.add_argument("--fail-on", type=gate.condition, metavar="CONDITION",
                        help="exit code 1 when it is met: violation, or 'ratio>1.5'")
    parser.add_argument("--baseline", action="append", metavar="REPORT",
                        help="fail only for violations that this audit does not have")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    reports = read_all(options.reports)
    baseline = read_all(options.baseline or [], "--baseline") if options.baseline else []
    wanted = options.fail_on or (gate.condition("violation") if baseline else None)
    audits = [Told(report, gate.outcome(report, wanted or gate.condition("violation"), baseline))
              for report in reports]
    if baseline and not any(common_problems(told.report, baseline) for told in audits):
        raise InputError("the baseline has no problem in common with the audit: only the same "
                         "distribution, sizes and ranks can be compared")
    output.give(rendered(audits, options.format), options.output)
    if options.junit is not None:
        output.write_text(options.junit, rendered(audits, "junit"))
    if options.format == "github":
        for told in audits:
            for line in annotations(told):
                output.remark(line)
    if wanted is None:
        return 0
    return 1 if any(told.outcome.failing or gate.is_undecided(told.report) or
                    summary.wrong_results(told.report) for told in audits) else 0


def common_problems(report: Report, baseline: Sequence[Report]) -> bool:
    known = {identity(problem) for old in baseline for problem in old.data["problems"]}
    return any(identity(problem) in known for problem in report.data["problems"])
