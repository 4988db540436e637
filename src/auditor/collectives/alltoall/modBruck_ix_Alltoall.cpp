// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/copying_bruck.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/input_copy.h"

namespace mpiaudit {
namespace {

/// Every element listed by itself (section 3.1, alternative b).
OwnedDatatype indexed_block(const Ranks& ranks, int distance, MPI_Datatype element) {
    std::vector<int> displacements;
    for (int j = distance; j < ranks.size; ++j)
        if (j & distance) displacements.push_back(ranks.shifted(j));
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(static_cast<int>(displacements.size()), 1, displacements.data(),
                                  element, &blocks);
    MPI_Type_commit(&blocks);
    return OwnedDatatype{blocks};
}

}  // namespace

int modBruck_ix_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(modBruck_ix_Alltoall, recvbuf, recvcount, recvtype, comm);
    return modified_bruck(indexed_block, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                          comm);
}

int modBruck_ix_Alltoall_create_types_only(const void*, int sendcount, MPI_Datatype sendtype, void*,
                                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return modified_bruck_types(indexed_block, sendcount, sendtype, recvcount, recvtype, comm);
}

}  // namespace mpiaudit
