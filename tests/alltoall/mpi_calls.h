// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

namespace mpiaudit {

/// What a message to another rank carries.
struct SentMessage {
    int to;
    int bytes;
    bool operator==(const SentMessage&) const = default;
};

/// What this rank has asked of MPI since `reset`, seen through the profiling interface.
struct MpiCalls {
    std::vector<SentMessage> sent;  ///< in order; without messages to oneself or to MPI_PROC_NULL
    int datatypes_created = 0;
    int datatypes_freed = 0;
    int requests_created = 0;
    int requests_freed = 0;
    int communicators_created = 0;
    int communicators_freed = 0;

    /// Nothing was created that is still there.
    bool is_balanced() const {
        return datatypes_created == datatypes_freed && requests_created == requests_freed &&
               communicators_created == communicators_freed;
    }
};

MpiCalls& mpi_calls();

}  // namespace mpiaudit
