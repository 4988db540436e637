// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mpiaudit {

/// A list of ranks for each rank. All lists stand in one stretch of memory, which copies share: a
/// vector for each rank would take 56 bytes before it has four neighbours.
class NeighbourLists {
  public:
    /// The memory of the lists, to be filled list by list.
    struct Stretch {
        std::vector<int> ranks;
        std::vector<std::uint32_t> ends;  ///< [i]: the end of list i in `ranks`
        /// Throws std::invalid_argument if all lists together have more than 2^32 - 1 ranks.
        void add(std::span<const int> list);
    };
    NeighbourLists() = default;
    explicit NeighbourLists(Stretch stretch)
        : stretch_{std::make_shared<const Stretch>(std::move(stretch))} {}

    std::size_t size() const { return stretch_ ? stretch_->ends.size() : 0; }
    /// Returns the number of ranks in all lists together.
    std::size_t edges() const { return stretch_ ? stretch_->ranks.size() : 0; }
    std::span<const int> operator[](std::size_t rank) const {
        const std::size_t begin = rank == 0 ? 0 : stretch_->ends[rank - 1];
        return std::span(stretch_->ranks).subspan(begin, stretch_->ends[rank] - begin);
    }

  private:
    std::shared_ptr<const Stretch> stretch_;
};

/// The neighbours in a neighbourhood collective: a directed graph of the ranks without multiple
/// edges. Buffers have the blocks of the neighbours in the order of these lists.
struct Graph {
    std::string name;
    NeighbourLists targets;  ///< [i]: the ranks that rank i sends to
    NeighbourLists sources;  ///< [i]: the ranks that rank i receives from
    /// Ranks in each dimension of the torus on which MPI_Cart_create puts the neighbours in this
    /// order; empty if no such torus has these neighbours.
    std::vector<int> dimensions;

    int ranks() const { return static_cast<int>(targets.size()); }
};

/// Returns the graph with this name for `ranks` ranks: ring, or 5-point on the torus that is
/// nearest to a square. Throws std::invalid_argument with the valid names for any other name.
Graph make_graph(const std::string& name, int ranks);

/// Returns the graph with edges from each rank to the ranks of its set.
Graph graph_of(const std::string& name, std::span<const std::set<int>> targets);

/// Reads {"edges": [[0, 1], [1, 2], ...]}: each edge leads from its first to its second rank.
/// Throws std::invalid_argument with file and place for any other text.
Graph parse_graph(const std::string& text, const std::string& origin, int ranks);

/// Returns the number of rows of the rectangle of all ranks that is nearest to a square: the
/// largest divisor of `ranks` up to its square root.
int rows_nearest_to_square(int ranks);

/// Returns whether the value of --graph is the name of a file.
bool is_graph_file(const std::string& text);

}  // namespace mpiaudit
