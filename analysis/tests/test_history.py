# SPDX-License-Identifier: BSD-3-Clause
"""Histories: planted changes are found at their places, and histories without changes accuse nobody."""

import copy
import csv
import io
import json
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from analysis.history import exit_code, sentences
from analysis.history_audits import Audit
from analysis.history_changes import history_of
from analysis.operations import ALPHA, Group
from analysis.reports import Report
from analysis.stretches import least_share, steps_of, stretches_of
from analysis.tests.conftest import Command
from analysis.tests.synthetic import make_report, write_audit

OPERATIONS = [f"MPI_Op{number}" for number in range(8)]
SIZES = (1, 100, 10000)
Factor = Callable[[str, int, int], float]


def report_at(number: int, library: str = "Open MPI v5.0.6", simulated: bool = False) -> Report:
    data: Any = {"started": f"2026-03-{number + 1:02}T02:00:00Z", "mpi": {"library": library},
                 "machine": {"ranks": 4}, "simulated": simulated, "environment": {}, "options": {},
                 "rule": {"tolerance": 0.05}, "summary": {"library": library}}
    return Report(Path("report.json"), data)


def audits_of(launches: Sequence[int], factor: Factor, seed: int) -> list[Audit]:
    """Audits with noise of each launch, of each operation in it and of each time, and now and then a launch
    in which an operation takes half as long again. `factor(operation, block size, audit)` is a planted
    change."""
    draw = random.Random(seed)
    audits = []
    for number, count in enumerate(launches):
        times = []
        for _ in range(count):
            pace = draw.lognormvariate(0, 0.1)
            own = {name: pace * draw.lognormvariate(0, 0.03) * (1.5 if draw.random() < 0.02 else 1)
                   for name in OPERATIONS}
            times.append({(f"same {size}", size): {
                name: 1e-6 * size**0.3 * factor(name, size, number) * own[name] * draw.lognormvariate(0, 0.02)
                for name in OPERATIONS} for size in SIZES})
        byte_sizes = {(f"same {size}", size): 4 * size for size in SIZES}
        audits.append(Audit(f"a{number}", report_at(number), times, byte_sizes))
    return audits


def unchanged(_name: str, _size: int, _audit: int) -> float:
    return 1.0


@pytest.mark.parametrize("launches", [24 * [1], 5 * [4]])
def test_histories_without_changes_accuse_at_most_the_bound(launches: list[int]) -> None:
    accused = sum(bool(history_of(audits_of(launches, unchanged, seed)).changes) for seed in range(200))
    assert accused <= 200 * ALPHA


def test_the_shares_of_all_stretches_add_up_to_alpha() -> None:
    for launches in ([7, 7], 5 * [7], 12 * [1], 40 * [1], 100 * [2], [1, 30, 2, 11]):
        stretches = stretches_of(launches)
        assert sum(each.share for each in stretches) <= ALPHA * (1 + 1e-12)
        assert all(each.share >= least_share(launches[each.first:each.last]) for each in stretches)
    assert len(stretches_of(500 * [1])) <= 300


def test_orders_cannot_be_told_apart_in_few_launches() -> None:
    assert stretches_of([1, 1, 1]) == []
    assert steps_of({Group("MPI_Bcast"): [0.0, 0.0, 9.0]}, [1, 1, 1]) == []


def test_a_step_is_found_at_its_place() -> None:
    history = history_of(audits_of(20 * [1], lambda name, _, audit: 1.3 if name == "MPI_Op3" and audit >= 12
                                   else 1.0, 1))
    found, = history.changes
    assert (found.change.operation, found.place, found.change.sizes) == ("MPI_Op3", 12, None)
    assert found.earliest <= 12 <= found.latest
    assert found.change.ratio == pytest.approx(1.3, rel=0.05)
    assert history.has_slower


def test_steps_of_several_operations_sizes_and_directions() -> None:
    def factor(name: str, size: int, audit: int) -> float:
        slow = name == "MPI_Op1" and audit >= 2 or name == "MPI_Op2" and size == 10000 and 1 <= audit < 3
        return 1.4 if slow else 1 / 1.4 if name == "MPI_Op3" and audit >= 4 else 1.0

    history = history_of(audits_of(5 * [8], factor, 2))
    assert [(found.change.operation, found.place, found.change.ratio > 1, found.change.sizes)
            for found in history.changes] == [
        ("MPI_Op2", 1, True, (40000, 40000)), ("MPI_Op1", 2, True, None),
        ("MPI_Op2", 3, False, (40000, 40000)), ("MPI_Op3", 4, False, None)]
    assert history.is_slower("MPI_Op1") and not history.is_slower("MPI_Op2")


