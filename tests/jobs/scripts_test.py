# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs/slurm without Slurm: the scripts that it writes, and the input that it refuses."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from command import COMMAND, MPIAUDIT, JobsTest, make_program
from folder import ROOT, run

sys.path.insert(0, str(ROOT / "jobs"))
from batch import audit_options, collect, outcome, packages, submission  # noqa: E402 (needs the path)
from batch.errors import UsageError  # noqa: E402

NIGHT = ["submit", "--name", "night", "--nodes", "1,4", "--ppn", "2", "--mpi", "openmpi"]


class Scripts(JobsTest):
    def scripts(self, *options):
        """The scripts of a dry run by name."""
        done = self.run_command(*NIGHT, "--dry-run", *options)
        self.assertEqual(self.files(), [])
        parts = done.stdout.split("##### ")[1:]
        return {part.splitlines()[0].removeprefix(f"{self.results.resolve()}/night/"):
                part.split("\n", 1)[1] for part in parts}

    def test_dry_run_prints_scripts_of_bash_and_leaves_nothing(self):
        found = self.scripts("--partition", "short", "--exclusive", "--time", "45m", "--launches",
                             "3", "--sbatch=--mail-type=END", "--", "--only", "two words",
                             "--op", "sum")
        self.assertEqual(sorted(found), ["collect.sh", "nodes-1/job.sh", "nodes-4/job.sh"])
        for name, text in found.items():
            with self.subTest(name):
                self.assertNotRegex(text, r"@[A-Z_]+@")
                self.assertIn("#SBATCH --partition=short\n", text)
                subprocess.run(["bash", "-n"], input=text, text=True, check=True)
        for line in ("#SBATCH --nodes=4", "#SBATCH --ntasks-per-node=2", "#SBATCH --time=45",
                     "#SBATCH --signal=B:USR1@270", "#SBATCH --exclusive",
                     "#SBATCH --mail-type=END", "ranks=8", "launches=3", "has_own_budget=false",
                     "audit_options=(--only 'two words' --op sum)",
                     "    srun --mpi=pmix --nodes=4 --ntasks=8 --ntasks-per-node=2 "
                     "--kill-on-bad-exit=1"):
            self.assertIn(f"\n{line}\n", found["nodes-4/job.sh"])

    def test_launchers(self):
        for options, expected in (
                (["--launcher", "mpirun"],
                 "mpirun.openmpi --mca orte_execute_quiet 1 -n 8 --map-by ppr:2:node --bind-to none"),
                (["--launcher", "mpirun", "--mpirun", "/opt/a b/mpirun"],
                 "'/opt/a b/mpirun' --mca orte_execute_quiet 1 -n 8 --map-by ppr:2:node --bind-to none"),
                (["--mpi", "mpich", "--launcher", "mpirun"], "mpirun.mpich -n 8 -ppn 2"),
                (["--mpi", "mpich"], "srun --mpi=pmi2 --nodes=4 --ntasks=8 --ntasks-per-node=2 "
                                     "--kill-on-bad-exit=1"),
                (["--pmi", "cray_shasta"], "srun --mpi=cray_shasta --nodes=4 --ntasks=8 "
                                           "--ntasks-per-node=2 --kill-on-bad-exit=1")):
            with self.subTest(options):
                self.assertIn(f"launcher=(\n    {expected}\n)",
                              self.scripts(*options)["nodes-4/job.sh"])

    def test_hostile_words_stay_words(self):
        hostile = "a'b\"; touch pwned; $(touch pwned) `touch pwned` #"
        for options, array, expected in (
                (["--launcher", "mpirun", "--mpirun", hostile], "launcher", hostile),
                (["--pmi", hostile], "launcher", f"--mpi={hostile}"),
                (["--", "--only", hostile], "audit_options", hostile),
                (["--", "--only", f"a\n{hostile}"], "audit_options", f"a\n{hostile}")):
            with self.subTest(options):
                script = self.scripts(*options)["nodes-4/job.sh"]
                text = re.search(rf"^{array}=\(.*?\)$", script, re.MULTILINE | re.DOTALL)[0]
                done = self.run_here("bash", "-c", f"{text}\nprintf '%s\\0' \"${{{array}[@]}}\"")
                self.assertIn(expected, done.stdout.split("\0"))
                self.assertEqual(list(self.folder.glob("**/pwned*")), [])

    def test_site_file_gives_defaults_and_modules(self):
        site = self.folder / "site.ini"
        site.write_text("[submit]\npartition = long\ntime = 2h\nexclusive = yes\n"
                        "[setup]\ncommands =\n    module purge\n    module load openmpi\n")
        text = self.scripts("--site", site, "--time", "10m")["nodes-1/job.sh"]
        for line in ("#SBATCH --partition=long", "#SBATCH --time=10", "#SBATCH --exclusive",
                     "module purge\nmodule load openmpi"):
            self.assertIn(f"\n{line}\n", text)
        for content, complaint in (
                ("[submit]\nqueue = x\n", "unknown key 'queue' in [submit]; use mpi, launcher, "),
                ("[modules]\n", "unknown section [modules]"), ("x = 1\n", "no section headers"),
                ("[submit]\nexclusive = maybe\n", "exclusive 'maybe': use yes or no")):
            with self.subTest(content):
                site.write_text(content)
                self.assertIn(complaint, self.error_of(*NIGHT, "--dry-run", "--site", site))
        self.assertIn("--site none.ini: cannot be read",
                      self.error_of(*NIGHT, "--dry-run", "--site", "none.ini"))

    def test_wrong_use(self):
        for options, complaint in (
                (["--nodes", "1,x"], "--nodes '1,x': use positive numbers"),
                (["--nodes", "2,2"], "--nodes '2,2': 2 is there twice"),
                (["--name", "../x"], "--name '../x': use letters"),
                (["--time", "soon"], "--time 'soon': use 90s, 30m"),
                (["--time", "30s"], "--time '30s': Slurm counts in minutes"),
                (["--mpi", "lam"], "--mpi 'lam': use default, openmpi or mpich"),
                (["--launcher", "ssh"], "--launcher 'ssh': use srun or mpirun"),
                (["--ppn", "0"], "argument --ppn: '0': use a number, at least 1"),
                (["--ppn", "x"], "argument --ppn: 'x': use a number, at least 1"),
                (["--", "--output", "x"], "--output after --: the jobs give it themselves"),
                (["--", "--resume"], "--resume after --: the jobs give it themselves"),
                (["--program", "/no/such"], "--program /no/such: not an executable file")):
            with self.subTest(options):
                self.assertIn(complaint, self.error_of(*NIGHT, *options))
        self.assertEqual(self.files(), [])

    def test_options_that_the_program_does_not_have(self):
        submit = [*NIGHT, "--program", MPIAUDIT, "--"]
        self.assertIn("--blok-sizes after --: mpiaudit run has no such option; did you mean "
                      "--block-sizes?", self.error_of(*submit, "--blok-sizes", "1"))
        self.assertIn("--xyz after --: mpiaudit run has no such option\n",
                      self.error_of(*submit, "--root", "0", "--xyz=1") + "\n")
        self.assertEqual(self.files(), [])

    def test_options_are_tried_for_every_number_of_ranks(self):
        submit = [*NIGHT, "--program", MPIAUDIT, "--"]
        for options, complaint in ((["--block-sizes", "many"], "--block-sizes"),
                                   (["--only", "nonsense"], "unknown guideline id 'nonsense'"),
                                   (["--guidelines", "./none.json"], "./none.json"),
                                   (["--budget", "soon"], "--budget"),
                                   # Fits 4 x 2 ranks, but not 1 x 2.
                                   (["--root", "5"], "mpiaudit run on 2 ranks refuses"),
                                   (["--only", "irregular-1", "--collectives", "bcast"],
                                    "nothing selected")):
            with self.subTest(options):
                self.assertIn(complaint, self.error_of(*submit, *options))
        self.assertEqual(self.files(), [])

    def test_program_of_another_library(self):
        for library, given, is_refused in (("libmpich.so.12", "openmpi", True),
                                           ("libmpi.so.12", "openmpi", True),
                                           ("libmpi.so.40", "mpich", True),
                                           ("libmpi.so.40", "openmpi", False),
                                           ("libc.so.6", "mpich", False)):
            make_program(self.folder / "ldd", f"#!/bin/sh\necho '{library} => /usr/lib/{library} (0x1)'\n")
            with self.subTest(library, given=given):
                error = self.error_of(*NIGHT, "--mpi", given, "--program", MPIAUDIT,
                                      "--partition", "nowhere",
                                      environment={"PATH": f"{self.folder}:{os.environ['PATH']}"})
                self.assertEqual(f"--mpi {given}: but {MPIAUDIT} is linked with" in error,
                                 is_refused, error)
        self.assertEqual(self.files(), [])

    def test_line_breaks_never_become_commands(self):
        text = self.scripts("--", "--only", "x\ntouch PWN #")["nodes-1/job.sh"]
        self.assertIn("\\x0atouch PWN #", text)
        self.run_here("bash", "-c", text.replace("set -euo pipefail", "exit"))
        self.assertEqual(list(self.folder.iterdir()), [])
        for name in ("partition", "nodelist", "sbatch"):
            self.assertIn(f"--{name} '--p\\ntouch PWN': has a line break",
                          self.error_of(*NIGHT, "--dry-run", f"--{name}=--p\ntouch PWN"))
        here = self.results / "a\nb"
        here.mkdir()
        self.assertIn("a line break cannot stand in a script's comment",
                      run([*COMMAND, "--results", str(self.results), *NIGHT, "--dry-run"], here).stderr)

    def test_jobs_give_options_that_the_program_has(self):
        done = self.run_here(MPIAUDIT, "list", "options")
        rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
        # Options that may differ between sessions or launches: a requeued job is another session.
        self.assertEqual({rows[name].split()[0] for name in audit_options.GIVEN_BY_JOBS},
                         {"session", "launch"})
        script = (ROOT / "jobs" / "templates" / "audit.sh").read_text(encoding="utf-8")
        given = set(re.findall(r"(?<=[ (])--([a-z-]+)", script[script.index("\nmeasure() {"):]))
        self.assertEqual(given - set(audit_options.GIVEN_BY_JOBS), {"budget", "color"})

    def test_color_is_given_once(self):
        for words, expected in (([], True), (["--color=always"], False),
                                (["--color", "auto"], False)):
            script = self.scripts("--", *words)["nodes-4/job.sh"]
            self.assertEqual('"$ranks_per_node" --color never "${options[@]}"' in script, expected)

    def test_one_job_audits_all_numbers_of_nodes(self):
        found = self.scripts("--one-job")
        self.assertEqual(sorted(found), ["collect.sh", "nodes-4/job.sh"])
        self.assertIn("\nscales=(1 4)\n", found["nodes-4/job.sh"])
        self.assertIn("\nranks=8\n", found["nodes-4/job.sh"])
        self.assertIn("\nscales=()\n", self.scripts()["nodes-4/job.sh"])
        self.assertIn("--junit after --: with --one-job each number of nodes has a report of its own",
                      self.error_of(*NIGHT, "--one-job", "--", "--junit", "x.xml"))
        # The launch is complete with the document about all numbers, which it writes last.
        job = submission.Job(4, 8, self.results, "1", 1, [1, 4])
        launch = self.results / "launch-1"
        for nodes in (1, 4):
            (launch / f"nodes-{nodes}").mkdir(parents=True)
            (launch / f"nodes-{nodes}" / "report.json").write_text('{"complete": true}')
            (launch / f"nodes-{nodes}" / "samples.jsonl").write_text('{"planned_problems": 3}\n')
        self.assertFalse(outcome.look_at_launch(job, launch).is_complete)
        (launch / "scaling.json").write_text("{}")
        self.assertEqual(outcome.look_at_launch(job, launch), outcome.Launch(launch, True, 0, 6, 0, 0))

    def test_a_report_is_complete_in_any_layout(self):
        found = re.search(r"^is_complete\(\) \{.*?^\}", self.scripts()["nodes-4/job.sh"],
                          re.M | re.S)
        shell = 'scales=()\n' + found[0] + '\nis_complete "$1"'
        folder = self.results / "launch-1"
        folder.mkdir()

        def answers():
            done = self.run_here("bash", "-euc", shell, "bash", folder, code=None)
            return {done.returncode == 0, outcome.look_at(folder).is_complete}

        self.assertEqual(answers(), {False})
        for layout in ({"indent": None}, {"indent": 1}, {"indent": 4}, {"separators": (",", ":")}):
            for complete in (True, False):
                with self.subTest(layout, complete=complete):
                    report = {"checks": [{"text": '\n "complete": true'}], "complete": complete}
                    (folder / "report.json").write_text(json.dumps(report, **layout))
                    self.assertEqual(answers(), {complete})
        (folder / "report.json").write_text('{"complete": true')
        self.assertEqual(answers(), {False})

    def test_folders_of_other_audits_stay_as_they_are(self):
        other = self.results / "night"
        other.mkdir()
        (other / "samples.jsonl").write_text("{}\n")
        submit = [*NIGHT, "--program", MPIAUDIT]
        self.assertIn("night: the folder exists already; give another --name",
                      self.error_of(*submit))
        for command in ("status", "collect", "resume"):
            self.assertIn("night: not submitted by jobs/slurm: it has no submission.json",
                          self.error_of(command, "night"))
            self.assertIn("nobody: no such audit", self.error_of(command, "nobody"))
        (other / "submission.json").write_text('{"kind": "something else"}')
        self.assertIn("submission.json: not the record of a submission",
                      self.error_of("collect", "night"))
        self.assertIn("night: an audit of this name was submitted already", self.error_of(*submit))
        self.assertEqual(self.files(), ["night", "night/samples.jsonl", "night/submission.json"])

    def test_host_without_slurm(self):
        error = self.error_of(*NIGHT, "--program", MPIAUDIT,
                              environment={"PATH": "/nowhere"})
        self.assertIn("sbatch: not found; is this a host of a cluster with Slurm?", error)
        self.assertEqual(self.files(), [])

    def test_options_go_to_the_launches_that_take_them(self):
        given = ["--guidelines", "irregular", "--algorithms", "gather", "bcast", "--setting=A=two words",
                 "--hang-after=1m", "--order-seed", "7", "--fail-on", "violation", "--junit=x.xml",
                 "--progress", "never"]
        script = self.scripts("--launches", "3", "--", *given)["nodes-1/job.sh"]
        functions = re.search(r"^options_for\(\) \{.*?^\}", script, re.M | re.S)[0]

        def taken(use):
            lines = [f"program={MPIAUDIT}", re.search(r"^audit_options=.*", script, re.M)[0],
                     "die() { exit 9; }", functions, f"options_for {use}", "printf '%s|' \"${options[@]}\""]
            return self.run_here("bash", "-euc", "\n".join(lines)).stdout.split("|")[:-1]
        both = ["--algorithms", "gather", "bcast", "--setting=A=two words", "--hang-after=1m"]
        self.assertEqual(taken("first"), ["--guidelines", "irregular", *both, "--order-seed", "7",
                                          "--progress", "never"])
        self.assertEqual(taken("confirmation"), [*both, "--progress", "never"])
        self.assertEqual(taken("judge"), ["--fail-on", "violation", "--junit=x.xml"])
        self.assertIn("has_fail_on=true\n", script)

    def test_the_first_launch_has_three_times_the_time_of_each_other(self):
        functions = re.search(r"^budget\(\) \{.*?^\}", self.scripts()["nodes-1/job.sh"], re.M | re.S)[0]
        for launches, launch, left, expected in ((1, 1, 600, 480), (3, 1, 600, 288), (3, 2, 300, 90),
                                                 (3, 3, 160, 80), (3, 1, 60, 18), (3, 1, 0, 3)):
            done = self.run_here("bash", "-euc", f"launches={launches} warning_s=60 "
                                 f"end=$((EPOCHSECONDS + {left}))\n{functions}\nbudget {launch}")
            self.assertIn(int(done.stdout), (expected, expected - 1))

    def test_an_answer_ends_behind_a_whole_finding(self):
        answer = "head\n\n" + "".join(f"! {number}\n    more\n" for number in range(40))
        self.assertEqual(collect.fitted(answer, 100, Path("x.txt")), answer.splitlines())
        lines = collect.fitted(answer, 20, Path("x.txt"))
        self.assertEqual(lines[-3:], ["! 7", "    more", "and 32 more: x.txt"])
        self.assertEqual(collect.fitted("a\nb\nc", 2, Path("x.txt")), ["a", "the rest: x.txt"])

    def test_packages_that_collect_needs_are_looked_for_before_anything_is_submitted(self):
        make_program(self.folder / "python3", "#!/bin/sh\nexit 1\n")
        request = SimpleNamespace(setup=[f"PATH={self.folder}:$PATH"])
        packages.check(request)  # the system's Python has them
        with mock.patch.object(packages, "SYSTEM_PYTHON", "/dev/null"):
            packages.check(SimpleNamespace(setup=[]))
            with self.assertRaisesRegex(UsageError, "needs Python 3.11, which "
                                        "neither .* of this host has: put a newer python3 into the PATH; "
                                        "or give --no-collect"):
                packages.check(request)


unittest.main(verbosity=2)
