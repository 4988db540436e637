// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "operations/layout.h"
#include "problem/count.h"
#include "problem/element.h"
#include "problem/graph.h"
#include "problem/operator.h"

namespace mpiaudit {

/// What is to be solved: p ranks, a root and the block sizes m_0 ... m_{p-1} in elements. The same
/// on every rank.
struct Problem {
    std::string distribution;
    Count block_size = 0;  ///< b of the distribution; for explicit counts their average, rounded
    std::vector<Count> counts;
    int root = 0;
    const Element* element = nullptr;
    const Operator* op = nullptr;
    /// Who talks to whom in neighbourhood collectives; may be null where there are none.
    std::shared_ptr<const Graph> graph = {};
    bool has_network = false;  ///< the links between the ranks are known
    int nodes = 1;             ///< on which the ranks are
    /// Consecutive ones on each node; 0 where the nodes differ.
    int ranks_per_node = 0;
    std::span<const int> node_of_rank = {};  ///< empty: all are on one

    int ranks() const { return static_cast<int>(counts.size()); }
    int first_half() const { return (ranks() + 1) / 2; }  ///< how many ranks
    Count total() const;                                  ///< m
    Count largest() const;                                ///< max m_i
    Count smallest() const;                               ///< min m_i
    Count padded_total() const;                           ///< m' = p max m_i
    bool is_regular() const { return smallest() == largest(); }
    std::string id() const;
    /// Whose blocks a rank holds in a layout over the graph, in the order of their places.
    std::span<const int> neighbours(Holding holding, int rank) const;

    /// Whether a rank, or any rank where it is -1, has blocks in a layout.
    bool holds_blocks(Holding holding, int rank) const;
    std::size_t blocks_held(Holding holding, int rank) const;
    /// In elements, without padding; `block` counts those that the rank holds.
    Count size_of_block(Holding holding, int rank, std::size_t block) const;
};

/// Bytes from one element of the layout to the next.
std::size_t element_bytes(const Problem& problem, Layout layout);

/// Elements that a rank holds in a layout; at most, over all ranks, where `rank` is -1.
Count elements_held(const Problem& problem, Layout layout, int rank);

}  // namespace mpiaudit
