# SPDX-License-Identifier: BSD-3-Clause
"""The command line: mpiaudit-report, or python3 -m analysis in the repository."""

import argparse
import logging
import sys
import warnings
from collections.abc import Sequence

from . import (
    __version__,
    break_even,
    compare,
    export,
    history,
    merge,
    network,
    output,
    page,
    plot,
    rank,
    recording,
    reports,
    scales,
    table,
)
from .errors import InputError
from .plain import plain

IN_THE_REPOSITORY, INSTALLED = "python3 -m analysis", "mpiaudit-report"
EPILOG = """examples:
  python3 -m analysis table results/laptop             a table as in the papers
  python3 -m analysis plot results/laptop -o plots     curves, bars, heat map, samples
  python3 -m analysis html results/laptop -o page.html everything on one page
  python3 -m analysis compare before after             which operations changed
  python3 -m analysis history results/night-*          which operation changed when
  python3 -m analysis rank together sorted one-late    the fastest way under each condition
  python3 -m analysis break-even results/amortised     when persistent operations pay
  python3 -m analysis merge p8 p16 p32 -o scaling.json one document for the scaling plots
  python3 -m analysis scales scaling.json              what is slow from how many nodes on
  python3 -m analysis network network.json             heat maps of a measured network
  python3 -m analysis problems problems.json           what an application calls
  python3 -m analysis export checks results/laptop     for pandas, R and PGMPITuneLib

A REPORT is a report.json, the folder in results/ that holds it, or what merge has written.
`COMMAND --help` shows the options of a command and examples.

exit codes: 0 done; 1 a condition of --fail-on is met; 2 usage or unusable input;
5 that cannot be told

The answer of one audit is on the first screen: mpiaudit judge RESULTS [--markdown FILE]"""


def program() -> str:
    """Returns the command that the user called, so that the examples of the help can be repeated."""
    return IN_THE_REPOSITORY if __package__ == "analysis" else INSTALLED


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program(), description="Shows what audits of mpiaudit found.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version",
                        version=f"mpiaudit-report {__version__}, reads reports of schema "
                                f"{reports.READ_VERSIONS}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (table, plot, page, compare, history, scales, rank, break_even, merge, network, recording,
                   export):
        module.add_parser(commands)
    for each in (parser, *commands.choices.values()):
        each.epilog = (each.epilog or "").replace(IN_THE_REPOSITORY, program())
    return parser


def complain(options: argparse.Namespace, text: str) -> int:
    """Prints one line, whatever names the text quotes."""
    if sys.stderr is not None:
        print(f"{options.command}: {plain(text)}", file=sys.stderr)
    return 2


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        output.prepare()
        with warnings.catch_warnings():
            # Warnings of matplotlib about names without glyphs and long labels are no news.
            for category in (UserWarning, RuntimeWarning):
                warnings.simplefilter("ignore", category)
            status: int = options.run(options)
        sys.stdout.flush()
        return status
    except InputError as error:
        return complain(options, str(error))
    except RecursionError:
        return complain(options, "a report is nested too deeply to be shown")
    except BrokenPipeError:
        # The reader of a pipe has read enough, as with `| head`.
        output.silence()
        return 0
    except OSError as error:
        if error.filename is None:
            output.silence()
        return complain(options, f"{error.filename or 'standard output'}: {error.strerror}")


if __name__ == "__main__":
    sys.exit(main())
