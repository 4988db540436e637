# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of picture in every format, and the error if nothing can be drawn."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from analysis import samples
from analysis.reports import read_all
from analysis.tests.conftest import Command
from analysis.tests.synthetic import write_audit


def texts_of(path: Path) -> str:
    """All text of an SVG file."""
    return " ".join(element.text or "" for element in ElementTree.parse(path).iter()
                    if element.tag.endswith("}text"))


def test_all_kinds_without_being_asked(audit: Path, tmp_path: Path, command: Command) -> None:
    result = command("plot", audit, "-o", tmp_path)
    assert result.code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[:6] == ["bars-allgather-b=10000.png", "bars-bcast-b=10000.png",
                         "bars-gather-b=10000.png", "curves-allgather.png", "curves-bcast.png",
                         "curves-gather.png"]
    assert names[6] == "heatmap.png"
    assert names[7].startswith("samples-")
    assert len(result.out.splitlines()) == len(names) == 8
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in tmp_path.iterdir())


def test_curves_name_units_implementations_and_violations(audit: Path, tmp_path: Path,
                                                          command: Command) -> None:
    command("plot", audit, "--kind", "curves", "--collective", "gather", "--format", "svg",
            "--format", "pdf", "-o", tmp_path)
    assert (tmp_path / "curves-gather.pdf").read_bytes().startswith(b"%PDF")
    text = texts_of(tmp_path / "curves-gather.svg")
    for words in ("median time [µs]", "total size of all blocks, m", "MPI_Gatherv", "spikes",
                  "MPI_Allreduce(1) + MPI_Gather(m')", "violates a guideline", "Open MPI v4.1.4"):
        assert words in text


