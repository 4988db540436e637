// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace mpiaudit {

/// Which blocks each rank holds. With p ranks, blocks B_0 ... B_{p-1} and a root:
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
    half_contributed,      ///< the first half of the ranks: what they contribute to a reduction
    half_replicated,       ///< the first half of the ranks: all blocks
    apart,                 ///< no data: the ranks are wherever they are
    together,              ///< no data: no rank goes on before all have come
    grouped,               ///< no data: every rank is in a new communicator
    half_together,         ///< no data: of the first half none goes on before all of it have come
};

/// A layout of data over the ranks: the two ends of every collective. `padded`: every block lies in
/// a slot as long as the largest block. `packed`: the elements have been packed by MPI_Pack.
struct Layout {
    Holding holding{};
    bool padded = false;
    bool packed = false;
    auto operator<=>(const Layout&) const = default;
};

/// The size of the problem that a path solves, compared with the m of the guideline.
struct Scale {
    bool is_next = false;  ///< m+k: the next larger size of the sweep
    int parts = 1;         ///< m/2: blocks of half the size, rounded up
    int repeats = 1;       ///< 2 A(m/2): the path is run twice
    auto operator<=>(const Scale&) const = default;
    bool is_plain() const { return *this == Scale{}; }
    /// Not a part of the problem, nor a larger one in disguise.
    bool is_whole() const { return repeats == parts; }
    /// How many parts of the problem the runs are about, each with buffers of its own.
    int own_parts() const { return parts > 1 ? repeats : 1; }
};

/// Whether ranks wait for each other, and nothing else.
bool is_barrier(Holding target);

/// Whether the blocks are those of neighbours in a graph.
bool is_over_graph(Holding holding);

std::string_view name(Holding holding);
std::string name(Layout layout);

}  // namespace mpiaudit
