// SPDX-License-Identifier: BSD-3-Clause
// Also defines InputCopy of collectives/call/blocks.h.
#include "collectives/alltoall/alltoall.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/integers.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/reduction.h"

namespace mpiaudit {

InputCopy::InputCopy(const Blocks& receive, const Ranks& ranks) : receive_{receive}, ranks_{ranks} {
    MPI_Aint begin = std::numeric_limits<MPI_Aint>::max();
    MPI_Aint end = std::numeric_limits<MPI_Aint>::min();
    for (int rank = 0; rank < ranks_.size; ++rank) {
        const ByteRange data = data_range(receive.count(rank), receive.type(rank));
        if (data.bytes() == 0) continue;
        const MPI_Aint place = absolute_displacement(receive.at(rank));
        begin = std::min(begin, place + data.begin);
        end = std::max(end, place + data.end);
    }
    if (begin >= end) return;
    memory_ = Scratch(static_cast<std::size_t>(end - begin), receive_.data());
    shift_bytes_ = absolute_displacement(memory_.get()) - begin;
}

void InputCopy::refresh() const {
    const Blocks copies = receive_.with_buffer(sendbuf(receive_.buffer()));
    for (int rank = 0; rank < ranks_.size; ++rank)
        if (receive_.bytes(rank) > 0)
            sendrecv_self(receive_.message(rank), copies.message(rank), ranks_);
}

const void* InputCopy::sendbuf(const void* recvbuf) const {
    return displaced(recvbuf, shift_bytes_);
}

namespace {

/// For each distance from `first` to `end` - 1: receives from the rank so far before this one, and
/// sends to the rank so far after it. Posts all receives first. Empty blocks need no message.
void start_messages(const Blocks& send, const Blocks& receive, int first, int end,
                    const Ranks& ranks, messages::Requests& requests) {
    for (int distance = first; distance < end; ++distance) {
        const int from = ranks.shifted(-distance);
        if (receive.bytes(from) == 0) continue;
        ranks.start_receive(requests, receive.message(from), from);
    }
    for (int distance = first; distance < end; ++distance) {
        const int to = ranks.shifted(distance);
        if (send.bytes(to) == 0) continue;
        ranks.start_send(requests, send.message(to), to);
    }
}

/// Messages in flight per direction in a window, as in MPICH.
constexpr int window = 32;

/// Runs the algorithm on send_of(), the send blocks. With MPI_IN_PLACE does not call send_of(), and
/// sends from a copy of the receive buffer.
template <class SendOf>
int exchange_blocks(BlockExchange algorithm, const void* sendbuf, const Blocks& receive,
                    const Ranks& ranks, const SendOf& send_of) {
    if (sendbuf != MPI_IN_PLACE) return algorithm(send_of(), receive, ranks);
    const InputCopy input{receive, ranks};
    input.refresh();
    return algorithm(receive.with_buffer(input.sendbuf(receive.buffer())), receive, ranks);
}

}  // namespace

int alltoall_by(BlockExchange algorithm, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks receive = Blocks::equal(recvbuf, recvcount, recvtype, ranks.size);
    return exchange_blocks(algorithm, sendbuf, receive, ranks,
                           [&] { return Blocks::equal(sendbuf, sendcount, sendtype, ranks.size); });
}

int alltoallv_by(BlockExchange algorithm, const void* sendbuf, const int sendcounts[],
                 const int sdispls[], MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks receive = Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size);
    return exchange_blocks(algorithm, sendbuf, receive, ranks, [&] {
        return Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size);
    });
}

int alltoallw_by(BlockExchange algorithm, const void* sendbuf, const int sendcounts[],
                 const int sdispls[], const MPI_Datatype sendtypes[], void* recvbuf,
                 const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                 MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks receive = Blocks::of_types(recvbuf, recvcounts, rdispls, recvtypes, ranks.size);
    return exchange_blocks(algorithm, sendbuf, receive, ranks, [&] {
        return Blocks::of_types(sendbuf, sendcounts, sdispls, sendtypes, ranks.size);
    });
}

