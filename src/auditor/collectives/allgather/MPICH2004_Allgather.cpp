// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/datatypes/layout.h"
#include "messages/messages.h"

namespace mpiaudit {

// Thakur & Gropp, section 4.1; the limit is on the data gathered on each process.
int MPICH2004_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const int size = messages::size_of(comm);
    const bool is_long =
        recvcount * type_bytes(recvtype) * size >= MPICH2004_limits::long_allgather;
    const auto allgather = is_long ? ring_Allgather : recursive_doubling_Allgather;
    return allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

}  // namespace mpiaudit
