# SPDX-License-Identifier: BSD-3-Clause
"""The command `html`: one self-contained page about one or several audits.

Without JavaScript the page shows the first STATIC_ROWS checks, worst first, and all the rest of
its content; with it, all checks can be sorted and filtered.
"""

import argparse
import base64
import gzip
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import (
    calibration,
    heatmap,
    output,
    page_explanations,
    page_operations,
    page_picture,
    page_rows,
    page_words,
    units,
)
from .contestants import collectives_of
from .errors import InputError, require
from .fields import VERDICTS, Check, Problem
from .page_operations import Operation
from .page_sections import PICTURED_COLLECTIVES, curves_anchor, scaling_pictures, sections_of
from .plain import uncollected
from .reports import Report, read_all
from .marks import SIGNS, STATUSES, Kind

EXAMPLES = """examples:
  python3 -m analysis html results/laptop -o laptop.html
  python3 -m analysis html results/openmpi results/mpich -o both.html
  python3 -m analysis html scaling.json -o scaling.html
  python3 -m analysis html results/laptop --calibration rates.json

The page needs no network. Raw samples are shown for reports with samples.jsonl beside them."""

STATIC_ROWS = 60
REMARKS = 6
# Largest number of rows of a heat map; the table has all guidelines.
MAP_ROWS = 24


def describe_problem(problem: Problem) -> str:
    total = units.amount_of_bytes(problem["total"] * problem["element_bytes"])
    return f"{problem['distribution']}, b = {units.elements(problem['block_size'])} ({total})"


def evidence_words(check: Check) -> str:
    """Returns the evidence for a violation in words."""
    parts = []
    if "slower" in check and "rounds" in check:
        parts.append(f"slower in {check['slower']} of {check['rounds']} rounds"
                     if check["rounds"] > 1 else "one exact round")
    if "evidence" in check and check.get("rounds", 0) > 1:
        parts.append(f"e-value {units.e_value(check['evidence']['log_e_violated'])}, "
                     f"{units.e_value(check['evidence']['bound_violated'])} needed")
    return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Remark:
    """A guideline of which a reference algorithm is slower, with its worst check."""

    report: Report
    check: Check
    violated: int
    tested: int


def remarks_of(report: Report) -> list[Remark]:
    """Returns a remark for each guideline, in the order of the report."""
    by_guideline: dict[str, list[Check]] = {}
    for check in report.remarks:
        if check["verdict"] != "skipped":
            by_guideline.setdefault(check["guideline"], []).append(check)
    found = []
    for checks in by_guideline.values():
        violated = heatmap.worst_first(check for check in checks if check["verdict"] == "violated")
        if violated:
            found.append(Remark(report, violated[0], len(violated), len(checks)))
    return found


def maps_of(reports: list[Report], kind: Kind) -> list[tuple[int, heatmap.HeatMap]]:
    """Returns the parts of the heat maps that have rows, each with the number of its audit."""
    return [(index, part) for index, report in enumerate(reports)
            for part in heatmap.parts_of(heatmap.heat_map(report, MAP_ROWS, kind=kind))]


def links_of(reports: list[Report], found: list[Operation],
             pictured: list[tuple[int, str]]) -> dict[int, str]:
    """Returns the anchors of the curves of the checks, if the page has these curves."""
    links = {}
    for item in found:
        audit = next(index for index, report in enumerate(reports) if report is item.report)
        check = item.check
        collective = collectives_of(item.report).of_check[
            check["guideline"], check["left"], check["right"]]
        if (audit, collective) in pictured:
            links[id(check)] = curves_anchor(audit, collective)
    return links


def ids_of(reports: list[Report], found: list[Operation]) -> dict[int, str]:
    """Returns the anchors of the rows: S1, with several audits S1-2 of the second one."""
    return {id(item): item.code if len(reports) == 1 else
            f"{item.code}-{next(index for index, each in enumerate(reports, 1) if each is item.report)}"
            for item in found}


def launches_in_words(report: Report) -> str:
    """Returns how many launches were judged together, and how many violations several of them measured."""
    launches = report.data.get("launches", [])
    if len(launches) < 2:
        return "1 audit, 1 launch: other launches have not confirmed it (mpiaudit run --confirm)"
    several = [check for check in report.violations if len(check.get("launches", [])) > 1]
    return (f"1 audit, {len(launches)} launches judged together; {len(several)} of "
            f"{page_words.plural(len(report.violations), 'violation')} measured in several of them")


