// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Reduce-scatter algorithms with the signatures of MPI_Reduce_scatter and MPI_Reduce_scatter_block;
// p processes, vectors of n bytes in all, blocks of m = n/p bytes for the formulas, lg is the
// logarithm to base 2, q the largest power of two that is at most p. MPI_ERR_COUNT where an int
// does not count the elements in all, but for pairwise exchange, which never has more than one
// block at once. "Thakur & Gropp" is "Improving the Performance of Collective Operations in MPICH",
// EuroPVM/MPI 2003.
//
//                      rounds                      bytes sent by a process
// recursive halving    lg q, and 2 more if p > q   (p-1) m; of p - q processes n
// near first           ceil(lg p)                  n minus its own block
// circulant            ceil(lg p)                  n minus its own block
// Bine                 lg q, and 2 more if p > q   as recursive halving
// butterfly            lg q, and 2 more if p > q   as recursive halving
// recursive doubling   lg p if p is a power of 2,  p a power of 2: n lg p - (p-1) m
//                      else at most 2 ceil(lg p)
// pairwise exchange    p-1                         n minus its own block
// reduce + scatterv    ceil(lg p) + p-1            n, process 0: n minus its own block
namespace mpiaudit {

/// A reduce-scatter algorithm: the buffer of the blocks has this rank's operands, which stay as
/// they are unless it is `recvbuf` (MPI_IN_PLACE); block `rank` of the reduction goes to `recvbuf`.
using BlockReduction = int(const Blocks& blocks, void* recvbuf, MPI_Op op, const Ranks& ranks);

/// MPI_Reduce_scatter and MPI_Reduce_scatter_block by an algorithm.
int reduce_scatter_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                      const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int reduce_scatter_block_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                            int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// In round k a process gives its half of the vector that the other half of its subtree needs to
/// the process p/2^k away and combines what it gets for its own half; p - q processes first hand
/// their operands to a neighbour (Thakur & Gropp 4.3). Commutative operators only.
BlockReduction reduce_scatter_by_recursive_halving;
inline constexpr auto& recursive_halving_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_recursive_halving>;
inline constexpr auto& recursive_halving_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_recursive_halving>;

/// In round d = 1, 2, 4, ... a process gives the process d before it what it has reduced of the
/// blocks d, 3d, 5d, ... before its own: the rounds of sparbit_Allgather backwards, half of the
/// vector between neighbours. Commutative operators only.
RoundsOf near_first_rounds, circulant_rounds;
int reduce_scatter_in_rounds(RoundsOf rounds_of, const Blocks& blocks, void* recvbuf, MPI_Op op,
                             const Ranks& ranks);
inline constexpr auto& near_first_Reduce_scatter =
    bind_first<reduce_scatter_by, bind_first<reduce_scatter_in_rounds, near_first_rounds>>;
inline constexpr auto& near_first_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, bind_first<reduce_scatter_in_rounds, near_first_rounds>>;

/// A process gives the process s = ceil(p/2) after it the blocks from that one's on, and goes on in
/// the same way with half as large an s (Träff, "Optimal, non-pipelined reduce-scatter and
/// allreduce algorithms", arXiv 2410.14234). Commutative operators only.
inline constexpr auto& circulant_Reduce_scatter =
    bind_first<reduce_scatter_by, bind_first<reduce_scatter_in_rounds, circulant_rounds>>;
inline constexpr auto& circulant_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, bind_first<reduce_scatter_in_rounds, circulant_rounds>>;

/// Processes at distance 1, 2, 4, ... give each other the half that the other needs, of blocks in
/// an order with the bits of the ranks reversed; p - q processes first hand their operands to a
/// neighbour (Träff, "An improved algorithm for (non-commutative) reduce-scatter with an
/// application", EuroPVM/MPI 2005). Keeps the order of the ranks.
BlockReduction reduce_scatter_by_butterfly;
inline constexpr auto& butterfly_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_butterfly>;
inline constexpr auto& butterfly_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_butterfly>;

/// Processes at distance 1, 2, 4, ... exchange what they have reduced, all but the blocks of their
/// own half of the subtree (Thakur & Gropp 4.3). Keeps the order of the ranks.
BlockReduction reduce_scatter_by_recursive_doubling;
inline constexpr auto& recursive_doubling_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_recursive_doubling>;
inline constexpr auto& recursive_doubling_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_recursive_doubling>;

/// In step i every process sends the process i after it the operands of that one's block and
/// combines what it receives from the process i before it (Thakur & Gropp 4.3). Keeps the order of
/// the ranks, with one more block of memory where the operator does not commute.
BlockReduction reduce_scatter_by_pairwise_exchange;
inline constexpr auto& pairwise_exchange_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_pairwise_exchange>;
inline constexpr auto& pairwise_exchange_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_pairwise_exchange>;

/// The vector is reduced to process 0 in a binomial tree, which sends the others their blocks one
/// after the other (Thakur & Gropp 4.3, the old algorithm). Keeps the order of the ranks.
BlockReduction reduce_scatter_by_reduction;
inline constexpr auto& reduce_scatterv_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_reduction>;
inline constexpr auto& reduce_scatterv_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_reduction>;

/// Recursive halving below 512 KiB in all for commutative operators, recursive doubling below 512
/// bytes for others, else pairwise exchange (Thakur & Gropp 4.3). Keeps the order of the ranks.
BlockReduction reduce_scatter_as_MPICH2004;
inline constexpr auto& MPICH2004_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_as_MPICH2004>;
inline constexpr auto& MPICH2004_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_as_MPICH2004>;

/// In the rounds of swing_Allreduce a process gives the blocks away that its partner's partners
/// will need; p - q processes first hand their operands to a neighbour (De Sensi et al., "Bine
/// Trees", SC 2025, arXiv 2508.17311). Commutative operators only.
BlockReduction reduce_scatter_by_bine;
inline constexpr auto& bine_Reduce_scatter = bind_first<reduce_scatter_by, reduce_scatter_by_bine>;
inline constexpr auto& bine_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_bine>;

}  // namespace mpiaudit
