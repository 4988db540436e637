// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/input_copy.h"

#include <algorithm>
#include <limits>

#include "collectives/call/copy.h"
#include "collectives/datatypes/layout.h"

namespace mpiaudit {

InputCopy::InputCopy(const Blocks& receive, const Ranks& ranks) : receive_{receive}, ranks_{ranks} {
    MPI_Aint begin = std::numeric_limits<MPI_Aint>::max();
    MPI_Aint end = std::numeric_limits<MPI_Aint>::min();
    for (int rank = 0; rank < ranks_.size; ++rank) {
        const ByteRange data = data_range(receive.count(rank), receive.type());
        if (data.bytes() == 0) continue;
        const MPI_Aint place = absolute_displacement(receive.at(rank));
        begin = std::min(begin, place + data.begin);
        end = std::max(end, place + data.end);
    }
    if (begin >= end) return;
    memory_ = Scratch(static_cast<std::size_t>(end - begin));
    shift_bytes_ = absolute_displacement(memory_.get()) - begin;
}

void InputCopy::refresh() const {
    const Blocks copies = receive_.in(sendbuf(receive_.buffer()));
    for (int rank = 0; rank < ranks_.size; ++rank)
        if (receive_.bytes(rank) > 0)
            send_to_oneself(receive_.message(rank), copies.message(rank), ranks_);
}

const void* InputCopy::sendbuf(const void* recvbuf) const {
    return displaced(recvbuf, shift_bytes_);
}

int with_input_copied(decltype(&MPI_Alltoall) algorithm, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const InputCopy input(Blocks::equal(recvbuf, recvcount, recvtype, ranks.size), ranks);
    input.refresh();
    return algorithm(input.sendbuf(recvbuf), recvcount, recvtype, recvbuf, recvcount, recvtype,
                     comm);
}

int with_input_copied(decltype(&MPI_Alltoallv) algorithm, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const InputCopy input(Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size),
                          ranks);
    input.refresh();
    return algorithm(input.sendbuf(recvbuf), recvcounts, rdispls, recvtype, recvbuf, recvcounts,
                     rdispls, recvtype, comm);
}

}  // namespace mpiaudit
