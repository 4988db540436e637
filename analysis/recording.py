# SPDX-License-Identifier: BSD-3-Clause
"""The command `problems`: what an application calls, as tables or a page."""

import argparse
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from . import output, units
from .errors import require
from .plain import plain
from .recorded import LOAD_SHARE, Json, buffers_of, gain_of, in_time, read, recorded_ranks
from .reports import read_all
from .sheet import Cell, Heading, Row, Sheet, to_csv, to_markdown, to_text

EXAMPLES = """examples:
  python3 -m analysis problems problems.json
  python3 -m analysis problems problems.json --by site --most 0
  python3 -m analysis problems problems.json --most 0 --format csv -o problems.csv
  python3 -m analysis problems problems.json --format html -o problems.html

`mpiaudit record -- APPLICATION` writes the FILE (analysis/problems.schema.json)."""


def blocks_of(problem: Json) -> list[int]:
    """Returns the bytes of each rank's block if they are kept; else nothing."""
    sizes = problem.get("bytes", {})
    if "runs" in sizes:
        return [size for times, size in sizes["runs"] for _ in range(times)]
    exact: list[int] = sizes.get("exact", [])
    return exact


def size_of(problem: Json) -> str:
    """Returns the bytes of a block or vector; the mean if blocks differ."""
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
    """Returns the largest block as a multiple of the mean, and how many blocks are empty."""
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
    """Returns the function with its mode, operator, memory of a device and kind of communicator."""
    prefix = {"blocking": "", "nonblocking": "nonblocking ", "persistent": "persistent "}
    operation = problem.get("op")
    words = [prefix[problem["mode"]] + problem["collective"]]
    if operation is not None:
        words.append(operation.removeprefix("MPI_").lower() if isinstance(operation, str)
                     else "own operator")
    if problem.get("in_place"):
        words.append("in place")
    if memory := problem.get("buffers", {}).get("memory"):
        words.append(f"{memory} memory")
    if problem.get("inter"):
        words.append("inter-communicator")
    return plain(", ".join(words))


def of(part: float, whole: float, digits: int = 1) -> str:
    return f"{100 * part / whole:.{digits}f}" if whole > 0 else ""


def times_of(seconds: Json, ranks: int, calls: int, recording: Json) -> list[str]:
    """Returns cells: shares of the collectives and of the run, the least, mean and most seconds of `ranks`
    ranks, and the time of one of `calls` calls; with --synchronise also the share of waiting."""
    total = sum(each["seconds"]["sum"] for each in recording["problems"]) + recording["lost"]["seconds"]
    cells = [of(seconds["sum"], total),
             of(seconds["sum"], recording["wall_seconds"] * recorded_ranks(recording), 2),
             f"{seconds['min_rank']:.3g}", f"{seconds['sum'] / max(1, ranks):.3g}",
             f"{seconds['max_rank']:.3g}", units.microseconds(seconds["sum"] / max(1, calls))]
    if recording["synchronised"]:
        cells.append(of(seconds["waiting"], seconds["sum"] + seconds["waiting"], 0))
    return cells


TIMES = ("time %", "run %", "least s", "mean s", "most s", "call us")


def headings(recording: Json, *names: str) -> list[Heading]:
    return [Heading(name) for name in (*TIMES, *(["waiting %"] if recording["synchronised"] else []), *names)]


def row_of(problem: Json, recording: Json) -> Row:
    group = recording["groups"][problem["group"]]
    ranks = str(group["size"])
    if "root" in problem:
        ranks += f", root {problem['root']}"
    element = problem.get("element")
    cells = [*times_of(problem["seconds"], group["size"], problem["calls"] * group["size"], recording),
             str(problem["calls"]), irregularity_of(problem),
             plain(element["name"].removeprefix("MPI_").lower()) if element else ""]
    return Row((name_of(problem), size_of(problem), ranks), tuple(map(Cell, cells)), True)


def share_row(share: Json, stub: tuple[str, ...], recording: Json) -> Row:
    cells = [*times_of(share, recorded_ranks(recording), share["calls"], recording), str(share["calls"]),
             str(share["most_on"]), str(share.get("least_on", ""))]
    return Row(stub, tuple(map(Cell, cells)), True)


def functions_sheet(recording: Json) -> Sheet:
    """Returns a table with a row for each function and a row for all of them."""
    shares = [share for share in recording.get("shares", []) if "object" not in share]
    rows = [share_row(share, (plain(share.get("function", "all")),), recording)
            for share in sorted(shares, key=lambda share: "function" in share)]
    return Sheet(caption_of(recording), ("function",),
                 headings(recording, "calls", "most on", "least on"), rows, has_marks=False)


def sites_sheet(recording: Json, most: int) -> Sheet:
    """Returns a table with a row for each calling place."""
    shares = [share for share in recording.get("shares", []) if "object" in share]
    shown = shares[:most or None]
    places = places_of(shown)
    rows = [share_row(share, (plain(share["function"]), plain(places[share["object"], share["offset"]])),
                      recording) for share in shown]
    left_out = len(shares) - len(shown)
    notes = [("", f"{left_out} places with less time are left out; --most 0 shows all.")] if left_out else []
    return Sheet("By call site", ("function", "called in"),
                 headings(recording, "calls", "most on", "least on"), rows, notes, left_aligned=2,
                 has_marks=False)


