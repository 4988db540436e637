# SPDX-License-Identifier: BSD-3-Clause
"""Tests that start mpiaudit in a folder of their own each, and read its files there."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from analysis import rows  # noqa: E402
from analysis.consistency import contradictions  # noqa: E402
from analysis.reports import Report  # noqa: E402

# Environment variables for launchers of MPI.
LAUNCHERS = dict(line.split("=", 1) for line in (ROOT / "tests/launchers.env").read_text().splitlines()
                 if not line.startswith("#"))
# Whether the program is built with MPIAUDIT_CHECKER: whether it generates calls.
HAS_CHECKER = os.environ.get("MPIAUDIT_HAS_CHECKER", "1") == "1"
needs_checker = unittest.skipUnless(HAS_CHECKER, "this program generates no calls")
# Exit codes of an audit that is not about verdicts: a few rounds may decide nothing.
DONE = (0, 5)
# Seconds until a test gives up what hangs. A busy machine may take a hundred times as long as an idle one.
GUARD_S = 1800
# A budget that ends no audit of a few rounds, however slow the machine is.
ALL_TIME = ("--budget", "5h")


def run(words, folder, timeout=GUARD_S, environment=None):
    """Runs the command in the folder to its end. Returns its output."""
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})


class FolderTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mpiaudit-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_here(self, *words, code=0, **how):
        """The command, which has to end with this exit code, or one of several; None: with any."""
        done = run(words, self.folder, **how)
        codes = code if isinstance(code, tuple) else (code,)
        self.assertTrue(code is None or done.returncode in codes,
                        f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def wait_until(self, condition, what, seconds=GUARD_S):
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def write(self, name, text):
        (self.folder / name).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return name

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def read_valid(self, name, kind):
        """Returns the JSON of a file, which must match analysis/KIND.schema.json."""
        value = json.loads(self.read(name))
        jsonschema.validate(value, json.loads((ROOT / f"analysis/{kind}.schema.json").read_text()))
        return value

    @staticmethod
    def report_of(results):
        """The file of a folder, or itself."""
        return results if str(results).endswith(".json") else f"{results}/report.json"

    def report(self, results="out"):
        """Returns the report with every name and statistic in its place."""
        return rows.expanded(json.loads(self.read(self.report_of(results))))

    def valid_report(self, results="out"):
        """Returns the report, which must match the schema; no number may contradict the verdict of its
        check."""
        file = self.report_of(results)
        report = rows.expanded(self.read_valid(file, "report"))
        self.assertEqual(contradictions(Report(self.folder / file, report)), [])
        return report

    def sample_lines(self, results="out"):
        """The complete lines of samples.jsonl, as bytes."""
        file = self.folder / results / "samples.jsonl"
        text = file.read_bytes() if file.exists() else b""
        return text.splitlines(keepends=True)[: text.count(b"\n")]

    def problems(self, results="out"):
        lines = [json.loads(line) for line in self.sample_lines(results)[1:]]
        return [line for line in lines if line["kind"] == "problem"]
