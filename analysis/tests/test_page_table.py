# SPDX-License-Identifier: BSD-3-Clause
"""The table at the beginning of the page and the explanations behind its rows."""

import html
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from analysis import page, page_explanations, page_operations, page_picture
from analysis.reports import read_all
from analysis.tests.synthetic import completed, make_report, write_audit


def table_document() -> dict[str, Any]:
    """An audit of 7 launches with a blocking operation, another form and a setting."""
    document = completed(make_report(sizes=(1, 100, 10000), distributions=("same", "spikes"))[0])
    document["schema_version"] = "2.3"
    document["summary"] |= {"headline": "SLOW: 1 of 3 blocking operations",
                            "launches_in_words": ", 7 launches"}
    first, second = document["overview"][:2]
    first |= {"takes_s": 113.2e-6, "instead_s": 96.04e-6, "lost_s": 17.16e-6, "factor": 1.18,
              "low_bytes": 480000, "high_bytes": 524288, "factor_low": 1.11, "factor_high": 1.24,
              "worst": {"factor": 2.531, "problem": first["problem"], "contestant": "x", "bytes": 524288},
              "sentence": "1.18 times as long as x at 512 KiB, at worst 2.53 times; a call loses 17.2 µs",
              "instead": "MPI_Exscan + MPI_Reduce_local; needs a commutative operator"}
    second |= {"is_other_form": True, "takes_s": 0.714e-6, "instead_s": 0.6e-6, "lost_s": 0.114e-6,
               "factor": 1.19, "worst": {"factor": 1.19, "problem": second["problem"], "contestant": "x"}}
    check = next(each for each in document["checks"] if (each["guideline"], each["problem"]) == (
        first["guideline"], first["problem"]))
    check["launches"] = [{"launch": number, "verdict": "violated" if number < 7 else "undecided", "rounds": 9,
                          "slower": 9, "factor": 1.7, "evidence": {"log_e_violated": 1.0, "log_e_holds": 1.0}}
                         for number in range(1, 8)]
    return document


def cells_of(text: str, code: str) -> list[str]:
    """The texts of a row of the page's first table."""
    row = text[text.index(f'aria-label="Explain {code},'):]
    return [" ".join(html.unescape(re.sub("<[^>]*>", "", each)).split())
            for each in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row[:row.index("</tr>")], re.DOTALL)]


