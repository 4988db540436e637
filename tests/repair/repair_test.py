# SPDX-License-Identifier: BSD-3-Clause
"""What an application gets is the same whatever paths its calls take: every path for every collective that is
legal and awkward (nasty.c), and the interfaces of Fortran.

In short the nasty calls run on one number of ranks, with other paths for each root and size; REPAIR_ALL=1
takes 1 to 5, and each path for all roots and sizes. RANDOM_CALLS_ALL=1 makes random calls
(random_calls.c) on every path, on 2 to 4 ranks, in the modes on and verify (tests/run --stage
fuzz-application).
"""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from folder import ROOT
from program import LAUNCH, MPIAUDIT, ProgramTest, main

NASTY, ADVERSARY, CORNER_CASES = (os.environ[name] for name in ("NASTY", "ADVERSARY", "CORNER_CASES"))
FORTRAN = [program for program in os.environ["FORTRAN_PROGRAMS"].split(":") if program]
ALL = os.environ.get("REPAIR_ALL") == "1"
IS_SLOW = os.environ["IS_SLOW"] == "1"


def output_of(*words):
    return subprocess.run([MPIAUDIT, *words], capture_output=True, text=True, check=True).stdout


def paths():
    """Returns the paths of each collective, except for the library's own operation."""
    found = {}
    for line in output_of("list", "paths").splitlines():
        collective, path = line.split(None, 1)
        if path != f"{collective}(m)":
            found.setdefault(collective, []).append(path)
    return found


def parts_of(collective):
    """Returns the parts of a collective's calls that a rule can tell apart."""
    roots = [{"root": 0}, {}] if re.search("Bcast|Gather|Scatter|Reduce$", collective) else [{}]
    sizes = [{"bytes": {"from": least, "to": most}} for least, most in ((1, 39), (40, 1000), (1001, 2**31))]
    if re.search("Gatherv|Scatterv|Alltoall[vw]|Barrier", collective):
        sizes = [{}]
    return [{**root, **size} for root in roots for size in sizes]


