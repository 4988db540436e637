// SPDX-License-Identifier: BSD-3-Clause
// Defines PersistentAlltoall and its functions of zero_copy.h.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>

#include "collectives/call/blocks.h"
#include "zero_copy/persistent_requests.h"
#include "zero_copy/zero_copy.h"
#include "zero_copy/zero_copy_bruck.h"

namespace mpiaudit {

/// The rounds of Zero-copy Bruck as persistent requests, which keep their datatypes alive.
struct PersistentAlltoall {
    /// Returns the buffer to send from: `sendbuf`, or a copy of `recvbuf` if sendbuf is
    /// MPI_IN_PLACE.
    const void* bind_input(const void* sendbuf, const void* recvbuf, const Blocks& receive,
                           const Ranks& ranks);
    /// Adds the message of this rank to itself; must come before all rounds.
    void add_own(const Blocks& send, const Blocks& receive, const Ranks& ranks);
    void add_round(const ZeroCopyRound& round, int distance, const Ranks& ranks);
    /// Returns the number of requests that start together: the own message and the first round.
    std::size_t first_requests() const;

    std::optional<InputCopy> input_copy;
    Scratch intermediate;
    PersistentRequests requests;  ///< send and receive of the own message, then of each round
};

const void* PersistentAlltoall::bind_input(const void* sendbuf, const void* recvbuf,
                                           const Blocks& receive, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE) return sendbuf;
    return input_copy.emplace(receive, ranks).sendbuf(recvbuf);
}

void PersistentAlltoall::add_own(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    const int rank = ranks.rank;
    requests.add_send(send.at(rank), send.count(rank), send.type(), rank, Tag::local_copy,
                      ranks.comm);
    requests.add_receive(receive.at(rank), receive.count(rank), receive.type(), rank,
                         Tag::local_copy, ranks.comm);
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

int persBruck_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            PersistentAlltoall** handle) {
    auto persistent = std::make_unique<PersistentAlltoall>();
    if (sendbuf == MPI_IN_PLACE) {
        sendcount = recvcount;
        sendtype = recvtype;
    }
    const Ranks ranks{comm};
    const Blocks receive = Blocks::equal(recvbuf, recvcount, recvtype, ranks.size);
    const void* input = persistent->bind_input(sendbuf, recvbuf, receive, ranks);
    const Blocks send = Blocks::equal(input, sendcount, sendtype, ranks.size);
    const ZeroCopyPlan plan = single_blocks(ranks.size);
    ZeroCopyBuffers buffers{send, receive, ranks, plan.intermediate_elements};
    persistent->add_own(send, receive, ranks);
    for (int distance = 1; distance < ranks.size; distance *= 2)
        persistent->add_round(plan.round(buffers, distance), distance, ranks);
    persistent->intermediate = buffers.release_intermediate();
    *handle = persistent.release();
    return MPI_SUCCESS;
}

int persBruck_Alltoall_start(PersistentAlltoall* handle) {
    if (handle->input_copy) handle->input_copy->refresh();
    handle->requests.start(0, handle->first_requests());
    return MPI_SUCCESS;
}

int persBruck_Alltoall_wait(PersistentAlltoall* handle) {
    PersistentRequests& requests = handle->requests;
    requests.wait(0, handle->first_requests());
    for (std::size_t next = handle->first_requests(); next < requests.size(); next += 2) {
        requests.start(next, 2);
        requests.wait(next, 2);
    }
    return MPI_SUCCESS;
}

int persBruck_Alltoall_free(PersistentAlltoall** handle) {
    delete *handle;
    *handle = nullptr;
    return MPI_SUCCESS;
}

int persBruckV_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                              const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                              PersistentAlltoall** handle) {
    const Ranks ranks{comm};
    auto persistent = std::make_unique<PersistentAlltoall>();
    const Blocks receive = Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size);
    const void* input = persistent->bind_input(sendbuf, recvbuf, receive, ranks);
    const Blocks send = sendbuf == MPI_IN_PLACE
                            ? receive.with_buffer(input)
                            : Blocks::irregular(input, sendcounts, sdispls, sendtype, ranks.size);
    const std::int64_t bucket_bytes = largest_block_bytes(send, ranks);
    if (bucket_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;

    persistent->add_own(send, receive, ranks);
    IrregularBruck blocks{send, receive, ranks, static_cast<int>(bucket_bytes)};
    // If no rank has data, the operation does nothing.
    for (int distance = 1; bucket_bytes > 0 && distance < ranks.size; distance *= 2) {
        blocks.exchange_sizes(distance);
        persistent->add_round(blocks.next_round(distance), distance, ranks);
    }
    persistent->intermediate = blocks.release_buckets();
    *handle = persistent.release();
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
