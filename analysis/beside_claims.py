# SPDX-License-Identifier: BSD-3-Clause
"""The claims of Thakur and Gropp (2003), Figures 2 to 7, beside audits with --protocol paper-2003."""

import argparse
import math
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import reports
from .units import amount_of_bytes

KiB = 1024


@dataclass(frozen=True)
class Claim:
    """A figure: sizes of the whole vector, what the paper found faster, and than what."""

    figure: str
    ranks: int
    what: str
    faster: str
    slower: str
    least_bytes: int
    most_bytes: float  # below this


# The text has the sizes and says by how much; the plots have no figures to compare with. Figures 1
# and 5 draw algorithms.
CLAIMS = (
    Claim("2", 64, "for short data recursive doubling is faster than the ring",
          "recursive_doubling_Allgather(m)", "ring_Allgather(m)", 0, 512 * KiB),
    Claim("3", 64, "for long data the ring is much faster than recursive doubling",
          "ring_Allgather(m)", "recursive_doubling_Allgather(m)", 512 * KiB, math.inf),
    Claim("4", 64, "for long data the new broadcast is significantly faster, at most lg p / 2 times",
          "MPICH2004_Bcast(m)", "binomial_Bcast(m)", 12 * KiB, math.inf),
    Claim("6, left", 64, "for short data the new reduce-scatter is significantly faster than IBM's, "
          "which nobody has: here than reduce + scatterv",
          "recursive_halving_Reduce_scatter(m)", "reduce_scatterv_Reduce_scatter(m)", 0, 512 * KiB),
    Claim("6, right", 32, "for long data the new one is several times faster than reduce + scatterv",
          "MPICH2004_Reduce_scatter(m)", "reduce_scatterv_Reduce_scatter(m)", 512 * KiB, math.inf),
    Claim("7", 64, "for long data the new reduce is more than twice as fast in some cases",
          "Rabenseifner_Reduce(m)", "binomial_Reduce(m)", 2 * KiB + 1, math.inf),
)


def medians_us(problem: dict[str, Any]) -> dict[str, float]:
    """Returns the medians of the measured contestants, in microseconds."""
    return {each["name"]: 1e6 * each["statistics"]["median_s"]
            for each in problem["contestants"] if "statistics" in each}


def claim_lines(report: reports.Report, claim: Claim) -> list[str]:
    """Returns the table of one figure, and at how many sizes the paper's faster algorithm is faster."""
    lines, ratios = [], []
    for problem in sorted(report.data["problems"], key=lambda each: each["total"]):
        size = problem["total"] * problem["element_bytes"]
        times = medians_us(dict(problem))
        if (problem["distribution"] != "same" or not {claim.faster, claim.slower} <= times.keys()
                or not claim.least_bytes <= size < claim.most_bytes):
            continue
        ratios.append(times[claim.slower] / times[claim.faster])
        lines.append(f"{amount_of_bytes(size):>12} {times[claim.faster]:12.4g} "
                     f"{times[claim.slower]:12.4g} {ratios[-1]:8.2f}")
    if not ratios:
        return []
    holds = sum(ratio > 1 for ratio in ratios)
    return [*textwrap.wrap(f"Figure {claim.figure}. The paper on {claim.ranks} nodes: {claim.what}.", 98),
            f"{'in all':>12} {claim.faster}, {claim.slower} [us], ratio", *lines,
            f"{'':12} holds in {holds} of {len(ratios)} sizes, ratios from {min(ratios):.2f} to "
            f"{max(ratios):.2f}", ""]


def report_text(report: reports.Report) -> str:
    """Returns all figures for the number of ranks of an audit."""
    ranks = report.data["machine"]["ranks"]
    simulated = ", simulated" if report.data["simulated"] else ""
    lines = [f"{report.data['mpi']['library']}, {ranks} ranks{simulated}", ""]
    for claim in CLAIMS:
        if claim.ranks == ranks:
            lines += claim_lines(report, claim)
    return "\n".join(lines) + "\n"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m analysis.beside_claims", description=__doc__)
    parser.add_argument("reports", nargs="+", type=Path, help="audits with --protocol paper-2003")
    for report in reports.read_all(parser.parse_args().reports):
        sys.stdout.write(report_text(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
