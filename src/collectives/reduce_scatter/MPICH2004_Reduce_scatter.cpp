// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include <numeric>

#include "collectives/MPICH2004_limits.h"
#include "collectives/reduce/reduction.h"
#include "collectives/reduce_scatter/equal_counts.h"
#include "messages/messages.h"

namespace mpiaudit {

int MPICH2004_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const int size = messages::size_of(comm);
    const MPI_Count bytes =
        data_bytes(std::accumulate(recvcounts, recvcounts + size, MPI_Count{0}), datatype);
    const bool is_commutative = Reduction{0, datatype, op}.is_commutative;
    const auto short_reduce_scatter =
        is_commutative ? recursive_halving_Reduce_scatter : recursive_doubling_Reduce_scatter;
    using namespace MPICH2004_limits;
    const bool is_long =
        bytes >= (is_commutative ? long_reduce_scatter : long_noncommutative_reduce_scatter);
    const auto reduce_scatter = is_long ? pairwise_exchange_Reduce_scatter : short_reduce_scatter;
    return reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

int MPICH2004_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return MPICH2004_Reduce_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm).data(),
                                    datatype, op, comm);
}

}  // namespace mpiaudit
