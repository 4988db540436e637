# SPDX-License-Identifier: BSD-3-Clause
# For Spack 1.0 or later:  spack repo add packaging/spack/spack_repo/mpiaudit
from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *

# The recipe is a part of the sources that it builds.
SOURCES = Path(__file__).resolve().parents[6]


class Mpiaudit(CMakePackage):
    """Audits an MPI library's collective operations against self-consistent performance
    guidelines."""

    homepage = f"file://{SOURCES}/README.md"
    git = f"file://{SOURCES}"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("reports", default=False, description="What makes tables, plots and pages of reports")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("mpi")
    depends_on("nlohmann-json@3.11:")
    depends_on("cli11@2.3:")
    depends_on("fmt@9:")
    depends_on("muparser@2.3:")
    depends_on("hwloc@2.1:")
    depends_on("boost@1.74:")
    depends_on("googletest@1.12: +gmock", type="test")
    with when("+reports"):
        depends_on("python@3.11:", type="run")
        depends_on("py-numpy@1.24:", type="run")
        depends_on("py-matplotlib@3.6:", type="run")
        depends_on("py-jinja2@3.1:", type="run")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("MPIAUDIT_TESTS", self.run_tests),
            self.define("MPIAUDIT_UNITY", True),
            self.define("MPIAUDIT_HWLOC", "ON"),
        ]

    def test_guidelines(self):
        """the program starts and finds its data files"""
        mpiaudit = Executable(self.prefix.bin.mpiaudit)
        listed = mpiaudit("list", "guidelines", output=str.split, error=str.split)
        check_outputs("MPI_Gather(m) <= MPI_Gatherv(m)", listed)

    def test_results_of_the_library(self):
        """two ranks verify an operation of the MPI library"""
        mpirun = Executable(self.spec["mpi"].prefix.bin.mpirun)
        said = mpirun(
            *("-n", "2", self.prefix.bin.mpiaudit, "verify"),
            *("--collectives", "gather", "--block-sizes", "10"),
            output=str.split,
            error=str.split,
        )
        check_outputs("0 wrong", said)
