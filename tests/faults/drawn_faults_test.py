# SPDX-License-Identifier: BSD-3-Clause
"""Random faults of an MPI library (fault.h): `mpiaudit verify --calls` finds them and names their conditions.

Each fault breaks one operation under two conditions. Environment: DRAWN_FAULTS, number of faults;
DRAWN_SEED; DRAWN_RANKS; DRAWN_CALLS, generated calls of each search. The test faults.drawn_all draws 100, as
`ctest --build-config faults` does; each search is of the operation alone and so needs a 22nd of the
calls that all operations would need.
"""

import os
import random
import re
from dataclasses import dataclass, field

from program import MPIAUDIT, ProgramTest, main

DONE, USAGE, WRONG_RESULT, HANGS = 0, 2, 3, 6

OPERATIONS = ["Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
              "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce", "Reduce_scatter_block",
              "Reduce_scatter", "Scan", "Exscan", "Barrier", "Neighbor_allgather",
              "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw"]
TYPES = {"derived": ["contiguous"], "gapped": ["vector"], "above": ["gap-in-front"],
         "below": ["negative-bound"], "vector": ["vector"], "indexed": ["backwards"],
         "nested": ["nested"]}
# By property: the words for MPIAUDIT_FAULT, and values of the property that meet the condition.
CONDITIONS = {
    "start": {"nonblocking": ["nonblocking"], "persistent": ["persistent"]},
    "communicator": {"inter": ["inter"], "world": ["world"], "one-rank": ["self"],
                     "part": ["without-first", "disjoint-groups"], "reordered": ["reversed"],
                     "cartesian": ["ring"], "graph": ["graph"], "not-periodic": ["line"],
                     "several-dimensions": ["torus"]},
    "counts": {"empty": ["none"], "power-of-two": ["power-of-two"], "not-power-of-two": ["odd"],
               "long": ["large"], "unequal": ["increasing"], "some-empty": ["some-empty"]},
    "displacements": {"gaps": ["gaps"], "decreasing": ["reversed"]},
    "buffers": {"unaligned": ["unaligned"], "bottom": ["bottom"], "null": ["null"]},
    "sent_type": {f"sent-{word}": values for word, values in TYPES.items()},
    "received_type": {f"received-{word}": values for word, values in TYPES.items()},
    "basic": {f"basic={name}": [name] for name in
              ["MPI_DOUBLE", "MPI_FLOAT", "MPI_CHAR", "MPI_BYTE", "MPI_UNSIGNED_SHORT", "MPI_LONG",
               "MPI_INT8_T", "MPI_UINT64_T", "MPI_C_BOOL", "MPI_C_DOUBLE_COMPLEX", "MPI_2INT",
               "MPI_DOUBLE_INT", "MPI_SHORT_INT", "MPI_INTEGER", "MPI_LONG_DOUBLE"]},
    "op": {**{f"op={name}": [name] for name in ["MPI_MAX", "MPI_MIN", "MPI_PROD", "MPI_LAND", "MPI_BOR",
                                                "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC"]},
           "user-op": ["commutative"], "not-commutative": ["ordered"]},
    "in_place": {"in-place": ["in-place"]},
    "root": {"other-root": ["last"]},
    "meanwhile": {"pending": ["barrier"], "pending-elsewhere": ["same-on-duplicate"],
                  "pending-receive": ["wildcard"]},
}
KINDS = {"wrong value": ["flip", "middle", "last", "zero", "truncate"],
         "written outside": ["before", "behind"],
         "changed argument": ["send", "counts"], "hang": ["hang"], "error code": ["code"]}
# Values that make a call valid whose other values are given.
COMPLETIONS = [{}, {"op": "commutative"}, {"op": "MPI_LAND"}, {"op": "MPI_MINLOC"}, {"op": "MPI_BOR"},
               {"counts": "none"}, {"communicator": "ring"}, {"start": "nonblocking"}]


