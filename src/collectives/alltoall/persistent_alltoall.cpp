// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/persistent_alltoall.h"

#include <algorithm>

#include "collectives/call/tags.h"

namespace mpiaudit {

PersistentAlltoall::~PersistentAlltoall() {
    for (MPI_Request& request : requests) MPI_Request_free(&request);
}

const void* PersistentAlltoall::bind_input(const void* sendbuf, const void* recvbuf,
                                           const Blocks& receive, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE) return sendbuf;
    return input_copy.emplace(receive, ranks).sendbuf(recvbuf);
}

void PersistentAlltoall::add_own(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    const int rank = ranks.rank;
    MPI_Send_init(send.at(rank), send.count(rank), send.type(), rank, Tag::to_oneself, ranks.comm,
                  &requests.emplace_back());
    MPI_Recv_init(receive.at(rank), receive.count(rank), receive.type(), rank, Tag::to_oneself,
                  ranks.comm, &requests.emplace_back());
}

void PersistentAlltoall::add_round(const ZeroCopyRound& round, int distance, const Ranks& ranks) {
    MPI_Send_init(MPI_BOTTOM, 1, round.send.get(), ranks.shifted(-distance), Tag::data, ranks.comm,
                  &requests.emplace_back());
    MPI_Recv_init(MPI_BOTTOM, 1, round.receive.get(), ranks.shifted(distance), Tag::data,
                  ranks.comm, &requests.emplace_back());
}

int PersistentAlltoall::first_requests() const {
    return std::min(4, static_cast<int>(requests.size()));
}

int PersistentAlltoall::start() {
    if (input_copy) input_copy->refresh();
    return MPI_Startall(first_requests(), requests.data());
}

int PersistentAlltoall::wait() {
    MPI_Waitall(first_requests(), requests.data(), MPI_STATUSES_IGNORE);
    for (std::size_t next = first_requests(); next < requests.size(); next += 2) {
        MPI_Startall(2, &requests[next]);
        MPI_Waitall(2, &requests[next], MPI_STATUSES_IGNORE);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
