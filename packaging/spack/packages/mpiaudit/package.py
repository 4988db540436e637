# SPDX-License-Identifier: BSD-3-Clause
# spack repo add packaging/spack && spack dev-build mpiaudit@main
from spack.package import *

try:  # where Spack has it from version 1.0 on
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Mpiaudit(CMakePackage):
    """Audits an MPI library's collective operations against self-consistent performance
    guidelines."""

    license("BSD-3-Clause")

    version("main")

    variant("reports", default=True, description="What makes tables, plots and pages of reports")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
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
