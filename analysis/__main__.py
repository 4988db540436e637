# SPDX-License-Identifier: BSD-3-Clause
"""The command line: python3 -m analysis COMMAND REPORT..."""

import argparse
import os
import sys
from collections.abc import Sequence

from analysis import compare, merge, network, page, plot, table
from analysis.errors import InputError

EPILOG = """examples:
  python3 -m analysis table results/laptop             the table of the papers
  python3 -m analysis plot results/laptop -o plots     curves, bars, heat map, samples
  python3 -m analysis html results/laptop -o page.html everything on one page
  python3 -m analysis compare before after             what is new, what is fixed
  python3 -m analysis merge p8 p16 p32 -o scaling.json one document for the scaling plots
  python3 -m analysis network network.json             heat maps of a measured network

A REPORT is a report.json, the folder in results/ that holds it, or what merge has written.
`COMMAND --help` tells the options of a command and gives examples.

exit codes: 0 done; 1 what --fail-on asks about was found; 2 usage or unusable input"""


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m analysis", description="Shows what audits of mpiaudit found.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (table, plot, page, compare, merge, network):
        module.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except InputError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of a pipe has seen enough, as with `| head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"{options.command}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
