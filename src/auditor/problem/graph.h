// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mpiaudit {

/// A list of ranks for each rank, one behind the other in one stretch of memory: a vector for each
/// would take 56 bytes of a rank before it has four neighbours. Copies share it.
class NeighbourLists {
  public:
    /// To be filled list by list.
    struct Stretch {
        std::vector<int> ranks;
        std::vector<std::uint32_t> ends;  ///< of each list
        /// Throws std::invalid_argument where there are more than 2^32 - 1 neighbours in all.
        void add(std::span<const int> list);
    };
    NeighbourLists() = default;
    explicit NeighbourLists(Stretch stretch)
        : stretch_{std::make_shared<const Stretch>(std::move(stretch))} {}

    std::size_t size() const { return stretch_ ? stretch_->ends.size() : 0; }
    /// Ranks in all lists together.
    std::size_t edges() const { return stretch_ ? stretch_->ranks.size() : 0; }
    std::span<const int> operator[](std::size_t rank) const {
        const std::size_t begin = rank == 0 ? 0 : stretch_->ends[rank - 1];
        return std::span(stretch_->ranks).subspan(begin, stretch_->ends[rank] - begin);
    }

  private:
    std::shared_ptr<const Stretch> stretch_;
};

/// How far a rank is from another, in each dimension of a torus.
using Offset = std::vector<int>;

/// Who talks to whom in a neighbourhood collective: a directed graph of the ranks without multiple
/// edges. The order of the neighbours is that of the blocks in their buffers.
struct Graph {
    std::string name;
    NeighbourLists targets;  ///< [i]: to whom rank i sends
    NeighbourLists sources;  ///< [i]: from whom rank i receives
    /// Of a torus whose neighbours MPI_Cart_create would put in the same order, else empty.
    std::vector<int> dimensions;
    /// Of a torus on which target k of each rank is another rank at offset k (from -n/2 to n/2 of n
    /// ranks), else empty.
    std::vector<int> extents;
    std::vector<Offset> offsets;

    int ranks() const { return static_cast<int>(targets.size()); }
    /// Whether all ranks have as many targets, and as many sources, as every other one.
    bool has_equal_degrees() const;
    /// On the torus, so often the offset away.
    int rank_at(int rank, const Offset& offset, int times) const;
};

/// ring, 5-point, moore (both on the torus that is nearest to a square), random (four neighbours,
/// seeded), complete.
std::vector<std::string> graph_names();

/// The graph of that name for so many ranks; or offsets:-1,0/1,0/..., to whom each rank of a torus
/// sends, which is as near to a square or cube as the number of ranks allows; or by a formula in i,
/// j and p that is not 0 where rank i sends to rank j. Throws std::invalid_argument with the names,
/// or with what is wrong in the offsets or the formula.
Graph make_graph(const std::string& text, int ranks);

/// {"edges": [[0, 1], [1, 2], ...]}: from the first to the second rank. Throws
/// std::invalid_argument, with file and place, for anything else, and for ranks that there are not.
Graph parse_graph(const std::string& text, const std::string& origin, int ranks);

/// The largest divisor up to the root: of a rectangle of all ranks that is nearest to a square.
int rows_nearest_to_square(int ranks);

/// Whether --graph names a file.
bool is_graph_file(const std::string& text);

}  // namespace mpiaudit
