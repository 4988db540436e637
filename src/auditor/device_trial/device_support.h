// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "memory/memory_kind.h"
#include "settings/in_effect.h"

namespace mpiaudit {

/// What is known about a library's support for buffers in the memory of a device.
enum class Support { yes, no, unknown };
struct KnownSupport {
    Support answer = Support::unknown;
    std::string source = {};  ///< what says so: "MPIX_Query_cuda_support() returns 0"
};

/// Asks the MPI library: by the key mpi_memory_alloc_kinds of MPI 4.1, by functions that only some
/// libraries have, and by variables of MPI_T. The first of these that knows an answer counts. Call
/// this function between MPI_Init and MPI_Finalize.
KnownSupport support_of_library(MemoryKind kind);

using ControlVariables = std::map<std::string, settings::ControlVariable>;
/// Returns what the library's control variables (MPI_T) say; `unknown` without such a variable.
KnownSupport support_by_variables(const ControlVariables& variables, MemoryKind kind);

/// Starts this program once more, as an MPI job of one rank, which sends messages to itself between
/// buffers of these kinds. A crash ends only the job. Returns `unknown` if the job cannot send a
/// message for another reason: for example, because the library starts no such jobs.
KnownSupport support_by_trial(MemoryKinds kinds);

/// If support_by_trial() has started this process, sends the messages and ends the process.
void send_if_trial(MemoryKinds kinds);

/// Makes the devices of --memory-kind usable on every rank. Does nothing if all buffers are in the
/// memory of the host. Throws UsageError on all ranks alike if the MPI library does not support
/// such buffers, or if a rank has no device. Collective over audited_ranks().
void use_devices(MemoryKinds kinds);

/// Returns sentences that a user should read before believing times or results with buffers of
/// these kinds. Call this function on one rank, after use_devices().
std::vector<std::string> device_warnings(MemoryKinds kinds);

}  // namespace mpiaudit
