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

/// Calls of MPI inside a wrapper are not the application's.
inline constinit thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;

class Inside {
  public:
    Inside() { ++depth; }
    ~Inside() { --depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

}  // namespace mpiaudit::interposition
