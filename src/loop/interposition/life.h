// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

namespace mpiaudit::interposition {

// What each library that is loaded before the MPI library defines:

/// MPI has started, in MPI_Init, and so on all ranks.
void on_start();
/// After listen_for_end() the first thing in MPI_Finalize.
void on_end();

/// An attribute of MPI_COMM_SELF, whose deletion is the first thing that MPI_Finalize does.
void listen_for_end();

/// In the order of the communicator; a rank that MPI_COMM_WORLD does not have is MPI_UNDEFINED.
std::vector<int> world_ranks(MPI_Comm comm);

}  // namespace mpiaudit::interposition
