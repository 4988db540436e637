// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/datatypes/layout.h"
#include "collectives/reduce/reduction.h"

namespace mpiaudit {

int MPICH2004_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, int root, MPI_Comm comm) {
    const bool is_long = count * type_bytes(datatype) > MPICH2004_limits::short_reduce;
    const auto reduce = is_long && is_predefined(op) ? Rabenseifner_Reduce : binomial_Reduce;
    return reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
}

}  // namespace mpiaudit
