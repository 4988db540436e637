# SPDX-License-Identifier: BSD-3-Clause
"""An MPI library of which some calls take far longer than usual (fault.h): the audit names the operation."""

import os

from program import DONE, MPIAUDIT, ProgramTest, main


class Tails(ProgramTest):
    def tails_with(self, fault):
        """Returns the operations with long calls that an audit on two ranks finds, and the screen. The clock
        of the library does not depend on the load of the machine.
        """
        preload = ":".join(filter(None, [os.environ["FAULTY_COLLECTIVES"], os.environ.get("LD_PRELOAD")]))
        done = self.launch(2, "env", f"LD_PRELOAD={preload}", f"MPIAUDIT_FAULT={fault} clock=1",
                           MPIAUDIT, "run", "--collectives", "bcast", "--distributions", "same",
                           "--block-sizes", "1,100", "--budget", "60s", "--output", "out", "--overwrite",
                           code=DONE)
        report = self.valid_report()
        tails = {(each["operation"], each["after_pause"]) for each in report["tails"]}
        return tails, " ".join(done.stdout.split())

    # bench/planted_tails has rarer calls.
    def test_some_calls(self):
        tails, screen = self.tails_with("MPI_Bcast slow every=6 us=10000")
        self.assertIn(("MPI_Bcast", False), tails)
        self.assertRegex(screen, r"TAIL: MPI_Bcast is usually fast \([^)]+ us\), but 1 in [567] calls takes "
                                 r"10 ms; the other ways have no such calls")

    def test_calls_that_are_long_on_one_rank(self):
        self.assertIn(("MPI_Bcast", False), self.tails_with("MPI_Bcast slow every=6 us=10000 rank=1")[0])

    def test_no_call(self):
        """A library that is slow in every call has no tail, and operations that are not audited have none."""
        for fault in ("MPI_Bcast slow us=500", "MPI_Gather slow every=6 us=10000"):
            with self.subTest(fault):
                self.assertEqual(self.tails_with(fault)[0], set())

    def test_calls_after_a_pause(self):
        tails, screen = self.tails_with("MPI_Bcast slow after=3 us=1000")
        self.assertIn(("MPI_Bcast", True), tails)
        self.assertRegex(screen, "calls? after a pause of some milliseconds takes? 1 ms")


main()
