# SPDX-License-Identifier: BSD-3-Clause
"""What several tests of the page use; their fixtures are in conftest.py."""

import pytest

from analysis import page_operations
from analysis.fields import Check
from analysis.reports import Report
from analysis.tests import browser

needs_browser = pytest.mark.skipif(not browser.is_installed(),
                                   reason="no chromium, chromedriver or python3-selenium")


def first_check(report: Report) -> Check:
    """The check of the first row of a page."""
    return page_operations.operations_of(report)[0].check
