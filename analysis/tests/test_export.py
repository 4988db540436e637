# SPDX-License-Identifier: BSD-3-Clause
"""Checks and samples as CSV, profiles of PGMPITuneLib and its catalogue of mock-ups."""

import csv
import json
import math
from pathlib import Path

from analysis.export import MOCKUPS, profiles_of, ranges_of
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_every_check_is_a_row(audit: Path, tmp_path: Path, command: Command) -> None:
    file = tmp_path / "checks.csv"
    assert command("export", "checks", audit, "-o", file).code == 0
    report, = read_all([audit])
    rows = rows_of(file)
    assert len(rows) == len(report.data["checks"])
    for row, check in zip(rows, report.data["checks"], strict=True):
        assert (row["guideline"], row["problem"], row["left"], row["verdict"]) == (
            check["guideline"], check["problem"], check["left"], check["verdict"])
        problem = report.problems[check["problem"]]
        assert int(row["bytes"]) == problem["total"] * problem["element_bytes"]
        assert row["ratio"] == ("" if "ratio" not in check else repr(check["ratio"]["median"]))


def test_violations_alone_as_csv_and_json(audit: Path, tmp_path: Path, command: Command) -> None:
    report, = read_all([audit])
    found = [(check["guideline"], check["problem"], check["left"]) for check in report.violations]
    assert found
    assert command("export", "violations", audit, "-o", tmp_path / "v.csv").code == 0
    assert command("export", "violations", audit, "--format", "json", "-o", tmp_path / "v.json").code == 0
    objects = json.loads((tmp_path / "v.json").read_text(encoding="utf-8"))
    for rows in (rows_of(tmp_path / "v.csv"), objects):
        assert [(row["guideline"], row["problem"], row["left"]) for row in rows] == found
        assert {row["verdict"] for row in rows} == {"violated"}
        assert {row["kind"] for row in rows} == {"verdict"}
    for each, check in zip(objects, report.violations, strict=True):
        assert each["ratio"] == check["ratio"]["median"]
        assert each["left_median_s"] == check["left_statistics"]["median_s"]
        assert each.get("reproduce") == check.get("reproduce")
    nothing, lines = make_report(sizes=(1,), distributions=("same",))
    for check in nothing["checks"]:
        check["verdict"] = "holds"
    folder = write_audit(tmp_path / "nothing", nothing, lines)
    assert json.loads(command("export", "violations", folder, "--format", "json").out) == []


def test_a_check_has_the_lower_bound_of_its_left_side(tmp_path: Path, command: Command) -> None:
    document, lines = make_report(sizes=(1,), distributions=("same",))
    left = document["checks"][0]["left"]
    for contestant in document["problems"][0]["contestants"]:
        if contestant["name"] == left:
            contestant["lower_bound_s"] = 1e-7
    folder = write_audit(tmp_path / "a", document, lines)
    assert command("export", "checks", folder, "-o", tmp_path / "checks.csv").code == 0
    assert {row["left_lower_bound_s"] for row in rows_of(tmp_path / "checks.csv")
            if row["left"] == left} == {"1e-07"}


def test_every_sample_is_a_row_of_all_launches(tmp_path: Path, command: Command) -> None:
    document, lines = make_report(sizes=(1, 10), distributions=("same",))
    folder = write_audit(tmp_path / "a", document, lines)
    once = sum(len(item.get("samples_s", [])) for line in lines for item in line.get("contestants", []))
    assert once > 0
    assert len(command("export", "samples", folder).out.splitlines()) == 1 + once
    write_audit(folder / "confirmation-1", document, lines)
    file = tmp_path / "samples.csv"
    assert command("export", "samples", folder, "-o", file).code == 0
    rows = rows_of(file)
    assert len(rows) == 2 * once
    assert {row["launch"] for row in rows} == {"1", "2"}
    first = next(line for line in lines if line.get("contestants"))
    values = [float(row["seconds"]) for row in rows if row["launch"] == "1" and row["problem"] == first["id"]
              and row["contestant"] == first["contestants"][0]["name"]]
    assert values == first["contestants"][0]["samples_s"]


def test_profiles_have_the_mockups_in_ranges_of_bytes(tmp_path: Path, command: Command) -> None:
    document = make_report(sizes=(1, 10, 100, 1000), distributions=("same",))[0]
    for check in document["checks"]:
        block = int(check["problem"].rpartition("=")[2])
        is_slow = check["guideline"] == "gather-gatherv" and block in (10, 100) or (
            check["guideline"] == "allgather-allgatherv" and block in (1, 1000))
        check["verdict"] = "violated" if is_slow else "holds"
    folder = write_audit(tmp_path / "a", document)
    report, = read_all([folder])
    size = report.data["problems"][0]["element_bytes"]
    profiles = profiles_of(report)
    assert set(profiles) == {"MPI_Gather-8.prf", "MPI_Allgather-8.prf"}
    assert profiles["MPI_Gather-8.prf"].splitlines()[1:] == [
        "MPI_Gather # collective name", "8 # number of processes", "1", "1 gather_as_gatherv",
        "1 # ranges of bytes", f"{math.isqrt(10 * size ** 2) + 1} {math.isqrt(10 ** 5 * size ** 2)} 1"]
    # Not across a size on which it holds. Ranges end in the middle between two sizes.
    assert profiles["MPI_Allgather-8.prf"].splitlines()[-3:] == [
        "2 # ranges of bytes", f"{size} {math.isqrt(10 * size ** 2)} 1",
        f"{math.isqrt(10 ** 5 * size ** 2) + 1} {1000 * size} 1"]
    assert command("export", "profiles", folder, "-o", tmp_path / "p").code == 0
    assert {file.name for file in (tmp_path / "p").iterdir()} == set(profiles)


def test_ranges_join_sizes_with_one_mockup() -> None:
    assert ranges_of({100: "a", 400: "a", 1600: "b", 6400: None, 25600: "b"}) == [
        (100, 800, "a"), (801, 3200, "b"), (12801, 25600, "b")]
    assert ranges_of({100: None, 400: "a", 1600: None}) == [(201, 800, "a")]
    assert ranges_of({}) == []


def test_the_catalogue_of_mockups_is_read(tmp_path: Path, command: Command) -> None:
    catalogue = tmp_path / "info.csv"
    catalogue.write_text("cliname;mpiname;algname;rooted\nallgather;MPI_Allgather;default;0\n"
                         "allgather;MPI_Allgather;allgather_as_gather_bcast;0\n"
                         "allreduce;MPI_Allreduce;allreduce_as_allreduce_circulant;0\n", encoding="utf-8")
    result = command("export", "guidelines", catalogue)
    assert json.loads(result.out)["guidelines"] == [
        {"id": "allgather-as-gather-bcast", "statement": "MPI_Allgather(m) <= MPI_Gather(m) + MPI_Bcast(m)"}]
    assert "allreduce_as_allreduce_circulant" in result.err
    assert len(MOCKUPS) == 35
    catalogue.write_text("nothing\n", encoding="utf-8")
    refused = command("export", "guidelines", catalogue)
    assert refused.code == 2 and "pgmpi_info" in refused.err