def test_an_operation_that_changed_on_most_sizes_has_no_range_of_sizes() -> None:
    # Not every size shows the change by itself: one has many disturbed launches.
    audits = audits_of(20 * [1], lambda name, size, audit: (1.3 if audit >= 12 else 1.0) * (
        1 + (5 * audit + size) % 3 if size == 100 else 1) if name == "MPI_Op3" else 1.0, 1)
    found, = history_of(audits).changes
    assert (found.change.operation, found.place, found.change.sizes) == ("MPI_Op3", 12, None)
    half = history_of(audits_of(5 * [8], lambda name, size, audit: 1.4 if (
        name, size) == ("MPI_Op3", 10000) and audit >= 2 else 1.0, 2)).changes
    assert [found.change.sizes for found in half] == [(40000, 40000)]


def test_everything_slower_is_one_change() -> None:
    history = history_of(audits_of(4 * [6], lambda _name, _size, audit: 2.0 if audit >= 2 else 1.0, 3))
    found, = history.changes
    assert (found.change.operation, found.place) == ("all operations together", 2)


def test_launches_and_operations_without_times() -> None:
    audits = audits_of(24 * [1], lambda name, _, audit: 1.4 if name == "MPI_Op5" and audit >= 10 else 1.0, 4)
    audits[3].launches[0] = {key: {} for key in audits[3].launches[0]}
    for index in (5, 17):
        for times in audits[index].launches[0].values():
            del times["MPI_Op5"]
    for times in audits[-1].launches[0].values():
        del times["MPI_Op0"]
    history = history_of(audits)
    found, = history.changes
    assert (found.change.operation, history.audits[found.place].name) == ("MPI_Op5", "a10")
    assert history.times_of("MPI_Op5")[history.audits.index(audits[5])] is None
    assert history.undecided == ["MPI_Op0"]
    assert any(line.startswith("a23 has no time of MPI_Op0") for line in history.remarks)


@pytest.mark.parametrize(("launches", "code"), [(3 * [1], 5), ([1, 30], 5), (3 * [5], 1), (2 * [7], 1)])
def test_a_slowdown_that_too_few_launches_show_is_undecided(launches: list[int], code: int) -> None:
    for seed in range(5):
        history = history_of(audits_of(
            launches, lambda name, _, audit: 2.0 if name == "MPI_Op1" and audit else 1.0, seed))
        assert exit_code(history) == code
        said = sentences(history)
        assert "No operation was shown to have changed" not in said
        assert code == 1 or "too few to tell any change" in said[0] or "cannot be told" in said[0]


def test_an_operation_that_few_launches_measured_is_undecided() -> None:
    audits = audits_of(3 * [6], unchanged, 7)
    assert exit_code(history_of(audits)) == 0
    for audit in audits:
        for launch in audit.launches[:4]:
            for times in launch.values():
                del times["MPI_Op6"]
    history = history_of(audits)
    assert (history.undecided, exit_code(history)) == (["MPI_Op6"], 5)
    assert sentences(history)[0].startswith("It cannot be told whether MPI_Op6 became slower: give audits ")


def folder_of(folder: Path, document: dict[str, Any], factors: Sequence[float], started: str,
              library: str) -> Path:
    """Launches in which MPI_Bcast takes longer by the factors."""
    for number, factor in enumerate(factors, start=1):
        changed = copy.deepcopy(document)
        changed |= {"started": started, "mpi": changed["mpi"] | {"library": library},
                    "summary": changed["summary"] | {"library": library.partition(",")[0]}}
        for problem in changed["problems"]:
            for contestant in problem["contestants"]:
                if contestant["name"] == "MPI_Bcast(m)" and "statistics" in contestant:
                    contestant["statistics"]["median_s"] *= factor
        write_audit(folder / str(number) if len(factors) > 1 else folder, changed)
    return folder


