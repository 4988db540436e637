# SPDX-License-Identifier: BSD-3-Clause
"""The claims of the shipped guidelines about papers, and about functions that a program can call."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def entries(file: str) -> list[dict[str, Any]]:
    """Returns the entries of one file of guidelines."""
    found: list[dict[str, Any]] = json.loads(
        (ROOT / "guidelines" / f"{file}.json").read_text(encoding="utf-8"))["guidelines"]
    return found


# Thakur, Gropp 2003, sections 4.1 to 4.4: from and to how many bytes in all.
@pytest.mark.parametrize(("claim", "least", "most"), [
    ("claim-doubling-ring-allgather", None, 524287), ("claim-ring-doubling-allgather", 524288, None),
    ("claim-van-de-geijn-binomial", 12288, None), ("claim-halving-reduce-scatterv", None, 524287),
    ("claim-rabenseifner-binomial", 2049, None)])
def test_claims_are_judged_where_the_paper_makes_them(claim: str, least: int | None,
                                                      most: int | None) -> None:
    entry = next(each for each in entries("reference") if each["id"] == claim)
    assert (entry.get("from_bytes"), entry.get("to_bytes")) == (least, most)


def test_min3_is_compared_with_all_that_the_figures_of_the_grid_paper_have() -> None:
    statements = {entry["statement"] for entry in entries("grid")}
    for other in ("MagPIe", "MPICH_G2", "Mateescu", "ClusteredSA", "MPICH2004", "spreading_simple"):
        assert f"Min3_Allgather(m) <= {other}_Allgather(m)" in statements


def test_advice_about_prepared_algorithms_names_functions_that_there_are() -> None:
    header = (ROOT / "src/papers/zero_copy/zero_copy.h").read_text(encoding="utf-8")
    advised = [(algorithm, entry["advice"].replace("{algorithm}", algorithm))
               for entry in entries("amortised") if isinstance(entry["for"], dict)
               for algorithms in entry["for"].values() for algorithm in algorithms]
    assert {algorithm for algorithm, _ in advised} == {"persBruck_Alltoall", "persBruckV_Alltoallv"}
    for algorithm, advice in advised:
        functions = re.findall(rf"\b{algorithm}\w*", advice)
        assert functions
        for function in functions:
            assert re.search(rf"\b{function}\b", header), f"{function} in: {advice}"
