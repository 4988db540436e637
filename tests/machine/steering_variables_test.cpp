// SPDX-License-Identifier: BSD-3-Clause
#include "machine/job.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mpiaudit {
namespace {

TEST(SteeringVariables, AreSettingsAndNotNotesOfTheLauncher) {
    const char* const settings[] = {"OMPI_MCA_coll_tuned_use_dynamic_rules",
                                    "OMPI_MCA_pml",
                                    "OMPI_MCA_plm_rsh_agent",
                                    "PMIX_MCA_gds",
                                    "PRTE_MCA_rmaps",
                                    "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
                                    "I_MPI_ADJUST_BCAST",
                                    "UCX_TLS",
                                    "HYDRA_LAUNCHER_EXTRA_ARGS",
                                    "SLURM_JOB_ID",
                                    "LD_PRELOAD",
                                    "LD_LIBRARY_PATH",
                                    "LOADEDMODULES",
                                    "MALLOC_MMAP_THRESHOLD_",
                                    "GLIBC_TUNABLES"};
    const char* const notes[] = {"OMPI_COMM_WORLD_RANK",
                                 "OMPI_MCA_orte_hnp_uri",
                                 "OMPI_MCA_initial_wdir",
                                 "PMIX_SERVER_URI41",
                                 "PMI_RANK",
                                 "OMPI_FILE_LOCATION",
                                 "OMPI_MCA_num_procs"};
    for (const char* name : settings) setenv(name, "", 1);
    for (const char* name : notes) setenv(name, "1", 1);
    setenv("PATH_OF_SOMEBODY", "1", 1);
    const auto found = steering_variables();
    for (const char* name : settings) EXPECT_TRUE(found.contains(name)) << name;
    for (const char* name : notes) EXPECT_FALSE(found.contains(name)) << name;
    EXPECT_FALSE(found.contains("PATH_OF_SOMEBODY"));
}

}  // namespace
}  // namespace mpiaudit
