// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace mpiaudit {

/// While it lives, SIGUSR1 and SIGTERM ask the audit to end after the current problem: batch
/// systems send them before the time limit, and before they take the nodes for another job. A
/// second SIGTERM ends the process at once.
class Interruption {
  public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// The signal that some rank has got, 0 for none; the same on every rank. Collective.
    static int requested(MPI_Comm comm);
};

}  // namespace mpiaudit
