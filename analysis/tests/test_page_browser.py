# SPDX-License-Identifier: BSD-3-Clause
"""The page in headless Chromium, as a reader uses the page."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analysis import page, page_explanations, page_operations
from analysis.fields import VERDICTS
from analysis.reports import read_all
from analysis.tests import browser
from analysis.tests.shown_page import first_check, needs_browser
from analysis.tests.synthetic import completed, make_report, write_audit


def column(driver: Any, number: int) -> list[str]:
    """The texts of one column of the table of checks."""
    texts: list[str] = driver.execute_script(
        "return [...document.querySelectorAll('#table tbody tr:not(.detail)')].map("
        "row => row.cells[arguments[0]].textContent)", number)
    return texts


def rows_of(driver: Any, column: str) -> list[list[str]]:
    """The texts of one column of the first table, for each of its groups."""
    texts: list[list[str]] = driver.execute_script(
        "return [...document.getElementById('rows').tBodies].map(body => [...body.querySelectorAll('.row')]"
        ".map(row => row.querySelector('.' + arguments[0]).textContent.trim()))", column)
    return texts


def sort_by(driver: Any, column: str) -> str:
    """Clicks on a column of the first table. Returns the direction in which it is sorted now."""
    direction: str = driver.execute_script(
        "const head = document.querySelector(`#rows th[data-key=${arguments[0]}]`);"
        "head.querySelector('button').click(); return head.ariaSort", column)
    return direction


@needs_browser
def test_the_worst_violation_is_above_the_fold(driver: Any) -> None:
    bottom = driver.execute_script(
        "return document.querySelector('#rows .row').getBoundingClientRect().bottom")
    assert 0 < bottom <= 400
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 1366


@needs_browser
def test_the_table_of_rows_sorts_within_its_groups(driver: Any, tmp_path: Path) -> None:
    document = completed(make_report()[0])
    rows = document["overview"]
    assert len(rows) >= 3
    # A row without a replacement, and one of another form that loses most.
    for row, (takes, instead) in zip(rows, ((9e-6, 8e-6), (0.2, 0.1), (50e-6, None)), strict=False):
        row |= {"takes_s": takes, "lost_s": takes} if instead is None else {
            "takes_s": takes, "instead_s": instead, "lost_s": takes - instead}
    rows[1]["is_other_form"] = True
    path = tmp_path / "page.html"
    path.write_text(page.render(read_all([write_audit(tmp_path / "a", document)])), encoding="utf-8")
    browser.show(driver, path.as_uri())
    blocking, other = rows_of(driver, "code")
    assert other == ["S2"] and set(blocking) == {f"S{number}" for number in range(1, len(rows) + 1)} - {"S2"}
    assert rows_of(driver, "takes")[1] == ["200000"]
    assert sort_by(driver, "takes") == "descending"
    by_time = rows_of(driver, "code")
    assert by_time[1] == ["S2"] and by_time[0].index("S3") < by_time[0].index("S1")
    # An explanation stays behind its row.
    assert driver.execute_script(
        "return [...document.querySelectorAll('#rows .row')].every(row => row.nextElementSibling"
        ".querySelector('details').id === row.querySelector('.code').textContent.trim())")
    assert sort_by(driver, "takes") == "ascending"
    assert rows_of(driver, "code")[0] == by_time[0][::-1]
    for _ in range(2):
        sort_by(driver, "lost")
        assert rows_of(driver, "lost")[0][-1] == "–"
    assert sort_by(driver, "operation") == "ascending"
    names = rows_of(driver, "operation")[0]
    assert names == sorted(names, key=str.lower)
    assert driver.execute_script("return document.querySelectorAll('#rows [aria-sort]').length") == 1
    assert sort_by(driver, "code") == "ascending"
    assert rows_of(driver, "code") == [sorted(blocking), other]


@needs_browser
def test_a_row_opens_its_explanation(driver: Any, audit: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    report, = read_all([audit])
    operation = page_operations.operations_of(report)[0]
    row = driver.find_element(By.CSS_SELECTOR, "#rows .row")
    box = driver.find_element(By.ID, "S1")
    assert not box.is_displayed()
    driver.execute_script("arguments[0].cells[2].click()", row)
    assert box.find_element(By.CSS_SELECTOR, ".body").is_displayed()
    link = row.find_element(By.CSS_SELECTOR, ".code a")
    assert link.get_attribute("aria-expanded") == "true"
    circles = box.find_elements(By.CSS_SELECTOR, "svg.curve circle")
    assert len(circles) == len(page_explanations.points_of(operation)) > 1
    assert all(circle.size["width"] > 2 for circle in circles)
    assert operation.row["sentence"] in box.text and "Sure" in box.text and "--row S1" in box.text
    link.send_keys(Keys.ENTER)  # the keyboard closes it again
    assert not box.is_displayed()
    browser.show(driver, driver.current_url.partition("#")[0] + "#S2")
    assert driver.find_element(By.ID, "S2").is_displayed()
    assert not driver.find_element(By.ID, "S1").is_displayed()


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
    from selenium.webdriver.common.keys import Keys

    with browser.started(tmp_path, has_script=False) as opened:
        opened.get(written.as_uri())
        rows = opened.find_elements(By.CSS_SELECTOR, "#table tbody tr")
        assert len(rows) == len(read_all([audit])[0].data["checks"])
        assert "need JavaScript" in opened.find_element(By.TAG_NAME, "noscript").text
        assert not opened.find_element(By.ID, "filters").is_displayed()
        # Each row has its explanation below, which the reader opens.
        assert all(row.is_displayed() for row in opened.find_elements(By.CSS_SELECTOR, "#rows .row"))
        box = opened.find_element(By.ID, "S1")
        assert box.get_attribute("open") is None
        # The keyboard opens it: while the page scrolls, a mouse might hit another element.
        box.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
        assert box.get_attribute("open") == "true"
        assert box.find_element(By.CSS_SELECTOR, "svg.curve").is_displayed()


@needs_browser
def test_a_simulated_page_in_the_browser(simulated: Path, driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    path = tmp_path / "page.html"
    path.write_text(page.render(read_all([simulated])), encoding="utf-8")
    browser.show(driver, path.as_uri())
    assert "simulated" in driver.find_element(By.TAG_NAME, "h1").text


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

    press("Rounds and samples of S1")
    eventually("document.querySelector('#opened + .detail')")
    detail = driver.find_element(By.CSS_SELECTOR, ".detail")
    assert worst["reproduce"] in detail.text
    assert "times as fast" in detail.text
    assert len(detail.find_elements(By.CSS_SELECTOR, ".samples svg")) == 2
    assert len(detail.find_elements(By.CSS_SELECTOR, ".samples circle")) == 30
    assert driver.execute_script("return document.activeElement.className") == "more"
    link = driver.find_element(By.CSS_SELECTOR, "[aria-label='Rounds and samples of S1']")
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
    press("Curves of S1")
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
                          "document.querySelector('#S1 .command .copy').click()")
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
