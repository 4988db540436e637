# SPDX-License-Identifier: BSD-3-Clause
"""What an application gets is the same whatever paths its calls take: every path for every collective that is
legal and awkward (nasty.c), and the interfaces of Fortran.

In short the nasty calls run on one number of ranks, with other paths for each root and size; REPAIR_ALL=1
takes 1 to 5, and each path for all roots and sizes.
"""

import json
import os
import re
import subprocess
from pathlib import Path

from program import LAUNCH, MPIAUDIT, ProgramTest, main

NASTY, ADVERSARY = os.environ["NASTY"], os.environ["ADVERSARY"]
FORTRAN = [program for program in os.environ["FORTRAN_PROGRAMS"].split(":") if program]
ALL = os.environ.get("REPAIR_ALL") == "1"
IS_SLOW = os.environ.get("IS_SLOW") == "1"


def output_of(*words):
    return subprocess.run([MPIAUDIT, *words], capture_output=True, text=True, timeout=60, check=True).stdout


def paths():
    """Of each collective those that are not the library's own operation."""
    found = {}
    for line in output_of("list", "paths").splitlines():
        collective, path = line.split(None, 1)
        if path != f"{collective}(m)":
            found.setdefault(collective, []).append(path)
    return found


def parts_of(collective):
    """Of the calls of a collective, those that a rule can tell apart."""
    roots = [{"root": 0}, {}] if re.search("Bcast|Gather|Scatter|Reduce$", collective) else [{}]
    sizes = [{"bytes": {"from": least, "to": most}} for least, most in ((1, 39), (40, 1000), (1001, 2**31))]
    if re.search("Gatherv|Scatterv|Alltoall[vw]|Barrier", collective):
        sizes = [{}]
    return [{**root, **size} for root in roots for size in sizes]