def packed(text: str) -> str:
    """Returns compressed data for a script element: a browser reads a fifth of the bytes faster."""
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def template_values(reports: list[Report]) -> dict[str, Any]:
    found: list[Operation] = page_operations.in_order(
        item for report in reports for item in page_operations.operations_of(report))
    # An operation that is slow at several scales of one library stands at its worst scale.
    worst = {(item.report.library, item.name): item for item in reversed(found)}
    found = [item for item in found if worst[item.report.library, item.name] is item]
    sections, omitted = [], []
    most = max(1, PICTURED_COLLECTIVES // len(reports))
    for index, report in enumerate(reports):
        drawn, left_out = sections_of(report, index, most)
        sections.append(drawn)
        omitted.append(left_out)
    pictured = [(index, section.collective) for index, drawn in enumerate(sections)
                for section in drawn]
    with uncollected():
        rows = page_rows.severity_order(reports)
        data = packed(page_rows.rows_json(reports, rows, pictured))
    places = {id(check): row for row, (_, check) in enumerate(rows)}
    remarked = sorted((item for report in reports for item in remarks_of(report)),
                      key=lambda item: -(heatmap.effect(item.check) or 0.0))
    return {
        "reports": reports, "operations": found, "ids": ids_of(reports, found),
        "sections": sections, "omitted": omitted, "scaling": scaling_pictures(reports),
        "remarked": remarked[:REMARKS], "more_remarked": len(remarked) - REMARKS,
        "places": places, "links": links_of(reports, found, pictured),
        "maps": maps_of(reports, "verdict"), "remark_maps": maps_of(reports, "remark"),
        "rows": rows[:STATIC_ROWS], "row_count": len(rows), "data": data,
        "guidelines": list({check["guideline"]: report.guidelines[check["guideline"]] for report in reports
                            for check in report.violations}.values()),
    }


def render(reports: list[Report], rates: calibration.Calibration | None = None) -> str:
    """Returns the page as text; with `rates`, also how far its verdicts can be trusted."""
    jinja2 = require("jinja2", "html")
    require("matplotlib", "html")
    folder = Path(__file__).with_name("templates")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.globals.update(
        words=page_words, units=units, launches_in_words=launches_in_words,
        without_time=page_operations.without_time, points_of=page_explanations.points_of,
        where=page_explanations.where, sure=page_explanations.sure, drawn=page_picture.drawn,
        setting_in_words=page_explanations.setting_in_words, commands_of=page_explanations.commands_of,
        heatmap=heatmap, verdicts=VERDICTS,
        describe_problem=describe_problem, evidence_words=evidence_words,
        signs=SIGNS, id_of=id, statuses=STATUSES,
        style=(folder / "page.css").read_text(encoding="utf-8"),
        rows_script=(folder / "rows.js").read_text(encoding="utf-8"),
        script=(folder / "page.js").read_text(encoding="utf-8"))
    page: str = environment.get_template("page.html.jinja").render(
        template_values(reports) | {"calibration": rates})
    return page


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "html", help="everything on one self-contained page", epilog=EXAMPLES,
        description="Writes one HTML page: the answer in words, each violated operation with the sizes "
                    "on which it is and what to do, a heat map, all checks, and curves.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT",
                        help="report.json, the folder that holds it, or a scaling document")
    parser.add_argument("-o", "--output", type=Path, default=Path("page.html"), metavar="FILE",
                        help="default page.html")
    parser.add_argument("--calibration", type=Path, metavar="FILE",
                        help="also show the rates that bench/calibrate --json measured")
    parser.set_defaults(run=run)


def audits_of(reports: list[Report]) -> list[Report]:
    """Returns the reports without launches that another report judges together. Raises InputError for
    launches that have to be judged together first."""
    launches = {launch["started"] for report in reports for launch in report.data.get("launches", [])}
    kept = [report for report in reports
            if "launches" in report.data or report.data["started"] not in launches]
    started = {report.data["started"]: report for report in kept}
    for report in kept:
        confirmed = started.get(report.data.get("confirms", {}).get("started", ""))
        if confirmed is not None and "launches" not in report.data:
            folders = shlex.join(str(each.path.parent) for each in (confirmed, report))
            raise InputError(f"{report.path} is another launch of {confirmed.path}; judge them together and "
                             f"give that report: mpiaudit judge {folders} --report {confirmed.path}")
    return kept


def run(options: argparse.Namespace) -> int:
    require("jinja2", "html")
    require("matplotlib", "html")
    rates = calibration.read(options.calibration) if options.calibration else None
    text = render(audits_of(read_all(options.reports)), rates)
    output.write_text(options.output, text)
    print(options.output)
    return 0
