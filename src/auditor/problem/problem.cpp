// SPDX-License-Identifier: BSD-3-Clause
#include "problem/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace mpiaudit {

Count Problem::total() const {
    return std::accumulate(counts.begin(), counts.end(), Count{0});
}
Count Problem::largest() const {
    return *std::max_element(counts.begin(), counts.end());
}
Count Problem::smallest() const {
    return *std::min_element(counts.begin(), counts.end());
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

namespace {

Count elements_of_neighbours(const Problem& problem, Layout layout, int rank) {
    const std::span<const int> neighbours = problem.neighbours(layout.holding, rank);
    if (layout.padded) return static_cast<Count>(neighbours.size()) * problem.largest();
    const int shift = layout.holding == Holding::neighbouring ? 0 : rank;
    Count sum = 0;
    for (const int each : neighbours)
        sum += problem.counts[static_cast<std::size_t>((each + shift) % problem.ranks())];
    return sum;
}

}  // namespace

std::size_t element_bytes(const Problem& problem, Layout layout) {
    return layout.packed ? problem.element->data_bytes() : problem.element->extent();
}

Count elements_held(const Problem& problem, Layout layout, int rank) {
    // Only where it is asked for: on thousands of simulated ranks these sums add up to seconds.
    const auto whole = [&] { return layout.padded ? problem.padded_total() : problem.total(); };
    switch (layout.holding) {
        case Holding::scattered:
            if (layout.padded || rank < 0) return problem.largest();
            return problem.counts[static_cast<std::size_t>(rank)];
        case Holding::rooted:
            return rank < 0 || rank == problem.root ? whole() : 0;
        case Holding::exclusively_prefixed:
            return rank == 0 ? 0 : whole();
        case Holding::half_contributed:
        case Holding::half_replicated:
            return rank < problem.first_half() ? whole() : 0;
        case Holding::outgoing_edges:
        case Holding::incoming_edges:
        case Holding::neighbouring: {
            if (rank >= 0) return elements_of_neighbours(problem, layout, rank);
            Count most = 0;
            for (int each = 0; each < problem.ranks(); ++each)
                most = std::max(most, elements_of_neighbours(problem, layout, each));
            return most;
        }
        case Holding::replicated:
        case Holding::contributed:
        case Holding::outgoing:
        case Holding::incoming:
        case Holding::prefixed:
            break;
        case Holding::apart:
        case Holding::together:
        case Holding::half_together:
        case Holding::grouped:
            return 0;
    }
    return whole();
}

}  // namespace mpiaudit
