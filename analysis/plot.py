# SPDX-License-Identifier: BSD-3-Clause
"""The command `plot`: pictures as PNG, SVG and PDF."""

import argparse
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from . import bars, curves, heatmap, pictures, samples, scaling
from .contestants import Collectives, choose_problems, collectives_of
from .errors import InputError, require
from .fields import Check
from .reports import Report, read_all
from .table import chosen_collectives, named_columns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXAMPLES = """examples:
  python3 -m analysis plot results/laptop
  python3 -m analysis plot results/laptop --kind curves --collective gather --format pdf
  python3 -m analysis plot results/laptop --kind bars --size 1000
  python3 -m analysis plot results/laptop --kind samples --check irregular-2@random/b=200
  python3 -m analysis plot results/p8 results/p16 results/p32 --kind scaling --size 1000

kinds:
  curves   time over size, a panel per distribution, violations ringed
  bars     implementations side by side at one block size (default that with most times)
  heatmap  guidelines over problems, coloured by ratio, verdicts marked
  samples  raw samples of a check (default the worst violation); needs samples.jsonl
  scaling  times and ratios over ranks; needs reports at several numbers of ranks

Without --kind: all kinds for which the reports suffice. The names of the files are printed.
--width: letters keep their size (8 to 11 points), so a narrower picture has larger letters on a slide."""

KINDS = ("curves", "bars", "heatmap", "samples", "scaling")
# None: nothing was measured.
Picture: TypeAlias = "tuple[str, Figure | None]"


NARROWEST, WIDEST = 4.0, 40.0


def inches(text: str) -> float:
    """Returns the value of --width. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not NARROWEST <= value <= WIDEST:
        raise argparse.ArgumentTypeError(f"{text!r}: give inches from {NARROWEST:g} to {WIDEST:g}")
    return value


def file_name(text: str) -> str:
    """Returns letters, digits and dashes of the name."""
    return re.sub(r"[^A-Za-z0-9.=]+", "-", text).strip("-")


def chosen_check(report: Report, wanted: str | None) -> Check:
    """Returns the check GUIDELINE@PROBLEM, by default the worst violation or else the first measured check.
    """
    if wanted is None:
        ranked = heatmap.worst_first(report.violations) or [
            check for check in report.data["checks"] if "ratio" in check]
        if not ranked:
            raise InputError(f"{report.path}: no check was measured")
        return ranked[0]
    guideline, at, problem = wanted.partition("@")
    for check in report.data["checks"]:
        if at and check["guideline"] == guideline and check["problem"] == problem:
            return check
    example = report.data["checks"][0] if report.data["checks"] else None
    hint = f", as in {example['guideline']}@{example['problem']}" if example else ""
    raise InputError(f"{report.path}: no check {wanted!r}; give GUIDELINE@PROBLEM{hint}")


def of_report(report: Report, kinds: list[str], options: argparse.Namespace,
              is_asked: bool) -> Iterator[Picture]:
    """Yields the pictures of one report, with names for their files."""
    collectives: Collectives = collectives_of(report)
    choose_problems(report, options.distribution, options.size)  # raises InputError for unknown names
    names = ([name for _, name in named_columns(report, options.implementation)]
             if options.implementation else None)
    for collective in chosen_collectives(collectives, options.collective):
        members = [name for name in collectives.members[collective]
                   if names is None or name in names]
        if not members:
            continue
        if "curves" in kinds:
            yield (f"curves-{collective}",
                   curves.draw(report, collectives, collective, members if names else None,
                               options.distribution, options.width))
        if "bars" in kinds:
            best = bars.best_size(report, members, options.distribution)
            for size in options.size or ([] if best is None else [best]):
                yield (f"bars-{collective}-b={size}",
                       bars.draw(report, collectives, collective, size, members,
                                 options.distribution, options.width))
    if "heatmap" in kinds:
        yield "heatmap", heatmap.draw(report, options.guideline)
    if "samples" in kinds and (is_asked or samples.samples_file(report).exists()):
        check = chosen_check(report, options.check)
        yield (f"samples-{check['guideline']}-{check['problem']}",
               samples.draw(report, check, width=options.width))


def of_scaling(reports: list[Report], options: argparse.Namespace) -> Iterator[Picture]:
    """Yields a picture per collective and distribution, at the chosen or the largest common size."""
    reports = scaling.by_ranks(reports)
    collectives = collectives_of(reports[0])
    problems = choose_problems(reports[0], options.distribution)
    distributions = list(dict.fromkeys(problem["distribution"] for problem in problems))
    for collective in chosen_collectives(collectives, options.collective):
        for distribution in distributions:
            sizes = scaling.common_sizes(reports, distribution, collectives.members[collective])
            for size in [size for size in sizes if size in (options.size or sizes[-1:])]:
                yield (f"scaling-{collective}-{distribution}-b={size}",
                       scaling.draw(reports, collective, distribution, size, options.width))


def pictures_of(reports: list[Report], options: argparse.Namespace) -> Iterator[Picture]:
    is_asked = options.kind is not None
    kinds = options.kind or list(KINDS)
    for index, report in enumerate(reports):
        prefix = f"{index + 1}-p{report.ranks}-" if len(reports) > 1 else ""
        for name, figure in of_report(report, kinds, options, is_asked):
            yield prefix + name, figure
    if "scaling" in kinds and (is_asked or len({report.ranks for report in reports}) > 1):
        yield from of_scaling(reports, options)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "plot", help="curves, bars, heat map, scaling, raw samples", epilog=EXAMPLES,
        description="Draws reports as PNG, SVG or PDF.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="REPORT",
                        help="report.json, the folder that holds it, or a scaling document")
    parser.add_argument("--kind", action="append", choices=KINDS, help="may be repeated")
    parser.add_argument("--format", action="append", choices=pictures.FORMATS,
                        help="may be repeated; default png")
    parser.add_argument("--collective", action="append", metavar="NAME")
    parser.add_argument("--distribution", action="append", metavar="NAME")
    parser.add_argument("--size", action="append", type=int, metavar="B", help="block size")
    parser.add_argument("--implementation", action="append", metavar="NAME",
                        help="curves and bars of this one only; may be repeated")
    parser.add_argument("--guideline", action="append", metavar="ID",
                        help="rows of the heat map; may be repeated")
    parser.add_argument("--width", type=inches, default=pictures.WIDTH, metavar="INCHES",
                        help=f"most width of a picture, {NARROWEST:g} to {WIDEST:g}, which a heat map may "
                             f"exceed; default {pictures.WIDTH:g}")
    parser.add_argument("--check", metavar="GUIDELINE@PROBLEM", help="whose samples to show")
    parser.add_argument("-o", "--output", type=Path, default=Path("plots"), metavar="FOLDER",
                        help="where the files go; default plots")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    require("matplotlib", "plot")
    written = 0
    for name, figure in pictures_of(read_all(options.reports), options):
        if figure is None:
            continue
        for suffix in options.format or ["png"]:
            path = options.output / f"{file_name(name)}.{suffix}"
            pictures.save(figure, path)
            print(path)
            written += 1
    if not written:
        raise InputError("nothing to draw is left by these options")
    return 0
