// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace mpiaudit {

/// A process sends an empty message to the process 2^k after it and receives one from the process
/// 2^k before it in round k: ceil(log2 p) rounds and no bytes (Hensgen, Finkel & Manber 1988;
/// Thakur & Gropp 2003, section 4.1).
int dissemination_Barrier(MPI_Comm comm);

}  // namespace mpiaudit
