// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/persistent_alltoall.h"

#include <algorithm>

#include "collectives/call/tags.h"

namespace mpiaudit {

const void* PersistentAlltoall::bind_input(const void* sendbuf, const void* recvbuf,
                                           const Blocks& receive, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE) return sendbuf;
    return input_copy.emplace(receive, ranks).sendbuf(recvbuf);
}

void PersistentAlltoall::add_own(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    const int rank = ranks.rank;
    requests.add_send(send.at(rank), send.count(rank), send.type(), rank, Tag::to_oneself,
                      ranks.comm);
    requests.add_receive(receive.at(rank), receive.count(rank), receive.type(), rank,
                         Tag::to_oneself, ranks.comm);
}

void PersistentAlltoall::add_round(const ZeroCopyRound& round, int distance, const Ranks& ranks) {
    requests.add_send(MPI_BOTTOM, 1, round.send.get(), ranks.shifted(-distance), Tag::data,
                      ranks.comm);
    requests.add_receive(MPI_BOTTOM, 1, round.receive.get(), ranks.shifted(distance), Tag::data,
                         ranks.comm);
}

std::size_t PersistentAlltoall::first_requests() const {
    return std::min<std::size_t>(4, requests.size());
}

int PersistentAlltoall::start() {
    if (input_copy) input_copy->refresh();
    requests.start(0, first_requests());
    return MPI_SUCCESS;
}

int PersistentAlltoall::wait() {
    requests.wait(0, first_requests());
    for (std::size_t next = first_requests(); next < requests.size(); next += 2) {
        requests.start(next, 2);
        requests.wait(next, 2);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
