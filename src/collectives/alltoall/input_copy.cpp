// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/input_copy.h"

#include <algorithm>
#include <limits>

#include "collectives/datatypes/typed_buffer.h"
#include "messages/private_communicator.h"

namespace mpiaudit {

InputCopy::InputCopy(const AlltoallBlocks& receive, MPI_Comm comm)
    : receive_{receive}, private_comm_{private_communicator(comm)}, ranks_{private_comm_} {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    MPI_Aint true_lower_bound = 0;
    MPI_Aint true_extent = 0;
    MPI_Type_get_extent(receive.type(), &lower_bound, &extent);
    MPI_Type_get_true_extent(receive.type(), &true_lower_bound, &true_extent);
    MPI_Aint begin = std::numeric_limits<MPI_Aint>::max();
    MPI_Aint end = std::numeric_limits<MPI_Aint>::min();
    for (int rank = 0; rank < ranks_.size; ++rank) {
        if (receive.bytes(rank) == 0) continue;
        const auto first = reinterpret_cast<MPI_Aint>(receive.address(rank)) + true_lower_bound;
        const MPI_Aint last = first + (receive.count(rank) - 1) * extent;
        begin = std::min({begin, first, last});
        end = std::max({end, first + true_extent, last + true_extent});
    }
    if (begin >= end) return;
    memory_ = Scratch(static_cast<std::size_t>(end - begin));
    shift_bytes_ = reinterpret_cast<MPI_Aint>(memory_.get()) - begin;
}

void InputCopy::refresh() const {
    for (int rank = 0; rank < ranks_.size; ++rank) {
        if (receive_.bytes(rank) == 0) continue;
        copy_typed(receive_.address(rank), receive_.count(rank), receive_.type(),
                   moved_by(receive_.address(rank), shift_bytes_), receive_.count(rank),
                   receive_.type(), ranks_.rank, private_comm_);
    }
}

const void* InputCopy::sendbuf(const void* recvbuf) const {
    return moved_by(recvbuf, shift_bytes_);
}

int with_input_copied(decltype(&MPI_Alltoall) algorithm, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
    const InputCopy input({recvbuf, recvcount, recvtype}, comm);
    input.refresh();
    return algorithm(input.sendbuf(recvbuf), recvcount, recvtype, recvbuf, recvcount, recvtype,
                     comm);
}

int with_input_copied(decltype(&MPI_Alltoallv) algorithm, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    const InputCopy input({recvbuf, recvcounts, rdispls, recvtype}, comm);
    input.refresh();
    return algorithm(input.sendbuf(recvbuf), recvcounts, rdispls, recvtype, recvbuf, recvcounts,
                     rdispls, recvtype, comm);
}

}  // namespace mpiaudit
