# SPDX-License-Identifier: BSD-3-Clause
"""Whatever a report holds, a command gives a result or one line, and nothing steers a terminal.

More cases, or others: --mutations 20000 --mutation-seed 7
"""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.plain import parse, plain
from analysis.tests.conftest import Command
from analysis.tests.mutations import mutated
from analysis.tests.synthetic import completed, make_report, write_audit

ROOT = Path(__file__).parents[2]
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
# A picture takes a hundred times as long as a table.
COMMANDS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (24, ("table", "REPORT")), (16, ("table", "REPORT", "--format", "csv")),
    (8, ("table", "REPORT", "--format", "latex")), (8, ("table", "REPORT", "--format", "markdown")),
    (24, ("scales", "REPORT")),
    (12, ("compare", "REPORT", "OTHER")), (12, ("compare", "OTHER", "REPORT", "--format", "html")),
    (4, ("html", "REPORT", "-o", "OUT.html")),
    (2, ("plot", "REPORT", "--kind", "heatmap", "--kind", "samples", "-o", "OUT")),
    (1, ("plot", "REPORT", "--kind", "curves", "--kind", "bars", "-o", "OUT")))


def small_audit(launches: bool = True) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """An audit with everything that a report may have."""
    document, lines = make_report(sizes=(1, 100), distributions=("same",))
    for check in document["checks"]:
        if check["verdict"] == "violated" and launches:
            check["kind"] = "verdict"
            check["remedy"] = {"contestant": check["right"], "factor": 1.5, "saved_s": 1e-6,
                               "code": "MPI_Gather(a, b);"}
            check["launches"] = [{"launch": 1} | {key: check[key] for key in (
                "verdict", "rounds", "slower", "left_statistics", "right_statistics", "ratio",
                "evidence")}]
    return document, lines


def run_case(number: int, seed: int, folder: Path, command: Command) -> None:
    source = random.Random(f"{seed} {number}")
    document, lines = small_audit()
    document = completed(document)
    other = write_audit(folder / "other", document)
    broken = write_audit(folder / "broken", document, lines)
    if source.random() < 0.85:
        (broken / "report.json").write_bytes(mutated(document, source))
    else:
        text = b"".join(mutated(line, source) + b"\n" if source.random() < 0.5 else
                        json.dumps(line).encode() + b"\n" for line in lines)
        (broken / "samples.jsonl").write_bytes(text)
    words = source.choices([words for _, words in COMMANDS],
                           [weight for weight, _ in COMMANDS])[0]
    names = {"REPORT": broken, "OTHER": other, "OUT": folder / "out",
             "OUT.html": folder / "out.html", "OUT.xml": folder / "out.xml"}
    result = command(*(names.get(word, word) for word in words))
    case = f"case {number} of seed {seed}: {words}"
    assert result.code in (0, 1, 2), case
    assert not STEERING.search(result.out + result.err), case
    if result.code == 2:
        assert result.err.count("\n") == 1, f"{case}: {result.err}"
        # Pictures that were drawn before the failure exist and are named.
        assert result.out == "" or words[0] == "plot", case
        assert "Error" not in result.err and "Traceback" not in result.err, f"{case}: {result.err}"


def test_mutated_reports(request: pytest.FixtureRequest, tmp_path: Path, command: Command) -> None:
    seed: int = request.config.getoption("--mutation-seed")
    for number in range(request.config.getoption("--mutations")):
        run_case(number, seed, tmp_path, command)


@pytest.mark.parametrize("arguments", [
    ("table",), ("html", "-o", "page.html"), ("plot", "-o", "plots"), ("scales",),
    ("network", "-o", "n.png")])
