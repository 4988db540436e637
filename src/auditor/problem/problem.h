// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
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

/// The block sizes m_0 ... m_{p-1} in elements. A plan asks for their sum and their extremes
/// thousands of times, so these are known.
class Counts {
  public:
    using value_type = Count;
    using const_iterator = std::vector<Count>::const_iterator;

    Counts() = default;
    Counts(std::vector<Count> counts);  // NOLINT(google-explicit-constructor)
    Counts(std::initializer_list<Count> counts) : Counts(std::vector<Count>(counts)) {}

    std::size_t size() const { return counts_.size(); }
    const_iterator begin() const { return counts_.begin(); }
    const_iterator end() const { return counts_.end(); }
    const Count& operator[](std::size_t rank) const { return counts_[rank]; }
    operator const std::vector<Count>&() const { return counts_; }  // NOLINT
    bool operator==(const Counts& other) const { return counts_ == other.counts_; }

    Count total() const { return total_; }
    Count largest() const { return largest_; }
    Count smallest() const { return smallest_; }

    /// The most elements that a rank exchanges over the edges of a graph, which compute() finds at
    /// the first call for this graph and layout.
    template <class Compute>
    Count most_over(const Graph* graph, Holding holding, Compute compute) const {
        for (const MostOverGraph& each : most_over_graph_)
            if (each.graph == graph && each.holding == holding) return each.most;
        most_over_graph_.push_back({graph, holding, compute()});
        return most_over_graph_.back().most;
    }

  private:
    struct MostOverGraph {
        const Graph* graph;
        Holding holding;
        Count most;
    };

    std::vector<Count> counts_;
    Count total_ = 0, largest_ = 0, smallest_ = 0;
    mutable std::vector<MostOverGraph> most_over_graph_;
};

/// What is to be solved: p ranks, a root and the block sizes m_0 ... m_{p-1} in elements. The same
/// on every rank.
struct Problem {
    std::string distribution;
    Count block_size = 0;  ///< b of the distribution; for explicit counts their average, rounded
    Counts counts;
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
    Count total() const { return counts.total(); }        ///< m
    Count largest() const { return counts.largest(); }    ///< max m_i
    Count smallest() const { return counts.smallest(); }  ///< min m_i
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
