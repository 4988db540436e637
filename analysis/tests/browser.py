# SPDX-License-Identifier: BSD-3-Clause
"""Headless Chromium for the tests of the page; Debian: chromium-driver, python3-selenium."""

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--hide-scrollbars")


def is_installed() -> bool:
    """Returns whether the browser, its driver and the Python bindings are installed."""
    try:
        import selenium.webdriver  # noqa: F401
    except ImportError:
        return False
    return shutil.which("chromium") is not None and shutil.which("chromedriver") is not None


@contextmanager
def started(folder: Path, has_script: bool = True) -> Iterator[Any]:
    """A driver, which shows nothing yet, with its profile in the folder. To start it takes seconds."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options: Any = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    if not has_script:
        options.add_experimental_option(
            "prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service(str(shutil.which("chromedriver"))), options=options)
    try:
        yield driver
    finally:
        driver.quit()


def show(driver: Any, address: str, size: tuple[int, int] = (1366, 768)) -> None:
    """The page at an address, loaded anew, in light colours and a window whose inside has that size."""
    from selenium.webdriver.support.wait import WebDriverWait

    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
    use_scheme(driver, "light")
    driver.get("about:blank")  # another place in the page that is shown would not load it
    driver.get(address)
    # Which unpacks its data behind the event of loading.
    WebDriverWait(driver, 60).until(lambda shown: shown.execute_script(
        "const form = document.getElementById('filters'); return !form || !form.hidden"))


def use_scheme(driver: Any, scheme: str) -> None:
    """Light or dark, as the reader's system would ask for."""
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def save_whole_page(driver: Any, path: Path) -> None:
    """A picture of the page from top to bottom."""
    picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
    path.write_bytes(base64.b64decode(picture["data"]))


def printed(driver: Any) -> bytes:
    """The page as PDF."""
    result = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    return base64.b64decode(result["data"])
