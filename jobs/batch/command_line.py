# SPDX-License-Identifier: BSD-3-Clause
"""The command line of jobs/slurm."""

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Optional

from batch import cancel, collect, resume, status, submission
from batch.audit_options import split
from batch.errors import UsageError
from batch.place import COMMAND, RESULTS
from batch.request import PASSED_ON, make_request

EPILOG = """examples:
  jobs/slurm submit --name night --nodes 1,2,4,8 --ppn 16 --time 30m --launches 3
  jobs/slurm submit --name mpich --nodes 2,4 --ppn 8 --mpi mpich --partition short -- \\
      --guidelines all --block-sizes 1..1Mi:x4
  jobs/slurm submit --name night --nodes 1,2 --ppn 4 --dry-run      prints the scripts
  jobs/slurm status               all audits
  jobs/slurm status night --watch
  jobs/slurm collect night
  jobs/slurm cancel night         ends the jobs, keeps all measurements
  jobs/slurm resume night         submits the incomplete jobs again

exit codes: 0 done; 1 collect: something is missing; 2 wrong use, or Slurm refuses""".replace(
    "jobs/slurm", COMMAND)


def add_submit(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "submit", help="one job for each number of nodes; returns at once",
        description="Writes job scripts to results/NAME and submits them. All that follows -- goes "
        "to `mpiaudit run`.", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--name", required=True, help="the results land in results/NAME")
    add("--nodes", required=True, metavar="N,...", help="numbers of nodes, a job for each")
    add("--one-job", action="store_true",
        help="a single job on the largest number of nodes, which audits the smaller numbers on its "
        "first nodes (default: a job for each number)")
    add("--ppn", required=True, type=positive, metavar="N", help="ranks on each node")
    add("--mpi", metavar="LIB", help="default (of mpicxx and mpirun in PATH), openmpi, mpich")
    add("--launcher", metavar="L", help="srun (default) or mpirun")
    add("--pmi", help="srun --mpi=PMI (default: pmix, for mpich pmi2)")
    add("--mpirun", metavar="FILE", help="the mpirun of --launcher mpirun (default: that of --mpi)")
    add("--time", metavar="T", help="limit of each job: 90s, 30m, 1h30m (default: 30m)")
    add("--launches", type=positive, default=1, metavar="N",
        help="launches in each job, judged together: an audit and those that confirm it (default: 1)")
    add("--restarts", type=not_negative, default=3, metavar="N",
        help="how often a job that runs out of time may queue again and go on (default: 3)")
    add("--order", choices=("chained", "free"), default="chained",
        help="chained (default): one job after the other, so that they do not disturb each other; "
        "free: as Slurm likes")
    for name in PASSED_ON:
        add(f"--{name}", metavar="X", help="as for sbatch")
    add("--exclusive", action="store_true", help="no other jobs on the same nodes")
    add("--sbatch", action="append", default=[], metavar="OPTION",
        help="any other option of sbatch, as in --sbatch=--mail-type=END; may be repeated")
    add("--site", metavar="FILE", help="defaults and modules of a cluster, see "
        "jobs/sites/example.ini (default: the variable MPIAUDIT_SITE)")
    add("--program", metavar="FILE",
        help="the program (default: that of a binary archive; elsewhere jobs/build makes it)")
    add("--no-collect", action="store_true", help="no job that merges the results in the end")
    add("--dry-run", action="store_true", help="print the scripts, do nothing")


def at_least(least: int, text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text) or int(text) < least:
        raise argparse.ArgumentTypeError(f"'{text}': use a number, at least {least}")
    return int(text)


def positive(text: str) -> int:
    return at_least(1, text)


def not_negative(text: str) -> int:
    return at_least(0, text)


def add_status(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("status", help="how far the jobs are")
    parser.add_argument("name", metavar="NAME", nargs="?", help="default: all audits, a line each")
    parser.add_argument("--watch", metavar="SECONDS", nargs="?", type=positive, const=10,
                        help="repeat every SECONDS (10) until the jobs are over")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Audits an MPI library over numbers of nodes, in jobs of "
        "Slurm.", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER",
                        help="where NAME is (default: %(default)s)")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    add_submit(commands)
    add_status(commands)
    taken_back = commands.add_parser(
        "cancel", help="ends the jobs that wait or run; all measurements stay")
    taken_back.add_argument("name", metavar="NAME")
    again = commands.add_parser(
        "resume", help="submits the jobs again that ended before they were complete")
    again.add_argument("name", metavar="NAME")
    merged = commands.add_parser(
        "collect", help="merges the finished audits into one report, and lists the others")
    merged.add_argument("name", metavar="NAME")
    merged.add_argument("--output", metavar="FILE", help="default: results/NAME/scaling.json")
    return parser


def run(options: argparse.Namespace, audit_options: list[str]) -> int:
    results: Path = options.results.resolve()
    if options.command == "submit":
        submission.submit(make_request(options, audit_options), results, options.dry_run)
        return 0
    if options.command == "status":
        if options.watch:
            status.watch(results, options.name, options.watch)
        else:
            print(status.look(results, options.name)[0])
        return 0
    folder = results / options.name
    if options.command == "collect":
        return collect.collect(folder, options.output)
    if options.command == "resume":
        resume.resume(folder)
        return 0
    cancel.cancel(folder)
    return 0


def main(arguments: Optional[list[str]] = None) -> int:
    own, audit_options = split(sys.argv[1:] if arguments is None else arguments)
    options = build_parser().parse_args(own)
    try:
        code = run(options, audit_options)
        sys.stdout.flush()
        return code
    except UsageError as error:
        print(f"{COMMAND}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the pipe has closed it, as `| head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
