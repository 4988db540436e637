# SPDX-License-Identifier: BSD-3-Clause
"""The command `network`, on the files that ship and on broken ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis import network
from analysis.tests.conftest import Command

NETWORKS = Path(__file__).parents[2] / "networks"


@pytest.mark.parametrize("name", sorted(file.name for file in NETWORKS.glob("*.json")))
def test_draws_what_ships(name: str, command: Command, tmp_path: Path) -> None:
    file = NETWORKS / name
    result = command("network", file, "-o", tmp_path / "out.svg")
    assert result.code == 0, result.err
    picture = (tmp_path / "out.svg").read_text(encoding="utf-8")
    for host in network.read(file).names:
        assert f">{host}<" in picture


def test_sites_are_rows_where_the_matrices_are_of_sites() -> None:
    grid = network.read(NETWORKS / "three-sites.json")
    assert grid.names == ["UT", "UK", "NTH"]
    assert grid.bandwidth_mbit_per_s[1][0] == 1.28


@pytest.mark.parametrize(("change", "message"), [
    ({"bandwidth_Mbit_per_s": [[None, 0], [1, None]]}, "bandwidth_Mbit_per_s.0.1"),
    ({"latency_s": [[None, 1]]}, "neither of 2 hosts"),
    ({"hosts": ["a", "a"]}, "non-unique"),
    ({"port": "full-duplex"}, "port"),
])
def test_says_what_is_wrong(change: dict[str, Any], message: str, command: Command,
                            tmp_path: Path) -> None:
    good: dict[str, Any] = {"hosts": ["a", "b"], "latency_s": [[None, 1e-3], [1e-3, None]],
                            "bandwidth_Mbit_per_s": [[None, 10], [20, None]]}
    file = tmp_path / "network.json"
    file.write_text(json.dumps(good | change), encoding="utf-8")
    result = command("network", file, "-o", tmp_path / "out.png")
    assert result.code == 2
    assert message in result.err
