# SPDX-License-Identifier: BSD-3-Clause
"""Commits follow the rules of CONTRIBUTING.md, from the commit on that came before this test."""

import re
import subprocess

import pytest
from blocks import ROOT

BEFORE = "ab7aa3cdf51f"
LONGEST_SUBJECT = 72
LINES_WITHOUT_BODY = 100


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)


def commits():
    """Returns (hash, subject, body, changed lines) of each commit behind BEFORE."""
    found = []
    log = git("log", "--no-merges", "--format=%x01%h%x02%s%x02%b%x02", "--numstat", f"{BEFORE}..HEAD").stdout
    for each in log.split("\x01")[1:]:
        name, subject, body, files = each.split("\x02")
        counts = re.findall(r"^(\d+)\t(\d+)\t", files, re.M)
        changed = sum(int(added) + int(removed) for added, removed in counts)
        found.append((name, subject, body.strip(), changed))
    return found


def broken_rules(each):
    """Returns the rules that a commit breaks, as texts."""
    name, subject, body, lines = each
    broken = []
    if len(subject) > LONGEST_SUBJECT:
        broken.append(f"{name} has a subject of {len(subject)} characters: {subject}")
    if lines > LINES_WITHOUT_BODY and not body:
        broken.append(f"{name} changes {lines} lines and its body says no reason: {subject}")
    return broken


def test_commits_have_short_subjects_and_reasons():
    if git("cat-file", "-e", BEFORE + "^{commit}").returncode:
        pytest.skip("this copy has no history")
    assert [text for each in commits() for text in broken_rules(each)] == []


@pytest.mark.parametrize("each, number", [
    (("1", "x" * 72, "", 100), 0), (("2", "x" * 73, "why", 5), 1), (("3", "short", "", 101), 1),
    (("4", "short", "why", 5000), 0), (("5", "x" * 73, "", 101), 2)])
def test_the_rules_find_what_breaks_them(each, number):
    assert len(broken_rules(each)) == number