@dataclass
class DrawnFault:
    operation: str
    kind: str
    words: dict = field(default_factory=dict)  # by property

    def text(self):
        """The value of MPIAUDIT_FAULT."""
        start = self.words.get("start")
        name = {"nonblocking": f"MPI_I{self.operation.lower()}", "persistent": f"MPI_{self.operation}_init",
                None: f"MPI_{self.operation}*"}[start]
        words = [word for each, word in self.words.items() if each != "start"]
        return " ".join([name, self.kind, *words])

    def call(self, *properties, **more):
        """The text of a call that meets the conditions on these properties."""
        values = {each: CONDITIONS[each][self.words[each]][0] for each in properties}
        if self.operation.startswith("Neighbor"):
            values.setdefault("communicator", "ring")
        values = {**more, **values}
        return " ".join([f"operation=MPI_{self.operation}"] + [f"{k}={v}" for k, v in values.items()])


def draw(source):
    operation = source.choice(OPERATIONS)
    kind = source.choice(KINDS[source.choice(sorted(KINDS))])
    words = {each: source.choice(sorted(CONDITIONS[each])) for each in source.sample(sorted(CONDITIONS), 2)}
    return DrawnFault(operation, kind, words)


class DrawnFaults(ProgramTest):
    ranks = os.environ.get("DRAWN_RANKS", "2")
    no_fault = "MPI_Barrier noop from=1000000"  # never hits

    def verify(self, fault, *options):
        preload = ":".join(filter(None, [os.environ["FAULTY_COLLECTIVES"], os.environ.get("LD_PRELOAD")]))
        return self.launch(self.ranks, "env", f"LD_PRELOAD={preload}", f"MPIAUDIT_FAULT={fault}",
                           MPIAUDIT, "verify", "--hang-after", "4s", *options, code=None)

    def passes(self, fault, call):
        """Whether the call is right; None if no such call is valid."""
        code = self.verify(fault, "--call", call).returncode
        return None if code == USAGE else code == DONE

    def is_brought_out(self, fault):
        """Whether a call that meets both conditions brings the fault out, and no call that meets one."""
        one, other = fault.words
        for completion in COMPLETIONS:
            passes = self.passes(fault.text(), fault.call(one, other, **completion))
            if passes is not None:
                break
        if passes is not False:
            if passes:
                print(f"without effect: {fault.text()}", flush=True)
            return False
        return all(self.passes(fault.text(), fault.call(each, **completion)) is not False
                   for each in fault.words)

    def search(self, fault, calls, seed):
        """Returns the text of the last launch and the number of launches."""
        family = f"MPI_{fault.operation}"
        options = ["--calls", calls, "--collectives", family, "--output", f"found{seed}",
                   "--order-seed", str(seed)]
        done = self.verify(fault.text(), *options)
        launches = 1
        while done.returncode not in (DONE, WRONG_RESULT) and launches < 60:
            done = self.verify(fault.text(), *options, "--resume")
            launches += 1
        return done.stdout, launches

    def test_drawn_faults_are_found(self):
        number = int(os.environ.get("DRAWN_FAULTS", "3"))
        seed = int(os.environ.get("DRAWN_SEED", "1"))
        calls_of_search = os.environ.get("DRAWN_CALLS", "500")
        source = random.Random(seed)
        found = named = tried = 0
        while tried < number:
            fault = draw(source)
            if not self.is_brought_out(fault):
                continue
            tried += 1
            said, launches = self.search(fault, calls_of_search, 1000 * seed + tried)
            calls = re.findall(r'verify --call "(.*)"', said)
            has_named = any(all(f" {each}=" in call for each in fault.words) for call in calls)
            # The library may have other faults.
            is_found = has_named or any(
                not self.passes(fault.text(), call) and self.passes(self.no_fault, call) for call in calls)
            found += is_found
            named += has_named
            how = "named" if has_named else "found" if is_found else "LOST"
            print(f"{how}\t{fault.text()}\t{launches} launches", flush=True)
            if not has_named:
                print(said, flush=True)
        print(f"{found} of {number} found, both conditions of {named} named", flush=True)
        self.assertGreaterEqual(found, 0.9 * number)
        self.assertGreaterEqual(named, 0.8 * number)


if __name__ == "__main__":
    main()
