# SPDX-License-Identifier: BSD-3-Clause
"""The steps of the workflows in jobs/ci, run by bash with programs that only note their arguments."""

import re
import textwrap
import unittest

from command import NOTES, NotedTest
from folder import ROOT

AUDIT = ["jobs/local", "--output", "audit", "--ranks", "2", "--", "--budget", "5m"]


def steps_of(name):
    """The commands of a workflow: those of `run:`, or the list below `script:`."""
    text = (ROOT / "jobs" / "ci" / name).read_text(encoding="utf-8")
    if name == "gitlab.yml":
        script = re.search(r"\n  script:\n(.*?)\n  artifacts:", text, re.DOTALL)[1]
        return re.findall(r"^    - (.+)$", script, re.MULTILINE)
    steps = []
    for indent, first, rest in re.findall(r"^( +)run: *(.*)\n((?:\1 +.*\n)*)", text, re.MULTILINE):
        # `>` folds the lines below into one.
        steps.append(first if first != ">" else " ".join(textwrap.dedent(rest).split("\n")))
    return steps


class Pipelines(NotedTest):
    programs = {name: NOTES + 'note "NAME" "$@"; exit "${CODE:-0}"'.replace("NAME", name.replace("+", "/"))
                for name in ("jobs+setup", "jobs+local", "build+release+mpiaudit", "python3")}

    def setUp(self):
        super().setUp()
        for name in self.programs:
            program = self.folder / name
            if "+" in name:
                target = self.folder / name.replace("+", "/")
                target.parent.mkdir(parents=True, exist_ok=True)
                program.rename(target)

    def run_steps(self, name, local_code, **environment):
        """Runs the steps as the runners do; `jobs/local` ends with this code. Returns what was called."""
        for step in steps_of(name):
            code = local_code if "jobs/local" in step else 0
            self.run_here("bash", "-eo", "pipefail", "-c", step, environment={
                **self.environment(), "CODE": str(code), **environment})
        return self.noted()