def places_of(shares: list[Json]) -> dict[tuple[str, int], str]:
    """Returns function, file and line if addr2line finds them, else the recorded place. Calls from Fortran
    show only the library that passes them on."""
    places = {(share["object"], share["offset"]):
              (share["symbol"] + " in " if "symbol" in share else "")
              + f"{Path(share['object']).name}+{share['offset']:#x}" for share in shares}
    program = shutil.which("addr2line")
    for name in {share["object"] for share in shares} if program else ():
        if not name.startswith("/") or not Path(name).is_file():
            continue
        offsets = [offset for each, offset in places if each == name]
        try:
            # Names of files come from the recording; no shell reads them.
            done = subprocess.run([str(program), "-f", "-C", "-s", "-e", name,
                                   *(hex(max(0, offset - 1)) for offset in offsets)], capture_output=True,
                                  text=True, errors="replace", timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        lines = done.stdout.splitlines()
        for offset, function, place in zip(offsets, lines[::2], lines[1::2]):
            if not function.startswith("?"):
                where = Path(name).name if place.startswith("?") else place.partition(" (")[0]
                places[name, offset] = f"{function.partition('(')[0]} in {where}"
    return places


def caption_of(recording: Json) -> str:
    problems = recording["problems"]
    calls = sum(problem["calls"] * recording["groups"][problem["group"]]["size"]
                for problem in problems)
    seconds = sum(problem["seconds"]["sum"] for problem in problems)
    ranks = recorded_ranks(recording)
    wall = recording["wall_seconds"] * ranks
    share = f", {100 * seconds / wall:.1f} % of the time" if wall > 0 else ""
    lost = recording["lost"]
    missing = (f"; LOST besides: {lost['calls']} calls, {lost['seconds'] / ranks:.4g} s per rank"
               if lost["calls"] else "")
    return plain(f"{recording['program']}, {recording['ranks']} ranks, "
                 f"{recording['wall_seconds']:.4g} s: {len(problems)} problems, {calls} calls of "
                 f"ranks, {seconds / ranks:.4g} s per rank in collectives{share}{missing}")


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
    delayed = recording.get("delayed_seconds", 0.0) / recorded_ranks(recording)
    if delayed > LOAD_SHARE * recording["wall_seconds"] > 0:
        notes.append(("", f"Each rank lacked a processor for {in_time(delayed)} of "
                          f"{in_time(recording['wall_seconds'])}: other programs, or more ranks than "
                          "processors. So these times are longer than those of a machine of its own."))
    if not recording["synchronised"]:
        notes.append(("", "Times are with waiting for ranks that come late; record with "
                          "--synchronise to tell the two apart."))
    return notes


def problems_sheet(recording: Json, most: int) -> Sheet:
    """Returns a table with a row for each problem, longest time first."""
    problems = recording["problems"]
    shown = problems[:most or None]
    return Sheet("By problem", ("collective", "bytes", "ranks"),
                 headings(recording, "calls", "largest/mean", "type"),
                 [row_of(problem, recording) for problem in shown],
                 notes_of(recording, len(problems) - len(shown)), has_marks=False)


def page_of(sheets: list[Sheet]) -> str:
    """Returns the tables as a page that needs no network."""
    jinja2 = require("jinja2", "problems --format html")
    folder = Path(__file__).with_name("templates")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True,
                                     trim_blocks=True, undefined=jinja2.StrictUndefined)
    page: str = environment.get_template("problems.html.jinja").render(
        sheets=sheets, style=(folder / "page.css").read_text(encoding="utf-8"))
    return page


SHEETS = {"function": lambda recording, _: functions_sheet(recording), "problem": problems_sheet,
          "site": sites_sheet}


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "problems", help="which collectives an application calls", epilog=EXAMPLES,
        description="Prints which collectives an application calls: how often, how long, how "
                    "large, how irregular.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE",
                        help="problems.json of mpiaudit record, or its folder")
    parser.add_argument("--format", choices=["text", "markdown", "csv", "html"], default="text")
    parser.add_argument("--by", choices=[*SHEETS],
                        help="only this table: of each function, problem (operation, size and ranks), or "
                             "call site; default all, problem for csv")
    parser.add_argument("--most", type=int, default=20, metavar="NUMBER",
                        help="problems and call sites to show, those with most time first; 0: all; "
                             "default 20")
    parser.add_argument("--width", type=int, metavar="COLUMNS",
                        help="fold text tables at this width, 0: never; default: the terminal's")
    parser.add_argument("--gain", nargs="*", metavar="REPORT",
                        help="print the collectives' share of the run, the waiting in it and, with audits of "
                             "these problems, what the faster ways save; exit code 1 if runs cannot "
                             "show so little")
    parser.add_argument("--buffers", action="store_true",
                        help="print the condition of mpiaudit run --buffers that most calls have, and why")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    most, recording = max(0, options.most), read(options.file)
    if options.gain is not None:
        words, is_too_little = gain_of(recording, read_all(options.gain) if options.gain else [])
        output.give(f"{words}\n", options.output)
        return int(is_too_little)
    if options.buffers:
        output.give(": ".join(buffers_of(recording)) + "\n", options.output)
        return 0
    by = options.by or ("problem" if options.format == "csv" else None)
    sheets = [make(recording, most) for name, make in SHEETS.items() if by in (None, name)]
    # Recordings of earlier versions have only problems.
    sheets = [sheet for sheet in sheets if sheet.rows or by] or [problems_sheet(recording, most)]
    if caption_of(recording) not in (sheet.caption for sheet in sheets):
        sheets[0] = replace(sheets[0], caption=caption_of(recording))
    if options.format == "html":
        text = page_of(sheets)
    elif options.format == "text":
        is_screen = options.output is None and sys.stdout.isatty()
        width = options.width if options.width is not None else (
            shutil.get_terminal_size().columns if is_screen else 0)
        text = "\n".join(to_text(sheet, width, False) for sheet in sheets)
    else:
        text = "\n".join({"markdown": to_markdown, "csv": to_csv}[options.format](sheet) for sheet in sheets)
    output.give(text, options.output)
    return 0