@pytest.fixture(name="versions", scope="module")
def fixture_versions(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Seven launches of each of four versions, MPI_Bcast slower from 5.0.9 on; measured in another order."""
    folder = tmp_path_factory.mktemp("versions")
    document = make_report(sizes=(1, 100))[0]
    noise = [1.00, 1.03, 0.98, 1.01, 0.99, 1.02, 1.00]
    return [folder_of(folder / name, document, [factor * each for each in noise], f"2026-02-0{day}T00:00:00Z",
                      f"Open MPI v{version}, package: synthetic")
            for name, version, day, factor in (("d", "5.0.10", 1, 1.3), ("a", "5.0.8rc1", 2, 1.0),
                                               ("c", "5.0.9", 3, 1.3), ("b", "5.0.8", 4, 1.0))]


def test_versions_come_in_their_order(versions: list[Path], command: Command) -> None:
    result = command("history", *versions, "--fail-on", "slowdown")
    assert result.code == 1
    assert result.out.startswith("MPI_Bcast is 1.30 times slower from 5.0.9 on"), result.out
    assert "4 audits with 28 launches; the probability of any false change is at most 3 %" in result.out
    order = result.out[result.out.index("Order: by version"):].splitlines()
    assert [line.split()[1] for line in order[1:]] == ["5.0.8rc1", "5.0.8", "5.0.9", "5.0.10"]
    assert max(map(len, result.out.splitlines())) <= 80
    given = command("history", *versions, "--by", "given").out.partition("Order: as given")[2]
    assert [line.split()[1] for line in given.splitlines()[1:]] == list("dacb")
    time = command("history", *versions, "--by", "time").out
    assert "from a on" in time and "from c on" in time and "MPI_Bcast is 1.30 times faster" in time


def test_csv_has_all_audits(versions: list[Path], command: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(command("history", *versions, "--format", "csv").out)))
    row = next(row for row in rows if row["Operation"] == "MPI_Bcast")
    assert [float(row[name]) for name in ("5.0.8", "5.0.9", "5.0.10")] == [1.0, 1.3, 1.3]
    assert [row[f"{name} mark"] for name in ("5.0.8", "5.0.9", "5.0.10")] == ["", "violated", ""]
    assert "| Operation |" in command("history", *versions, "--format", "markdown").out


def test_a_result_of_before_after_is_two_audits(versions: list[Path], tmp_path: Path,
                                                command: Command) -> None:
    result = tmp_path / "result"
    result.mkdir()
    (result / "before").symlink_to(versions[3])
    (result / "after").symlink_to(versions[2])
    assert command("history", result).out.startswith("MPI_Bcast is 1.30 times slower from 5.0.9 on\n")


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_picture(versions: list[Path], tmp_path: Path, command: Command, suffix: str) -> None:
    picture = tmp_path / f"history.{suffix}"
    result = command("history", *versions, "--picture", picture, "-o", tmp_path / "table.txt")
    assert (result.code, result.out, result.err.strip()) == (0, "", str(picture))
    if suffix == "svg":
        text = picture.read_text(encoding="utf-8")
        for words in ("MPI_Bcast, 1.30 times slower from 5.0.9 on", "changed from here on", "5.0.8rc1",
                      "4 other operations"):
            assert words in text


def test_unusable_histories(versions: list[Path], tmp_path: Path, command: Command) -> None:
    other = json.loads((versions[0] / "1" / "report.json").read_text(encoding="utf-8"))
    other["summary"]["library"] = "MPICH 4.0.2"
    mpich = write_audit(tmp_path / "mpich", other)
    for arguments, words in (
            ((versions[0],), "history needs two audits at least"),
            ((versions[0], versions[0], "--by", "version"), "all are of 5.0.10"),
            ((versions[0], mpich, "--by", "version"), "use --by time or --by given"),
            ((versions[0], tmp_path / "none"), "none")):
        result = command("history", *arguments)
        assert (result.code, words in result.err) == (2, True), result.err
    assert command("history", versions[0], mpich).code == 0
    other = write_audit(tmp_path / "ranks", make_report(ranks=16, sizes=(1, 100))[0])
    assert "these have 8, 16; make a history of each" in command("history", versions[0], other).err


def test_no_change_is_said(tmp_path: Path, command: Command) -> None:
    document = make_report(sizes=(1, 100))[0]
    folders = [folder_of(tmp_path / str(day), document, [1.0], f"2026-02-{day:02}T00:00:00Z",
                         "Open MPI v5.0.6") for day in range(1, 13)]
    result = command("history", *folders, "--fail-on", "slowdown")
    assert (result.code, result.out.splitlines()[0]) == (0, "No operation was shown to have changed")
    assert "10 audits without a change are left out: --columns all shows them" in " ".join(result.out.split())
    assert math.isclose(sum(each.share for each in stretches_of(12 * [1])), ALPHA)
