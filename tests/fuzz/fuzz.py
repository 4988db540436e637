# SPDX-License-Identifier: BSD-3-Clause
"""Gives the program damaged files and odd command lines: it must end with a documented code and its
own words, never with a crash, a raw exception or control characters on the terminal.

Reports for analysis/ are damaged by analysis/tests/test_hostile.py (--mutations N).
The same seed makes the same cases; each can be made alone: --seed 7 --first 1234 --cases 1.
"""

import argparse
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from analysis.tests.mutations import damaged_text, mutated  # noqa: E402

MPIAUDIT = os.environ.get("MPIAUDIT", str(ROOT / "build/release-openmpi/mpiaudit"))
SERVER = os.environ.get("MPIAUDIT_FORK_SERVER")
AUDIT = ["run", "--distributions", "same,random", "--block-sizes", "1,10", "--max-rounds", "8"]
RAW = re.compile(rb"json\.exception|std::|what\(\)|terminate called|Traceback|Sanitizer|runtime error:|"
                 rb"\*\*\* Process received signal|basic_string|vector::|bad_|_M_|stoi|stod")
UNSAFE = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]")
# done, violations, wrong use, nothing selected, nothing decided
CODES = {0, 1, 2, 4, 5}
MOST_SECONDS = 60
VALUES = ["", "0", "-1", "1", "1e999", "nan", "-nan", "inf", "010", "0x10", "99999999999999999999999", "1.5",
          "1..", "..1", "1..10:x0", "10..1:x2", "1..1000000:x1", "1,,2", ",", ":", "=", "a=b", "%s%n",
          "\x1b[31m", "\u202e", "µ", "x" * 5000, "[", "[[[[", "{}", "null", "all", "none", "half", "same",
          "/dev/null", "/", ".", "..", "~", "$(id)", "a b", "a\nb", "1Ki", "1Ti", "9999999Ti", "1s", "-1s",
          "1e300s", "MPI_Gather", "TUW_Gatherv", "irregular-1", "spikes:rho=1e308", "spikes:rho=nan",
          "spikes:x=1", "spikes:", "spikes:rho=", b"\xff", b"a\xe9b"]


def recorded(collective, **more):
    return {"collective": collective, "mode": "blocking", "group": 0, "calls": 10,
            "element": {"name": "MPI_INT", "size": 4, "extent": 4, "class": "predefined"},
            "seconds": {"sum": 2.0, "max_rank": 1.5, "min_rank": 0.5, "min_call": 1e-6}, **more}


# The calls of an application of two ranks, in all forms.
RECORDING = {
    "format": "mpiaudit-problems", "version": 1, "library": "L", "program": "app", "ranks": 2,
    "threads": "single", "wall_seconds": 10.0, "synchronised": False,
    "lost": {"calls": 0, "seconds": 0.0}, "hosts": [{"name": "h", "ranks": "0-1"}],
    "groups": [{"ranks": "0-1", "size": 2, "communicators": 1},
               {"ranks": "1", "size": 1, "communicators": 1}],
    "problems": [
        recorded("MPI_Gatherv", root=1, bytes={"exact": [0, 8]}),
        recorded("MPI_Allgatherv", bytes={"runs": [[2, 4]]}),
        recorded("MPI_Allreduce", op="MPI_SUM", in_place=True, bytes={"block": 4096}),
        recorded("MPI_Scan", op={"user": True, "commutative": False}, bytes={"block": 8}),
        recorded("MPI_Reduce_scatter", op="MPI_MIN",
                 bytes={"sum": 80, "largest": 40, "zeros": 2, "blocks": 4}),
        recorded("MPI_Alltoallv", bytes={"sent_mean": 33, "largest": 16, "partners_mean": 1.5}),
        recorded("MPI_Barrier", inter=True)]}


