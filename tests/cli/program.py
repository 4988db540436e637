# SPDX-License-Identifier: BSD-3-Clause
"""Starts mpiaudit as a user does, in a folder of its own."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
MPIAUDIT = os.environ["MPIAUDIT"]
LAUNCH = os.environ["MPIAUDIT_LAUNCH"].split()

# Of an audit that is about something else than its verdicts: a few rounds may decide nothing.
DONE = (0, 5)
# Of a verification that is about something else than its results: persistent collectives of MPICH
# 4.0.2 are wrong (CMakeLists.txt here).
VERIFIED = (0, 3)
# An audit that takes a moment.
QUICK = ["--guidelines", "irregular", "--distributions", "same,random", "--block-sizes", "1,10",
         "--max-rounds", "8"]


def command(arguments, ranks=None, fault=None):
    """The command line; `ranks` None: without a launcher, as one rank."""
    words = [MPIAUDIT, *arguments]
    if fault:
        # Only the program gets the fault, not its launcher. The sanitizers object to any library
        # that comes before theirs.
        preload = ":".join(filter(None, [os.environ["FAULTY_MPI"], os.environ.get("LD_PRELOAD")]))
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        words = ["env", f"LD_PRELOAD={preload}", f"FAULT={fault}", f"ASAN_OPTIONS={sanitizer}", *words]
    return words if ranks is None else [*LAUNCH, str(ranks), *words]


def descendants(process_id):
    """The process and all that it started, as far as they are still related."""
    children = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = status.read_text()
        except OSError:
            continue  # it has just ended
        parent = int(text[text.rindex(")") + 1:].split()[1])
        children.setdefault(parent, []).append(int(status.parent.name))
    family = [process_id]
    for member in family:
        family += children.get(member, [])
    return family


def send(number, processes):
    """The signal to those of the processes that are still there."""
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mpiaudit-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments, ranks=None, fault=None, environment=None):
        return subprocess.run(
            command(arguments, ranks, fault), cwd=self.folder, capture_output=True, text=True,
            timeout=120, env={**os.environ, **(environment or {})}, check=False)

    def expect_code(self, code, *arguments, **how):
        """Runs the program, which has to end with this exit code, or one of several, and returns what
        it printed.
        """
        done = self.run_program(*arguments, **how)
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(done.returncode, codes, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def report(self, results="out"):
        """Of a folder, or a file of its own."""
        file = self.folder / results
        file = file if file.suffix == ".json" else file / "report.json"
        return json.loads(file.read_text(encoding="utf-8"))

    def read_valid(self, name, kind):
        """The JSON of a file, as analysis/KIND.schema.json has it."""
        value = json.loads((self.folder / name).read_text(encoding="utf-8"))
        schema = (ROOT / f"analysis/{kind}.schema.json").read_text(encoding="utf-8")
        jsonschema.validate(value, json.loads(schema))
        return value

    def valid_report(self, results="out"):
        return self.read_valid(results if results.endswith(".json") else f"{results}/report.json", "report")

    def sample_lines(self, results="out"):
        """The complete lines of samples.jsonl, as bytes."""
        file = self.folder / results / "samples.jsonl"
        text = file.read_bytes() if file.exists() else b""
        return text.splitlines(keepends=True)[: text.count(b"\n")]

    def problems(self, results="out"):
        lines = [json.loads(line) for line in self.sample_lines(results)[1:]]
        return [line for line in lines if line["kind"] == "problem"]


class AuditedTest(ProgramTest):
    """Of an audit on two ranks that is made once for all tests of a class: each has it in its folder."""

    files: dict[str, str] = {}  # by name, where the audit is made
    audit: list[str] = []
    output = "out"

    @classmethod
    def setUpClass(cls):
        audited = tempfile.TemporaryDirectory(prefix="mpiaudit-")
        cls.addClassCleanup(audited.cleanup)
        cls.audited = audited.name
        for name, text in cls.files.items():
            (Path(audited.name) / name).write_text(text, encoding="utf-8")
        done = subprocess.run(command(["run", *cls.audit, "--output", cls.output], ranks=2), cwd=audited.name,
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode not in DONE:
            raise AssertionError(done.stdout + done.stderr)
        cls.console = done.stdout

    def setUp(self):
        super().setUp()
        shutil.copytree(self.audited, self.folder, dirs_exist_ok=True)


def main():
    unittest.main(verbosity=2, argv=sys.argv)
