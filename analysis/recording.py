# SPDX-License-Identifier: BSD-3-Clause
"""The command `problems`: what an application calls, as a table or a page."""

import argparse
import shutil
from pathlib import Path
from typing import Any

from . import checked_file, output, units
from .errors import InputError, require
from .plain import plain
from .reports import Report, read_all
from .sheet import Cell, Heading, Row, Sheet, to_csv, to_markdown, to_text

EXAMPLES = """examples:
  python3 -m analysis problems problems.json
  python3 -m analysis problems problems.json --most 0 --format csv -o problems.csv
  python3 -m analysis problems problems.json --format html -o problems.html

The FILE is what `mpiaudit record -- APPLICATION` has written (analysis/problems.schema.json)."""

# Pairs of runs do not tell less than that of the time in collectives from nothing.
LEAST_SHARE = 0.01
SCHEMA_FILE = Path(__file__).with_name("problems.schema.json")
Json = dict[str, Any]


def read(path: Path) -> Json:
    """The file, or that of a folder, or an InputError that says where it is wrong."""
    return checked_file.read(path / "problems.json" if path.is_dir() else path, SCHEMA_FILE, "problems")


def gain_of(recording: Json, audits: list[Report]) -> tuple[str, bool]:
    """What the collectives take of the run, and what could be gained at most; whether that is too little."""
    ranks = recorded_ranks(recording)
    total = sum(problem["seconds"]["sum"] for problem in recording["problems"]) / ranks
    wall = recording["wall_seconds"]
    found = [report.data["savings"] for report in audits if "savings" in report.data]
    if not found:
        raise InputError("--gain: give audits of `mpiaudit run --problems`")
    library = sum(item["calls"] * item["library_s"] for savings in found for item in savings["problems"])
    most = sum(savings["high_s"] for savings in found)
    share = most / total if total > 0 else 0.0
    of_run = [percent(part / wall if wall > 0 else 0.0) for part in (total, most)]
    text = (f"Collectives take {in_time(total)} of {in_time(wall)} per rank ({of_run[0]}). If all ranks came "
            f"together to each call, the audited ones would take {in_time(library)}; the rest is waiting. "
            f"At most {in_time(most)} can be gained: {percent(share)} of the time in collectives, "
            f"{of_run[1]} of the run.")
    is_too_little = share < LEAST_SHARE
    return text + (f" Less than {percent(LEAST_SHARE)} of the time in collectives cannot be shown."
                   if is_too_little else ""), is_too_little