PATHS = paths()
PARTS = {collective: [{}] if ALL else parts_of(collective) for collective in PATHS}
ROUNDS = max(-(-len(PATHS[each]) // len(PARTS[each])) for each in PATHS)

# The files for the library's choice of algorithms, the ranks on which they are tried, and the sizes at which
# numbers are then added in another order.
SIZES, INSIDE = (4, 5, 20, 21, 64), "40 160"  # numbers, of which 5 and 20 have as many bytes
if "Open MPI" in output_of("--version"):
    SET_BY = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
              "OMPI_MCA_coll_tuned_dynamic_rules_filename": "settings"}
    OTHERS = [f"MPI_{each} 2 basic_linear 1" for each in (
        "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Barrier", "Bcast", "Exscan", "Gather", "Reduce",
        "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter")]
    LINEAR = [f"MPI_Allreduce 3 basic_linear 1 {INSIDE}", "MPI_Allreduce 4 basic_linear 1", *OTHERS]
    WRITTEN = [(LINEAR, 5, {"sums on 3 ranks 5", "sums on 3 ranks 20"}),
               (LINEAR, 4, {f"sums on 4 ranks {n}" for n in SIZES})]
else:
    SET_BY = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": "settings"}
    ONE_OF = {"Bcast": "binomial", "Allreduce": "reduce_scatter_allgather", "Reduce": "reduce_scatter_gather",
              "Alltoall": "pairwise", "Allgather": "ring", "Reduce_scatter_block": "pairwise"}
    # Algorithms that are selected for all sizes. MPI_Reduce_scatter in place aborts by pairwise in MPICH
    # 4.0.2.
    WITHOUT_SIZES = {"Allgatherv": "ring", "Alltoallv": "scattered", "Alltoallw": "scattered",
                     "Barrier": "dissemination" if " 4.0" in output_of("--version") else "nb",
                     "Gather": "binomial", "Reduce_scatter": "recursive_doubling",
                     "Scan": "recursive_doubling", "Scatter": "binomial"}
    WRITTEN = [([f"MPI_{each} 4 {nb or one} 0 {INSIDE}" for each, one in ONE_OF.items()]
                + [f"MPI_{each} 4 {nb or one} 0" for each, one in WITHOUT_SIZES.items()], 4, changed)
               for nb, changed in (("nb", set()), ("", {"blocks on 4 ranks 2", "blocks on 4 ranks 5"}))]


class Repair(ProgramTest):
    known_library = None

    def library(self):
        """Returns the name of the library, from its message about rules for another library."""
        if Repair.known_library is None:
            # A tab in the name is a tab in the file, and visible in the message.
            Repair.known_library = self.asked_library().replace(r"\x09", "\t")
        return Repair.known_library

    def asked_library(self):
        self.write_rules({"library": "Another MPI", "rules": []})
        return re.search(r"and this is (.*); audit this library",
                         self.run_with(1, FORTRAN_OR_NASTY).stderr)[1]

    def write_rules(self, rules, name="rules.json"):
        self.write(name, {"format": "mpiaudit-rules", "version": 1, **rules})

    def run_with(self, ranks, words, *options, rules="rules.json"):
        return self.launch(ranks, MPIAUDIT, "apply", "--rules", rules, *options, "--", *words, code=None)

    def results(self, name, ranks):
        return [self.read(f"{name}.{rank}") for rank in range(ranks)]

    def natively(self, ranks, name="native", **environment):
        self.launch(ranks, NASTY, name, environment=environment)
        return self.results(name, ranks)

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

    def test_random_calls_give_the_same_bytes(self):
        """File k of rules has path k of each operation."""
        everything = os.environ.get("RANDOM_CALLS_ALL") == "1"
        taken = 0
        for number in range(max(map(len, PATHS.values())) if everything else 1):
            self.write_rules({"library": self.library(), "rules": [
                {"collective": collective, "ranks": ranks, "per_host": [ranks], "path": of[number % len(of)]}
                for collective, of in PATHS.items() for ranks in (2, 3, 4)]})
            for ranks in (2, 3, 4) if everything else (3,):
                words = [os.environ["RANDOM_CALLS"], str(100 * number + ranks),
                         "400" if everything else "200"]
                expected = self.launch(ranks, *words).stdout
                for mode in ("on", "verify") if everything else ("on",):
                    with self.subTest(number=number, ranks=ranks, mode=mode):
                        done = self.run_with(ranks, words, "--mode", mode)
                        self.assertEqual((done.returncode, done.stdout), (0, expected), done.stderr)
                        self.assertNotIn("RESULTS", done.stderr)
                        taken += int(re.search(r"(\d+) calls took another path", done.stderr)[1])
        self.assertGreater(taken, 0)

    def test_settings_are_obeyed_where_they_say(self):
        """A library ignores a file with an error, or crashes, so all collectives are in the file. Numbers
        that are added in another order show that the file is obeyed; nothing else may change."""
        for settings, ranks, is_other in WRITTEN:
            with self.subTest(settings[0], ranks=ranks):
                expected = self.natively(ranks)
                self.write("settings", self.run_here(os.environ["WRITTEN_SETTINGS"], *settings).stdout)
                for found, usual in zip(self.natively(ranks, "set", **SET_BY), expected):
                    changed = {line.rsplit(" ", 1)[0] for line, other
                               in zip(found.splitlines(), usual.splitlines(), strict=True) if line != other}
                    self.assertEqual(changed, {each for each in is_other if each in usual})

    def with_a_decimal_comma(self):
        """Returns an environment with a decimal comma, if such a locale can be made."""
        made = self.run_here("localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8", code=None)
        return {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(self.folder)} if made.returncode == 0 else {}

    def test_an_adversary_gets_what_it_gets_alone(self):
        """The recorder also runs behind the repairer: neither may notice the other."""
        communicators, ranks = 200 if IS_SLOW else 2000, 2
        self.launch(ranks, ADVERSARY, "alone", str(communicators))
        alone, environment = self.results("alone", ranks), self.with_a_decimal_comma()
        for number in range(0, max(map(len, PATHS.values())), 1 if ALL else 9):
            self.write_rules({"library": self.library(), "rules": [
                {"collective": collective, "ranks": ranks, "per_host": [ranks], "path": of[number % len(of)]}
                for collective, of in PATHS.items()]})
            with self.subTest(number=number):
                done = self.launch(
                    ranks, MPIAUDIT, "apply", "--rules", "rules.json", "--report", "said.json", "--",
                    MPIAUDIT, "record", "--overwrite", "--", "sh", "-c",
                    f"mkdir -p below && cd below && exec {ADVERSARY} ../repaired {communicators}",
                    environment=environment)
                self.assertEqual(self.results("repaired", ranks), alone)
                calls = int(re.search(r"(\d+) calls took another path", done.stderr)[1])
                self.assertGreater(calls, communicators)
                self.assertEqual(json.loads(self.read("said.json"))["calls"], calls)
                if not IS_SLOW:  # with sanitizers freed memory stays for a while
                    self.assertLess(int(done.stdout), 512)
        self.assert_the_halves_are_told_apart()

    def test_a_recorder_changes_no_result(self):
        self.launch(2, MPIAUDIT, "record", "--", NASTY, "recorded")
        self.assertEqual(self.results("recorded", 2), self.natively(2))

    def assert_the_halves_are_told_apart(self):
        """New communicators may have the handles of communicators that were used while they were deleted."""
        recording = json.loads(self.read("problems.json"))
        for group, each in enumerate(recording["groups"]):
            if each["size"] == 1:
                of_half = {problem["collective"]: problem["calls"] for problem in recording["problems"]
                           if problem["group"] == group}
                # There are three times four rounds; calls that MPI makes in MPI_Finalize are left alone.
                self.assertEqual(of_half, {"MPI_Allreduce": 12, "MPI_Allgather": 12, "MPI_Bcast": 12})

    def substituted(self, done):
        """Returns the numbers of the closing line."""
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
                             r"application, \d+ that add up floating-point numbers$")
        counted = self.substituted(self.run_with(2, [NASTY, "count"], "--mode", "count"))
        self.assertRegex(counted, r" 0 calls took another path; left to the library: .* \d+ only counted$")
        verified = self.run_with(2, [NASTY, "verify"], "--mode", "verify")
        self.assertEqual(self.substituted(verified), on + "; all results were the library's")
        self.assertEqual(self.results("verify", 2), self.results("on", 2))
        off = self.run_with(2, [NASTY, "off"], "--mode", "off")
        self.assertEqual((off.returncode, off.stderr), (0, ""))

    def test_starts_of_collectives_are_seen(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        begun = self.substituted(self.run_with(2, [NASTY, "begun", "begun"]))
        self.assertTrue(begun.endswith("; seen, and not substituted: 2 nonblocking MPI_Allreduce, 3 "
                                       "nonblocking MPI_Bcast, 1 persistent MPI_Allreduce"), begun)

    def test_ranks_with_other_rules_leave_all_to_the_library(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        self.write("other.json", {**json.loads(self.read("rules.json")), "report": "another"})
        self.write("start", "file=other.json\n[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 0 ] && file=rules.json\n"
                   f"exec {MPIAUDIT} apply --rules $file -- {NASTY} differ\n")
        done = self.launch(2, "sh", "start")
        self.assertEqual(done.stderr.strip(), "mpiaudit: repair: the ranks do not have the same rules; all "
                                              "calls are left to the library")
        self.assertEqual(self.results("differ", 2), self.natively(2))

    def right(self, ranks, case, *options, **environment):
        """What the closing line says of a corner case, whose results have to be right."""
        done = self.launch(ranks, MPIAUDIT, "apply", "--rules", "rules.json", *options, "--", CORNER_CASES,
                           case, code=None, environment=environment)
        if done.returncode == 77:
            self.skipTest("the library has no such threads")
        self.assertEqual((done.returncode, done.stdout), (0, "right\n"), done.stderr)
        return self.substituted(done)

    def test_programs_with_threads_take_the_paths(self):
        """Whether threads call MPI side by side, or the level alone allows that."""
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        done = self.run_with(2, [NASTY, "threads", "threads"])
        self.assertEqual(self.results("threads", 2), self.natively(2))
        self.assertIn("MPI_Gatherv by linear_Gatherv(m)", self.substituted(done))
        self.rules_for(2, MPI_Allreduce="recursive_doubling_Allreduce(m)", MPI_Bcast="binomial_Bcast(m)",
                       MPI_Barrier="MPI_Allreduce(1)")
        self.assertIn("200 MPI_Allreduce by recursive_doubling_Allreduce(m), 200 MPI_Bcast",
                      self.right(2, "threads"))

    def test_ranks_get_the_same_sums(self):
        """Each rank of census_Allreduce adds in another order; short sums may saturate."""
        self.reordering_rule_for(3, "census_Allreduce(m)")
        line = self.right(3, "sums", "--mode", "verify")
        self.assertIn("5 whose ranks would get different floating-point sums", line)
        self.assertIn("5 that add up integers of 8 or 16 bits", line)

    def reordering_rule_for(self, ranks, path):
        self.rules_for(ranks, MPI_Allreduce=path)
        rules = json.loads(self.read("rules.json"))
        rules["rules"][0]["reassociates"] = True
        self.write("rules.json", rules)

    def test_verification_compares_the_ranks(self):
        """Each rank has the library's sums but for the last bit, which the rule allows."""
        preload = ":".join(filter(None, [os.environ["UNEVEN_BROADCAST"], os.environ.get("LD_PRELOAD")]))
        self.reordering_rule_for(3, "MPI_Reduce(m) + MPI_Bcast(m)")
        unequal = "5 CALLS GAVE RANKS DIFFERENT RESULTS"
        self.assertIn(unequal, self.right(3, "sums", "--mode", "verify", LD_PRELOAD=preload))
        self.assertNotIn(unequal, self.right(3, "sums", "--mode", "verify"))

    def test_no_call_waits_for_ranks_that_the_library_does_not_wait_for(self):
        self.rules_for(3, MPI_Bcast="binomial_Bcast(m)")
        self.assertIn("60 MPI_Bcast by binomial_Bcast(m)", self.right(3, "alone"))

    def test_ranks_may_describe_data_by_different_types(self):
        moving = {each: of for each, of in PATHS.items()
                  if re.fullmatch("MPI_(Allgather|Allgatherv|Gather|Scatter|Alltoall)", each)}
        of_library = {each: [path for path in of if " + " in path or path.startswith("MPI_")]
                      for each, of in moving.items()}
        for number in range(max(map(len, of_library.values()))):
            paths_of = {each: of[number % len(of)] for each, of in of_library.items() if of}
            self.rules_for(3, **paths_of)
            with self.subTest(paths_of):
                said = self.right(3, "types", WITH_ALLGATHERV="1")
                for collective, path in paths_of.items():
                    self.assertIn(f"3 {collective} by {path}", said)

    def test_a_library_is_known_by_name_and_version(self):
        for library in (self.library(), self.library().split(",")[0], self.library() + ", repacked"):
            self.write_rules({"library": library, "rules": [
                {"collective": "MPI_Bcast", "path": "binomial_Bcast(m)", "ranks": 2, "per_host": [2]}]})
            self.assertIn("60 MPI_Bcast by", self.right(2, "alone"))

    def test_the_documented_rules_apply(self):
        if self.library() != "Open MPI v4.1.4":
            self.skipTest("the document has rules for Open MPI v4.1.4")
        text = (ROOT / "docs" / "repairing.md").read_text(encoding="utf-8")
        self.write("rules.json", re.search(r"<<'RULES'\n(.*?)^RULES$", text, re.S | re.M)[1])
        done = self.run_with(4, [MPIAUDIT, "verify", "--collectives", "gather"])
        self.assertRegex(self.substituted(done), r" [1-9]\d* MPI_Gatherv by linear_Gatherv\(m\)")

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

    def prove(self, code, *words):
        return self.run_here(MPIAUDIT, "prove", "--launch", " ".join([*LAUNCH, "{ranks}"]), *words, code=code)

    def test_empty_rules_are_never_faster(self):
        done = self.prove(1, "--rules", self.empty(), "--ranks", "2", "--", NASTY, "nasty")
        self.assertIn("No call took another path, so nothing can be faster.", done.stdout)
        self.assertNotIn(" times (", done.stdout)
        self.assertTrue(done.stdout.endswith("Not shown to be faster.\n"))
        proof = json.loads(self.read("proof/proof.json"))
        self.assertEqual((proof["pairs"], proof["calls"], proof["faster"]), (1, 0, False))
        self.read_valid("proof/no-rules.json", "rules")
        again = self.prove(2, "--rules", "empty.json", "--ranks", "2", "--", NASTY, "nasty")
        self.assertIn("--overwrite", again.stderr)

    def test_settings_are_of_the_runs_with_rules(self):
        self.write("set.sh", "export MPIR_CVAR_REPAIR_TEST=yes\n")
        self.write("show", f'echo "${{MPIR_CVAR_REPAIR_TEST:-no}}"\nexec {NASTY} nasty\n')
        once = ("--rules", self.empty(), "--ranks", "1", "--pairs", "1", "--settings", "set.sh")
        done = self.prove(1, *once, "--", "sh", "./show")
        self.assertNotIn("nothing can be faster", done.stdout)
        for arm, said in (("without", "no\n"), ("with", "yes\n")):
            self.assertEqual(self.read(f"proof/1-{arm}.out"), said)
        # The command of --compare sees these outputs and objects to them.
        other = self.prove(3, *once, "--overwrite", "--compare",
                           "cat {base} {repaired} > seen; cmp {base} {repaired}", "--", "sh", "./show")
        self.assertEqual(self.read("seen"), "no\nyes\n")
        self.assertRegex(other.stdout,
                         r"^Other results with the rules: see .*/1-without.out and .*/1-with.out")
        self.assertNotIn("faster", other.stdout)

    def test_settings_are_variables_and_no_commands(self):
        for line in ("touch pwned", "export A=1; touch pwned", "export MPIR_CVAR_A=$(touch pwned)",
                     "export MPIR_CVAR_A=`touch pwned`", "export LD_PRELOAD=/tmp/x.so",
                     "export OMPI_MCA_plm_rsh_agent=touch", ". pwn"):
            with self.subTest(line=line):
                self.write("set.sh", f"# For a library\n{line}\n")
                refused = self.prove(2, "--rules", self.empty(), "--ranks", "1", "--settings", "set.sh", "--",
                                     "true")
                self.assertIn("--settings: set.sh:2: is no line `export NAME=VALUE`", refused.stderr)
        for line in ("export MPIR_CVAR_A='x", 'export MPIR_CVAR_A="x', "export MPIR_CVAR_A=$'x",
                     "export MPIR_CVAR_A='x\ntouch pwned'", "export MPIR_CVAR_A=x\\"):
            with self.subTest(line=line):
                self.write("set.sh", f"# For a library\n{line}\n")
                refused = self.prove(2, "--rules", self.empty(), "--ranks", "1", "--settings", "set.sh", "--",
                                     "true")
                self.assertIn("--settings: set.sh:2: has a quote that is not closed, or a backslash at its "
                              "end; end each value in its line: export NAME='VALUE'", refused.stderr)
        refused = self.expect_code(2, "prove", "--rules", "empty.json", "--ranks", "1",
                                   "--launch", "mpirun 'x",
                                   "--", "true")
        self.assertIn("--launch: a quote in mpirun 'x is not closed", refused.stderr)
        self.assertEqual(list(self.folder.glob("**/pwned*")), [])

    def test_names_of_compared_files_are_words(self):
        once = ("--rules", self.empty(), "--ranks", "1", "--pairs", "1", "--output")
        hostile = "a b; touch pwned; $(touch pwned) '\"\n`touch pwned`"
        done = self.prove(1, *once, hostile, "--compare", "cat {base} {repaired} > seen", "--", NASTY,
                          "nasty")
        self.assertIn("Outputs were the same in all pairs.", done.stdout)
        refused = self.prove(2, *once, hostile + "2", "--compare", 'cat "{base}"', "--", NASTY, "nasty")
        self.assertIn("--compare cannot put between quotes", refused.stderr)
        self.assertEqual(list(self.folder.glob("**/pwned*")), [])

    def test_outputs_are_compared(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        same = self.prove((0, 1), "--rules", "rules.json", "--pairs", "1", "--compare",
                          "diff {base} {repaired}", "--", NASTY, "nasty")
        self.assertIn("Outputs were the same in all pairs.", same.stdout)
        other = self.prove(3, "--rules", "rules.json", "--overwrite", "--compare", "false", "--", NASTY,
                           "nasty")
        self.assertIn("Other results with the rules", other.stdout)

    def test_each_run_has_a_folder_of_its_own(self):
        work = self.folder / "a b"
        work.mkdir()
        self.write("a b/app", f"cat input >> written; exec {NASTY} nasty\n")
        self.write("a b/input", "in\n")
        done = self.prove(1, "--rules", self.empty(), "--ranks", "1", "--pairs", "1", "--copy", "a b",
                          "--compare", "cmp {base-folder}/written {repaired-folder}/written", "--", "sh",
                          "./app")
        self.assertIn("Outputs were the same in all pairs.", done.stdout)
        self.assertEqual(self.read("proof/1-with/written"), "in\n")
        self.assertFalse((work / "written").exists())
        for folder, words in (("missing", "is no folder"), (".", "holds the folder of --output")):
            self.assertIn(words, self.refused("prove", "--rules", "empty.json", "--ranks", "1", "--copy",
                                              folder, "--output", "new", "--", "true"))

    def test_a_run_that_hangs_is_ended_and_reported(self):
        self.write("hang", f'[ "${{MPIAUDIT_REPAIR_RULES##*/}}" = no-rules.json ] || sleep 1234.5\n'
                           f'exec {NASTY} nasty\n')
        self.write("proof.json", "of earlier runs")
        (self.folder / "proof").mkdir()
        (self.folder / "proof.json").rename(self.folder / "proof" / "proof.json")
        begin = time.monotonic()
        done = self.prove(70, "--rules", self.empty(), "--ranks", "1", "--limit", "5s", "--overwrite", "--",
                          "sh", "./hang")
        self.assertLess(time.monotonic() - begin, 100)
        self.assertRegex(done.stderr, r"a run of the application with rules failed \(still running after "
                                      r"5[.0-9]* s: it was ended; --limit allows more\); see .*-with.out.err")
        self.assertNotIn("aster", done.stdout)
        self.assertFalse((self.folder / "proof" / "proof.json").exists())
        self.wait_until(lambda: not self.processes("sleep\0001234.5"), "the ranks go on")
        # The command that compares is ended, too.
        done = self.prove(70, "--rules", "empty.json", "--ranks", "1", "--limit", "5s", "--overwrite",
                          "--compare", "sleep 1234.5 | cat", "--", NASTY, "nasty")
        self.assertIn("the command of --compare failed (still running after 5", done.stderr)
        self.wait_until(lambda: not self.processes("sleep\0001234.5"), "the command goes on")

    @staticmethod
    def processes(command):
        """The processes with this command line."""
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found += [file] if file.read_text().startswith(command) else []
            except OSError:
                continue  # the process has just ended
        return found

    def test_signals_end_a_run_before_prove_ends(self):
        self.write("hang", "touch started\nexec sleep 1235.5\n")
        self.empty()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number), subprocess.Popen(
                    [MPIAUDIT, "prove", "--launch", " ".join([*LAUNCH, "{ranks}"]), "--rules", "empty.json",
                     "--ranks", "1", "--overwrite", "--", "sh", "./hang"], cwd=self.folder,
                    stdout=subprocess.DEVNULL) as started:
                self.wait_until((self.folder / "started").exists, "no run has started")
                (self.folder / "started").unlink()
                started.send_signal(number)
                self.assertEqual(started.wait(60), -number)
                self.wait_until(lambda: not self.processes("sleep\0001235.5"), "the ranks go on")

    def test_a_run_that_fails_is_no_answer(self):
        self.rules_for(2, MPI_Gatherv="linear_Gatherv(m)")
        failed = self.prove(70, "--rules", "rules.json", "--overwrite", "--", "false")
        self.assertIn("a run of the application without rules failed (exit code 1)", failed.stderr)


FORTRAN_OR_NASTY = [FORTRAN[0]] if FORTRAN else [NASTY, "library"]

main()