def box_of(text: str, code: str) -> str:
    """What a person reads in the explanation of a row, without tooltips and commands."""
    box = text[text.index(f'<details class="finding" id="{code}">'):]
    box = box[:box.index("</details>")]
    for hidden in ("title", "pre", "summary"):
        box = re.sub(f"<{hidden}>.*?</{hidden}>", "", box, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", box)).split())


def test_the_page_opens_with_the_table_of_the_screen(tmp_path: Path) -> None:
    document = table_document()
    document["generated_calls"] = {"seed": 1, "calls": 15, "seconds": 1.0, "valid_pairs": 90,
                                   "covered_pairs": 80, "operations": [], "findings": []}
    text = page.render(read_all([write_audit(tmp_path, document)]))
    said = ("<h1>Open MPI v4.1.4, 8 ranks, 7 launches</h1>", "SLOW: 1 of 3 blocking operations",
            "RIGHT: no new fault in 15 generated calls (80 of 90 pairs)", '<table id="rows"', "Other forms",
            '<section id="sure">', '<section id="map">')
    places = [text.index(words) for words in said]
    assert places == sorted(places)
    name = document["overview"][0]["operation"].removeprefix("MPI_")
    assert cells_of(text, "S1") == [name, "113", "96.0", "17.2", "2.53", "469 KiB to 512 KiB",
                                    "Exscan + Reduce_local *"]
    assert cells_of(text, "S2")[1:5] == ["0.714", "0.600", "0.114", "1.19"]
    assert text.count('class="row barely"') == 1


def test_a_box_has_one_ratio_and_names_the_worst_once(tmp_path: Path) -> None:
    document = table_document()
    document["faster_settings"] = [{"operation": document["overview"][0]["operation"], "variables": "A=1 B=3",
                                    "algorithm": "x", "family": "x", "factor": 1.42, "saved_s": 1.74e-4,
                                    "launches": 2, "bytes": 2097152, "slower_at_bytes": [8],
                                    "slower_by": 1.26, "sentence": "x"}]
    text = page.render(read_all([write_audit(tmp_path, document)]))
    box = box_of(text, "S1")
    assert "6 of 7 launches that compared the two ways say so; the ratio lies within 1.11 to 1.24" in box
    assert "Set (a call takes 174.0 µs less at 2 MiB, but more at 8 B: 26 % more):" in box
    assert "MPI_INT" in box and "needs a commutative operator" in box
    assert re.findall(r"(\d[.\d]*) times", box) == ["1.18", "2.53"]
    assert box.count("2.53") == 1
    assert not re.search(r"1\.7\b|1\.42|1\.26", box)
    assert cells_of(text, "S1")[-1] == "set a variable *"
    assert "<code>A=1 B=3</code>" in text


def test_no_internal_name_in_what_is_read_first(tmp_path: Path) -> None:
    document = table_document()
    row, odd = document["overview"][0], "double-max-root-0"
    document["distributions"] = [{"name": "same"}, {"name": "spikes"}, {"name": odd, "repeats": "same"}]
    usual = next(each for each in document["problems"] if each["distribution"] == "same")
    document["problems"].append({**usual, "id": f"{odd}/b=8", "distribution": odd, "element": "double",
                                 "operator": "max", "root": usual["root"] + 1, "contestants": []})
    check = next(each for each in document["checks"] if (each["guideline"], each["problem"]) == (
        row["guideline"], row["problem"]))
    document["checks"].append({**check, "problem": f"{odd}/b=8"})
    row |= {"problem": f"{odd}/b=8", "caveat": f"2.00 times as long on {odd} at 8 B",
            "ranges": [f"{odd}: at 8 B, up to 3 times"]}
    text = page.render(read_all([write_audit(tmp_path, document)]))
    box = box_of(text, "S1")
    assert odd not in box
    assert f"on same, MPI_DOUBLE, MPI_MAX, root {usual['root'] + 1} at 8 B" in box
    assert "blocks: same; MPI_DOUBLE" in box
    assert f"<title>{odd}/b=8: takes" in text


def test_code_keeps_its_lines(tmp_path: Path) -> None:
    document = table_document()
    document["overview"][0]["code"] = "int p;\nif (p < 2) {\n    MPI_Alltoall(a, b);\n}"
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "<pre><code>int p;\nif (p &lt; 2) {\n    MPI_Alltoall(a, b);\n}</code></pre>" in text


def test_the_picture_has_a_point_for_each_problem(tmp_path: Path) -> None:
    report, = read_all([write_audit(tmp_path, table_document())])
    for each in page_operations.operations_of(report):
        points = page_explanations.points_of(each)
        measured = {check["problem"] for check in report.verdicts
                    if "rounds" in check and report.operation(check["left"]) == each.name}
        assert {point.problem["id"] for point in points} == measured and len(points) == len(measured)
        assert [point.bytes for point in points] == sorted(point.bytes or 0 for point in points)
        svg = ElementTree.fromstring(page_picture.drawn(points, "times"))
        circles = list(svg.iter("circle"))
        assert len(circles) == len(points)
        width, height = page_picture.WIDTH, page_picture.HEIGHT
        assert all(0 < float(circle.get("cx", "")) < width and 0 < float(circle.get("cy", "")) < height
                   for circle in circles)
        # More time is higher, more bytes are further right.
        by_time = sorted(zip(points, circles, strict=True), key=lambda pair: pair[0].largest.takes_s)
        heights = [float(circle.get("cy", "")) for _, circle in by_time]
        assert heights == sorted(heights, reverse=True) and len(set(heights)) > 1
        places = [float(circle.get("cx", "")) for circle in circles]
        assert places == sorted(places)
