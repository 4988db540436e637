# SPDX-License-Identifier: BSD-3-Clause
"""The command `history`: which operation became slower or faster in a series of audits, and when."""

import argparse
import textwrap
from pathlib import Path

from . import output, timeline, units
from .compare import UNDECIDED
from .compare_conditions import systems_that_differ
from .history_audits import read_audits
from .history_changes import REMEDY, Found, History, history_of
from .operations import ALPHA
from .sheet import Cell, Heading, Row, Sheet, to_csv, to_markdown, to_text

EXAMPLES = """examples:
  python3 -m analysis history results/night-*
  python3 -m analysis history results/5.0.5 results/5.0.6 results/5.0.7 --picture history.png
  python3 -m analysis history results/night-* --fail-on slowdown

Each FOLDER holds an audit, several launches (1/report.json, 2/report.json, ...), or a result of
jobs/before-after. The default order is by version if the audits are of several versions of one library,
else by time. In the order by version all launches of one version count together.

One launch each is enough from about 12 audits on; of fewer audits, measure several launches of each.

--fail-on slowdown: exit code 1 if an operation is slower in the last audit than in the first one by the
changes that are reported; 5 if none is, and the launches are too few or too noisy to tell."""

# More columns are left out where nothing changed.
MOST_COLUMNS = 8
WIDTH = 80
# What docs/analysis.md advises.
ENOUGH_LAUNCHES, ENOUGH_AUDITS = 5, 12


def sentence(found: Found, history: History) -> str:
    """Returns: MPI_Bcast is 1.31 times slower at 4 KiB from 5.0.6 on, at the earliest from 5.0.5, at the
    latest from 5.0.7."""
    audits = history.audits
    text = found.change.sentence[0].upper() + found.change.sentence[1:]
    text += f" from {audits[found.place].name} on"
    if found.earliest < found.place or found.place < found.latest:
        text += (f" (at the earliest from {audits[found.earliest].name}, at the latest from "
                 f"{audits[found.latest].name})")
    differing = systems_that_differ(audits[found.place - 1].report, audits[found.place].report, (
        audits[found.place - 1].name, audits[found.place].name))
    return "; ".join([text, *differing])


def sentences(history: History) -> list[str]:
    amount = f"{len(history.audits)} audits with {history.starts[-1]} launches"
    if not history.can_show_changes:
        return [f"{amount} are too few to tell any change from chance: measure at least {ENOUGH_LAUNCHES} "
                f"launches of each audit (jobs/before-after), or {ENOUGH_AUDITS} audits", *history.remarks]
    said = [sentence(found, history) for found in history.changes]
    if history.undecided:
        said.append(f"It cannot be told whether {', '.join(history.undecided)} became slower: {REMEDY}")
    elif not said:
        said.append("No operation was shown to have changed")
    said.append(f"{amount}; the probability of any false change is at most {100 * ALPHA:g} %")
    return said + history.remarks


def order_lines(history: History) -> list[str]:
    """Returns the audits in the order of the history: a line for each, or one line for many."""
    start = "Order: as given" if history.order == "given" else f"Order: by {history.order}"
    start += f" (another one: --by {'time' if history.order == 'version' else 'version'})"
    if len(history.audits) > MOST_COLUMNS:
        return [f"{start}: {', '.join(audit.name for audit in history.audits)}"]
    width = max(len(audit.name) for audit in history.audits)
    lines = [start]
    for index, audit in enumerate(history.audits, start=1):
        launches = f"{len(audit.launches)} launch{'' if len(audit.launches) == 1 else 'es'}"
        lines.append(f"{index:3} {audit.name:{width}}  {audit.started[:10]}  {launches}, "
                     f"{audit.report.title}")
    return lines


def shown_columns(history: History, is_all: bool) -> list[int]:
    """Returns the audits with a column in the table: all, or the first, the last and those with a change and
    before a change."""
    number = len(history.audits)
    if is_all or number <= MOST_COLUMNS:
        return list(range(number))
    near = {index for found in history.changes for index in (found.place - 1, found.place)}
    return sorted(near | {0, number - 1})


def times_sheet(history: History, is_all: bool) -> Sheet:
    """Returns a row for each operation: its time in each audit over its time in the first one. The operations
    that changed come first."""
    changed = list(dict.fromkeys(found.change.operation for found in history.changes))
    names = changed + [name for name in history.values if name not in changed]
    columns = shown_columns(history, is_all)
    places = {(found.change.operation, found.place): found.change.ratio for found in history.changes}
    rows = []
    for name in names:
        times = history.times_of(name)
        cells = []
        for index in columns:
            time = times[index]
            is_slower = places.get((name, index), 0.0) > 1
            cells.append(Cell("-" if time is None else units.ratio(time), "violated" if is_slower else ""))
        rows.append(Row((name,), tuple(cells), True))
    notes = [("!", "slower from this audit on")]
    if len(columns) < len(history.audits):
        notes.append(("", f"{len(history.audits) - len(columns)} audits without a change are left out: "
                          "--columns all shows them"))
    return Sheet("Time of each operation over its time in the first audit, less the common pace",
                 ("Operation",), [Heading(history.audits[index].name) for index in columns], rows, notes)


def rendered(history: History, options: argparse.Namespace) -> str:
    sheet = times_sheet(history, options.columns == "all" or options.format == "csv")
    if options.format == "csv":
        return to_csv(sheet)
    said, order = sentences(history), order_lines(history)
    if options.format == "markdown":
        listed = "\n".join(f"- {line}" for line in said)
        return "\n\n".join([listed, to_markdown(sheet).strip(), "```\n" + "\n".join(order) + "\n```"]) + "\n"
    said, order = ([textwrap.fill(line, options.width or 10**6, subsequent_indent="    ",
                                  break_long_words=False, break_on_hyphens=False) for line in lines]
                   for lines in (said, order))
    return "\n\n".join(["\n".join(said), to_text(sheet, options.width).strip(), "\n".join(order)]) + "\n"


def exit_code(history: History) -> int:
    """Returns the exit code of --fail-on."""
    is_decided = history.can_show_changes and not history.undecided
    return 1 if history.has_slower else 0 if is_decided else UNDECIDED


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "history", help="which operation became slower when, in any number of audits", epilog=EXAMPLES,
        description="Finds the changes in a series of audits.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER",
                        help="an audit, a folder of launches, or a result of jobs/before-after")
    parser.add_argument("--by", choices=["time", "version", "given"],
                        help="the order: when an audit started, the version of the library, or as given")
    parser.add_argument("--format", choices=["text", "markdown", "csv"], default="text")
    parser.add_argument("--columns", choices=["changes", "all"], default="changes",
                        help=f"of more than {MOST_COLUMNS} audits show those with changes (default) or all")
    parser.add_argument("--width", type=int, default=WIDTH, metavar="COLUMNS",
                        help=f"fold text tables at this width, 0: never; default {WIDTH}")
    parser.add_argument("--fail-on", choices=["slowdown"],
                        help="exit code 1 if there is one, 5 if that cannot be told")
    parser.add_argument("--picture", type=Path, metavar="FILE",
                        help="also draw the history: png, svg or pdf by its ending")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: print it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    history = history_of(read_audits(options.folders), options.by)
    output.give(rendered(history, options), options.output)
    if options.picture:
        timeline.save(history, options.picture)
        output.remark(str(options.picture))
    return exit_code(history) if options.fail_on else 0
