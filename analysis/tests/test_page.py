# SPDX-License-Identifier: BSD-3-Clause
"""The page as text, and in headless Chromium as a reader uses it."""

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis import page, page_operations, page_rows, page_words
from analysis.fields import VERDICTS, Check
from analysis.reports import Report, read_all
from analysis.tests import browser
from analysis.tests.conftest import Command
from analysis.tests.paper import paper_report
from analysis.tests.synthetic import completed, make_report, write_audit

VOID = {"meta", "link", "br", "input"}


class Checker(HTMLParser):
    """Elements that do not close, and what the page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.identifiers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        values = dict(attrs)
        self.identifiers += [values["id"] or ""] if "id" in values else []
        for key in ("src", "href", "xlink:href"):
            value = values.get(key) or "#"
            if not value.startswith(("#", "data:")):
                self.fetched.append(value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def first_check(report: Report) -> Check:
    """The check of the first row of a page."""
    return page_operations.operations_of(report)[0].check


@pytest.fixture(scope="module")
def written(audit: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page.render(read_all([audit])), encoding="utf-8")
    return path


def test_the_page_is_well_formed_and_fetches_nothing(written: Path) -> None:
    checker = Checker()
    checker.feed(written.read_text(encoding="utf-8"))
    assert checker.open == []
    assert checker.fetched == []
    assert len(set(checker.identifiers)) == len(checker.identifiers)


def test_what_the_page_says(written: Path, audit: Path) -> None:
    text = written.read_text(encoding="utf-8")
    report, = read_all([audit])
    worst = first_check(report)
    for words in (report.headline,
                  "needs equal blocks", "at most 1 %", worst["reproduce"],
                  "slower in", "e-value", "MPI_Wtime", "OMPI_MCA_coll"):
        assert words in text
    assert text.count("<svg ") == 3
    assert "simulated" not in text


def test_an_operation_stands_once_with_its_sizes_ways_and_programs(written: Path, audit: Path) -> None:
    text = written.read_text(encoding="utf-8")
    report, = read_all([audit])
    names = {check["left"].partition("(")[0] for check in report.violations}
    assert text.count('<details class="finding"') == len(names)
    operations = page_operations.operations_of(report)
    assert {each.name for each in operations} == names
    axis = page_operations.axis_of(operations)
    for each in operations:
        assert f'<b class="name">{each.name}</b> {each.row["sentence"]}' in text
        bars = each.bars(axis)
        assert sum(bar.violated for bar in bars) == each.counts["violated"]
        assert min(bar.left for bar in bars) >= 0 and max(bar.left + bar.width for bar in bars) <= 100.01
        assert f"{each.counts['violated']} of {each.decided} decided checks violated" in text
        for way in each.ways:
            assert f"<td>{report.label(way['contestant'])}</td>" in text
        assert f"--check &#39;{each.check['guideline']}@{each.check['problem']}&#39;" in text


def test_a_report_without_rows_names_the_command(tmp_path: Path, command: Command) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    folder = write_audit(tmp_path / "old", document | {"schema_version": "1.7"})
    result = command("html", folder, "-o", tmp_path / "page.html")
    assert result.code == 2
    assert result.err.strip().endswith(
        "has no rows for the violated operations, since an older mpiaudit wrote it; judge it again: "
        f"mpiaudit judge {folder} --report {folder}/report.json")
    # Tables need no rows.
    assert command("table", folder).code == 0


def test_the_ranges_of_a_row_are_told(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    document = completed(document)
    document["overview"][0]["ranges"] = [f"same: at {size} B" for size in range(8)]
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "<li>same: at 5 B</li><li>and 2 more</li>" in text


def test_a_row_about_nothing_is_refused(tmp_path: Path, command: Command) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    document = completed(document)
    document["overview"][0]["problem"] = "elsewhere"
    result = command("html", write_audit(tmp_path, document))
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "overview/0 is about MPI_" in result.err


def test_the_page_has_the_verdict_of_filtered_means(tmp_path: Path) -> None:
    report, _ = make_report(sizes=(100,), distributions=("same",))
    check = next(each for each in report["checks"] if each["verdict"] == "violated")
    check["verdicts"]["filtered_means"] = "holds"
    report["summary"]["filtered_means_in_words"] = "Means accuse 2 of 5 measured checks."
    text = page.render(read_all([write_audit(tmp_path, report)]))
    assert '<p class="fine">Means accuse 2 of 5 measured checks.</p>' in text
    data = json.loads(page_rows.rows_json(read_all([tmp_path])))
    row = next(row for row, guideline in enumerate(data["rows"]["guideline"])
               if data["texts"][guideline] == check["guideline"])
    assert data["verdicts"][data["rows"]["means"][row]] == "holds"
    # A report before 1.8 has no such verdict.
    del check["verdicts"]
    old = write_audit(tmp_path, report)
    assert json.loads(page_rows.rows_json(read_all([old])))["rows"]["means"][row] is None


def test_launches_of_one_audit_are_one_audit(tmp_path: Path, command: Command) -> None:
    first, second, joint = (make_report(sizes=(1, 10), distributions=("same",))[0] for _ in range(3))
    seeds = {"order_seed": 1, "checks": 12, "elapsed_s": 1.0, "machine": {}}
    second["started"] = "2026-01-15T09:40:00Z"
    second["confirms"] = {"folder": "a", "started": first["started"], "order_seed": 1, "suspects": [],
                          "controls": []}
    joint["launches"] = [{"started": each["started"], **seeds} for each in (first, second)]
    paths = [write_audit(tmp_path / name, each) for name, each in
             (("a", first), ("a/confirmation-1", second), ("joint", joint))]
    page_file = tmp_path / "page.html"
    refused = command("html", paths[0], paths[1], "-o", page_file)
    assert refused.code == 2
    assert f"mpiaudit judge {paths[0]} {paths[1]} --report {paths[0] / 'report.json'}" in refused.err
    assert command("html", paths[2], paths[1], "-o", page_file).code == 0
    text = page_file.read_text(encoding="utf-8")
    assert "1 audit, 2 launches judged together" in text and "2 audits" not in text


@pytest.mark.parametrize(("nodes", "order", "ranks", "lines"), [
    ([[0, 1, 2, 3], [4, 5, 6, 7]], "block", "8 ranks on 2 hosts, 4 on each, in blocks",
     ["4 ranks: 0-3", "4 ranks: 4-7"]),
    ([[0, 2, 4, 6], [1, 3, 5, 7]], "cyclic",
     "8 ranks on 2 hosts, 4 on each, cyclic (rank r on host r mod hosts)", ["4 ranks: 0, 2, 4, 6"]),
    ([[0, 1, 2, 4, 6, 7], [3, 5]], "irregular",
     "8 ranks on 2 hosts, 2 to 6 on each, in irregular order", ["6 ranks: 0-2, 4, 6-7", "2 ranks: 3, 5"])])
def test_the_page_says_how_ranks_lie_on_hosts(nodes: list[list[int]], order: str, ranks: str,
                                              lines: list[str], tmp_path: Path) -> None:
    document = make_report(sizes=(1, 10), distributions=("same",))[0]
    machine = document["machine"]
    machine["hosts"] = [{"name": f"n{i}", "ranks": own} for i, own in enumerate(nodes)]
    sizes = [len(own) for own in nodes]
    machine["placement"] = {"hosts": 2, "least_ranks": min(sizes), "most_ranks": max(sizes), "order": order}
    reports = read_all([write_audit(tmp_path, document)])
    text = page.render(reports)
    for words in (f"<dt>Ranks</dt><dd>{ranks}</dd>", *(f"<dd>{line}</dd>" for line in lines)):
        assert words in text


def test_reasons_that_differ_in_numbers_are_counted_together(tmp_path: Path) -> None:
    document = make_report(sizes=(1, 10), distributions=("same",))[0]
    said = ["not clear after 111 rounds: too close", "not clear after 79 rounds: too close",
            "launches disagree: ratios 1.40 0.97 in launches 1 2",
            "launches disagree: ratios 1.10 1.05 1.08 in launches 1 2 4"]
    for check, reason in zip(document["checks"], said, strict=False):
        check.update(verdict="undecided", reason=reason)
    document["checks"] = document["checks"][:len(said)]
    report = read_all([write_audit(tmp_path, document)])[0]
    assert page_words.reasons(report, "undecided") == [
        ("not clear after \u2026 rounds: too close", 2), ("launches disagree", 2)]
    for check in document["checks"]:
        check.update(verdict="skipped", reason="needs 9.1 GiB per rank")
    report = read_all([write_audit(tmp_path / "skipped", document)])[0]
    assert page_words.reasons(report, "skipped") == [("needs 9.1 GiB per rank", 4)]


def test_hostile_names_are_text(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",))[0]
    document["warnings"] = ["<script>alert(1)</script>"]
    document["checks"][0]["reason"] = "</script><b>"
    document["guidelines"][0]["statement"] = "a < b & c"
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "<script>alert" not in text
    assert "</script><b>" not in text
    assert "a &lt; b &amp; c" in text


def test_incomplete_wrong_and_simulated_are_told(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",), simulated=True)[0]
    document["complete"] = False
    document["summary"]["incomplete"] = "The audit is not complete: 1 of 8 problems measured."
    contestant = document["problems"][0]["contestants"][3]
    del contestant["statistics"]
    contestant["wrong"] = "rank 3 holds block 2 instead of 3"
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "The audit is not complete: 1 of 8 problems measured." in text
    assert "Wrong result." in text
    assert "rank 3 holds block 2 instead of 3" in text
    assert "All times are simulated" in text
    assert text.count('class="badge">simulated') >= 3


def test_distributions_that_share_no_size(tmp_path: Path) -> None:
    """The audit of an application has more distributions than a picture shows, each with other sizes."""
    document = make_report()[0]
    for i, problem in enumerate(document["problems"]):
        problem["distribution"], problem["block_size"] = f"call site {i}", 8440 + i
    assert "8440" in page.render(read_all([write_audit(tmp_path, document)]))


def test_a_report_by_averages_and_one_without_checks(tmp_path: Path) -> None:
    text = page.render(read_all([write_audit(tmp_path / "t", paper_report(1))]))
    assert "no bound on the chance of false violations" in text
    document = make_report(sizes=(1,), distributions=("same",))[0]
    document["checks"] = []
    document["summary"]["headline"] = "It measured implementations and compared none."
    text = page.render(read_all([write_audit(tmp_path / "n", document)]))
    assert "compared none" in text


def test_rows_hold_every_check_worst_first(audit: Path) -> None:
    report, = read_all([audit])
    data = json.loads(page_rows.rows_json([report]))
    rows, texts = data["rows"], data["texts"]
    seen = {(texts[guideline], *data["problems"][problem][:2]): (data["verdicts"][verdict], ratio)
            for guideline, problem, verdict, ratio in zip(
                rows["guideline"], rows["problem"], rows["verdict"], rows["ratio"], strict=True)}
    assert len(seen) == len(report.data["checks"]) == len(rows["verdict"])
    for check in report.data["checks"]:
        problem = report.problems[check["problem"]]
        verdict, ratio = seen[check["guideline"], problem["distribution"], problem["block_size"]]
        assert verdict == check["verdict"]
        assert ratio == pytest.approx(check["ratio"]["median"], rel=1e-3) if (
            "ratio" in check) else ratio is None
    commands = {data["commandPrefix"] + data["commands"][number]
                for number in rows["command"] if number >= 0}
    assert commands == {check["reproduce"] for check in report.violations}
    assert rows["verdict"] == sorted(rows["verdict"])


def test_many_checks_are_cut_without_script(tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "STATIC_ROWS", 5)
    monkeypatch.setattr(page, "PICTURED_COLLECTIVES", 1)
    document = make_report(sizes=(1, 10), distributions=("same",))[0]
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "The first 5 of 12 checks" in text
    assert re.search(r"Without pictures here: \w+, \w+\.", text)


def test_several_audits_and_scaling(scales: list[Path], tmp_path: Path, command: Command) -> None:
    output = tmp_path / "page.html"
    assert command("html", *scales, "-o", output).out == f"{output}\n"
    text = output.read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert "<h1>3 audits: Open MPI v4.1.4, 2 to 8 ranks</h1>" in text
    assert 'id="scaling"' in text
    assert 'data-key="audit"' in text


needs_browser = pytest.mark.skipif(not browser.is_installed(),
                                   reason="no chromium, chromedriver or python3-selenium")


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with browser.started(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture
def driver(chromium: Any, written: Path) -> Iterator[Any]:
    """The page; whatever a test does with it, nothing is on the console at the end."""
    browser.show(chromium, written.as_uri())
    yield chromium
    assert chromium.get_log("browser") == []


def column(driver: Any, number: int) -> list[str]:
    """The texts of one column of the table of checks."""
    texts: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('#table tbody tr:not(.detail)')].map("
        "row => row.cells[arguments[0]].textContent)", number)
    return texts


@needs_browser
def test_the_worst_violation_is_above_the_fold(driver: Any) -> None:
    bottom = driver.execute_script(
        "return document.querySelector('.finding').getBoundingClientRect().bottom")
    assert 0 < bottom <= 768
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 1366


@needs_browser
def test_sorting(driver: Any) -> None:
    verdicts = column(driver, 0)
    assert len(verdicts) == 25
    assert verdicts == sorted(verdicts, key=list[str](VERDICTS).index)
    button = "document.querySelector('th[data-key=ratio] button')"
    driver.execute_script(f"{button}.click()")
    falling = [float(text) for text in column(driver, 5)]
    assert falling == sorted(falling, reverse=True)
    driver.execute_script(f"{button}.click()")
    rising = [float(text) for text in column(driver, 5)]
    assert rising == sorted(rising)
    assert rising[0] < falling[-1]
    assert driver.execute_script(
        "return document.querySelector('th[data-key=ratio]').ariaSort") == "ascending"


@needs_browser
def test_filters_pages_and_details(driver: Any, audit: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    report, = read_all([audit])
    expected = sum(check["guideline"] == "gatherv-tuw" and check["problem"].startswith("spikes")
                   for check in report.data["checks"])

    def eventually(claim: Callable[[], bool]) -> None:
        # Typing filters a moment later; on a busy machine that moment is long.
        WebDriverWait(driver, 30).until(lambda _: claim())

    def press(selector: str) -> None:
        # A script clicks: while the page scrolls, a mouse might hit another element.
        driver.execute_script("document.querySelector(arguments[0]).click()", selector)

    search = driver.find_element(By.NAME, "text")
    search.send_keys("TUW spikes")
    eventually(lambda: len(column(driver, 2)) == expected)
    eventually(lambda: all(text.startswith("spikes/") for text in column(driver, 2)))
    driver.find_element(By.CSS_SELECTOR, "#table tbody .more").send_keys(Keys.ENTER)
    eventually(lambda: "link the ordered tree"
               in driver.find_element(By.CSS_SELECTOR, ".detail").text)
    press("#filters [type=reset]")
    eventually(lambda: len(column(driver, 2)) == 25)
    press("#pages [data-step='1']")
    eventually(lambda: "26" in driver.find_element(By.ID, "count").text)
    verdict = driver.find_element(By.NAME, "verdict")
    verdict.send_keys("skipped")
    eventually(lambda: set(column(driver, 0)) == {"skipped"})
    press("[data-guideline='gather-gatherv']")
    eventually(
        lambda: "of guideline gather-gatherv" in driver.find_element(By.ID, "count").text)


@needs_browser
def test_light_and_dark(driver: Any) -> None:
    colours = []
    for scheme in ("light", "dark"):
        browser.use_scheme(driver, scheme)
        colours.append(driver.execute_script(
            "const plot = document.querySelector('figure svg text');"
            "return [getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(plot).fill]"))
    assert colours[0][0] != colours[1][0]
    assert colours[0][1] != colours[1][1]


@needs_browser
def test_printing_opens_the_sections(driver: Any) -> None:
    assert browser.printed(driver).startswith(b"%PDF")
    assert driver.execute_script(
        "return [...document.querySelectorAll('#collectives details')].every(s => s.open)")


@needs_browser
def test_without_script_everything_is_there(written: Path, audit: Path, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    with browser.started(tmp_path, has_script=False) as opened:
        opened.get(written.as_uri())
        rows = opened.find_elements(By.CSS_SELECTOR, "#table tbody tr")
        assert len(rows) == len(read_all([audit])[0].data["checks"])
        assert "need JavaScript" in opened.find_element(By.TAG_NAME, "noscript").text
        assert not opened.find_element(By.ID, "filters").is_displayed()


@needs_browser
def test_a_simulated_page_in_the_browser(simulated: Path, driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    path = tmp_path / "page.html"
    path.write_text(page.render(read_all([simulated])), encoding="utf-8")
    browser.show(driver, path.as_uri())
    assert "simulated" in driver.find_element(By.TAG_NAME, "h1").text


NAMES_OF_BUTTONS = """
return [...document.querySelectorAll('button')].filter(each => each.offsetParent)
    .map(each => each.getAttribute('aria-label') ?? each.textContent.trim())"""


@needs_browser
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(width: int, scheme: str, written: Path, driver: Any) -> None:
    for state in ("", "#checks?check=0", "#map?check=0"):
        browser.show(driver, written.as_uri() + state, (width, 900))
        browser.use_scheme(driver, scheme)
        assert driver.execute_script("return document.documentElement.scrollWidth") == width, state
    # Everything that scrolls sideways says so by its role; nothing else is cut off.
    assert driver.execute_script("""
        return [...document.querySelectorAll('body *')].filter(each =>
            getComputedStyle(each).overflowX === 'auto' && each.getAttribute('role') !== 'region')
            .length""") == 0
    texts = driver.execute_script(
        "return [...document.querySelectorAll('.command code')].filter(each => each.offsetParent)"
        ".map(each => [each.scrollWidth, each.parentElement.clientWidth])")
    assert texts and all(inside <= room for inside, room in texts)
    # Only a word longer than a line is broken within: an option would read as another one.
    words, narrow = driver.execute_script("""
        const words = [...document.querySelectorAll('.command .word')]
            .filter(each => each.offsetParent);
        const line = Math.min(...words.map(each => each.offsetHeight));
        const broken = words.filter(each => each.offsetHeight > 1.5 * line);
        return [words.length, broken.filter(each =>
            each.offsetWidth < 0.9 * each.closest('pre').clientWidth).length]""")
    assert words > 10 and narrow == 0
    assert driver.execute_script(
        "return document.querySelector('.command code').textContent").startswith("mpirun")


@needs_browser
@pytest.mark.parametrize("width", [400, 1400])
def test_cells_of_the_heat_map_are_seen(width: int, written: Path, driver: Any) -> None:
    browser.show(driver, written.as_uri(), (width, 900))
    seen = driver.execute_script("""
        const room = document.querySelector('.map').closest('.scroll').getBoundingClientRect();
        return [...document.querySelectorAll('.map tbody tr')].map(line => [...line.cells]
            .filter(cell => cell.tagName === 'TD').filter(cell => {
                const box = cell.getBoundingClientRect();
                return box.left >= room.left && box.right <= room.right && box.width > 12;
            }).length)""")
    assert min(seen) >= 9  # all audits
    # The heads stand above their columns.
    assert driver.execute_script("""
        const map = document.querySelector('.map');
        const line = [...map.tBodies[0].rows[0].cells].slice(1);
        return [...map.tHead.rows[1].cells].slice(1).every((head, index) => Math.abs(
            head.getBoundingClientRect().left - line[index].getBoundingClientRect().left) < 3)""")


@needs_browser
@pytest.mark.parametrize("width", [400, 1400])
def test_letters_of_pictures_can_be_read(width: int, written: Path, driver: Any) -> None:
    browser.show(driver, written.as_uri(), (width, 900))
    heights = driver.execute_script("""
        for (const each of document.querySelectorAll('details')) each.open = true;
        return [...document.querySelectorAll('figure svg text')].filter(each => each.textContent.trim())
            .map(each => each.getBoundingClientRect().height).filter(each => each > 0)""")
    assert len(heights) > 20 and min(heights) >= 8
    assert driver.execute_script("return document.documentElement.scrollWidth") == width


@needs_browser
def test_names_of_buttons_are_unique(driver: Any) -> None:
    driver.execute_script("document.querySelector('#filters [type=reset]').click()")
    driver.execute_script("for (const each of [...document.querySelectorAll('.more')].slice(0, 3))"
                          " each.click()")
    names = driver.execute_script(NAMES_OF_BUTTONS)
    assert len(names) > 30
    assert len(set(names)) == len(names)
    assert "" not in names


@needs_browser
def test_from_a_violation_to_its_row_curve_and_cell_and_back(audit: Path, driver: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    report, = read_all([audit])
    worst = first_check(report)

    def eventually(script: str) -> None:
        WebDriverWait(driver, 30).until(lambda _: driver.execute_script(f"return {script}"))

    def press(words: str) -> None:
        driver.execute_script("[...document.querySelectorAll('a')].find(each => (each.ariaLabel"
                              " ?? each.textContent).startsWith(arguments[0])).click()", words)

    press("Rounds and samples of violation 1")
    eventually("document.querySelector('#opened + .detail')")
    detail = driver.find_element(By.CSS_SELECTOR, ".detail")
    assert worst["reproduce"] in detail.text
    assert "times as fast" in detail.text
    assert len(detail.find_elements(By.CSS_SELECTOR, ".samples svg")) == 2
    assert len(detail.find_elements(By.CSS_SELECTOR, ".samples circle")) == 30
    assert driver.execute_script("return document.activeElement.className") == "more"
    link = driver.find_element(By.CSS_SELECTOR, "[aria-label='Rounds and samples of violation 1']")
    assert link.get_attribute("href") == driver.current_url
    press("Heat map cell of MPI_")
    eventually("document.activeElement.matches('.map td')")
    assert worst["problem"] in driver.execute_script("return document.activeElement.title")
    # The keyboard leads from the cell back to the check; arrow keys lead to other cells.
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    eventually("document.activeElement.className === 'more'")
    driver.back()
    eventually("document.activeElement.matches('.map td')")
    first = driver.execute_script("return document.activeElement.title")
    driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert driver.execute_script("return document.activeElement.title") != first
    assert driver.execute_script(
        "return document.querySelectorAll('.map td[tabindex=\"0\"]').length") == 1
    press("Curves of violation 1")
    eventually("document.activeElement.id.startsWith('curves-0-')")
    assert driver.execute_script("return document.activeElement.closest('details').open")
    press("Checks of gather")
    eventually("document.querySelector('[name=collective]').value === 'gather'")


@needs_browser
def test_filters_stand_in_the_address(driver: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    driver.find_element(By.NAME, "text").send_keys("spikes")
    driver.find_element(By.NAME, "verdict").send_keys("violated")
    WebDriverWait(driver, 30).until(lambda _: driver.current_url.endswith(
        "#checks?text=spikes&verdict=violated"))
    driver.execute_script("document.querySelector('th[data-key=ratio] button').click()")
    count = driver.find_element(By.ID, "count").text
    ratios = column(driver, 5)
    address = driver.current_url
    assert address.endswith("&sort=-ratio")
    browser.show(driver, address)
    assert driver.find_element(By.ID, "count").text == count
    assert column(driver, 5) == ratios
    assert driver.find_element(By.ID, "count").get_attribute("aria-live") == "polite"


@needs_browser
def test_copying_takes_the_whole_command(driver: Any, audit: Path) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    report, = read_all([audit])
    worst = first_check(report)
    driver.execute_script("window.scrollTo(0, 0);"
                          "navigator.clipboard.writeText = async text => { window.taken = text; };"
                          "document.querySelector('#worst-1 .copy').click()")
    WebDriverWait(driver, 30).until(lambda _: driver.execute_script("return window.taken"))
    assert driver.execute_script("return window.taken") == worst["reproduce"]
    assert worst["reproduce"] in driver.execute_script(
        "return document.getElementById('said').textContent")


@needs_browser
def test_ratios_of_all_launches_and_code_in_the_opened_row(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    from analysis.tests.test_hostile import small_audit

    path = tmp_path / "page.html"
    path.write_text(page.render(read_all([write_audit(tmp_path / "a", small_audit()[0])])),
                    encoding="utf-8")
    browser.show(driver, path.as_uri() + "#checks?check=0")
    detail = driver.find_element(By.CSS_SELECTOR, ".detail")
    assert re.search(r"launch 1: !?\s*violated, ratio \d+\.\d+ \[\d", detail.text)
    assert not detail.find_elements(By.CSS_SELECTOR, ".samples")  # none beside the report


def test_title_with_date_and_host(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    assert ("<title>Open MPI v4.1.4, 8 ranks: audit of 2026-01-15 09:30 UTC, on node00</title>"
            in text)


def test_no_python_in_the_environment(tmp_path: Path) -> None:
    document = make_report(sizes=(1,), distributions=("same",), simulated=True)[0]
    document["simulation"]["settings"] = ["smpi/privatization:no", "a:b"]
    document["options"] = {"distributions": ["same", "random"], "resume": False}
    text = page.render(read_all([write_audit(tmp_path, document)]))
    assert "smpi/privatization:no a:b" in text
    assert "['" not in text and "False" not in text and "[&#39;" not in text


def test_what_an_application_could_save(tmp_path: Path, command: Command) -> None:
    report, lines = make_report()
    report["application"] = {
        "program": "app", "library": "L", "ranks": 8, "seconds": 3.6, "problems": [],
        "left_out": [{"name": "9-Bcast", "collective": "MPI_Bcast", "calls": 1, "seconds": 0.25,
                      "reason": "it is nonblocking"},
                     {"name": "8-Bcast", "collective": "MPI_Bcast", "calls": 1, "seconds": 0.25,
                      "reason": "it is on 2 ranks", "command": "mpirun -n 2 mpiaudit"}]}
    saved = {"problem": "1-Gatherv/b=5", "collective": "MPI_Gatherv", "calls": 50,
             "recorded_s": 1.0, "library_s": 1e-3, "instead": "linear_Gatherv(m)", "factor": 1.5,
             "saved_s": 0.6, "low_s": 0.5, "high_s": 0.7, "launches": 7}
    nothing = {key: saved[key] for key in ("problem", "calls", "recorded_s", "library_s")}
    report["savings"] = {"in_words": "0.6 s (0.5 to 0.7 s) of 3.6 s per rank in collectives can be saved.",
                         "recorded_s": 3.6, "audited_s": 3.1, "saved_s": 0.6, "low_s": 0.5,
                         "high_s": 0.7, "problems": [saved, nothing | {"collective": "MPI_Scan"}]}
    write_audit(tmp_path / "audit", report, lines)
    page = tmp_path / "page.html"
    assert command("html", tmp_path / "audit", "-o", page).code == 0
    text = " ".join(page.read_text(encoding="utf-8").split())
    for words in ("What app could save", "0.6 s (0.5 to 0.7 s) of 3.6 s per rank in collectives",
                  "linear_Gatherv(m)", "2 recorded problems were not audited",
                  "9-Bcast, 0.25 s: it is nonblocking", "<code>mpirun -n 2 mpiaudit</code>"):
        assert words in text, words
    assert "MPI_Scan" not in text
