#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what reference algorithms take beside the library's operations, from report.json of audits,
and what the cost model has predicted: a line for each problem and operation, in microseconds."""
import argparse
import json

ON_NODES = ("lane_", "hierarchical_")


def rows(report):
    """For each problem and native operation the contestants of its checks, which do its work."""
    for problem in report["problems"]:
        times = {each["name"]: each for each in problem["contestants"] if "statistics" in each}
        rivals = {}
        for check in report["checks"]:
            if check["problem"] == problem["id"]:
                rivals.setdefault(check["left"], []).append(check["right"])
        for native, others in rivals.items():
            if native in times:
                yield problem, times[native], [times[name] for name in others if name in times]


def median_us(contestant):
    """Microseconds."""
    return 1e6 * contestant["statistics"]["median_s"]


def short(contestant):
    """sparbit of sparbit_Allgather(m)."""
    return contestant["name"].removesuffix("(m)")


def fastest(contestants):
    """Null where there are none."""
    return min(contestants, key=median_us, default=None)


def cell(contestant, width):
    """Its time and name."""
    if contestant is None:
        return " " * 9 + f"{'-':{width}}"
    return f"{median_us(contestant):8.1f} {short(contestant):{width}}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reports", nargs="+", metavar="REPORT", help="report.json of an audit")
    reports = parser.parse_args().reports
    within, predicted, good, cells = 0, 0, 0, 0
    for path in reports:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        print(path)
        print(f"{'operation':25} {'ints':>7} {'native':>8}  {'others':40} {'nodes':40} "
              f"{'best_':>7} {'of best':>7}  predicted/measured")
        for problem, native, others in rows(report):
            chosen = [each for each in others if short(each).startswith("best_")]
            fixed = [each for each in others if each not in chosen]
            on_nodes = [each for each in fixed
                        if short(each).startswith(ON_NODES) or "[" in short(each)]
            today = fastest([each for each in fixed if each not in on_nodes])
            references = [each for each in fixed if not short(each).startswith("MPI_")]
            ratios = sorted(1e6 * each["predicted_s"] / median_us(each)
                            for each in references if "predicted_s" in each)
            within += sum(0.75 <= ratio <= 1.25 for ratio in ratios)
            predicted += len(ratios)
            best_us = median_us(fastest(references))
            own_us = median_us(chosen[0]) if chosen else float("nan")
            cells += bool(chosen)
            good += own_us <= 1.15 * best_us
            print(f"{short(native):25} {problem['block_size']:7} {median_us(native):8.1f}  "
                  f"{cell(today, 31)} {cell(fastest(on_nodes), 31)} {own_us:7.1f} "
                  f"{own_us / best_us:7.2f}  "
                  + (f"{ratios[0]:.2f} .. {ratios[-1]:.2f}" if ratios else "-"))
    print(f"{within} of {predicted} predictions are within 25 %, "
          f"{good} of {cells} choices within 15 % of the fastest reference algorithm")


if __name__ == "__main__":
    main()