PATHS = paths()
PARTS = {collective: [{}] if ALL else parts_of(collective) for collective in PATHS}
ROUNDS = max(-(-len(PATHS[each]) // len(PARTS[each])) for each in PATHS)


class Repair(ProgramTest):
    known_library = None

    def library(self):
        """As the library calls itself, from what it says of rules for another one."""
        if Repair.known_library is None:
            # A tab in it is a tab in the file, and shown in the message.
            Repair.known_library = self.asked_library().replace(r"\x09", "\t")
        return Repair.known_library

    def asked_library(self):
        self.write_rules({"library": "Another MPI", "rules": []})
        return re.search(r"and this is (.*); audit this library",
                         self.run_with(1, FORTRAN_OR_NASTY).stderr)[1]

    def write_rules(self, rules, name="rules.json"):
        self.write(name, json.dumps({"format": "mpiaudit-rules", "version": 1, **rules}))

    def run_with(self, ranks, words, *options, rules="rules.json"):
        return subprocess.run([*LAUNCH, str(ranks), MPIAUDIT, "apply", "--rules", rules, *options, "--",
                               *words],
                              cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def results(self, name, ranks):
        return [(self.folder / f"{name}.{rank}").read_text(encoding="utf-8") for rank in range(ranks)]

    def natively(self, ranks):
        subprocess.run([*LAUNCH, str(ranks), NASTY, "native"], cwd=self.folder, capture_output=True,
                       timeout=300, check=True)
        return self.results("native", ranks)

    def test_same_results_on_every_path(self):
        library = self.library()
        numbers = range(1, 6) if ALL else (2,) if IS_SLOW else (3,)
        for ranks in numbers:
            expected = self.natively(ranks)
            taken = set()
            for number in range(ROUNDS):
                self.write_rules({"library": library, "rules": [
                    {"collective": collective, "ranks": size, "per_host": [size], **part,
                     "path": of[(number * len(PARTS[collective]) + place) % len(of)]}
                    for collective, of in PATHS.items() for size in range(2, ranks + 1)
                    for place, part in enumerate(PARTS[collective])]})
                self.read_valid("rules.json", "rules")
                with self.subTest(ranks=ranks, number=number):
                    done = self.run_with(ranks, [NASTY, "repaired"])
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(self.results("repaired", ranks), expected)
                    taken |= set(re.findall(r"\d+ (MPI_\w+) by ([^,;\n]+)", done.stderr))
            if ranks > 1:
                missing = {(collective, path) for collective, of in PATHS.items() for path in of} - taken
                self.assertEqual(missing, set())

    def with_a_decimal_comma(self):
        """The environment, with such a locale where it can be made."""
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8"], cwd=self.folder,
                              capture_output=True, check=False)
        return {**os.environ, **({"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(self.folder)}
                                 if made.returncode == 0 else {})}

    def test_an_adversary_gets_what_it_gets_alone(self):
        """Recorded behind the repairer, too: each sees what the other is not to notice."""
        communicators, ranks = 200 if IS_SLOW else 2000, 2
        subprocess.run([*LAUNCH, str(ranks), ADVERSARY, "alone", str(communicators)], cwd=self.folder,
                       capture_output=True, timeout=120, check=True)
        alone, environment = self.results("alone", ranks), self.with_a_decimal_comma()
        for number in range(0, max(map(len, PATHS.values())), 1 if ALL else 9):
            self.write_rules({"library": self.library(), "rules": [
                {"collective": collective, "ranks": ranks, "per_host": [ranks], "path": of[number % len(of)]}
                for collective, of in PATHS.items()]})
            with self.subTest(number=number):
                done = subprocess.run(
                    [*LAUNCH, str(ranks), MPIAUDIT, "apply", "--rules", "rules.json", "--report", "said.json",
                     "--", MPIAUDIT, "record", "--overwrite", "--", "sh", "-c",
                     f"mkdir -p below && cd below && exec {ADVERSARY} ../repaired {communicators}"],
                    cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120,
                    check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.results("repaired", ranks), alone)
                calls = int(re.search(r"(\d+) calls took another path", done.stderr)[1])
                self.assertGreater(calls, communicators)
                said = json.loads((self.folder / "said.json").read_text(encoding="utf-8"))
                self.assertEqual(said["calls"], calls)
                if not IS_SLOW:  # what is freed with sanitizers stays for a while
                    self.assertLess(int(done.stdout), 512)
        self.assert_the_halves_are_told_apart()

    def assert_the_halves_are_told_apart(self):
        """Of communicators whose handles are those of others that were used while they were deleted."""
        recording = json.loads((self.folder / "problems.json").read_text(encoding="utf-8"))
        for group, each in enumerate(recording["groups"]):
            if each["size"] == 1:
                of_half = {problem["collective"]: problem["calls"] for problem in recording["problems"]
                           if problem["group"] == group}
                # Three times four rounds; what is called while MPI finalizes is left alone.
                self.assertEqual(of_half, {"MPI_Allreduce": 12, "MPI_Allgather": 12, "MPI_Bcast": 12})

    def substituted(self, done):
        """What the closing line says."""
        [line] = [line for line in done.stderr.splitlines() if "took another path" in line]
        return line

    def rules_for(self, ranks, **paths):
        self.write_rules({"library": self.library(), "rules": [
            {"collective": collective, "path": path, "ranks": ranks, "per_host": [ranks]}
            for collective, path in paths.items()]})

    def test_modes(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)",
                       MPI_Allreduce="MPI_Reduce(m) + MPI_Bcast(m)")
        on = self.substituted(self.run_with(2, [NASTY, "on"]))
        self.assertRegex(on, r"mpiaudit: repair: \d+ calls took another path: \d+ MPI_Gatherv by "
                             r"linear_Gatherv\(m\), \d+ MPI_Allreduce by MPI_Reduce\(m\) \+ MPI_Bcast\(m\); "
                             r"left to the library: \d+ without data, \d+ with operations or types of the "
                             r"application, \d+ that add up floating-point numbers, \d+ among the first "
                             r"calls on their communicators$")
        counted = self.substituted(self.run_with(2, [NASTY, "count"], "--mode", "count"))
        self.assertRegex(counted, r" 0 calls took another path; left to the library: .* \d+ only counted$")
        verified = self.run_with(2, [NASTY, "verify"], "--mode", "verify")
        self.assertEqual(self.substituted(verified), on + "; all results were the library's")
        self.assertEqual(self.results("verify", 2), self.results("on", 2))
        off = self.run_with(2, [NASTY, "off"], "--mode", "off")
        self.assertEqual((off.returncode, off.stderr), (0, ""))

    def test_what_begins_a_collective_is_seen(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        begun = self.substituted(self.run_with(2, [NASTY, "begun", "begun"]))
        self.assertTrue(begun.endswith("; seen, and not substituted: 2 nonblocking MPI_Allreduce, 3 "
                                       "nonblocking MPI_Bcast, 1 persistent MPI_Allreduce"), begun)

    def test_ranks_with_other_rules_leave_all_to_the_library(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        rules = json.loads((self.folder / "rules.json").read_text(encoding="utf-8"))
        self.write_rules({**rules, "report": "another"}, "other.json")
        (self.folder / "start").write_text(
            "#!/bin/sh\nfile=other.json\n"
            "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 0 ] && file=rules.json\n"
            f"exec {MPIAUDIT} apply --rules $file -- {NASTY} differ\n", encoding="utf-8")
        done = subprocess.run([*LAUNCH, "2", "sh", "start"], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.strip(), "mpiaudit: repair: the ranks do not have the same rules; all "
                                              "calls are left to the library")
        self.assertEqual(self.results("differ", 2), self.natively(2))

    def test_threads_leave_all_to_the_library(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        done = self.run_with(2, [NASTY, "threads", "threads"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.results("threads", 2), self.natively(2))
        if "MPI_Gatherv by" not in done.stderr:  # else the library has no such threads
            self.assertIn("threads call MPI side by side; all calls are left to the library", done.stderr)

    def test_another_library(self):
        self.write_rules({"library": "Another MPI", "rules": []})
        done = self.run_with(1, [NASTY, "another"])
        self.assertIn("rules.json: the rules are for Another MPI, and this is ", done.stderr)
        self.assertEqual(self.results("another", 1), self.natively(1))

    def test_fortran(self):
        if not FORTRAN:
            self.skipTest("no mpifort")
        self.rules_for(2, MPI_Allreduce="MPI_Reduce(m) + MPI_Bcast(m)", MPI_Barrier="MPI_Allreduce(1)",
                       MPI_Bcast="MPI_Scatterv(m) + MPI_Allgatherv(m)")
        for program in FORTRAN:
            with self.subTest(Path(program).name):
                done = self.run_with(2, [program], "--mode", "verify")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.substituted(done).split("path: ")[1],
                                 "1 MPI_Allreduce by MPI_Reduce(m) + MPI_Bcast(m), 2 MPI_Barrier by "
                                 "MPI_Allreduce(1), 1 MPI_Bcast by MPI_Scatterv(m) + MPI_Allgatherv(m); "
                                 "all results were the library's")

    def refused(self, *words):
        return self.expect_code(2, *words).stderr

    def test_sentences_instead_of_crashes(self):
        self.assertIn("give the rules with --rules FILE", self.refused("apply", "--", "true"))
        self.assertIn("missing.json", self.refused("apply", "--rules", "missing.json", "--", "true"))
        self.write_rules({"library": "L", "rules": [
            {"collective": "MPI_Gatherv", "path": "liner_Gatherv(m)", "ranks": 2, "per_host": [2]}]})
        self.assertIn("did you mean 'linear_Gatherv(m)'",
                      self.refused("apply", "--rules", "rules.json", "--", "true"))
        self.assertIn("--ranks NUMBER", self.refused("prove", "--rules", self.empty(), "--", "true"))
        self.assertIn("-- APPLICATION", self.refused("prove", "--rules", "rules.json"))

    def empty(self):
        self.write_rules({"library": self.library(), "rules": []}, "empty.json")
        return "empty.json"

    def prove(self, *words):
        return subprocess.run([MPIAUDIT, "prove", "--launch", " ".join([*LAUNCH, "{ranks}"]), *words],
                              cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def test_empty_rules_are_never_faster(self):
        done = self.prove("--rules", self.empty(), "--ranks", "2", "--", NASTY, "nasty")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("No call took another path, so nothing can be faster.", done.stdout)
        self.assertNotIn(" times (", done.stdout)
        self.assertTrue(done.stdout.endswith("Not shown to be faster.\n"))
        proof = json.loads((self.folder / "proof/proof.json").read_text(encoding="utf-8"))
        self.assertEqual((proof["pairs"], proof["calls"], proof["faster"]), (1, 0, False))
        self.read_valid("proof/no-rules.json", "rules")
        again = self.prove("--rules", "empty.json", "--ranks", "2", "--", NASTY, "nasty")
        self.assertIn("--overwrite", again.stderr)

    def test_settings_are_of_the_runs_with_rules(self):
        (self.folder / "set.sh").write_text("export MPIAUDIT_REPAIR_TEST=yes\n", encoding="utf-8")
        (self.folder / "show").write_text('#!/bin/sh\necho "${MPIAUDIT_REPAIR_TEST:-no}"\n'
                                          f'exec {NASTY} nasty\n', encoding="utf-8")
        done = self.prove("--rules", self.empty(), "--ranks", "1", "--pairs", "1", "--settings", "set.sh",
                          "--", "sh", "./show")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn("nothing can be faster", done.stdout)
        for arm, said in (("without", "no\n"), ("with", "yes\n")):
            self.assertEqual((self.folder / f"proof/1-{arm}.out").read_text(encoding="utf-8"), said)
        # Which is what the command of --compare sees, and objects to.
        other = self.prove("--rules", self.empty(), "--ranks", "1", "--pairs", "1", "--settings", "set.sh",
                           "--overwrite", "--compare", "cat {base} {repaired} > seen; cmp {base} {repaired}",
                           "--", "sh", "./show")
        self.assertEqual(other.returncode, 3, other.stderr)
        self.assertEqual((self.folder / "seen").read_text(encoding="utf-8"), "no\nyes\n")
        self.assertRegex(other.stdout,
                         r"^Other results with the rules: see .*/1-without.out and .*/1-with.out")
        self.assertNotIn("faster", other.stdout)

    def test_outputs_are_compared(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        same = self.prove("--rules", "rules.json", "--pairs", "1", "--compare", "diff {base} {repaired}",
                          "--", NASTY, "nasty")
        self.assertIn("Outputs were the same in all pairs.", same.stdout)
        other = self.prove("--rules", "rules.json", "--overwrite", "--compare", "false", "--", NASTY,
                           "nasty")
        self.assertEqual(other.returncode, 3, other.stderr)
        self.assertIn("Other results with the rules", other.stdout)

    def test_each_run_has_a_folder_of_its_own(self):
        work = self.folder / "a b"
        work.mkdir()
        (work / "app").write_text(f"cat input >> written; exec {NASTY} nasty\n", encoding="utf-8")
        (work / "input").write_text("in\n", encoding="utf-8")
        done = self.prove("--rules", self.empty(), "--ranks", "1", "--pairs", "1", "--copy", "a b",
                          "--compare", "cmp {base-folder}/written {repaired-folder}/written", "--",
                          "sh", "./app")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Outputs were the same in all pairs.", done.stdout)
        self.assertEqual((self.folder / "proof/1-with/written").read_text(encoding="utf-8"), "in\n")
        self.assertFalse((work / "written").exists())
        for folder, words in (("missing", "is no folder"), (".", "holds the folder of --output")):
            self.assertIn(words, self.refused("prove", "--rules", "empty.json", "--ranks", "1", "--copy",
                                              folder, "--output", "new", "--", "true"))

    def test_a_run_that_fails_is_no_answer(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        failed = self.prove("--rules", "rules.json", "--overwrite", "--", "false")
        self.assertEqual(failed.returncode, 70, failed.stderr)
        self.assertIn("a run of the application failed (exit code 1)", failed.stderr)


FORTRAN_OR_NASTY = [FORTRAN[0]] if FORTRAN else [NASTY, "library"]

main()
