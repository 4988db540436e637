// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "messages/messages.h"

namespace mpiaudit {

/// The block sizes of MPI_Reduce_scatter for what MPI_Reduce_scatter_block is asked to do.
inline std::vector<int> equal_counts(int count, MPI_Comm comm) {
    const int size = messages::size_of(comm);
    return std::vector<int>(static_cast<std::size_t>(size), count);
}

}  // namespace mpiaudit
