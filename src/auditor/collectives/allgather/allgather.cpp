// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <algorithm>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/integers.h"
#include "collectives/call/limits.h"
#include "collectives/call/ranks.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/patterns/replicate.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

int place_and_replicate(Replicate replicate, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, const Blocks& blocks, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE)
        copy_locally({sendbuf, sendcount, sendtype}, blocks.message(ranks.rank), ranks);
    replicate(blocks, ranks);
    return MPI_SUCCESS;
}

}  // namespace

int allgather_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks blocks = Blocks::equal(recvbuf, recvcount, recvtype, ranks.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, blocks, ranks);
}

int allgatherv_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks blocks = Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, blocks, ranks);
}

void replicate_at_once(const Blocks& blocks, const Ranks& ranks) {
    const int rank = ranks.rank;
    messages::Requests requests;
    requests.reserve(2 * static_cast<std::size_t>(ranks.size));
    for (int source = 0; source < ranks.size; ++source) {
        if (source == rank) continue;
        ranks.start_receive(requests, blocks.message(source), source);
    }
    for (int destination = 0; destination < ranks.size; ++destination) {
        if (destination == rank) continue;
        ranks.start_send(requests, blocks.message(rank), destination);
    }
    requests.wait_for_all();
}

void replicate_spreading(const Blocks& blocks, const Ranks& ranks) {
    const int rank = ranks.rank;
    for (int step = 1; step < ranks.size; ++step) {
        const int destination = ranks.shifted(step);
        const int source = ranks.shifted(-step);
        ranks.exchange(blocks.message(rank), destination, blocks.message(source), source);
    }
}

// A subtree of the binomial tree has consecutive blocks. Every rank has space for all blocks, so
// blocks are gathered in their final places on the way to rank 0.
void replicate_by_root(const Blocks& blocks, const Ranks& ranks) {
    const KnomialTree<2> tree = knomial_tree<2>(ranks);
    const auto subtree = [&](int rank) {
        return blocks.message(rank, KnomialTree<2>{rank, ranks.size}.subtree());
    };
    tree.for_each_child_up([&](int child) { ranks.receive(subtree(child), child); });
    if (ranks.rank > 0) ranks.send(subtree(ranks.rank), tree.parent());
    broadcast_along(tree, blocks.message(0, ranks.size), ranks);
}

// Thakur & Gropp, section 4.1: the limit applies to the data gathered on each process.
void replicate_as_MPICH2004(const Blocks& blocks, const Ranks& ranks) {
    const bool is_long = blocks.bytes(0, blocks.size()) >= MPICH2004_limits::long_allgather;
    (is_long ? replicate_by_ring : replicate_by_recursive_doubling)(blocks, ranks);
}

// Ranks 2i and 2i+1 are a pair. The blocks of a pair move together, to the right from the odd rank
// and to the left from the even one, so a rank passes to one neighbour the blocks received from the
// other.
void replicate_by_neighbour_exchange(const Blocks& blocks, const Ranks& ranks) {
    const int size = ranks.size;
    if (size % 2 != 0) return replicate_by_ring(blocks, ranks);
    const int rank = ranks.rank;
    const int away = rank % 2 == 0 ? 1 : -1;  // direction of the other rank of the pair
    const auto exchange = [&](int partner, const TypedBuffer& sent, const TypedBuffer& received) {
        ranks.exchange(sent, partner, received, partner);
    };
    exchange(ranks.shifted(away), blocks.message(rank), blocks.message(ranks.shifted(away)));
    const int own_pair = rank - rank % 2;
    int had = own_pair;
    for (int step = 1; step < size / 2; ++step) {
        // Odd steps exchange with the neighbour in the next pair, whose latest blocks are `step`
        // pairs away on its side; even steps exchange with the other rank of the pair.
        const int direction = step % 2 == 1 ? -away : away;
        const int pairs = step % 2 == 1 ? (step + 1) / 2 : step / 2;
        const int got = ((own_pair + direction * 2 * pairs) % size + size) % size;
        exchange(ranks.shifted(direction), blocks.message(had, 2), blocks.message(got, 2));
        had = got;
    }
}

