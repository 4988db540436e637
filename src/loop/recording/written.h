// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <string>

#include "application/recording.h"

namespace mpiaudit::application {

/// The JSON of analysis/problems.schema.json, a problem in each line.
std::string problems_file(const Recording& recording);

/// problems.json in a folder, as `run` takes one; a name that ends with .json is the file itself.
inline std::string recording_in(const std::string& output) {
    return output.ends_with(".json") ? output : output + "/problems.json";
}

/// The rank that the launcher has given to this process, known without MPI; 0 without a launcher.
inline int launched_rank() {
    // Of Open MPI, of MPICH and its relatives, of PMIx, of Slurm.
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
        if (const char* rank = std::getenv(name)) return std::atoi(rank);
    }
    return 0;
}

// What `mpiaudit record` tells libmpiaudit-record.so, as environment variables.

inline constexpr const char* output_variable = "MPIAUDIT_RECORD_OUTPUT";
inline constexpr const char* synchronise_variable = "MPIAUDIT_RECORD_SYNCHRONISE";  ///< 1
inline constexpr const char* problems_variable = "MPIAUDIT_RECORD_PROBLEMS";
/// Number of the process that was made to be recorded; not of those that it starts.
inline constexpr const char* process_variable = "MPIAUDIT_RECORD_PROCESS";
/// Number of the process that records: what this process starts is not recorded.
inline constexpr const char* recording_variable = "MPIAUDIT_RECORDING_PROCESS";

}  // namespace mpiaudit::application