def test_deep_nesting_is_refused_in_one_line(arguments: tuple[str, ...], tmp_path: Path,
                                             command: Command) -> None:
    path = tmp_path / "report.json"
    for text in ("[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000):
        path.write_text(text)
        options = [tmp_path / word if "." in word or word == "plots" else word
                   for word in arguments[1:]]
        result = command(arguments[0], path, *options)
        assert result.code == 2
        assert "nested too deeply" in result.err and result.err.count("\n") == 1


def test_the_unsafe_characters_are_those_of_the_program() -> None:
    source = (ROOT / "src/auditor/text/plain.cpp").read_text(encoding="utf-8")
    body = source.split("bool acts_on_a_terminal")[1].split("\n}\n")[0]
    ranges = [(int(first, 16), int(last, 16))
              for first, last in re.findall(r"is_within\((0x\w+), (0x\w+)\)", body)]
    single = {int(code, 16) for code in re.findall(r"code == (0x\w+)", body)}
    assert len(ranges) == 4 and single == {0xfeff} and "code < 0x20" in body
    for code in (*range(0xd800), *range(0xe000, 0x10000)):
        acts = (code < 0x20 and chr(code) not in "\n\t") or code in single or any(
            first <= code <= last for first, last in ranges)
        assert (plain(chr(code)) != chr(code)) == acts, hex(code)


def test_control_characters_become_visible(tmp_path: Path, command: Command) -> None:
    document, _ = make_report(sizes=(1,), distributions=("same",))
    document["mpi"]["library"] = document["summary"]["library"] = "Evil\x1b]0;pwned\x07 MPI"
    document["guidelines"][0]["statement"] = "a\x9b31m <= \u202eb"
    document["checks"][0]["reason"] = "\ud800"
    audit = write_audit(tmp_path, document)
    for words in (("table",), ("scales",), ("table", "--format", "markdown")):
        text = command(words[0], audit, *words[1:]).out
        assert not STEERING.search(text)
        assert "Evil\\x1b]0;pwned\\x07 MPI" in text.replace("\\\\", "\\").replace("\\]", "]")
    assert command("html", audit, "-o", tmp_path / "page.html").code == 0
    assert not STEERING.search((tmp_path / "page.html").read_text(encoding="utf-8"))
    # File names are text from elsewhere, too.
    result = command("table", tmp_path / "\x1b[31m.json")
    assert result.code == 2
    assert "\\x1b[31m" in result.err


@pytest.mark.parametrize("text", [
    '{"a": 1e400}', '{"a": 1e308}', '{"a": -1E+200}', '{"a": ' + "9" * 400 + "}",
    '{"a": ' + "9" * 5000 + "}", '{"a": NaN}', '{"a": "\x01"}'])
def test_numbers_and_texts_that_cannot_be_used_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text.encode())


def test_what_can_be_used_is_kept() -> None:
    value = {"a": [1e-320, 12345678901234567, -1.5e-17, 0.00012345678901234567], "µ": "≤ \n\té😀"}
    kept = parse(json.dumps(value).encode())
    assert kept == value | {"a": [0.0, *value["a"][1:]]}
    assert parse(json.dumps(value, ensure_ascii=False).encode()) == kept
    assert parse(b'{"\\ud83d\\ude00": "\\ud83d"}') == {"\U0001f600": "\ufffd"}
    assert plain("a\x1bb") == "a\\x1bb"


def python(words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(f"{sys.executable} -B -m analysis {words}", shell=True, cwd=ROOT,
                          capture_output=True, text=True, check=False,
                          env=os.environ | environment)


def test_output_that_is_ascii_closed_or_full(audit: Path) -> None:
    done = python(f"table {audit} --collective bcast", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and done.stderr == ""
    assert "times in us" in done.stdout
    done = python(f"table {audit} >&-")
    assert (done.returncode, done.stderr) == (2, "table: standard output is closed\n")
    done = python(f"table {audit} > /dev/full")
    assert (done.returncode, done.stderr) == (
        2, "table: standard output: No space left on device\n")
    done = python(f"table {audit} -o /dev/full")
    assert (done.returncode, done.stderr) == (
        2, "table: /dev/full: cannot be written, it is no regular file; give the name of a file\n")
    assert Path("/dev/full").is_char_device()
    assert python(f"table {audit} 2>&-").returncode == 0


def test_a_link_is_neither_replaced_nor_followed(audit: Path, tmp_path: Path,
                                                 command: Command) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "t.txt").symlink_to(tmp_path / "victim")
    result = command("table", audit, "-o", tmp_path / "t.txt")
    assert result.code == 2
    assert "t.txt: cannot be written, it is a symbolic link; give the name" in result.err
    assert (tmp_path / "victim").read_text() == "precious"
    assert (tmp_path / "t.txt").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.txt", "victim"]


def test_simulated_without_a_word_about_the_simulation(tmp_path: Path, command: Command) -> None:
    document, _ = make_report(sizes=(1,), distributions=("same",))
    document["simulated"] = True
    audit = write_audit(tmp_path, document)
    assert command("html", audit, "-o", tmp_path / "page.html").code == 0


def test_launches_without_numbers_and_intervals_without_end(tmp_path: Path,
                                                            command: Command) -> None:
    document, _ = small_audit()
    for check in document["checks"]:
        for launch in check.get("launches", []):
            launch["ratio"] = {"low": "x"}
    other = write_audit(tmp_path / "other", document)
    assert command("html", other, "-o", tmp_path / "page.html").code == 0
    for contestant in document["problems"][0]["contestants"]:
        contestant["statistics"]["mean_high_s"] = 1e15
    audit = write_audit(tmp_path / "audit", document)
    assert command("compare", other, audit).code == 0
