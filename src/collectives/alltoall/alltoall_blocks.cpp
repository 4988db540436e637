// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall_blocks.h"

#include "collectives/datatypes/signature.h"
#include "collectives/datatypes/typed_buffer.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent);
    return extent;
}

OwnedDatatype contiguous(int count, MPI_Datatype type) {
    MPI_Datatype element = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, type, &element);
    MPI_Type_commit(&element);
    return OwnedDatatype{element};
}

}  // namespace

AlltoallBlocks::AlltoallBlocks(const void* buffer, int count, MPI_Datatype type)
    : buffer_{buffer},
      equal_count_{count},
      type_{type},
      extent_{extent_of(type)},
      type_bytes_{type_bytes(type)} {}

AlltoallBlocks::AlltoallBlocks(const void* buffer, const int counts[], const int displacements[],
                               MPI_Datatype type)
    : buffer_{buffer},
      counts_{counts},
      displacements_{displacements},
      type_{type},
      extent_{extent_of(type)},
      type_bytes_{type_bytes(type)} {}

void* AlltoallBlocks::address(int rank) const {
    const MPI_Aint elements =
        displacements_ ? displacements_[rank] : static_cast<MPI_Aint>(rank) * equal_count_;
    return moved_by(buffer_, elements * extent_);
}

AlltoallElement::AlltoallElement(int count, MPI_Datatype type)
    : type_{contiguous(count, type)}, extent_{count * extent_of(type)} {}

void* AlltoallElement::in(const void* buffer, int index) const {
    return moved_by(buffer, index * extent_);
}

AlltoallRanks::AlltoallRanks(MPI_Comm comm) {
    size = messages::size_of(comm);
    rank = messages::rank_in(comm);
}

MPI_Aint absolute_displacement(const void* address) {
    MPI_Aint displacement = 0;
    MPI_Get_address(address, &displacement);
    return displacement;
}

void copy_typed(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                MPI_Datatype to_type, int rank, MPI_Comm private_comm) {
    messages::exchange(from, from_count, from_type, rank, alltoall_tag, to, to_count, to_type, rank,
                       alltoall_tag, private_comm);
}

}  // namespace mpiaudit
