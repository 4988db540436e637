# SPDX-License-Identifier: BSD-3-Clause
"""The figures in documents are the figures of the kept outputs."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
KEPT = ROOT / "results/reference/zero-copy"


def ratios(file: str, name: str) -> dict[int, float]:
    """The medians of a ratio by the bytes of a block."""
    lines = (KEPT / file).read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("median of ratios"))
    sizes = map(int, lines[start].split()[3:])
    row = next(line for line in lines[start:] if line.startswith(name + " "))
    return dict(zip(sizes, map(float, row.split()[1:]), strict=True))


def extremes(found: dict[int, float], most: int) -> tuple[str, str]:
    small = [ratio for size, ratio in found.items() if size <= most]
    return f"{min(small):.3f}", f"{max(small):.3f}"


def test_the_summary_of_zero_copy_has_the_kept_figures() -> None:
    text = " ".join((KEPT / "README.md").read_text(encoding="utf-8").split())
    faster = re.search(r"faster from (\d+) bytes on, by up to (\d+) % with Open MPI and (\d+) % with MPICH",
                       text)
    assert faster
    for file, percent in (("openmpi-8.txt", faster[2]), ("mpich-2.txt", faster[3])):
        found = ratios(file, "zeroBruck/basicBruck")
        assert round(100 * (1 - min(found.values()))) == int(percent)
        assert {size for size, ratio in found.items() if ratio < 1} == {
            size for size in found if size >= int(faster[1])}
    persistent = re.search(r"take ([\d.]+) to ([\d.]+) of zeroBruck's time up to 1 KiB \(paper: half\), "
                           r"irregular ones ([\d.]+) to ([\d.]+) ", text)
    assert persistent
    assert persistent.groups()[:2] == extremes(ratios("openmpi-8.txt", "persBruck/zeroBruck"), 1024)
    assert persistent.groups()[2:] == extremes(ratios("openmpi-8.txt", "persBruckV/zeroBruckV"), 1024)
