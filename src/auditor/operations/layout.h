// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace mpiaudit {

/// The blocks that each rank holds. With p ranks, blocks B_0 ... B_{p-1} and a root:
enum class Holding {
    scattered,    ///< rank q: its own block B_q
    rooted,       ///< the root: all blocks in rank order; nothing elsewhere
    replicated,   ///< every rank: all blocks
    contributed,  ///< every rank: a full-length vector; the blocks are its reduction over ranks
    outgoing,     ///< rank q: one block for every rank
    incoming,     ///< rank q: one block from every rank
    prefixed,     ///< rank q: the reduction of the contributions of ranks 0 ... q
    exclusively_prefixed,  ///< rank q > 0: the reduction of the contributions of ranks 0 ... q-1
    outgoing_edges,        ///< rank q: one block for each of its targets in the graph
    incoming_edges,        ///< rank q: one block from each of its sources
    neighbouring,          ///< rank q: the own blocks of its sources
    half_contributed,      ///< the first half of the ranks: a full-length vector to be reduced
    half_replicated,       ///< the first half of the ranks: all blocks
    apart,                 ///< no data: ranks come at any time
    together,              ///< no data: no rank goes on before all ranks have come
    grouped,               ///< no data: every rank is in a new communicator
    half_together,  ///< no data: no rank of the first half goes on before all of the first half
                    ///< have come
};

/// A layout of data over the ranks; every collective runs from one layout to another. `padded`:
/// each block lies in a slot with the size of the largest block. `packed`: MPI_Pack has packed the
/// elements.
struct Layout {
    Holding holding{};
    bool padded = false;
    bool packed = false;
    auto operator<=>(const Layout&) const = default;
};

/// The size of the problem that a path solves, relative to the m of the guideline.
struct Scale {
    bool is_next = false;  ///< m+k, the next larger size of the sweep
    int parts = 1;         ///< 2 for m/2: blocks of half the size, rounded up
    int repeats = 1;       ///< 2 for 2 A(m/2): the path runs twice
    auto operator<=>(const Scale&) const = default;
    bool is_plain() const { return *this == Scale{}; }
    /// True if the runs of the path solve the whole problem together: m itself, m+k, or k A(m/k).
    bool is_whole() const { return repeats == parts; }
    /// Returns how many runs have buffers of their own: k for k A(m/k).
    int own_parts() const { return parts > 1 ? repeats : 1; }
};

/// True for layouts without data in which ranks have waited for each other.
bool is_barrier(Holding target);

/// True if the layout holds blocks of neighbours in a graph.
bool is_over_graph(Holding holding);

std::string_view name(Holding holding);
std::string name(Layout layout);

}  // namespace mpiaudit