def test_curves_of_chosen_implementations(audit: Path, tmp_path: Path, command: Command) -> None:
    command("plot", audit, "--kind", "curves", "--implementation", "TUW_Gatherv", "--format",
            "svg", "-o", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["curves-gather.svg"]
    assert "linear_Gatherv" not in texts_of(tmp_path / "curves-gather.svg")


def test_curves_of_an_operation_that_is_measured_in_one_of_two_layouts(
        audit: Path, tmp_path: Path, command: Command) -> None:
    document = json.loads((audit / "report.json").read_text(encoding="utf-8"))
    for problem in document["problems"]:
        problem["contestants"][:0] = [
            {key: value for key, value in each.items() if key != "statistics"} | {"skipped": "no time"}
            for each in problem["contestants"]]
    copy = write_audit(tmp_path / "copy", document)
    assert command("plot", copy, "--kind", "curves", "--format", "svg", "-o", tmp_path).code == 0
    assert "MPI_Gatherv" in texts_of(tmp_path / "curves-gather.svg")


def test_bars_at_one_size(audit: Path, tmp_path: Path, command: Command) -> None:
    command("plot", audit, "--kind", "bars", "--collective", "gather", "--size", "100",
            "--format", "svg", "-o", tmp_path)
    text = texts_of(tmp_path / "bars-gather-b=100.svg")
    for words in ("block size b = 100", "needs equal blocks", "violated", "median time [µs]",
                  "tick: minimum"):
        assert words in text


def test_heat_map_marks_verdicts(audit: Path, tmp_path: Path, command: Command) -> None:
    command("plot", audit, "--kind", "heatmap", "--format", "svg", "-o", tmp_path)
    text = texts_of(tmp_path / "heatmap.svg")
    verdicts = [check["verdict"] for check in
                json.loads((audit / "report.json").read_text())["checks"]]
    assert text.count("!") == verdicts.count("violated") + 1  # and the legend
    assert "MPI_Gather(m) ≤ MPI_Gatherv(m)" in text


def test_samples_of_a_chosen_check(audit: Path, tmp_path: Path, command: Command) -> None:
    result = command("plot", audit, "--kind", "samples", "--check", "gatherv-tuw@spikes/b=100",
                     "--format", "svg", "-o", tmp_path)
    assert result.code == 0
    text = texts_of(tmp_path / "samples-gatherv-tuw-spikes-b=100.svg")
    for words in ("time [µs]", "left / right", "on spikes/b=100", "TUW_Gatherv"):
        assert words in text


def test_samples_are_those_of_all_launches(audit: Path, tmp_path: Path, command: Command) -> None:
    joint = tmp_path / "joint"
    shutil.copytree(audit, joint)
    for number in (1, 2, 10):
        (joint / f"confirmation-{number}").mkdir()
        shutil.copy(audit / "samples.jsonl", joint / f"confirmation-{number}")
    report, = read_all([joint])
    check = next(each for each in report.violations if "ratio" in each)
    one, all_launches = samples.pair_of(read_all([audit])[0], check), samples.pair_of(report, check)
    assert (all_launches.left, all_launches.right) == (4 * one.left, 4 * one.right)
    assert all_launches.ends == tuple(len(one.left) * launch for launch in (1, 2, 3, 4))
    command("plot", joint, "--kind", "samples", "-o", tmp_path, "--format", "svg")
    picture, = tmp_path.glob("*.svg")
    assert "round; dotted: between 4 launches" in texts_of(picture)
    assert samples.of_checks(report, [check], 10**6)[check["problem"]][check["left"]] == 4 * one.left


def test_scaling_over_ranks(scales: list[Path], tmp_path: Path, command: Command) -> None:
    result = command("plot", *scales, "--kind", "scaling", "--collective", "gather",
                     "--distribution", "spikes", "--format", "svg", "-o", tmp_path)
    assert result.code == 0
    text = texts_of(tmp_path / "scaling-gather-spikes-b=100.svg")
    for words in ("ranks", "1 node", "MPI_Gatherv", "left / right"):
        assert words in text


def test_what_is_only_verified_has_no_picture_of_scaling(
        scales: list[Path], tmp_path: Path, command: Command) -> None:
    paths = []
    for scale in scales:
        document = json.loads((scale / "report.json").read_text(encoding="utf-8"))
        problem = next(each for each in document["problems"] if each["id"] == "same/b=100")
        verified = {**problem, "id": "verify-same/b=100", "distribution": "verify-same", "verification": True,
                    "contestants": [{key: value for key, value in each.items() if key != "statistics"}
                                    for each in problem["contestants"]]}
        document["problems"].append(verified)
        paths.append(write_audit(tmp_path / scale.name, document))
    plots = tmp_path / "plots"
    assert command("plot", *paths, "--kind", "scaling", "--collective", "gather", "--format", "svg", "-o",
                   plots).code == 0
    assert sorted(path.name for path in plots.iterdir()) == [
        "scaling-gather-same-b=100.svg", "scaling-gather-spikes-b=100.svg"]


def test_simulated_is_said(simulated: Path, tmp_path: Path, command: Command) -> None:
    assert command("plot", simulated, "--format", "svg", "-o", tmp_path).code == 0
    pictures = list(tmp_path.iterdir())
    assert len(pictures) == 8
    assert all("simulated" in texts_of(path) for path in pictures)


def test_pictures_are_reproducible(audit: Path, tmp_path: Path, command: Command) -> None:
    for folder in ("a", "b"):
        command("plot", audit, "--kind", "heatmap", "--format", "svg", "-o", tmp_path / folder)
    one, other = ((tmp_path / folder / "heatmap.svg").read_bytes() for folder in ("a", "b"))
    assert re.sub(rb"<dc:date>.*?</dc:date>", b"", one) == other


@pytest.mark.parametrize(("option", "words"), [
    (("--kind", "samples", "--check", "nothing@here"), "give GUIDELINE@PROBLEM, as in gather-"),
    (("--kind", "bars", "--size", "5"), "no block size 5"),
    (("--kind", "scaling"), "scaling needs reports at two numbers of ranks at least"),
    (("--kind", "curves", "--implementation", "x"), "no implementation 'x'"),
    (("--kind", "curves", "--collective", "bcast", "--implementation", "TUW_Gatherv"),
     "nothing to draw"),
])
def test_what_cannot_be_drawn(option: tuple[str, ...], words: str, audit: Path, tmp_path: Path,
                              command: Command) -> None:
    result = command("plot", audit, "-o", tmp_path, *option)
    assert result.code == 2
    assert words in result.err


def test_missing_and_torn_samples(audit: Path, tmp_path: Path, command: Command) -> None:
    document = json.loads((audit / "report.json").read_text(encoding="utf-8"))
    lines = (audit / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    copy = write_audit(tmp_path / "copy", document)
    arguments = ("plot", copy, "--kind", "samples", "--check", "gatherv-tuw@same/b=1", "-o",
                 tmp_path / "plots")
    assert "raw samples of the report cannot be read" in command(*arguments).err
    samples = copy / "samples.jsonl"
    samples.write_text("\n".join([*lines[:2], lines[2][:40]]), encoding="utf-8")
    assert command(*arguments).code == 0  # the torn last line is another problem's
    samples.write_text(lines[0] + "\n", encoding="utf-8")
    assert "no samples of the problem same/b=1" in command(*arguments).err
    samples.write_text("{\n" + lines[1] + "\n", encoding="utf-8")
    assert "samples.jsonl:1: not JSON" in command(*arguments).err
    samples.write_text(lines[1].replace('"samples_s"', '"other"'), encoding="utf-8")
    assert "no samples of MPI_Gatherv(m) on same/b=1" in command(*arguments).err


def test_scaling_refuses_what_does_not_belong_together(
        scales: list[Path], simulated: Path, tmp_path: Path, command: Command) -> None:
    arguments = ("plot", "--kind", "scaling", "-o", tmp_path)
    assert "two have 2" in command(*arguments, scales[0], scales[0], scales[1]).err
    assert "all measured or all simulated" in command(*arguments, scales[0], simulated).err


def test_missing_matplotlib(audit: Path, tmp_path: Path, command: Command,
                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast(dict[str, Any], sys.modules), "matplotlib", None)
    for arguments in (("plot", audit, "-o", tmp_path), ("html", audit, "-o", tmp_path / "p")):
        result = command(*arguments)
        assert result.code == 2
        assert "apt-get install python3-matplotlib, or " in result.err or (
            "-m pip install matplotlib" in result.err)
        assert result.err.count("\n") == 1
