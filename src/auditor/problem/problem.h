// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "memory/memory_kind.h"
#include "operations/layout.h"
#include "problem/count.h"
#include "problem/element.h"
#include "problem/graph.h"
#include "problem/operator.h"

namespace mpiaudit {

/// The block sizes m_0 ... m_{p-1} in elements. Stores their sum and extremes, which a plan reads
/// thousands of times.
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

    /// Returns the largest number of elements that a rank exchanges over the edges of a graph.
    /// Calls compute() once for each graph and holding, and stores its result.
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

/// A problem of a collective: p ranks, a root and the block sizes m_0 ... m_{p-1} in elements.
/// Equal on every rank.
struct Problem {
    std::string distribution;
    Count block_size = 0;  ///< b of the distribution; the rounded mean for explicit counts
    Counts counts;
    int root = 0;
    const Element* element = nullptr;
    const Operator* op = nullptr;
    /// Graph of neighbourhood collectives; null if the audit has none.
    std::shared_ptr<const Graph> graph = {};
    bool has_network = false;  ///< the audit has a description of the links between the ranks
    MemoryKinds memory = {};   ///< of the buffers of calls
    int nodes = 1;             ///< number of nodes of the job
    /// Consecutive ranks on each node; 0 if nodes have different numbers of ranks.
    int ranks_per_node = 0;
    std::span<const int> node_of_rank =
        {};  ///< node of each rank; empty: all ranks are on one node

    int ranks() const { return static_cast<int>(counts.size()); }
    int first_half() const { return (ranks() + 1) / 2; }  ///< number of ranks in the first half
    Count total() const { return counts.total(); }        ///< m
    Count largest() const { return counts.largest(); }    ///< max m_i
    Count smallest() const { return counts.smallest(); }  ///< min m_i
    Count padded_total() const;                           ///< m' = p max m_i
    bool is_regular() const { return smallest() == largest(); }
    std::string id() const;
    /// Returns the ranks whose blocks a rank holds in a layout over the graph, in the order of the
    /// blocks.
    std::span<const int> neighbours(Holding holding, int rank) const;

    /// Returns whether a rank holds blocks in a layout; with rank -1 whether any rank does.
    bool holds_blocks(Holding holding, int rank) const;
    /// Returns the number of blocks that a rank holds in a layout.
    std::size_t blocks_held(Holding holding, int rank) const;
    /// Returns the elements of a block without padding. \param block index among the blocks that
    /// the rank holds
    Count size_of_block(Holding holding, int rank, std::size_t block) const;
};

/// Bytes from one element of the layout to the next.
std::size_t element_bytes(const Problem& problem, Layout layout);

/// Returns the number of elements, padding included, that a rank holds in a layout; with rank -1
/// the maximum over all ranks.
Count elements_held(const Problem& problem, Layout layout, int rank);

}  // namespace mpiaudit
