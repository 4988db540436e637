// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <numeric>

#include "collectives/MPICH2004_limits.h"
#include "collectives/allgather/allgather.h"
#include "collectives/datatypes/layout.h"
#include "messages/messages.h"

namespace mpiaudit {

// Thakur & Gropp, section 4.1, for blocks of any size: all ranks know all of them.
int MPICH2004_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         MPI_Comm comm) {
    const std::int64_t elements =
        std::accumulate(recvcounts, recvcounts + messages::size_of(comm), std::int64_t{0});
    const bool is_long = elements * type_bytes(recvtype) >= MPICH2004_limits::long_allgather;
    const auto allgatherv = is_long ? ring_Allgatherv : recursive_doubling_Allgatherv;
    return allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

}  // namespace mpiaudit
