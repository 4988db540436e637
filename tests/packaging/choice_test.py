# SPDX-License-Identifier: BSD-3-Clause
"""Tests which program of the binary archive packaging/mpiaudit starts, with stand-ins for programs,
launchers and libraries."""

import shlex
import shutil
import subprocess
import unittest

from folder import GUARD_S, ROOT, FolderTest

# Prints the interface, the library and the reason.
PROGRAM = """#!/bin/sh
echo "INTERFACE|$MPIAUDIT_MPI_LIBRARY|$MPIAUDIT_CHOICE|$*"
"""
SYSTEM_PATH = "/usr/bin:/bin"


class Choice(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "archive/bin").mkdir(parents=True)
        shutil.copy(ROOT / "packaging/mpiaudit", self.folder / "archive/bin")
        for interface in ("openmpi", "mpich", "mpi-abi"):
            self.make_script(f"archive/lib/mpiaudit/{interface}/mpiaudit",
                             PROGRAM.replace("INTERFACE", interface))

    def make_script(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    def install(self, prefix, library, *launchers, folder="lib"):
        """Installs an empty file as library, and copies of the shell as launchers."""
        for place in (folder, "bin"):
            (self.folder / prefix / place).mkdir(parents=True, exist_ok=True)
        if library:
            (self.folder / prefix / folder / library).touch()
        for launcher in launchers:
            shutil.copy("/bin/bash", self.folder / prefix / "bin" / launcher)

    def started(self, *words, command="archive/bin/mpiaudit", path="", launcher=None, code=0, **environment):
        """Starts the command in an environment of its own. Returns what the command has done."""
        call = [str(self.folder / command), *(words or ("run",))]
        if launcher:
            # The shell would become a last command.
            call = [str(self.folder / launcher), "-c", f"{shlex.join(call)}; exit $?"]
        done = subprocess.run(call, cwd=self.folder, capture_output=True, text=True, check=False,
                              timeout=GUARD_S,
                              env={"PATH": f"{self.folder / path}:{SYSTEM_PATH}" if path else SYSTEM_PATH,
                                   **environment})
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def chosen(self, *words, **how):
        """Returns the interface, the library (a path in the folder) and the reason."""
        interface, library, reason, _ = self.started(*words, **how).stdout.split("|")
        self.assertEqual(reason.split(", ")[0], interface)
        return interface, library.replace(f"{self.folder}/", ""), reason.replace(f"{self.folder}/", "")

    def test_the_launcher_that_has_started_the_rank_decides(self):
        self.install("hydra", "libmpi.so.12", "hydra_pmi_proxy")
        self.install("open", "libmpi.so.40", "orterun", "prte", "mpirun")
        for launcher, variables, expected in (
                ("hydra/bin/hydra_pmi_proxy", {"PMI_RANK": "0"}, ("mpich", "hydra/lib/libmpi.so.12")),
                ("open/bin/orterun", {"OMPI_COMM_WORLD_SIZE": "1"}, ("openmpi", "open/lib/libmpi.so.40")),
                # srun has started the shell in which the user calls mpirun.
                ("hydra/bin/hydra_pmi_proxy", {"PMI_RANK": "0", "PMIX_RANK": "0"},
                 ("mpich", "hydra/lib/libmpi.so.12")),
                ("open/bin/prte", {"OMPI_COMM_WORLD_SIZE": "1", "PMI_RANK": "0"},
                 ("openmpi", "open/lib/libmpi.so.40"))):
            with self.subTest(launcher):
                for path in ("open/bin", "hydra/bin"):
                    self.assertEqual(self.chosen(launcher=launcher, path=path, **variables),
                                     (*expected, f"{expected[0]}, started by {launcher}"))

    def test_a_launcher_is_found_behind_other_programs(self):
        self.install("hydra", "libmpi.so.12", "hydra_pmi_proxy")
        self.make_script("my (strange) script", '#!/bin/sh\n"$@"\nexit $?\n')
        self.assertEqual(self.chosen(str(self.folder / "archive/bin/mpiaudit"), command="my (strange) script",
                                     launcher="hydra/bin/hydra_pmi_proxy", PMI_RANK="0")[:2],
                         ("mpich", "hydra/lib/libmpi.so.12"))

    def test_a_container_hides_the_launcher(self):
        self.install("open", "libmpi.so.40")
        self.assertEqual(self.chosen(OMPI_COMM_WORLD_SIZE="1", LD_LIBRARY_PATH="open/lib"),
                         ("openmpi", "open/lib/libmpi.so.40", "openmpi, started by Open MPI"))

    def test_the_search_path_comes_before_the_library_beside_the_launcher(self):
        self.install("open", "libmpi.so.40", "orterun")
        self.install("new", "libmpi.so.40")
        self.install("other", "libmpi.so.12")
        self.assertEqual(self.chosen(launcher="open/bin/orterun", OMPI_COMM_WORLD_SIZE="1",
                                     LD_LIBRARY_PATH="nowhere:other/lib::new/lib")[1], "new/lib/libmpi.so.40")

    def test_srun_serves_all_libraries(self):
        self.install("open", "libmpi.so.40", "orterun")
        self.install("hydra", "libmpi.so.12", "mpirun.mpich")
        (self.folder / "open/bin/mpirun").symlink_to("orterun")
        (self.folder / "hydra/bin/mpirun").symlink_to("mpirun.mpich")
        for variable in ("PMI_RANK", "PMIX_RANK"):
            self.assertEqual(
                self.chosen(path="open/bin", LD_LIBRARY_PATH="hydra/lib:open/lib", **{variable: "0"}),
                ("mpich", "hydra/lib/libmpi.so.12", "mpich, by LD_LIBRARY_PATH"))
        for path, expected in (("hydra/bin", ("mpich", "hydra/lib/libmpi.so.12")),
                               ("open/bin", ("openmpi", "open/lib/libmpi.so.40"))):
            self.assertEqual(self.chosen(path=path, PMIX_RANK="0")[:2], expected)
        # The set-up of the tests has installed MPICH.
        self.assertEqual(self.chosen(path="open/bin", PMI_RANK="0")[::2],
                         ("mpich", "mpich, started by PMI, as MPICH is"))

    def test_without_a_launcher_the_mpirun_in_the_path_decides(self):
        self.install("one", "libmpi.so.40", "mpirun", folder="lib64")
        self.assertEqual(self.chosen("--version", path="one/bin"),
                         ("openmpi", "one/lib64/libmpi.so.40", "openmpi, for one/bin/mpirun"))
        # Debian has both libraries in one folder; links lead to the launcher.
        self.install("both", "libmpi.so.40", "mpirun.openmpi", "mpiexec.hydra", folder="lib/x86_64-linux-gnu")
        self.install("both", "libmpich.so.12", folder="lib/x86_64-linux-gnu")
        for name, expected in (("mpiexec.hydra", ("mpich", "both/lib/x86_64-linux-gnu/libmpich.so.12")),
                               ("mpirun.openmpi", ("openmpi", "both/lib/x86_64-linux-gnu/libmpi.so.40"))):
            (self.folder / "both/bin/mpirun").unlink(missing_ok=True)
            (self.folder / "both/bin/mpirun").symlink_to(name)
            self.assertEqual(self.chosen("judge", path="both/bin")[:2], expected)
        # The names tell nothing, the version does.
        (self.folder / "both/bin/mpirun").unlink()
        for version, expected in (("Intel(R) MPI Library for Linux* OS", "mpich"),
                                  ("mpirun (Open MPI) 9", "openmpi")):
            self.make_script("both/bin/mpirun", f"#!/bin/sh\necho '{version}'\n")
            self.assertEqual(self.chosen("judge", path="both/bin")[0], expected)

    def test_the_launcher_of_local_is_the_launcher_of_its_ranks(self):
        self.install("open", "libmpi.so.40", "mpirun.openmpi")
        self.install("hydra", "libmpi.so.12", "mpirun.mpich", "mpirun")
        for words in (["--launcher", "mpirun.openmpi"],
                      [f"--launcher='{self.folder}/open/bin/mpirun.openmpi' -q"],
                      ["--ranks", "2", "--launcher", "env A=1 mpirun.openmpi -x A"]):
            self.assertEqual(self.chosen("local", *words, path=f"hydra/bin:{self.folder}/open/bin")[:2],
                             ("openmpi", "open/lib/libmpi.so.40"))
        self.assertEqual(self.chosen("local", "--", "--launcher", "mpirun.openmpi",
                                     path=f"hydra/bin:{self.folder}/open/bin")[0], "mpich")

    def test_open_mpi_names_its_folder_if_another_one_has_the_launcher(self):
        self.install("prrte", "", "prte")
        self.install("open", "libmpi.so.40", folder="libraries")
        self.assertEqual(self.chosen(launcher="prrte/bin/prte", OMPI_COMM_WORLD_SIZE="1",
                                     OMPI_LIBDIR_LOC=f"{self.folder}/open/libraries")[:2],
                         ("openmpi", "open/libraries/libmpi.so.40"))

    def test_a_library_with_the_interface_of_mpi_5_alone(self):
        self.install("new", "libmpi_abi.so.1", "mpirun")
        self.assertEqual(self.chosen(path="new/bin"),
                         ("mpi-abi", "new/lib/libmpi_abi.so.1", "mpi-abi, for new/bin/mpirun"))

    def test_the_loader_knows_the_library_of_the_system(self):
        self.install("nothing", "", "orterun")
        interface, library, _ = self.chosen(launcher="nothing/bin/orterun", OMPI_COMM_WORLD_SIZE="1")
        self.assertEqual(interface, "openmpi")
        self.assertRegex(library, r"^/.*/libmpi\.so\.40$")

    def test_an_unknown_library_is_named_with_what_to_build(self):
        self.install("old", "libmpi.so.20", "mpirun")
        done = self.started(path="old/bin", code=2)
        self.assertEqual(done.stderr.replace(f"{self.folder}/", ""), (
            "mpiaudit: old/lib/libmpi.so.20 has none of the interfaces of this archive "
            "(libmpi.so.40, libmpi.so.12 or libmpich.so.12, libmpi_abi.so.1).\n"
            "mpiaudit: With mpicxx and mpirun of this library in PATH, jobs/local in the sources of mpiaudit "
            "builds a program for it.\n"))

    def test_one_rank_says_that_there_is_no_library(self):
        self.install("nothing", "", "mpirun")
        said = ("mpiaudit: no MPI library is found (libmpi.so.40, libmpi.so.12 or libmpich.so.12, "
                f"libmpi_abi.so.1; for {self.folder}/nothing/bin/mpirun).\n"
                "mpiaudit: Load the module of the library, or add the folder of the library to "
                "LD_LIBRARY_PATH.\n")
        for rank, expected in (("0", said), ("1", "")):
            self.assertEqual(self.started(path="nothing/bin", code=2, PMIX_RANK=rank).stderr, expected)

    def test_an_archive_may_lack_a_program(self):
        self.install("hydra", "libmpi.so.12", "hydra_pmi_proxy")
        for interface in ("mpich", "mpi-abi"):
            shutil.rmtree(self.folder / f"archive/lib/mpiaudit/{interface}")
        done = self.started(launcher="hydra/bin/hydra_pmi_proxy", PMI_RANK="0", code=2)
        self.assertEqual(done.stderr, f"mpiaudit: mpich, started by {self.folder}/hydra/bin/hydra_pmi_proxy: "
                                      "this archive has openmpi\n")

    def test_a_job_prints_commands_for_the_folder_of_the_user(self):
        (self.folder / "archive/jobs").mkdir()
        shutil.copy(ROOT / "jobs/local", self.folder / "archive/jobs")
        self.make_script("archive/bin/mpiaudit", '#!/bin/sh\necho "$0 $*"\n')
        for folder, before in (("archive", ""), (".", f"{self.folder}/archive/")):
            done = subprocess.run([self.folder / "archive/jobs/local", "--name", "first"],
                                  cwd=self.folder / folder, capture_output=True, text=True,
                                  check=True, timeout=GUARD_S)
            self.assertEqual(done.stdout, f"{before}bin/mpiaudit local --launcher mpirun "
                                          f"--output {before}results/first\n")

    def test_the_user_may_choose(self):
        self.install("both", "libmpi.so.40", "orterun")
        self.install("both", "libmpi.so.12")
        self.assertEqual(
            self.chosen(launcher="both/bin/orterun", OMPI_COMM_WORLD_SIZE="1", MPIAUDIT_INTERFACE="mpich"),
            ("mpich", "both/lib/libmpi.so.12", "mpich, by MPIAUDIT_INTERFACE"))
        self.assertEqual(self.started(code=2, MPIAUDIT_INTERFACE="mpi").stderr,
                         "mpiaudit: MPIAUDIT_INTERFACE=mpi: this archive has openmpi mpich mpi-abi\n")
        shutil.rmtree(self.folder / "archive/lib/mpiaudit/mpich")
        self.assertEqual(self.started(code=2, MPIAUDIT_INTERFACE="mpich").stderr,
                         "mpiaudit: MPIAUDIT_INTERFACE=mpich: this archive has openmpi mpi-abi\n")

    def test_the_program_keeps_the_name_and_the_words_of_the_call(self):
        self.install("open", "libmpi.so.40")
        (self.folder / "mine").symlink_to("archive/bin/mpiaudit")
        for command in ("mine", "archive/bin/mpiaudit"):
            done = self.started("run", "two  words", command=command, PMI_RANK="0",
                                LD_LIBRARY_PATH="open/lib")
            self.assertTrue(done.stdout.endswith("|run two  words\n"), done.stdout)
        # A program of this system complains under the name of its call.
        shutil.copy("/bin/cat", self.folder / "archive/lib/mpiaudit/openmpi/mpiaudit")
        done = self.started("--bad", command="mine", LD_LIBRARY_PATH="open/lib", PMI_RANK="0", code=1)
        self.assertIn(f"{self.folder}/mine: unrecognized option", done.stderr)


if __name__ == "__main__":
    unittest.main()