def in_time(seconds: float) -> str:
    for limit, factor, unit in ((1e-3, 1e6, "us"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{units.short(factor * seconds)} {unit}"
    return f"{units.short(seconds)} s"


def percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def blocks_of(problem: Json) -> list[int]:
    """Bytes of each rank's block where they are different and kept; else nothing."""
    sizes = problem.get("bytes", {})
    if "runs" in sizes:
        return [size for times, size in sizes["runs"] for _ in range(times)]
    exact: list[int] = sizes.get("exact", [])
    return exact


def size_of(problem: Json) -> str:
    """Of a block or vector; of blocks of different sizes the mean."""
    sizes = problem.get("bytes", {})
    if "block" in sizes:
        return units.amount_of_bytes(sizes["block"])
    if "sum" in sizes:
        return "~" + units.amount_of_bytes(sizes["sum"] / max(1, sizes["blocks"]))
    if "sent_mean" in sizes:
        return units.amount_of_bytes(sizes["sent_mean"]) + " in all"
    blocks = blocks_of(problem)
    return "~" + units.amount_of_bytes(sum(blocks) / len(blocks)) if blocks else ""


def irregularity_of(problem: Json) -> str:
    """The largest block as a multiple of the mean, and how many are empty."""
    sizes = problem.get("bytes", {})
    blocks = blocks_of(problem)
    largest = max(blocks) if blocks else sizes.get("largest", 0)
    total = sum(blocks) if blocks else sizes.get("sum", 0)
    number = len(blocks) or sizes.get("blocks", 0)
    zeros = blocks.count(0) if blocks else sizes.get("zeros", 0)
    if "partners_mean" in sizes:
        return f"to {sizes['partners_mean']:.3g} ranks"
    if total == 0:
        return ""
    return f"{largest * number / total:.3g}" + (f", {zeros} empty" if zeros else "")


def name_of(problem: Json) -> str:
    """The function, with what else makes it slow or fast."""
    prefix = {"blocking": "", "nonblocking": "nonblocking ", "persistent": "persistent "}
    operation = problem.get("op")
    words = [prefix[problem["mode"]] + problem["collective"]]
    if operation is not None:
        words.append(operation.removeprefix("MPI_").lower() if isinstance(operation, str)
                     else "own operator")
    if problem.get("in_place"):
        words.append("in place")
    if problem.get("inter"):
        words.append("inter-communicator")
    return plain(", ".join(words))


def row_of(problem: Json, recording: Json, total: float) -> Row:
    seconds = problem["seconds"]
    group = recording["groups"][problem["group"]]
    ranks = str(group["size"])
    if "root" in problem:
        ranks += f", root {problem['root']}"
    element = problem.get("element")
    cells = [f"{100 * seconds['sum'] / total:.1f}" if total > 0 else "",
             f"{seconds['max_rank']:.4g}", str(problem["calls"]),
             units.microseconds(seconds["sum"] / max(1, problem["calls"] * group["size"])),
             size_of(problem), irregularity_of(problem),
             plain(element["name"].removeprefix("MPI_").lower()) if element else ""]
    if recording["synchronised"]:
        both = seconds["sum"] + seconds["waiting"]
        cells.append(f"{100 * seconds['waiting'] / both:.0f}" if both > 0 else "")
    return Row((name_of(problem), ranks), tuple(map(Cell, cells)), True)


def recorded_ranks(recording: Json) -> int:
    """Of all ranks, or of one, where the others have left nothing."""
    return 1 if "part" in recording else int(recording["ranks"])


def caption_of(recording: Json) -> str:
    problems = recording["problems"]
    calls = sum(problem["calls"] * recording["groups"][problem["group"]]["size"]
                for problem in problems)
    seconds = sum(problem["seconds"]["sum"] for problem in problems)
    ranks = recorded_ranks(recording)
    wall = recording["wall_seconds"] * ranks
    share = f", {100 * seconds / wall:.1f} % of the time" if wall > 0 else ""
    return plain(f"{recording['program']}, {recording['ranks']} ranks, "
                 f"{recording['wall_seconds']:.4g} s: {len(problems)} problems, {calls} calls of "
                 f"ranks, {seconds / ranks:.4g} s per rank in collectives{share}")


def notes_of(recording: Json, left_out: int) -> list[tuple[str, str]]:
    notes = []
    if "part" in recording:
        part = recording["part"]
        notes.append(("", plain(f"Of rank {part['rank']} alone: {part['reason']}.")))
    if left_out:
        notes.append(("", f"{left_out} problems with less time are left out; --most 0 shows all."))
    lost = recording["lost"]
    if lost["calls"]:
        notes.append(("", f"{lost['calls']} calls of ranks, {lost['seconds']:.4g} s, belong to "
                          "problems for which there was no room; record with a larger --problems."))
    if not recording["synchronised"]:
        notes.append(("", "Times are with waiting for ranks that come late; record with "
                          "--synchronise to tell the two apart."))
    return notes


def sheet_of(recording: Json, most: int) -> Sheet:
    """A row for each problem, most time first."""
    problems = recording["problems"]
    total = sum(problem["seconds"]["sum"] for problem in problems)
    shown = problems if most == 0 else problems[:most]
    names = ["time %", "most of a rank s", "calls", "mean us", "bytes", "largest/mean", "type"]
    if recording["synchronised"]:
        names.append("waiting %")
    return Sheet(caption_of(recording), ("collective", "ranks"), [Heading(name) for name in names],
                 [row_of(problem, recording, total) for problem in shown],
                 notes_of(recording, len(problems) - len(shown)))


def page_of(sheet: Sheet) -> str:
    """The same as a page that needs no network."""
    jinja2 = require("jinja2", "problems --format html")
    folder = Path(__file__).with_name("templates")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True,
                                     trim_blocks=True, undefined=jinja2.StrictUndefined)
    page: str = environment.get_template("problems.html.jinja").render(
        sheet=sheet, style=(folder / "page.css").read_text(encoding="utf-8"))
    return page


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "problems", help="which collectives an application calls", epilog=EXAMPLES,
        description="Prints which collectives an application calls: how often, how long, how "
                    "large, how irregular.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="what mpiaudit record has written")
    parser.add_argument("--format", choices=["text", "markdown", "csv", "html"], default="text")
    parser.add_argument("--most", type=int, default=20, metavar="NUMBER",
                        help="problems to show, those with most time first; 0: all; default 20")
    parser.add_argument("--gain", nargs="+", metavar="REPORT",
                        help="audits of these problems: say what could be gained at most; exit code 1 when "
                             "that is too little to be shown")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    most, recording = max(0, options.most), read(options.file)
    if options.gain:
        words, is_too_little = gain_of(recording, read_all(options.gain))
        output.give(f"{words}\n", options.output)
        return int(is_too_little)
    sheet = sheet_of(recording, most)
    if options.format == "html":
        text = page_of(sheet)
    elif options.format == "text":
        width = shutil.get_terminal_size((120, 24)).columns if options.output is None else 0
        text = to_text(sheet, width, False)
    else:
        text = {"markdown": to_markdown, "csv": to_csv}[options.format](sheet)
    output.give(text, options.output)
    return 0
