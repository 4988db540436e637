# SPDX-License-Identifier: BSD-3-Clause
"""Measured over predicted time, and over the lower bound."""

from pathlib import Path
from typing import Any

from analysis import cost_model, page
from analysis.cost_model import Cost, Spread
from analysis.reports import read_all
from analysis.tests.synthetic import make_report, write_audit


def priced_report() -> dict[str, Any]:
    """Each TUW_Gatherv was predicted at half of its time, on the last problem at a quarter; each
    gather is 8 times its bound."""
    document = make_report(sizes=(1, 100, 10000), distributions=("same",))[0]
    document["cost_model"] = {"alpha_s": 1.25e-6, "beta_s_per_byte": 2.5e-10,
                              "gamma_s_per_byte": 0.0}
    for number, problem in enumerate(document["problems"]):
        for contestant in problem["contestants"]:
            if "statistics" not in contestant or contestant["to"] != "rooted":
                continue
            contestant["lower_bound_s"] = contestant["statistics"]["median_s"] / 8
            if contestant["name"] == "TUW_Gatherv(m)":
                factor = 4 if number == 2 else 2
                contestant["predicted_s"] = contestant["statistics"]["median_s"] / factor
    return document


def test_ratios(tmp_path: Path) -> None:
    report, = read_all([write_audit(tmp_path, priced_report(), [])])
    found = cost_model.costs(report, ["MPI_Gatherv(m)", "TUW_Gatherv(m)", "MPI_Bcast(m)"])
    assert found == [Cost("MPI_Gatherv(m)", None, Spread(8, 8, 8)),
                     Cost("TUW_Gatherv(m)", Spread(2, 2, 4), Spread(8, 8, 8))]


def test_the_page_shows_both_ratios_and_the_model(tmp_path: Path) -> None:
    path = write_audit(tmp_path, priced_report(), [])
    text = page.render(read_all([path]))
    assert ("<td>TUW_Gatherv(m)</td><td class=\"number\">2.00 <small>2.00–4.00</small></td>"
            "<td class=\"number\">8.00 <small>8.00–8.00</small></td>") in text
    assert "<td>MPI_Gatherv(m)</td><td class=\"number\">–</td>" in text
    assert "α = 1.25 µs, β = 0.25 ns per byte" in text
