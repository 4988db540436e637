// SPDX-License-Identifier: BSD-3-Clause
#include "recording/written.h"

#include <cstdlib>

namespace mpiaudit::application {

int launched_rank() {
    // Of Open MPI, of MPICH and its relatives, of PMIx, of Slurm.
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
        if (const char* rank = std::getenv(name)) return std::atoi(rank);
    }
    return 0;
}

std::string recording_in(const std::string& output) {
    return output.ends_with(".json") ? output : output + "/problems.json";
}

}  // namespace mpiaudit::application