// The blocks of one group go round the ring of another group, then every rank passes on the block
// from the preceding group to the next group. Groups are nodes if known, else there are about as
// many groups as ranks per group.
void replicate_by_rings_of_groups(const Blocks& blocks, const Ranks& ranks) {
    const NodeSplit& split = node_split(ranks.callers);
    const int k = split.has_lanes() && split.ranks_per_node > 0
                      ? split.ranks_per_node
                      : ranks.size / largest_divisor_to_root(ranks.size);
    const int groups = ranks.size / k, group = ranks.rank / k, place = ranks.rank % k;
    const auto exchange = [&](int sent, int to, int received, int from) {
        ranks.exchange(blocks.message(sent), to, blocks.message(received), from);
    };
    const auto in_group = [&](int of, int at) { return of * k + modulo(at, k); };
    for (int round = 0; round < groups; ++round) {
        const int source = modulo(group - round, groups);
        for (int step = 1; step < k; ++step)
            exchange(in_group(source, place - step + 1), in_group(group, place + 1),
                     in_group(source, place - step), in_group(group, place - 1));
        if (round + 1 == groups) continue;
        exchange(in_group(source, place), in_group((group + 1) % groups, place),
                 in_group(modulo(source - 1, groups), place),
                 in_group(modulo(group - 1, groups), place));
    }
}

namespace {

/// Calls round(d, sent, received) for d = 2^(q-1), ..., 2, 1, with q = ceil(log2 p). `sent`: the
/// blocks that a rank sends to the rank d after it: its own, that of the rank 2d before it and so
/// on. `received`: the blocks from the rank d before it.
template <class Round>
void in_sparbit_rounds(const Ranks& ranks, Round round) {
    int distance = 1;
    while (distance < ranks.size) distance *= 2;
    for (distance /= 2; distance > 0; distance /= 2) {
        std::vector<int> sent, received;
        for (int before = distance; before < ranks.size; before += 2 * distance) {
            sent.push_back(ranks.shifted(distance - before));
            received.push_back(ranks.shifted(-before));
        }
        round(distance, sent, received);
    }
}

}  // namespace

void replicate_by_sparbit(const Blocks& blocks, const Ranks& ranks) {
    in_sparbit_rounds(
        ranks, [&](int distance, const std::vector<int>& sent, const std::vector<int>& received) {
            const TypedBuffer given = blocks.message(sent);
            const TypedBuffer taken = blocks.message(received);
            ranks.exchange(given, ranks.shifted(distance), taken, ranks.shifted(-distance));
        });
}

void replicate_by_sparbit_in_blocks(const Blocks& blocks, const Ranks& ranks) {
    in_sparbit_rounds(
        ranks, [&](int distance, const std::vector<int>& sent, const std::vector<int>& received) {
            messages::Requests requests;
            requests.reserve(2 * sent.size());
            for (const int block : received)
                ranks.start_receive(requests, blocks.message(block), ranks.shifted(-distance));
            for (const int block : sent)
                ranks.start_send(requests, blocks.message(block), ranks.shifted(distance));
            requests.wait_for_all();
        });
}

void replicate_by_radix4_dissemination(const Blocks& blocks, const Ranks& ranks) {
    constexpr int radix = 4;
    // A rank has the blocks of `known` ranks, beginning with its own.
    for (int known = 1; known < ranks.size; known *= radix) {
        const int end = std::min(radix * known, ranks.size);
        const auto message = [&](int rank, int first) {
            return blocks.message(rank, std::min(known, ranks.size - first));
        };
        messages::Requests requests;
        for (int first = known; first < end; first += known)
            ranks.start_receive(requests, message(ranks.shifted(first), first),
                                ranks.shifted(first));
        for (int first = known; first < end; first += known)
            ranks.start_send(requests, message(ranks.rank, first), ranks.shifted(-first));
        requests.wait_for_all();
    }
}

}  // namespace mpiaudit
