// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace mpiaudit {

/// A duplicate of `comm` for the messages of the reference algorithms, so that they can never match
/// a message of the caller. Made on the first call for `comm` (collective then, like the collective
/// operation that needs it), kept as an attribute of `comm` and freed with it.
MPI_Comm private_communicator(MPI_Comm comm);

}  // namespace mpiaudit
