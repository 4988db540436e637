// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit {

/// Who talks to whom in a neighbourhood collective: a directed graph of the ranks without multiple
/// edges. The order of the neighbours is that of the blocks in their buffers.
struct Graph {
    std::string name;
    std::vector<std::vector<int>> targets;  ///< [i]: to whom rank i sends
    std::vector<std::vector<int>> sources;  ///< [i]: from whom rank i receives
    /// Of a torus whose neighbours MPI_Cart_create would put in the same order, else empty.
    std::vector<int> dimensions;
    /// Of a torus where everybody around is a neighbour, row by row, else empty.
    std::vector<int> moore_dimensions;

    int ranks() const { return static_cast<int>(targets.size()); }
    /// Whether all ranks have as many targets, and as many sources, as every other one.
    bool has_equal_degrees() const;
};

/// ring, 5-point, moore (both on the torus that is nearest to a square), random (four neighbours,
/// seeded), complete.
std::vector<std::string> graph_names();

/// The graph of that name for so many ranks, or by a formula in i, j and p that is not 0 where rank
/// i sends to rank j. Throws std::invalid_argument with the names, or with what is wrong in the
/// formula.
Graph make_graph(const std::string& text, int ranks);

/// {"edges": [[0, 1], [1, 2], ...]}: from the first to the second rank. Throws
/// std::invalid_argument, with file and place, for anything else, and for ranks that there are not.
Graph parse_graph(const std::string& text, const std::string& origin, int ranks);

/// The largest divisor up to the root: of a rectangle of all ranks that is nearest to a square.
int rows_nearest_to_square(int ranks);

/// Whether --graph names a file.
bool is_graph_file(const std::string& text);

}  // namespace mpiaudit
