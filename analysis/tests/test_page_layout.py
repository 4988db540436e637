# SPDX-License-Identifier: BSD-3-Clause
"""The page in headless Chromium, at several widths and in both schemes."""

from pathlib import Path
from typing import Any

import pytest

from analysis.tests import browser
from analysis.tests.shown_page import needs_browser

NAMES_OF_BUTTONS = """
return [...document.querySelectorAll('button')].filter(each => each.offsetParent)
    .map(each => each.getAttribute('aria-label') ?? each.textContent.trim())"""


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(width: int, scheme: str, written: Path, driver: Any) -> None:
    for state in ("", "#checks?check=0", "#map?check=0", "#S1"):
        browser.show(driver, written.as_uri() + state, (width, 900))
        browser.use_scheme(driver, scheme)
        assert driver.execute_script("return document.documentElement.scrollWidth") == width, state
    driver.execute_script("for (const each of document.querySelectorAll('#rows details')) each.open = true")
    assert driver.execute_script("return document.documentElement.scrollWidth") == width
    # No cell of a row sticks out of the table, and no cells overlap.
    assert driver.execute_script("""
        const room = document.getElementById('rows').getBoundingClientRect();
        return [...document.querySelectorAll('#rows .row > *, #rows thead th')].filter(cell => {
            const box = cell.getBoundingClientRect();
            return box.left < room.left - 1 || box.right > room.right + 1 ||
                cell.scrollWidth > cell.clientWidth + 1;
        }).map(cell => cell.className + ' ' + cell.textContent)""") == []
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
