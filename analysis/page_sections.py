# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the page: curves of each collective, and scaling."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import cost_model, curves, heatmap, pictures, scaling
from .contestants import Collectives, collectives_of
from .fields import VERDICTS, Check, Verdict
from .reports import Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# More panels cannot be told apart; the command plot draws all.
PANELS = 6
# A collective with its pictures takes about a second and 100 kB.
PICTURED_COLLECTIVES = 4


@dataclass(frozen=True, slots=True)
class Section:
    """The pictures and counts of one collective in one audit."""

    report: Report
    collective: str
    counts: dict[Verdict, int]
    remarks: int
    pictures: list[tuple[str, str]]  # the anchor and the picture
    note: str
    costs: list[cost_model.Cost]


def violations_in(report: Report, checks: Iterable[Check]) -> list[Check]:
    """Returns the checks that find the library in violation, worst first."""
    return heatmap.worst_first(check for check in checks if check["verdict"] == "violated"
                               and check["kind"] == "verdict")


def slug(text: str) -> str:
    """Returns the text as a part of an identifier."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text)


def embed(figure: "Figure", name: str, description: str) -> str:
    return pictures.embedded(figure, slug(name), description)


def shown_distributions(report: Report, checks: list[Check], names: list[str]) -> list[str]:
    """Returns the distributions of a picture; of many, those with most violations."""
    found = list(curves.panels_of(report, names, None))
    counts = dict.fromkeys(found, 0)
    for check in violations_in(report, checks):
        distribution = report.problems[check["problem"]]["distribution"]
        counts[distribution] = counts.get(distribution, 0) + 1
    kept = sorted(found, key=lambda name: -counts[name])[:PANELS]
    return [name for name in found if name in kept]


def section_of(report: Report, collectives: Collectives, collective: str, audit: int) -> Section:
    """Returns the pictures and counts of one collective."""
    prefix = f"audit{audit}-{collective}"
    checks = collectives.checks[collective]
    known = curves.measured(report.data["problems"], collectives.members[collective])
    names = curves.told_apart(collectives, collective, known)
    distributions = shown_distributions(report, checks, names)
    figure = curves.draw(report, collectives, collective, names, distributions)
    drawn = [] if figure is None else [(curves_anchor(audit, collective), embed(
        figure, f"{prefix}-curves", f"{collective}: time over size for each distribution"))]
    mine = [check for check in checks if check["kind"] == "verdict"]
    counts = {verdict: sum(check["verdict"] == verdict for check in mine)
              for verdict in VERDICTS}
    hidden = len(known) - len(names)
    panels = len(curves.panels_of(report, names, None)) - len(distributions)
    note = ", ".join(f"{count} {what}" for count, what in (
        (hidden, "more implementations"), (panels, "more distributions")) if count)
    return Section(report, collective, counts, len(checks) - len(mine), drawn, note,
                   cost_model.costs(report, collectives.members[collective]))


def curves_anchor(audit: int, collective: str) -> str:
    """Returns the identifier of the curves of a collective; page.js makes the same identifier."""
    return f"curves-{audit}-{slug(collective)}"


def sections_of(report: Report, audit: int, most: int) -> tuple[list[Section], list[str]]:
    """Returns the sections of one audit, most violations first, and the collectives left out."""
    collectives = collectives_of(report)

    def violations(name: str) -> int:
        return len(violations_in(report, collectives.checks[name]))

    order = sorted(collectives.members, key=lambda name: -violations(name))
    return ([section_of(report, collectives, name, audit)
             for name in order[:most]], order[most:])


def scaling_pictures(reports: list[Report]) -> list[str]:
    """Returns a picture for each collective: the scaling of the problem with the worst violation."""
    ranks = [report.ranks for report in reports]
    if len(set(ranks)) < 2 or len(set(ranks)) < len(ranks):
        return []
    if len({report.is_simulated for report in reports}) > 1:
        return []
    drawn = []
    largest = max(reports, key=lambda report: report.ranks)
    collectives = collectives_of(largest)
    for name in list(collectives.members)[:PICTURED_COLLECTIVES]:
        worst = violations_in(largest, collectives.checks[name])
        problem = (largest.problems[worst[0]["problem"]] if worst
                   else largest.data["problems"][-1])
        sizes = scaling.common_sizes(reports, problem["distribution"], collectives.members[name])
        if not sizes or name not in collectives_of(scaling.by_ranks(reports)[0]).members:
            continue
        size = problem["block_size"] if problem["block_size"] in sizes else sizes[-1]
        drawn.append(embed(scaling.draw(reports, name, problem["distribution"], size),
                           f"scaling-{name}", f"{name}: times and ratios over ranks"))
    return drawn
