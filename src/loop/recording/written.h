// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <string>

#include "application/recording.h"

namespace mpiaudit::application {

/// Returns the text of problems.json (analysis/problems.schema.json), with one problem per line.
std::string problems_file(const Recording& recording);

/// Returns the recording of a folder; a name that ends with .json is the file itself.
inline std::string recording_in(const std::string& output) {
    return output.ends_with(".json") ? output : output + "/problems.json";
}

/// Returns the rank that the launcher gave to this process, without calling MPI; 0 without a
/// launcher.
inline int launched_rank() {
    // Variables of Open MPI, MPICH and its relatives, PMIx, and Slurm.
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
        if (const char* rank = std::getenv(name)) return std::atoi(rank);
    }
    return 0;
}

// Environment variables by which `mpiaudit record` steers libmpiaudit-record.so.

inline constexpr const char* output_variable = "MPIAUDIT_RECORD_OUTPUT";
inline constexpr const char* synchronise_variable =
    "MPIAUDIT_RECORD_SYNCHRONISE";  ///< 1 with --synchronise
inline constexpr const char* problems_variable = "MPIAUDIT_RECORD_PROBLEMS";
/// Process id of the program to record; programs that it starts inherit the variable, but not the
/// id.
inline constexpr const char* process_variable = "MPIAUDIT_RECORD_PROCESS";
/// Process id of a recorded program: the programs that it starts are not recorded.
inline constexpr const char* recording_variable = "MPIAUDIT_RECORDING_PROCESS";

}  // namespace mpiaudit::application
