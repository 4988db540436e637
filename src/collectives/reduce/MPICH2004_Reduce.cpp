// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/reduce/reduction.h"

namespace mpiaudit {

int MPICH2004_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, int root, MPI_Comm comm) {
    constexpr MPI_Count short_bytes = 2 * 1024;
    const bool is_long = data_bytes(count, datatype) > short_bytes;
    const auto reduce = is_long && is_predefined(op) ? Rabenseifner_Reduce : binomial_Reduce;
    return reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
}

}  // namespace mpiaudit
