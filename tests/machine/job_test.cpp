// SPDX-License-Identifier: BSD-3-Clause
#include "machine/job.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mpiaudit {
namespace {

class LauncherOfJob : public testing::Test {
  protected:
    LauncherOfJob() {
        for (const char* name : {"MPIAUDIT_LAUNCHER", "MPIAUDIT_JOB_RECORD", "SLURM_MPI_TYPE"})
            unsetenv(name);
        // Also the daemons of mpirun have these, and the ranks inherit them.
        setenv("SLURM_STEP_NUM_NODES", "2", 1);
        setenv("SLURM_STEP_NUM_TASKS", "4", 1);
    }
    static std::optional<std::string> launcher() {
        std::vector<std::string> warnings;
        return describe_job(warnings).launcher;
    }
};

TEST_F(LauncherOfJob, IsUnknownWithoutAWordFromAnybody) {
    EXPECT_EQ(launcher(), std::nullopt);
    setenv("SLURM_MPI_TYPE", "none", 1);
    EXPECT_EQ(launcher(), std::nullopt);
}

TEST_F(LauncherOfJob, IsSrunWhereItSaysSo) {
    setenv("SLURM_MPI_TYPE", "pmi2", 1);
    EXPECT_EQ(launcher(), "srun --mpi=pmi2 --nodes=2 --ntasks=4");
}

TEST_F(LauncherOfJob, IsWhatTheJobScriptSays) {
    setenv("SLURM_MPI_TYPE", "pmi2", 1);
    setenv("MPIAUDIT_LAUNCHER", "mpirun -ppn 2", 1);
    EXPECT_EQ(launcher(), "mpirun -ppn 2");
}

}  // namespace
}  // namespace mpiaudit
