# SPDX-License-Identifier: BSD-3-Clause
"""Every path and every long option that a page names exists."""

import fnmatch
import re
import subprocess
from pathlib import Path

import pytest
from blocks import ROOT, documents, files_of_the_project
from conftest import build_folder
from test_links import KEPT

PAGES = documents() + KEPT
FILES = files_of_the_project()
PLACES = set(FILES) | {str(folder) for file in FILES for folder in Path(file).parents}
TOPS = {place.split("/")[0] for place in PLACES if "/" in place}
# The rooms of a district are named without it.
DISTRICTS = ("", "src/auditor/", "src/checker/", "src/loop/", "src/papers/")
ROOMS = {place.split("/")[2] for place in PLACES if re.match(r"src/\w+/\w+$", place)}
# Sources of scripts, which have their options.
SCRIPT = re.compile(r"(jobs|bench|packaging)/|tests/(run|device/run)$|analysis/\w+\.py$")
SCRIPTS = [file for file in FILES if SCRIPT.match(file) and not file.endswith(".md")]
# Stands for any name in a path, as in libraries/NAME.json.
CAPITALS = re.compile(r"\b(?!README|CHANGELOG|CONTRIBUTING|LICENSE|TUW|MPI_|SHA|CMake)[A-Z]{2,}(-[A-Z]+)*\b")
# Long options of other programs that pages name.
FOREIGN = {
    "of mpirun, srun and sbatch": "oversubscribe allow-run-as-root mca bind-to map-by mpi test-only",
    "of CMake, ctest and make": "build preset list-presets target install prefix output-on-failure",
    "of apt-get, pip and grep": "no-install-recommends no-deps user invert-match",
    "of the linker": "start-group end-group",
    "of mpiaudit in the simulator": "shared-buffers",
    "of Docker": "tag file shm-size cap-add",
    "of PGMPITuneLib": "ppath",
    "of the libraries, when they are built": "enable-mpi-abi",
}


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def spans_of(page):
    """Returns what stands between backticks, fenced blocks excepted."""
    text = re.sub(r"^```.*?^```", "", text_of(page), flags=re.M | re.S)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]


def paths_of(page):
    """Returns the words in backticks that are paths of the project. Results of users are not, nor is what a
    page makes itself."""
    words = [word.strip(",.;:()'\"").rstrip("/") for span in spans_of(page) for word in span.split()]
    made = [word for word in words if "my_" in word or re.match(r"results/(?!reference|README)", word)]
    return [word for word in words if word not in made and
            (re.match(r"[\w.-]+/", word) and word.split("/")[0] in TOPS
             or re.match(r"\w+/\w+\.(cpp|h)$", word) and word.split("/")[0] in ROOMS)]


def is_there(path):
    """A program of bench/ is named as it is built."""
    pattern = CAPITALS.sub("*", path)
    names = [district + pattern + end for district in DISTRICTS for end in ("", ".cpp")]
    return any(name in PLACES or fnmatch.filter(PLACES, name) for name in names)


@pytest.mark.parametrize("page", PAGES)
def test_paths_exist(page):
    assert [path for path in paths_of(page) if not is_there(path)] == []


def options_in(text):
    return set(re.findall(r"(?<![\w-])--([a-z][a-z-]*[a-z])", text))


def help_of(*words):
    done = subprocess.run([build_folder() / "mpiaudit", *words], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="session")
def commands():
    """Returns the long options of each command of mpiaudit."""
    names = re.findall(r"^  (\w+)  ", help_of("--help").split("Subcommands:")[1], re.M)
    return {name: options_in(help_of(name, "--help-all")) for name in names}


@pytest.fixture(scope="session")
def options(commands):
    """Returns all long options: of mpiaudit, of scripts and of other programs."""
    found = {"help", "help-all", "version"}.union(*commands.values())
    found |= {option for words in FOREIGN.values() for option in words.split()}
    return found.union(*(options_in(text_of(script)) for script in SCRIPTS))


@pytest.mark.parametrize("page", PAGES)
def test_options_exist(page, options):
    assert sorted(options_in(text_of(page)) - options) == []


@pytest.mark.parametrize("page", PAGES)
def test_commands_have_their_options(page, commands):
    """Of a command in backticks, such as `mpiaudit verify --calls 100`."""
    wrong = []
    for span in spans_of(page):
        words = re.match(r"(?:mpiaudit )?(\w+) ([^|>]*)", span.split(" -- ")[0])
        if words and words[1] in commands and " --" in " " + words[2]:
            named = options_in(words[2]) - commands[words[1]] - {"help", "help-all"}
            wrong += [f"{words[1]} --{name}" for name in sorted(named)]
    assert wrong == []
