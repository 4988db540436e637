// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/datatypes/layout.h"

namespace mpiaudit {

// Thakur & Gropp, section 4.2, with the limits of section 4.1 for the allgather at the end.
int MPICH2004_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const std::int64_t bytes = count * type_bytes(datatype);
    if (bytes < MPICH2004_limits::long_bcast)
        return binomial_Bcast(buffer, count, datatype, root, comm);
    if (bytes < MPICH2004_limits::very_long_bcast)
        return van_de_Geijn_recursive_doubling_Bcast(buffer, count, datatype, root, comm);
    return van_de_Geijn_ring_Bcast(buffer, count, datatype, root, comm);
}

}  // namespace mpiaudit
