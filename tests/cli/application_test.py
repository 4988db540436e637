# SPDX-License-Identifier: BSD-3-Clause
"""The problems of an application: their audit, their savings and their repair."""

import json
import os
import re

from folder import ALL_TIME
from program import DONE, ProgramTest, main

INT = {"name": "MPI_INT", "size": 4, "extent": 4, "class": "predefined"}


def problem(collective, seconds, **more):
    return {"collective": collective, "mode": "blocking", "group": 0, "calls": 100, "element": INT,
            "seconds": {"sum": seconds, "max_rank": seconds, "min_rank": 0, "min_call": 0}, **more}


RECORDING = {
    "format": "mpiaudit-problems", "version": 1, "library": "L", "program": "app", "ranks": 2,
    "threads": "single", "wall_seconds": 10.0, "synchronised": False,
    "lost": {"calls": 0, "seconds": 0.0}, "hosts": [{"name": "h", "ranks": "0-1"}],
    "groups": [{"ranks": "0-1", "size": 2, "communicators": 1}],
    "problems": [problem("MPI_Scan", 1.0, op="MPI_SUM", bytes={"block": 8}),
                 problem("MPI_Bcast", 3.0, root=1, bytes={"block": 24}),
                 problem("MPI_Bcast", 1.0, mode="nonblocking", root=1, bytes={"block": 24})]}
FAST = ("binomial_Bcast(m)", "MPI_Bcast[basic_linear](m)")


