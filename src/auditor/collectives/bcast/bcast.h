// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Broadcast algorithms with the signature of MPI_Bcast; p processes, n bytes, lg is the logarithm
// to base 2. "Thakur & Gropp" is "Improving the Performance of Collective Operations in MPICH",
// EuroPVM/MPI 2003. "Whole elements": all processes pass an equal count and a datatype with an
// equal signature per element.
//
//                                     rounds               bytes sent by a process
// binomial                            ceil(lg p)           n to each child, root: n ceil(lg p)
// van de Geijn, recursive doubling    2 lg p if p is a     scatter: the blocks of each child's
//                                     power of 2, else at  subtree, root: n (p-1)/p; then those of
//                                     most 3 ceil(lg p)    the allgather with blocks of n/p bytes
// van de Geijn, ring                  at most              the same scatter, then n minus the right
//                                     ceil(lg p) + p-1     neighbour's block
// circulant, b blocks                 ceil(lg p) + b-1     at most n for each of ceil(lg p) ranks
// k-nomial, k = 4                     3 ceil(log4 p)       n to each child, root: up to 3 n times
//                                                          ceil(log4 p)
// binary, b segments                  2 (floor(lg p)+b-1)  2 n, the leaves nothing
// split binary, 2 b segments          2 (lg p + b-1) + 1,  n/2 to each child, and n/2
//                                     about
// two trees, 2 b segments             2 (lg p + b), about  n, as long as it has two children
// Bine                                ceil(lg p), and 1    n to each child, root: n ceil(lg p)
//                                     more if p is no
//                                     power of 2
// chain, b segments                   p-2 + b              n, the last process nothing
// linear                              p-1                  root: n (p-1)
namespace mpiaudit {

struct TypedBuffer;

/// Copies the vector of the rank at position 0 to this rank.
using Broadcast = void(const TypedBuffer& vector, const Ranks& ranks);
int bcast_by(Broadcast broadcast, void* buffer, int count, MPI_Datatype datatype, int root,
             MPI_Comm comm);

/// Every process with the data sends it to another process in a binomial tree: the root first to
/// the most distant process (Thakur & Gropp 4.2, the old algorithm).
Broadcast broadcast_by_binomial_tree;
inline constexpr auto& binomial_Bcast = bind_first<bcast_by, broadcast_by_binomial_tree>;

Replicate replicate_by_ring, replicate_by_recursive_doubling;
void scatter_and_replicate(Replicate replicate, const TypedBuffer& vector, const Ranks& ranks);

/// Scatters the data in a binomial tree and collects the p parts by recursive doubling (Thakur &
/// Gropp 4.2 after van de Geijn). Whole elements.
inline constexpr auto& van_de_Geijn_recursive_doubling_Bcast =
    bind_first<bcast_by, bind_first<scatter_and_replicate, replicate_by_recursive_doubling>>;

/// Scatters the data in a binomial tree and collects the p parts round a ring (Thakur & Gropp 4.2
/// after van de Geijn). Whole elements.
inline constexpr auto& van_de_Geijn_ring_Bcast =
    bind_first<bcast_by, bind_first<scatter_and_replicate, replicate_by_ring>>;

/// Every process with the data sends it to three other processes at a time, in a tree of base four:
/// half the levels of binomial_Bcast, good if a process can send several messages at once (the
/// k-nomial trees of MPICH and Open MPI).
Broadcast broadcast_by_knomial_tree;
inline constexpr auto& knomial_Bcast = bind_first<bcast_by, broadcast_by_knomial_tree>;

/// Every process passes the data to two others in a complete binary tree, in segments: receives one
/// segment while it sends the preceding one (Open MPI's coll/base). Whole elements.
Broadcast broadcast_by_binary_tree;
inline constexpr auto& binary_Bcast = bind_first<bcast_by, broadcast_by_binary_tree>;

/// One half of the data goes down a binary tree of every second process, the other half down a tree
/// of the others, in segments; then neighbours exchange their halves (Open MPI's coll/base). A
/// subtree has consecutive processes, so few messages leave a node. Whole elements.
Broadcast broadcast_by_split_binary_trees;
inline constexpr auto& split_binary_Bcast = bind_first<bcast_by, broadcast_by_split_binary_trees>;

/// Each half of the data goes down a binary tree of all processes, in segments; an inner node of
/// one tree is a leaf of the other, so all processes send as much as they receive (Sanders, Speck &
/// Träff, Parallel Computing 35, 2009). Whole elements.
Broadcast broadcast_in_two_trees;
inline constexpr auto& two_tree_Bcast = bind_first<bcast_by, broadcast_in_two_trees>;

/// Like binomial_Bcast, but to processes at distances ..., 11, -5, 3, -1, 1, on average two thirds
/// of the binomial tree's (De Sensi et al., "Bine Trees", SC 2025, arXiv 2508.17311).
Broadcast broadcast_by_bine_tree;
inline constexpr auto& bine_Bcast = bind_first<bcast_by, broadcast_by_bine_tree>;

/// Every process passes the data to the next one, in segments: receives one segment while it sends
/// the preceding one. If nodes have many processes, one message per segment leaves each node (the
/// pipeline of Open MPI's coll/base). Whole elements.
Broadcast broadcast_along_chain;
inline constexpr auto& chain_Bcast = bind_first<bcast_by, broadcast_along_chain>;

/// Cuts the data into blocks. In every round every process sends a block to the process one skip
/// after it and receives one from the process one skip before it: the optimal number of rounds for
/// any number of processes and blocks (Träff, arXiv 2312.11236 and 2407.18004; in MPICH since
/// 2025). Whole elements.
Broadcast broadcast_in_circulant_rounds;
inline constexpr auto& circulant_Bcast = bind_first<bcast_by, broadcast_in_circulant_rounds>;

/// The root sends the data to all others in rank order (a textbook's loop of sends).
Broadcast broadcast_one_by_one;
inline constexpr auto& linear_Bcast = bind_first<bcast_by, broadcast_one_by_one>;

/// Uses the binomial tree below 12 KiB, van de Geijn with recursive doubling below 512 KiB and with
/// the ring above (Thakur & Gropp 4.2). Whole elements.
Broadcast broadcast_as_MPICH2004;
inline constexpr auto& MPICH2004_Bcast = bind_first<bcast_by, broadcast_as_MPICH2004>;

}  // namespace mpiaudit
