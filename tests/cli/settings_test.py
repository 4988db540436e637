# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the library: which are in effect."""

import json
import os
import re
import subprocess
import unittest
from pathlib import Path

from program import DONE, LAUNCH, MPIAUDIT, QUICK, ProgramTest, main

USAGE = 2
IS_MPICH = "mpich" in Path(LAUNCH[0]).resolve().name or "hydra" in Path(LAUNCH[0]).resolve().name
PLAN = ["run", "--dry-run", "--collectives", "bcast", "--distributions", "same", "--block-sizes", "1,1000"]
RULES = "OMPI_MCA_coll_tuned_dynamic_rules_filename"
SWITCH = "OMPI_MCA_coll_tuned_use_dynamic_rules"
TREE = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"


def own_tree():
    """Returns the tree of algorithms that is built into MPICH."""
    libraries = subprocess.run(["ldd", MPIAUDIT], check=True, capture_output=True, text=True).stdout
    library = Path(re.search(r"libmpich\.so\S* => (\S+)", libraries)[1]).read_bytes()
    trees = [json.loads(text) for text in re.findall(rb'\{"collective=[^\0]*', library)
             if b'"collective=iallreduce"' in text]
    return trees[0]


def without_surroundings(line):
    """Returns a line without the settings that all tests have, which let many ranks share few cores."""
    head = "In effect: "
    if not line.startswith(head):
        return "" if line.split("=")[0] in os.environ else line
    own = [each for each in line.removeprefix(head).split(", ") if each.split("=")[0] not in os.environ]
    return head + ", ".join(own) if own else ""


class Settings(ProgramTest):
    def said(self, environment, plan=PLAN, code=DONE):
        """Returns the lines before the plan, and the lines of errors."""
        done = self.expect_code(code, *plan, ranks=2, environment=environment)
        lines = done.stdout.splitlines()
        end = next((i for i, line in enumerate(lines) if line.startswith(("same", "To see"))), len(lines))
        # The tests set variables of Open MPI with every library.
        kept = [each for each in lines[:end] if not (IS_MPICH and each.startswith("OMPI_MCA_"))]
        return [line for each in kept if (line := without_surroundings(each))], done.stderr

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    @unittest.skipIf(IS_MPICH, "variables of Open MPI")
    def test_what_the_library_has_is_compared_with_the_settings(self):
        slow = "ranks of a host exchange no message through shared memory"
        for environment, expected in (
                ({}, []),
                ({"OMPI_MCA_coll_tuned_bcast_algoritm": "6"},
                 ["OMPI_MCA_coll_tuned_bcast_algoritm=6 has no effect: Open MPI v4.1.4 has no such variable; "
                  "did you mean coll_tuned_bcast_algorithm?"]),
                ({"OMPI_MCA_coll_tuned_bcast_algorithm": "6"},
                 ["OMPI_MCA_coll_tuned_bcast_algorithm=6 has no effect: coll_tuned_use_dynamic_rules is 0; "
                  f"set {SWITCH}=1"]),
                ({RULES: "rules"},
                 [f"{RULES}=rules has no effect: coll_tuned_use_dynamic_rules is 0; set {SWITCH}=1"]),
                ({"OMPI_MCA_coll_tuned_bcast_algorithm": "binomial", SWITCH: "true"},
                 ["MPI_Bcast takes binomial (binomial tree) in all calls: "
                  "OMPI_MCA_coll_tuned_bcast_algorithm=binomial", f"In effect: {SWITCH}=true"]),
                ({"OMPI_MCA_coll_libnbc_ibcast_algorithm": "1"},
                 ["MPI_Ibcast takes linear in all calls: OMPI_MCA_coll_libnbc_ibcast_algorithm=1"]),
                ({"OMPI_MCA_btl": "self,tcp"}, [f"OMPI_MCA_btl=self,tcp slows all operations: {slow}"]),
                ({"OMPI_MCA_coll_sync_barrier_before": "1"},
                 ["OMPI_MCA_coll_sync_barrier_before=1 slows all operations: collectives wait at a barrier "
                  "before them"]),
                ({"OMPI_MCA_btl_vader_single_copy_mechanism": "none"},
                 ["OMPI_MCA_btl_vader_single_copy_mechanism=none slows all operations: large messages "
                  "within a host are copied twice"]),
                ({"MPIR_CVAR_ASYNC_PROGRESS": "1"},
                 ["MPIR_CVAR_ASYNC_PROGRESS has no effect: a setting of MPICH, and this library is Open MPI "
                  "v4.1.4"])):
            with self.subTest(environment):
                self.assertEqual(self.said(environment)[0], expected)

    @unittest.skipIf(IS_MPICH, "variables of Open MPI")
    def test_an_audit_keeps_and_shows_the_outcomes(self):
        done = self.expect_code(DONE, "run", *QUICK, "--output", "out", ranks=2,
                                environment={"OMPI_MCA_btl_tcp_lnks": "2"})
        self.assertIn("OMPI_MCA_btl_tcp_lnks=2 has no effect", done.stdout)
        found = [each for each in self.valid_report()["settings"] if each["name"] not in os.environ
                 and each["origin"] == "environment"]
        self.assertEqual([(each["name"], each["in_effect"]) for each in found],
                         [("OMPI_MCA_btl_tcp_lnks", False)])

    def test_a_profile_is_guidelines_for_its_ranks(self):
        self.write("p.prf", "MPI_Allgather\n2\n1\n1 allgather_as_gather_bcast\n1\n40 400 1\n")
        audit = ["run", "--guidelines", "p.prf", "--distributions", "same", "--block-sizes", "1,10,100,1000",
                 "--max-rounds", "3", "--output", "out"]
        self.expect_code(DONE, *audit, ranks=2)
        checks = self.valid_report()["checks"]
        self.assertEqual({(each["problem"], each["right"]) for each in checks},
                         {(f"same/b={size}", "MPI_Gather(m) + MPI_Bcast(m)") for size in (10, 100)})
        done = self.expect_code(USAGE, *audit, "--overwrite", ranks=3)
        self.assertIn("p.prf is for 2 ranks, and the audit has 3", done.stderr)

    @unittest.skipUnless(IS_MPICH, "variables of MPICH")
    def test_variables_of_mpich(self):
        for environment, expected in (
                ({}, []),
                ({"MPIR_CVAR_BCAST_INTRA_ALGORITHM": "binomial"},
                 ["MPI_Bcast takes binomial (binomial tree) in all calls: "
                  "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial"]),
                ({"MPIR_CVAR_BCAST_INTRA_ALGORITM": "binomial"},
                 ["MPIR_CVAR_BCAST_INTRA_ALGORITM=binomial has no effect: MPICH 4.0.2 has no such variable; "
                  "did you mean MPIR_CVAR_BCAST_INTRA_ALGORITHM?"])):
            with self.subTest(environment):
                self.assertEqual(self.said(environment)[0], expected)

    @unittest.skipUnless(IS_MPICH, "files of MPICH")
    def test_files_of_mpich(self):
        tree = own_tree()
        self.write("own.json", json.dumps(tree))
        self.write("part.json", json.dumps({"collective=bcast": tree["collective=bcast"]}))
        self.write("bad.json", "1 7")
        self.assertEqual(self.said({TREE: "own.json"})[0], [])
        for name, expected in (("none.json", "the file cannot be read"),
                               ("bad.json", "it is no JSON object"), ("part.json", "it lacks")):
            with self.subTest(name):
                _, error = self.said({TREE: name}, code=USAGE)
                self.assertIn(f"{TREE}={name}: MPICH would crash with the file: {expected}", error)


if __name__ == "__main__":
    main()
