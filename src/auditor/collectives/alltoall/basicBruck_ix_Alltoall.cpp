// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/copying_bruck.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/input_copy.h"

namespace mpiaudit {
namespace {

/// Section 3.1, alternative a: an indexed type, the last block of which may be shorter.
OwnedDatatype indexed(const Ranks& ranks, int distance, MPI_Datatype element) {
    const int bound = ranks.size - distance;
    std::vector<int> lengths;
    std::vector<int> displacements;
    for (int first = 0; first < bound; first += 2 * distance) {
        lengths.push_back(std::min(distance, bound - first));
        displacements.push_back(first);
    }
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(),
                     element, &blocks);
    MPI_Type_commit(&blocks);
    return OwnedDatatype{blocks};
}

}  // namespace

int basicBruck_ix_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(basicBruck_ix_Alltoall, recvbuf, recvcount, recvtype, comm);
    return basic_bruck(indexed, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int basicBruck_ix_Alltoall_create_types_only(const void*, int sendcount, MPI_Datatype sendtype,
                                             void*, int recvcount, MPI_Datatype recvtype,
                                             MPI_Comm comm) {
    return basic_bruck_types(indexed, sendcount, sendtype, recvcount, recvtype, comm);
}

}  // namespace mpiaudit
