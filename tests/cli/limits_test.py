# SPDX-License-Identifier: BSD-3-Clause
"""An audit in a control group with little memory: Slurm makes such groups for its jobs."""

import os
from pathlib import Path

from program import DONE, LAUNCH, MPIAUDIT, ProgramTest, main

GROUPS = Path("/sys/fs/cgroup")
LIMIT_BYTES = 400 << 20


def new_group():
    """The folder of a new control group below that of this process, with the limit."""
    lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    for _, controllers, path in lines:
        if "memory" in controllers.split(","):
            above, file = GROUPS / "memory" / path.lstrip("/"), "memory.limit_in_bytes"
            break
    else:
        above, file = GROUPS / lines[0][2].lstrip("/"), "memory.max"
        (above / "cgroup.subtree_control").write_text("+memory")
    group = above / f"mpiaudit-{os.getpid()}"
    group.mkdir()
    try:
        (group / file).write_text(str(LIMIT_BYTES))
    except OSError:
        group.rmdir()
        raise
    return group


def removed(group):
    """Returns whether the group could be removed: killed processes stay in a group for a while."""
    try:
        group.rmdir()
    except OSError:
        return False
    return True


class MemoryLimit(ProgramTest):
    def test_problems_beyond_the_limit_of_the_group_are_skipped(self):
        """If mpiaudit ignored the group, the kernel would kill the ranks: exit code 137."""
        try:
            group = new_group()
        except OSError as error:
            self.skipTest(f"no control group with a limit of memory can be made here: {error}")
        self.addCleanup(self.wait_until, lambda: removed(group), f"{group} stays")
        self.run_here("bash", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', str(group), *LAUNCH, "2",
                      MPIAUDIT, "run", "--guidelines", "irregular", "--distributions", "same",
                      "--block-sizes", "1,30000000", "--max-rounds", "8", "--output", "out", code=DONE)
        report = self.valid_report()
        self.assertEqual(report["machine"]["hosts"][0]["topology"]["memory_bytes"], LIMIT_BYTES)
        large = [problem for problem in report["problems"] if problem["id"] == "same/b=30000000"]
        reasons = [each["skipped"] for problem in large for each in problem["contestants"]
                   if "skipped" in each]
        self.assertTrue(reasons)
        for reason in reasons:
            self.assertRegex(reason, r"^needs .*, 100\.0 MiB allowed \(--memory\)$")


if __name__ == "__main__":
    main()
