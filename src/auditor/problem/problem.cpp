// SPDX-License-Identifier: BSD-3-Clause
#include "problem/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace mpiaudit {

Counts::Counts(std::vector<Count> counts) : counts_{std::move(counts)} {
    if (counts_.empty()) return;
    total_ = std::accumulate(counts_.begin(), counts_.end(), Count{0});
    const auto [smallest, largest] = std::ranges::minmax_element(counts_);
    smallest_ = *smallest;
    largest_ = *largest;
}

Count Problem::padded_total() const {
    return ranks() * largest();
}
std::string Problem::id() const {
    return fmt::format("{}/b={}", distribution, block_size);
}

std::span<const int> Problem::neighbours(Holding holding, int rank) const {
    if (graph == nullptr) return {};
    const auto& lists = holding == Holding::outgoing_edges ? graph->targets : graph->sources;
    return lists[static_cast<std::size_t>(rank)];
}

bool Problem::holds_blocks(Holding holding, int rank) const {
    switch (holding) {
        case Holding::rooted:
            return rank < 0 || rank == root;
        case Holding::exclusively_prefixed:
            return rank != 0;
        case Holding::half_contributed:
        case Holding::half_replicated:
            return rank < first_half();
        case Holding::apart:
        case Holding::together:
        case Holding::half_together:
        case Holding::grouped:
            return false;
        case Holding::scattered:
        case Holding::replicated:
        case Holding::contributed:
        case Holding::outgoing:
        case Holding::incoming:
        case Holding::prefixed:
        case Holding::outgoing_edges:
        case Holding::incoming_edges:
        case Holding::neighbouring:
            break;
    }
    return true;
}

std::size_t Problem::blocks_held(Holding holding, int rank) const {
    if (!holds_blocks(holding, rank)) return 0;
    if (holding == Holding::scattered) return 1;
    return is_over_graph(holding) ? neighbours(holding, rank).size() : counts.size();
}

Count Problem::size_of_block(Holding holding, int rank, std::size_t block) const {
    const auto own = static_cast<std::size_t>(rank);
    if (holding == Holding::scattered) return counts[own];
    if (is_over_graph(holding)) block = static_cast<std::size_t>(neighbours(holding, rank)[block]);
    // The block from rank i to rank j has size m_((i+j) mod p), so that every rank sends and
    // receives equally much, however irregular the blocks are.
    const bool is_exchanged = holding == Holding::outgoing || holding == Holding::incoming ||
                              holding == Holding::outgoing_edges ||
                              holding == Holding::incoming_edges;
    return counts[is_exchanged ? (block + own) % counts.size() : block];
}

std::size_t element_bytes(const Problem& problem, Layout layout) {
    return layout.packed ? problem.element->data_bytes() : problem.element->extent();
}

Count elements_held(const Problem& problem, Layout layout, int rank) {
    const Holding holding = layout.holding;
    if (!problem.holds_blocks(holding, rank)) return 0;
    const bool is_scattered = holding == Holding::scattered;
    if (!is_scattered && !is_over_graph(holding))
        return layout.padded ? problem.padded_total() : problem.total();
    Count held = 0;
    if (rank < 0) {
        if (is_scattered) return problem.largest();
        const auto most = [&] {
            for (int each = 0; each < problem.ranks(); ++each)
                held = std::max(held, elements_held(problem, layout, each));
            return held;
        };
        // The cache of most_over() holds unpadded totals only.
        return layout.padded ? most()
                             : problem.counts.most_over(problem.graph.get(), holding, most);
    }
    const std::size_t blocks = problem.blocks_held(holding, rank);
    if (layout.padded) return static_cast<Count>(blocks) * problem.largest();
    for (std::size_t k = 0; k < blocks; ++k) held += problem.size_of_block(holding, rank, k);
    return held;
}

}  // namespace mpiaudit