class Program:
    """mpiaudit, loaded once and forked for each case (fork_server.cpp), or started where there is no
    such server: --program.
    """

    def __init__(self, server):
        self.server = server and subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, arguments, folder):
        if not self.server:
            return self.start(arguments, folder)
        texts = [os.fsencode(each) for each in (folder, "said", "complained", *arguments)]
        self.server.stdin.write(struct.pack("=I", len(texts)) + b"".join(
            struct.pack("=I", len(text)) + text for text in texts))
        self.server.stdin.flush()
        status, = struct.unpack("=I", self.server.stdout.read(4))
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGALRM:
            # A fork may inherit a lock that another thread of MPI holds: the program alone tells.
            return self.start(arguments, folder)
        return subprocess.CompletedProcess(arguments, code,
                                           (Path(folder) / "said").read_bytes(),
                                           (Path(folder) / "complained").read_bytes())

    def start(self, arguments, folder):
        try:
            return subprocess.run([MPIAUDIT, *arguments], cwd=folder, capture_output=True, check=False,
                                  stdin=subprocess.DEVNULL, timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(late.cmd, -99, late.stdout or b"", late.stderr or b"")


class Fuzzer:
    def __init__(self, folder, program):
        self.folder = folder
        made = program.run([*AUDIT, "--output", "audit"], folder)
        if made.returncode != 0:
            sys.exit(f"no audit to damage: {made.stderr.decode(errors='replace')}")
        self.samples = (folder / "audit" / "samples.jsonl").read_bytes().splitlines()
        self.report = json.loads((folder / "audit" / "report.json").read_bytes())
        # A whole one is a megabyte, which takes sanitizers seconds.
        for long, kept in (("checks", 20), ("problems", 1), ("implementations", 20)):
            self.report[long] = self.report[long][:kept]
        words = program.run(["list", "options"], folder).stdout.decode().splitlines()
        self.options = [line.split()[0] for line in words if line]
        self.kinds = [self.judge, self.judge, self.judge, self.baseline, self.resume, self.confirm,
                      self.guidelines, self.distribution, self.counts, self.network,
                      self.problems, self.command_line, self.command_line]

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def damaged_samples(self, source):
        lines = list(self.samples)
        if source.random() < 0.2:
            return source.choice([damaged_text(b"\n".join(lines) + b"\n", source), b"",
                                  b"\n".join(lines + [source.choice(lines)]) + b"\n",
                                  b"\n".join(lines[1:]) + b"\n"])
        place = source.randrange(len(lines))
        lines[place] = mutated(json.loads(lines[place]), source).replace(b"\n", b" ")
        return b"\n".join(lines) + b"\n"

    def judge(self, source):
        self.write("damaged/samples.jsonl", self.damaged_samples(source))
        return ["judge", "damaged", "--color", "never", *source.choice(
            [[], ["--report", "again.json"], ["--judge", source.choice(["minima", "averages"])], ["audit"]])]

    def baseline(self, source):
        return ["judge", "audit", "--baseline", self.write("old.json", mutated(self.report, source))]

    def resume(self, source):
        self.write("damaged/samples.jsonl", self.damaged_samples(source))
        return [*AUDIT, "--output", "damaged", "--resume"]

    def confirm(self, source):
        self.write("damaged/samples.jsonl", self.damaged_samples(source))
        return ["run", "--confirm", "damaged", "--dry-run"]

    def damaged_file(self, folder, source):
        text = source.choice(sorted((ROOT / folder).glob("*.json"))).read_bytes()
        data = mutated(json.loads(text), source) if source.random() < 0.8 else damaged_text(text, source)
        return self.write("damaged.json", data)

    def guidelines(self, source):
        return ["run", "--guidelines", self.damaged_file("guidelines", source), "--dry-run"]

    def distribution(self, source):
        file = self.damaged_file("distributions", source)
        return ["run", "--distributions", file, "--block-sizes", "1,100", "--dry-run"]

    def counts(self, source):
        data = source.choice([b"[3]", b"3\n", b'{"name": "c", "counts": [3]}', b"3, 4 5", b"[]",
                              b"\xef\xbb\xbf3"])
        file = self.write("damaged.txt", source.choice([data, damaged_text(data * 3, source)]))
        return ["run", "--counts", file, "--dry-run"]

    def problems(self, source):
        if source.random() < 0.2:
            data = damaged_text(json.dumps(RECORDING).encode(), source)
        else:
            data = mutated(RECORDING, source)
        return ["run", "--problems", self.write("recording.json", data), "--dry-run", "--ranks",
                source.choice(["2", "3"])]

    def network(self, source):
        file = self.damaged_file("networks", source)
        return ["run", "--guidelines", "grid", "--network", file, "--dry-run"]

    def command_line(self, source):
        words = [source.choice(["run", "run", "judge", "list", "probe", "verify", "rnu", ""])]
        if words == ["verify"]:
            words += ["--memory", "1"]  # whatever else is asked for, there is nothing to move
        for _ in range(source.randint(1, 4)):
            value = source.choice(VALUES)
            option = "--" + source.choice(self.options)
            if isinstance(value, bytes):
                value = os.fsdecode(value)
            words += source.choice([[option, value], [f"{option}={value}"], [option], [value],
                                    [option[:-1], value]])
        return [*words, "--dry-run"] if words[0] == "run" else words


def complaint(done):
    said = done.stdout + done.stderr
    if done.returncode not in CODES:
        return f"exit code {done.returncode}"
    # MPI's launcher prints the command line that it was started with.
    said = b"\n".join(line for line in said.splitlines() if not line.startswith(b"["))
    for pattern in (RAW, UNSAFE):
        found = pattern.search(said)
        if found:
            return f"says {found.group()!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=int(os.environ.get("FUZZ_CASES", "200")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FUZZ_SEED", "1")))
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--program", action="store_true", help="start the program itself for each case")
    parser.add_argument("--keep", help="folder for the inputs of what went wrong")
    options = parser.parse_args()
    codes, failures = Counter(), 0
    with tempfile.TemporaryDirectory(prefix="mpiaudit-fuzz-") as name:
        program = Program(None if options.program else SERVER)
        fuzzer = Fuzzer(Path(name), program)
        for number in range(options.first, options.first + options.cases):
            source = random.Random(f"{options.seed}/{number}")
            kind = source.choice(fuzzer.kinds)
            words = [word.replace("\0", "") for word in kind(source)]
            done = program.run(words, name)
            codes[kind.__name__, done.returncode] += 1
            wrong = complaint(done)
            if wrong is None:
                continue
            failures += 1
            print(f"case {number}: {wrong}: {words!r:.300}\n  {done.stderr[-600:]!r}", flush=True)
            if options.keep:
                kept = Path(options.keep) / str(number)
                kept.parent.mkdir(parents=True, exist_ok=True)
                subprocess.run(["cp", "-r", name, kept], check=True)
    for (kind, code), times in sorted(codes.items()):
        print(f"{kind:<14} exit code {code:>4}: {times}")
    print(f"{options.cases} cases of seed {options.seed}: {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
