// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/datatypes/layout.h"
#include "collectives/reduce/reduction.h"

namespace mpiaudit {

int MPICH2004_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm) {
    const bool is_long = count * type_bytes(datatype) > MPICH2004_limits::short_reduce;
    const auto allreduce = is_long && is_predefined(op) ? near_first_Rabenseifner_Allreduce
                                                        : recursive_doubling_Allreduce;
    return allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

}  // namespace mpiaudit