class Application(ProgramTest):
    def audit(self, *options, rounds="8", recording=None, ranks=2, output="out"):
        self.write("problems.json", recording or RECORDING)
        return self.expect_code(DONE, "run", "--problems", "problems.json", "--max-rounds", rounds,
                                *ALL_TIME, "--output", output, *options, ranks=ranks)

    def repair(self, *arguments, checks=0, ranks="2", code=0):
        """Violations of a single launch; `launcher` starts the ranks that try settings."""
        launcher = ("--launcher", f"{os.environ['MPIAUDIT_LAUNCH']} {ranks}") if checks else ()
        return self.expect_code(code, "repair", *arguments, "--launches", "1", "--checks", str(checks),
                                *launcher)

    def pretend(self, output="out", fast=1.0, much=("", 0.0)):
        """Times that leave no doubt: two ways of MPI_Bcast take 1 s, of one problem another time, everything
        else 2 s."""
        lines = [json.loads(line) for line in self.sample_lines(output)]
        for line in lines[1:]:
            time = much[1] if line.get("id") == much[0] else fast
            for contestant in line.get("contestants", []):
                if "samples_s" in contestant:
                    contestant["samples_s"] = 20 * [time if contestant["name"] in FAST else 2.0]
            measured = [place for place, each in enumerate(line.get("contestants", []))
                        if each.get("samples_s")]
            if "order" in line:
                line["order"] = 20 * [measured]
        self.write(f"{output}/samples.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def test_the_longest_problems_come_first_with_their_own_types(self):
        self.audit()
        report = self.valid_report()
        self.assertEqual([each["id"] for each in report["problems"]], ["2-Bcast/b=3", "1-Scan/b=1"])
        self.assertEqual([each["root"] for each in report["problems"]], [1, 0])
        self.assertEqual({each["left"] for each in report["checks"]},
                         {"MPI_Bcast(m)", "MPI_Scan(m)"})
        self.assertIn("MPI_Bcast<=[binomial]", {each["guideline"] for each in report["checks"]})
        self.assertEqual([(each["name"], each["reason"])
                          for each in report["application"]["left_out"]],
                         [("3-Bcast", "it is nonblocking")])
        self.assertEqual(report["application"]["seconds"], 2.5)

    def test_reductions_keep_their_operator_and_type(self):
        def reduction(op, name, size, extent):
            return problem("MPI_Allreduce", 1.0, op=op, bytes={"block": 8 * size},
                           element={"name": name, "size": size, "extent": extent, "class": "predefined"})

        reductions = [("MPI_MIN", "MPI_DOUBLE", 8, 8, "min", "double"),
                      ("MPI_MINLOC", "MPI_DOUBLE_INT", 12, 16, "minloc", "double-int"),
                      ("MPI_SUM", "MPI_DOUBLE_COMPLEX", 16, 16, "sum", "double-complex"),
                      ("MPI_LAND", "MPI_LOGICAL", 4, 4, "land", "logical"),
                      ("MPI_PROD", "MPI_SIGNED_CHAR", 1, 1, "prod", "signed-char")]
        self.audit(rounds="3", recording=RECORDING | {"problems": [
            reduction(*each[:4]) for each in reductions]})
        report = self.valid_report()
        self.assertEqual({(each["operator"], each["element"]) for each in report["problems"]},
                         {each[4:] for each in reductions})
        self.assertFalse([each for each in report["application"]["problems"] if each.get("stand_ins")])
        for each in report["problems"]:
            own = next(way for way in each["contestants"] if way["name"] == "MPI_Allreduce(m)")
            self.assertNotIn("wrong", own)

    def test_savings(self):
        self.audit()
        self.pretend()
        done = self.expect_code(0, "judge", "out", "--report", "joint.json")
        words = " ".join(done.stdout.split())
        self.assertIn("app on 2 ranks: 1.5 s (1.5 s to 1.5 s) of 2.5 s per rank in collectives can "
                      "be saved. 1.5 s (1.5 s to 1.5 s) MPI_Bcast of 24 B, 100 calls of 2 s: ", words)
        self.assertIn("Not audited: 1 problem with 0.5 s: it is nonblocking", words)
        savings = self.report("joint.json")["savings"]
        self.assertEqual([(each["collective"], each.get("saved_s")) for each in savings["problems"]],
                         [("MPI_Bcast", 1.5), ("MPI_Scan", None)])
        done = self.expect_code(0, "repair", "out", "--launches", "2", "--output", "none")
        self.assertIn("is confirmed in 2 launches: there is nothing to repair.", done.stdout)
        done = self.repair("out/report.json")
        self.assertIn("MPI_Bcast: no setting: none is offered untried", done.stdout)
        self.assertNotIn("export", self.read("out/repair/settings.sh"))
        self.assertIn("--overwrite", self.repair("out", code=2).stderr)

    def test_a_setting_is_tried_before_it_is_offered(self):
        # Four rounds cannot reach a verdict, so no setting is shown to be faster.
        self.audit(rounds="4")
        self.pretend()
        done = self.repair("out", checks=1)
        self.assertIn("repair: audit 2 of 2 without the settings, of up to", done.stderr)
        tried = self.report("out/repair/check-1-1")
        self.assertEqual(tried["options"]["setting"], ["OMPI_MCA_coll_tuned_bcast_algorithm=1",
                                                       "OMPI_MCA_coll_tuned_use_dynamic_rules=1"])
        self.assertEqual(tried["options"]["problems"], "problems.json")
        self.assertIn("MPI_Bcast: basic_linear was tried and is not offered", done.stdout)
        self.assertNotIn("export", self.read("out/repair/settings.sh"))
        failed = self.expect_code(2, "repair", "out", "--launches", "1", "--launcher", "false", "--overwrite")
        self.assertIn("exit code 1", failed.stderr)

    def change_header(self, change):
        """Changes the samples by a function of their first line."""
        first, *others = self.sample_lines("out")
        header = json.loads(first)
        change(header)
        self.write("out/samples.jsonl", json.dumps(header) + "\n" + b"".join(others).decode())

    def expect_nothing_run(self, *words):
        """Expects that `repair` without --launcher is refused with these words."""
        done = self.expect_code(2, "repair", "out", "--launches", "1", "--checks", "1", "--overwrite")
        for each in words:
            self.assertIn(each, done.stderr)
        self.assertEqual(list(self.folder.glob("**/pwned*")), [])

    def test_nothing_in_a_results_folder_is_run(self):
        self.audit(rounds="4")
        self.pretend()
        self.write("mpirun", "#!/bin/sh\ntouch pwned\n")
        (self.folder / "mpirun").chmod(0o755)
        for launcher in ("touch pwned; mpirun -n 2", "touch pwned", "mpirun -n 2 $(touch pwned)",
                         "mpirun -n 2 `touch pwned`", "mpirun -n 2\ntouch pwned", ["touch", "pwned"],
                         "mpirun -n 2 'a' || touch pwned", ["mpirun", "-n", "2", "touch", "pwned"],
                         f"{self.folder}/mpirun -n 2", "mpirun --mca plm_rsh_agent /bin/touch",
                         ["mpirun", "--prefix", str(self.folder)], ["env", "mpirun"], ["srun", "--prolog=x"]):
            with self.subTest(launcher=launcher):
                self.change_header(lambda header, words=launcher: header["job"].update(launcher=words))
                self.expect_nothing_run("the launcher on record, ", "--launcher 'mpirun -n {ranks}'")
        self.change_header(lambda header: header["job"].update(launcher=["mpirun", "-n", "2"]))
        # Variables that each library obeys.
        for name, value in (("UCX_MODULE_DIR", "/tmp"), ("UCX_TLS", "a; touch pwned")):
            with self.subTest(variable=name):
                self.change_header(lambda header, pair=(name, value): header.update(environment=dict([pair])))
                self.expect_nothing_run(f"has run with {name}=", f"export {name}=")
        self.change_header(lambda header: header.update(environment={}))
        self.change_header(lambda header: header["options"].update(setting=["LD_PRELOAD=/tmp/pwned.so"]))
        self.expect_nothing_run("has run with LD_PRELOAD=/tmp/pwned.so")

    def test_a_folder_of_another_user_needs_a_launcher(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")
        self.audit(rounds="4")
        self.pretend()
        os.chown(self.folder / "out" / "samples.jsonl", 65534, 65534)
        self.expect_nothing_run("out belongs to the user nobody", "--launcher 'mpirun -n {ranks}'")
        done = self.repair("out", "--overwrite", checks=1)
        self.assertIn("repair: starts ", done.stderr)

    def test_names_in_settings_are_no_lines_of_their_own(self):
        self.audit(rounds="4")
        self.pretend()

        def change(header):
            header["mpi"]["library"] = "x\ntouch pwned"
            for each in header["implementations"]:
                if "written_as" in each:
                    each["written_as"] = "OMPI_MCA_coll_x=$(touch\tpwned)"
        self.change_header(change)
        self.expect_nothing_run("has run with ", "OMPI_MCA_coll")

    def test_confirmations_ask_for_what_is_open_and_most_that_can_be_saved_first(self):
        self.audit(recording={**RECORDING, "problems": [
            problem("MPI_Bcast", 9.0, root=1, bytes={"block": 24}, calls=1),
            problem("MPI_Bcast", 6.0, root=1, bytes={"block": 40}, calls=1),
            problem("MPI_Scan", 1.0, op="MPI_SUM", bytes={"block": 8})]})
        # The second takes less time, and can save more.
        self.pretend(much=("2-Bcast/b=5", 0.2))
        confirm = ("run", "--confirm", "out", "--launches", "3", "--problems", "problems.json", "--output")
        for folder in ("out/confirmation-1", "out/confirmation-2"):
            self.expect_code(DONE, *confirm, folder, ranks=2)
            report = self.report(folder)
            measured = [json.loads(line).get("id") for line in self.sample_lines(folder)[1:3]]
            self.assertEqual(measured, ["2-Bcast/b=5", "1-Bcast/b=3"])
            self.assertEqual(len(report["confirms"]["suspects"]), 4)  # two problems, two ways of each
            self.pretend(folder, much=("2-Bcast/b=5", 0.2))
        done = self.expect_code(0, *confirm, "out/confirmation-3", ranks=2)
        self.assertIn("out has no violation left to confirm", done.stdout)
        # A fourth launch would confirm more violations, except for those that another launch contradicts.
        self.pretend("out/confirmation-2", fast=3.0, much=("2-Bcast/b=5", 0.2))
        self.expect_code(DONE, *confirm[:4], "4", *confirm[5:], "out/confirmation-3", ranks=2)
        self.assertEqual([each["id"] for each in self.report("out/confirmation-3")["problems"]],
                         ["2-Bcast/b=5"])
        done = self.expect_code(2, "run", "--problems", "problems.json", "--launches", "3", ranks=2)
        self.assertIn("give both", done.stderr)

    def audit_on_two_numbers_of_ranks(self):
        recording = {**RECORDING, "ranks": 3, "hosts": [{"name": "h", "ranks": "0-2"}],
                     "groups": [{"ranks": "0-2", "size": 3, "communicators": 1},
                                {"ranks": "1-2", "size": 2, "communicators": 4}],
                     "problems": [problem("MPI_Bcast", 3.0, root=1, bytes={"block": 24}),
                                  problem("MPI_Bcast", 2.0, root=0, bytes={"block": 40}, group=1)]}
        for ranks, output in ((3, "out"), (2, "part")):
            self.audit(recording=recording, rounds="4", ranks=ranks, output=output)
            self.pretend(output)

    def test_audits_on_other_numbers_of_ranks_are_counted(self):
        self.audit_on_two_numbers_of_ranks()
        done = self.repair("out", "part", "--output", "both")
        for said in ("MPI_Bcast: no setting: none is offered untried (--checks 0)\n",
                     "MPI_Bcast on 2 ranks: no setting: none is offered untried (--checks 0)\n"):
            self.assertIn(said, done.stdout)
        each = re.findall(r"(\d+) of (\d+) violations", done.stdout)
        alone = [re.findall(r"(\d+) of (\d+) violations", self.repair(name).stdout)[0]
                 for name in ("part", "out")]
        self.assertEqual(each, [tuple(str(int(a) + int(b)) for a, b in zip(*alone))])
        samples = self.read("part/samples.jsonl").replace('"library": "', '"library": "No ')
        self.write("part/samples.jsonl", samples)
        failed = self.repair("out", "part", "--output", "other", code=2)
        self.assertIn("repair: part is of another MPI library than out", failed.stderr)

    def test_settings_are_tried_on_each_number_of_ranks(self):
        self.audit_on_two_numbers_of_ranks()
        done = self.repair("out", "part", "--output", "both", checks=1, ranks="{ranks}")
        tuned = str(self.folder.resolve() / "both" / "tuned.rules")
        for check, ranks in (("check-1-1", 3), ("check-on-2-ranks-1-1", 2)):
            tried = self.report(f"both/{check}")
            self.assertEqual(tried["machine"]["ranks"], ranks)
            self.assertEqual(tried["options"]["setting"],
                             [f"OMPI_MCA_coll_tuned_dynamic_rules_filename={tuned}",
                              "OMPI_MCA_coll_tuned_use_dynamic_rules=1"])
        for said in ("MPI_Bcast: basic_linear on 3 ranks was tried and is not offered",
                     "MPI_Bcast on 2 ranks: basic_linear on 2 ranks was tried and is not offered"):
            self.assertIn(said, done.stdout)
        alone = self.repair("out", "part", "--output", "first", checks=1, ranks="3")
        self.assertIn("MPI_Bcast on 2 ranks: no setting: --launcher has no {ranks}", alone.stdout)
        self.assertTrue((self.folder / "first" / "check-1-1").exists())

    def test_problems_that_cannot_be_audited_here(self):
        self.write("problems.json", RECORDING)
        done = self.expect_code(4, "run", "--problems", "problems.json", ranks=1)
        self.assertIn("2 problems with 2 s: it is on 2 ranks, the audit on 1 "
                      "(mpirun -n 2 mpiaudit run --problems problems.json)", done.stderr)
        done = self.expect_code(2, "run", "--problems", "problems.json", "--root", "0")
        self.assertIn("--problems takes this from the recording", done.stderr)
        self.write("problems.json", "{}")
        done = self.expect_code(2, "run", "--problems", "problems.json")
        self.assertIn("problems.json: is no file of `mpiaudit record`", done.stderr)


main()
