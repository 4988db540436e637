// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "interposition/inside.h"
#include "repairer/repaired.h"

namespace mpiaudit::repairer {

/// Makes a call that begins a collective, and counts it where it has not failed: on one rank of its
/// communicator, so that the sum over ranks is a number of calls.
template <class Next>
int seen(std::atomic<std::int64_t>& calls, MPI_Comm comm, const Next& next) {
    const interposition::Inside inside;
    const int code = next();
    if (code != MPI_SUCCESS) return code;
    int rank = 0, is_inter = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) PMPI_Comm_test_inter(comm, &is_inter);
    if (rank == 0 && is_inter == 0) ++calls;
    return code;
}

}  // namespace mpiaudit::repairer
