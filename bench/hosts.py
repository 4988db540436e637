#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How good the suite's clock and its links are on hosts made of namespaces.

The tables are in results/reference/calibration/README.md.

bench/hosts.py clocks [HOSTS] [PPM_OF_H2 ...]: the true error of the synchronised clock.
bench/hosts.py links [HOSTS] [DELAY_US] [MBIT_PER_S]: what mpiaudit probe says of links of that kind.
bench/hosts.py sites [HOSTS] [DELAY_US] [MBIT_PER_S]: allgather on two sites of half of the hosts each, with
links of that kind between them: the table of results/reference/grid/README.md.
As root; MPIAUDIT_BUILD names the build folder, of Open MPI, with the benchmarks.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/hosts"))
from audit_runs import read_report  # noqa: E402
from launch import environment, open_mpi  # noqa: E402
from namespaces import Hosts, obstacle  # noqa: E402

BUILD = Path(os.environ.get("MPIAUDIT_BUILD", "build/release-openmpi")).resolve()


def clocks(number, drifts):
    text = ",".join(f"h{i + 2}={drift}" for i, drift in enumerate(drifts))
    with Hosts(number, [0, 1000, -1]) as hosts:
        subprocess.run(
            open_mpi(hosts, [str(BUILD / "bench/clock_error"), "monotonic", "1", "5", "15", "1", "1"],
                     variables=["HOST_DRIFT", "LD_PRELOAD"]),
            env=environment(HOST_DRIFT=text, LD_PRELOAD=str(BUILD / "tests/hosts/libhost_drift.so")),
            check=True)


def links(number, delay_us, rate):
    with tempfile.TemporaryDirectory() as folder:
        switch = [str(BUILD / "bench/host_switch"), delay_us, rate]
        with Hosts(number, [0, 1000], switch=switch) as hosts:
            file = Path(folder) / "network.json"
            subprocess.run(
                open_mpi(hosts, [str(BUILD / "mpiaudit"), "probe", "--output", str(file), "--rounds", "5"]),
                env=environment(), check=True)
        network = json.loads(file.read_text(encoding="utf-8"))
    for key, matrix in network.items():
        if isinstance(matrix, list) and matrix and isinstance(matrix[0], list):
            print(key)
            for row in matrix:
                print("  ", *(f"{each:.4g}" if each is not None else "-" for each in row))


def sites(number, delay_us, rate):
    grid = ["--bind", "none", "--guidelines", "grid", "--network", "./network.json", "--distributions",
            "same", "--element", "char", "--block-sizes", "64,1Ki,16Ki,128Ki", "--max-rounds", "60",
            "--budget", "90s"]
    with tempfile.TemporaryDirectory() as folder:
        switch = [str(BUILD / "bench/host_switch"), f"{delay_us},20", f"{rate},1000"]
        with Hosts(number, [0, 1000], switch=switch) as hosts:
            for words in (["probe", "--output", "network.json", "--rounds", "5"],
                          ["run", *grid, "--output", "out"]):
                subprocess.run(open_mpi(hosts, [str(BUILD / "mpiaudit"), *words], folder=folder), cwd=folder,
                               env=environment(), check=False, stdout=subprocess.DEVNULL)
        report = read_report(Path(folder) / "out/report.json")
    for problem in report["problems"]:
        print(problem["id"])
        for contestant in problem["contestants"]:
            if "statistics" in contestant:
                print(f"   {contestant['name']:24} {contestant['statistics']['mean_s'] * 1e3:8.1f} ms")
    for check in report["checks"]:
        if check["verdict"] == "violated":
            print(check["problem"], check["guideline"], f"{check['ratio']['median']:.2f}")


def main(words):
    reason = obstacle()
    if reason:
        sys.exit(f"bench/hosts.py: {reason}")
    if words[:1] == ["clocks"]:
        clocks(int(words[1]) if len(words) > 1 else 4, words[2:] or ["-50", "20", "100"])
    elif words[:1] == ["links"]:
        links(int(words[1]) if len(words) > 1 else 2, *(words[2:4] if len(words) > 3 else ["15000", "100"]))
    elif words[:1] == ["sites"]:
        sites(int(words[1]) if len(words) > 1 else 8, *(words[2:4] if len(words) > 3 else ["5000", "100"]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
