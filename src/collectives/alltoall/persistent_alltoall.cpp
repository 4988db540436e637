// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/persistent_alltoall.h"

#include <algorithm>

namespace mpiaudit {

const void* PersistentAlltoall::bind_input(const void* sendbuf, const void* recvbuf,
                                           const AlltoallBlocks& receive, MPI_Comm comm) {
    if (sendbuf != MPI_IN_PLACE) return sendbuf;
    return input_copy.emplace(receive, comm).sendbuf(recvbuf);
}

void PersistentAlltoall::add_own(const AlltoallBlocks& send, const AlltoallBlocks& receive,
                                 int rank, MPI_Comm private_comm) {
    requests.add_send(send.address(rank), send.count(rank), send.type(), rank, alltoall_tag,
                      private_comm);
    requests.add_receive(receive.address(rank), receive.count(rank), receive.type(), rank,
                         alltoall_tag, private_comm);
}

void PersistentAlltoall::add_round(const ZeroCopyRound& round, int to, int from,
                                   MPI_Comm private_comm) {
    requests.add_send(MPI_BOTTOM, 1, round.send.get(), to, alltoall_tag, private_comm);
    requests.add_receive(MPI_BOTTOM, 1, round.receive.get(), from, alltoall_tag, private_comm);
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
