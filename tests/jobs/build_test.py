# SPDX-License-Identifier: BSD-3-Clause
"""Tests jobs/build in a checkout, with a CMake that only notes its arguments."""

import os
import shutil
import unittest

from command import ROOT, make_program
from folder import FolderTest, run

# Writes the files that CMake would write. A build prints the variable SAYS and ends with the exit code CODE.
CMAKE = """#!/usr/bin/env bash
echo "$*" >>"$NOTES"
if [[ $1 == --preset ]]; then
    mkdir -p "build/$2" && touch "build/$2/build.ninja"
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nCMAKE_CACHEFILE_DIR:INTERNAL=%s\\n' "$PWD" "$PWD/build/$2" \\
        >"build/$2/CMakeCache.txt"
else
    program=build/release/mpiaudit
    if [[ $* == *audit-program* ]]; then
        mkdir -p build/release/audit-program
        [[ -e build/release/audit-program/mpiaudit ]] || echo audits >build/release/audit-program/mpiaudit
    elif [[ $* == *local-pro* ]]; then
        mkdir -p build/release/local-program
        echo "${VERSION:-audits and records}" >build/release/local-program/mpiaudit
    elif [[ ! $program -nt build/release/build.ninja ]]; then
        echo everything >"$program"
    fi
    echo "${SAYS:-ninja: no work to do.}"
    exit "${CODE:-0}"
fi
"""


class Build(FolderTest):
    def setUp(self):
        super().setUp()
        self.notes = self.folder / "notes"
        self.checkout = self.folder / "checkout"
        (self.checkout / "jobs").mkdir(parents=True)
        shutil.copy(ROOT / "jobs/build", self.checkout / "jobs/build")
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        make_program(self.programs / "cmake", CMAKE)
        make_program(self.programs / "ninja", "#!/bin/sh\n")

    def build(self, checkout=None, code=0, before=(), options=(), **environment):
        done = run([*before, str((checkout or self.checkout) / "jobs/build"), "release", *options],
                   self.folder,
                   environment={"NOTES": str(self.notes), "PATH": f"{self.programs}:{os.environ['PATH']}",
                                **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr

    def configurations(self):
        return sum(line.startswith("--preset release ") for line in self.read("notes").splitlines())

    def test_a_folder_is_configured_once(self):
        self.assertEqual(self.build(), "jobs/build: configuring build/release\n")
        self.assertEqual(self.build(), "")
        self.assertEqual(self.configurations(), 1)

    def test_a_program_keeps_the_commands_that_it_has(self):
        program = self.checkout / "build/release/mpiaudit"

        def built(*options, **environment):
            self.build(options=options, **environment)
            return program.read_text()

        self.assertEqual(built("--program"), "audits\n")
        self.assertEqual(built("--program"), "audits\n")
        self.assertEqual(built("--local"), "audits and records\n")
        self.assertEqual(built("--program"), "audits and records\n")
        self.assertEqual(built("--program", VERSION="a newer one"), "a newer one\n")
        self.assertEqual(built(), "everything\n")
        for option in ("--program", "--local"):
            self.assertEqual(built(option), "everything\n")
        self.assertEqual(self.read("notes").splitlines()[-1].split()[-1], "products")

    def test_a_copied_checkout_is_configured_again(self):
        self.build()
        (self.checkout / "build/release/CMakeFiles").mkdir()
        (self.checkout / "build/release/CMakeFiles/old.o").touch()
        copy = self.folder / "copy"
        shutil.copytree(self.checkout, copy)
        said = self.build(copy)
        self.assertIn(f"{copy} was copied or moved:\n"
                      f"build/release was configured for {self.checkout}\n", said)
        self.assertEqual(self.configurations(), 2)
        self.assertFalse((copy / "build/release/CMakeFiles").exists())
        self.assertEqual(self.build(copy), "")
        self.assertEqual(self.build(), "", "the first checkout is as it was")

    def test_a_moved_checkout_is_configured_again(self):
        self.build()
        moved = self.folder / "moved"
        self.checkout.rename(moved)
        self.assertIn(f"{moved} was copied or moved", self.build(moved))
        self.assertEqual(self.configurations(), 2)

    def test_a_checkout_that_is_named_by_a_link_has_not_moved(self):
        self.build()
        link = self.folder / "link"
        link.symlink_to(self.checkout)
        self.assertEqual(self.build(link), "")

    def test_a_build_that_fails_is_no_success(self):
        for how in ({"CODE": "1"}, {"SAYS": "CMake Error: The current CMakeCache.txt directory is different\n"
                                            "ninja: no work to do."}):
            with self.subTest(how):
                said = self.build(code=70, **how)
                self.assertIn("the build of preset release failed; the whole log is ", said)

    @unittest.skipUnless(os.geteuid() == 0, "only root becomes another user")
    def test_in_a_checkout_of_another_user_the_remedy_is_named(self):
        for folder in (self.folder, self.checkout, self.checkout / "jobs", self.programs):
            folder.chmod(0o755)
        as_user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        said = self.build(code=2, before=as_user)
        self.assertIn("the checkout belongs to root, and you are nobody", said)
        self.assertIn("jobs/local --build FOLDER --output FOLDER\n", said)
        self.assertNotIn("Permission denied", said)
        self.assertNotIn("--build /", said)
        program = self.checkout / "build/release/mpiaudit"
        program.parent.mkdir(parents=True)
        make_program(program, "#!/bin/sh\n")
        said = self.build(code=2, before=as_user)
        self.assertIn(f"jobs/local --build {program.parent} --output FOLDER", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
