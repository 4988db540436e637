// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "collectives/call/limits.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/replicate.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {

int bcast_by(Broadcast broadcast, void* buffer, int count, MPI_Datatype datatype, int root,
             MPI_Comm comm) {
    broadcast({buffer, count, datatype}, Ranks{comm, root});
    return MPI_SUCCESS;
}

void broadcast_by_binomial_tree(const TypedBuffer& vector, const Ranks& ranks) {
    broadcast_along(knomial_tree<2>(ranks), vector, ranks);
}

void broadcast_by_knomial_tree(const TypedBuffer& vector, const Ranks& ranks) {
    broadcast_along(knomial_tree<4>(ranks), vector, ranks);
}

void broadcast_by_bine_tree(const TypedBuffer& vector, const Ranks& ranks) {
    broadcast_along(*bine_tree(ranks), vector, ranks);
}

void broadcast_one_by_one(const TypedBuffer& vector, const Ranks& ranks) {
    if (ranks.position > 0) return ranks.receive(vector, ranks.first);
    for (int destination = 0; destination < ranks.size; ++destination)
        if (destination != ranks.first) ranks.send(vector, destination);
}

/// Scatters block q to the rank at position q along a binomial tree from position 0, then runs
/// `replicate`. Every rank receives the consecutive blocks of its subtree in their final places.
void scatter_and_replicate(Replicate replicate, const TypedBuffer& vector, const Ranks& ranks) {
    const Blocks blocks = Blocks::split(vector.address, vector.count, vector.type, ranks.size);
    const KnomialTree<2> tree = knomial_tree<2>(ranks);
    const auto subtree = [&](int position) {
        return blocks.message(position, KnomialTree<2>{position, ranks.size}.subtree());
    };
    if (ranks.position > 0) ranks.receive(subtree(ranks.position), ranks.at(tree.parent()));
    tree.for_each_child_down([&](int child) { ranks.send(subtree(child), ranks.at(child)); });
    replicate(blocks, ranks);
}

// Thakur & Gropp, section 4.2, with the limits of section 4.1 for the final allgather.
void broadcast_as_MPICH2004(const TypedBuffer& vector, const Ranks& ranks) {
    const std::int64_t bytes = vector.count * type_bytes(vector.type);
    if (bytes < MPICH2004_limits::long_bcast) return broadcast_by_binomial_tree(vector, ranks);
    const bool is_very_long = bytes >= MPICH2004_limits::very_long_bcast;
    scatter_and_replicate(is_very_long ? replicate_by_ring : replicate_by_recursive_doubling,
                          vector, ranks);
}

namespace {

/// Sends an equal number of segments down each tree, first those of the first tree. A rank has
/// children in at most one tree, position 0 possibly in all.
void broadcast_down(std::span<const TreePlace> trees, const Blocks& segments, const Ranks& ranks) {
    const int n_trees = static_cast<int>(trees.size());
    const int n = segments.size() / n_trees;
    messages::Requests receives, sends;
    std::vector<std::size_t> received(static_cast<std::size_t>(segments.size()));
    std::size_t started = 0;
    const auto for_each_segment = [&](auto what) {
        for (int i = 0; i < n; ++i)
            for (int tree = 0; tree < n_trees; ++tree)
                what(tree * n + i, trees[static_cast<std::size_t>(tree)]);
    };
    // Posts all receives before waiting for the first.
    for_each_segment([&](int segment, const TreePlace& place) {
        if (!place.has_parent()) return;
        ranks.start_receive(receives, segments.message(segment), ranks.at(place.parent));
        received[static_cast<std::size_t>(segment)] = started++;
    });
    for_each_segment([&](int segment, const TreePlace& place) {
        if (place.is_leaf()) return;
        if (place.has_parent()) receives.wait(received[static_cast<std::size_t>(segment)]);
        for (const int child : {place.left, place.right})
            if (child >= 0) ranks.start_send(sends, segments.message(segment), ranks.at(child));
    });
    receives.wait_for_all();
    sends.wait_for_all();
}

/// Exchanges halves between neighbours, which have different ones; the last rank may have both.
void exchange_halves_with_neighbours(const Blocks& segments, const Ranks& ranks) {
    const bool has_both = ranks.size % 2 == 0 && ranks.position == ranks.size - 1;
    if (ranks.position == 0 || has_both) return;
    const int n = segments.size() / 2;
    const bool has_first = ranks.position % 2 == 1;
    const int partner = ranks.shifted(has_first ? 1 : -1);
    ranks.exchange(segments.message(has_first ? 0 : n, n), partner,
                   segments.message(has_first ? n : 0, n), partner);
}

}  // namespace

void broadcast_along_chain(const TypedBuffer& vector, const Ranks& ranks) {
    const int n = pipeline_segments(vector, std::max(ranks.size - 2, 0));
    const Blocks segments = Blocks::split(vector, n);
    const bool has_next = ranks.position + 1 < ranks.size;
    const int next = has_next ? ranks.shifted(1) : MPI_PROC_NULL;
    if (ranks.position == 0) {
        for (int segment = 0; has_next && segment < n; ++segment)
            ranks.send(segments.message(segment), next);
        return;
    }
    const int previous = ranks.shifted(-1);
    ranks.receive(segments.message(0), previous);
    for (int segment = 1; segment < n; ++segment)
        ranks.exchange(segments.message(segment - 1), next, segments.message(segment), previous);
    if (has_next) ranks.send(segments.message(n - 1), next);
}

void broadcast_by_binary_tree(const TypedBuffer& vector, const Ranks& ranks) {
    const int height = std::bit_width(static_cast<unsigned>(ranks.size)) - 1;
    // Every segment is sent twice: all rounds count double, which does not change the best number.
    const Blocks segments =
        Blocks::split(vector, pipeline_segments(vector, std::max(height - 1, 0)));
    const int left = 2 * ranks.position + 1;
    const auto there = [&](int position) { return position < ranks.size ? position : -1; };
    const TreePlace place{ranks.position > 0 ? (ranks.position - 1) / 2 : -1, there(left),
                          there(left + 1)};
    broadcast_down(std::array{place}, segments, ranks);
}

void broadcast_by_split_binary_trees(const TypedBuffer& vector, const Ranks& ranks) {
    if (ranks.size == 1) return;
    const int n = half_vector_segments(vector, preorder_height(ranks.size / 2));
    const Blocks segments = Blocks::split(vector, 2 * n);
    broadcast_down(split_trees(ranks.position, ranks.size), segments, ranks);
    exchange_halves_with_neighbours(segments, ranks);
}

void broadcast_in_circulant_rounds(const TypedBuffer& vector, const Ranks& ranks) {
    const int n = circulant_blocks(vector, ranks);
    const Blocks blocks = Blocks::split(vector, n);
    const auto data = [&](const CirculantBroadcast::Message& message) {
        return message.is_there() ? blocks.message(message.block) : TypedBuffer{};
    };
    const CirculantBroadcast broadcast{ranks, n};
    for (int round = 0; round < broadcast.rounds(); ++round) {
        const auto given = broadcast.sent(round), taken = broadcast.received(round);
        ranks.exchange(data(given), given.rank, data(taken), taken.rank);
    }
}

}  // namespace mpiaudit
