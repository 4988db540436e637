# SPDX-License-Identifier: BSD-3-Clause
"""The steps of the workflows in jobs/ci, run by bash with programs that only note their arguments."""

import re
import unittest

from command import make_program
from folder import ROOT, FolderTest

# `jobs/local` ends with the code CODE.
PROGRAM = """#!/bin/sh
echo "$0 $*" >>notes
[ "$0" != jobs/local ] || exit "$CODE"
"""
SETUP, PAGE = "jobs/setup --for reports", "python3 -m analysis html"
GATE = "build/release/mpiaudit judge audit "


def steps_of(name):
    """The commands of a workflow: those of `run:`, or the list below `script:`."""
    text = (ROOT / "jobs" / "ci" / name).read_text(encoding="utf-8")
    if name == "gitlab.yml":
        script = re.search(r"\n  script:\n(.*?)\n  artifacts:", text, re.DOTALL)[1]
        return re.findall(r"^    - (.+)$", script, re.MULTILINE)
    found = re.findall(r"^( +)run: *(.*)\n((?:\1 +.*\n)*)", text, re.MULTILINE)
    # `>` folds the lines below into one.
    return [" ".join(rest.split("\n")) if first == ">" else first for _, first, rest in found]


class Pipelines(FolderTest):
    def setUp(self):
        super().setUp()
        for name in ("jobs/setup", "jobs/local", "build/release/mpiaudit", "python3"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            make_program(self.folder / name, PROGRAM)
        for name in ("answer.md", "annotations.txt"):
            self.write(name, "")

    def run_steps(self, name, code, expected=0):
        """Runs the steps as the runners do, up to the first that fails. Returns what was started."""
        self.write("notes", "")
        environment = {"CODE": str(code), "RANKS": "2", "FAIL_ON": "ratio>1.2", "BASELINE": "old",
                       "GITHUB_STEP_SUMMARY": "summary", "PATH": f"{self.folder}:/usr/bin:/bin"}
        steps = "\n".join(steps_of(name))
        self.run_here("bash", "-eo", "pipefail", "-c", steps, code=expected, environment=environment)
        return [line.removeprefix(f"{self.folder}/") for line in self.read("notes").splitlines()]

    def test_they_audit_what_the_first_command_audits(self):
        # Neither guidelines nor sizes: the default has all of them, confirmations and generated calls.
        audit = "jobs/local --ranks 2 --output audit -- --budget 5m"
        for code in (0, 3, 5):
            self.assertEqual(self.run_steps("github.yml", code), [
                SETUP, audit, GATE + "--report joint.json --junit checks.xml --markdown answer.md "
                "--github annotations.txt --fail-on ratio>1.2 --baseline old",
                f"{PAGE} joint.json -o page.html"])
            self.assertEqual(self.run_steps("gitlab.yml", code), [
                SETUP, audit, f"{PAGE} audit -o page.html", GATE + "--fail-on ratio>1.2 --junit checks.xml"])

    def test_an_audit_that_fails_ends_the_pipeline(self):
        for name in ("github.yml", "gitlab.yml"):
            self.assertEqual(len(self.run_steps(name, 70, expected=1)), 2)


if __name__ == "__main__":
    unittest.main()