int exchange_at_once(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    messages::Requests requests;
    requests.reserve(2 * static_cast<std::size_t>(ranks.size));
    start_messages(send, receive, 1, ranks.size, ranks, requests);
    sendrecv_self(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    requests.wait_for_all();
    return MPI_SUCCESS;
}

int exchange_in_windows(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    sendrecv_self(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    for (int first = 1; first < ranks.size; first += window) {
        const int end = std::min(first + window, ranks.size);
        messages::Requests requests;
        requests.reserve(2 * window);
        start_messages(send, receive, first, end, ranks, requests);
        requests.wait_for_all();
    }
    return MPI_SUCCESS;
}

int exchange_pairwise(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    sendrecv_self(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    for (int distance = 1; distance < ranks.size; ++distance) {
        const int to = ranks.shifted(distance);
        const int from = ranks.shifted(-distance);
        // Both ranks know that a block has no data.
        ranks.exchange(send.message(to), send.bytes(to) > 0 ? to : MPI_PROC_NULL,
                       receive.message(from), receive.bytes(from) > 0 ? from : MPI_PROC_NULL);
    }
    return MPI_SUCCESS;
}

namespace {

/// A grid of the ranks, row by row. A block moves along the row of its source to the column of its
/// destination, then along this column.
class AlltoallGrid {
  public:
    explicit AlltoallGrid(const Ranks& ranks)
        : ranks_{ranks},
          rows_{largest_divisor_to_root(ranks.size)},
          columns_{ranks.size / rows_},
          row_{ranks.rank / columns_},
          column_{ranks.rank % columns_} {}

    /// Exchanges blocks within rows. `passing` gets, for each destination row, one block from each
    /// column.
    void in_rows(const Blocks& send, const Blocks& passing) const {
        const auto of_column = [&](const Blocks& blocks, int column) {
            std::vector<int> places;
            for (int row = 0; row < rows_; ++row) places.push_back(row * columns_ + column);
            return blocks.message(places);
        };
        exchange(send, passing, column_, columns_, of_column,
                 [&](int column) { return row_ * columns_ + column; });
    }

    /// Exchanges the blocks of `passing` within columns, and puts all blocks in their final places.
    void in_columns(const Blocks& passing, const Blocks& receive) const {
        const auto of_row = [&](const Blocks& blocks, int row) {
            return blocks.message(row * columns_, columns_);
        };
        exchange(passing, receive, row_, rows_, of_row,
                 [&](int row) { return row * columns_ + column_; });
    }

  private:
    /// Member `own` of a row or column sends message_of(given, k) to member k and receives
    /// message_of(taken, k) from it.
    template <class MessageOf, class RankOf>
    void exchange(const Blocks& given, const Blocks& taken, int own, int members,
                  const MessageOf& message_of, const RankOf& rank_of) const {
        messages::Requests requests;
        for (int distance = 1; distance < members; ++distance) {
            const int from = modulo(own - distance, members);
            const TypedBuffer place = message_of(taken, from);
            if (place.count > 0) ranks_.start_receive(requests, place, rank_of(from));
        }
        for (int distance = 1; distance < members; ++distance) {
            const int to = modulo(own + distance, members);
            const TypedBuffer data = message_of(given, to);
            if (data.count > 0) ranks_.start_send(requests, data, rank_of(to));
        }
        copy_locally(message_of(given, own), message_of(taken, own), ranks_);
        requests.wait_for_all();
    }

    const Ranks& ranks_;
    int rows_, columns_;
    int row_, column_;
};

}  // namespace

int exchange_on_grid(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    if (!total_fits_int(receive)) return MPI_ERR_COUNT;
    const AlltoallGrid grid{ranks};
    const OperandBuffer memory{static_cast<int>(receive.begin(ranks.size)), receive.type(),
                               place_between(send, receive)};
    const Blocks passing = receive.with_buffer(memory.get());
    grid.in_rows(send, passing);
    grid.in_columns(passing, receive);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
