// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Reduce-scatter algorithms with the signatures of MPI_Reduce_scatter and MPI_Reduce_scatter_block;
// p processes, vectors of n bytes in all, blocks of m = n/p bytes for the formulas, lg is the
// logarithm to base 2, q the largest power of two that is at most p. They return MPI_ERR_COUNT if
// an int cannot count all elements, except pairwise exchange, which handles one block at a time.
// "Thakur & Gropp" is "Improving the Performance of Collective Operations in MPICH", EuroPVM/MPI
// 2003. Algorithms keep the order of the ranks unless they need commutative operators.
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

/// A reduce-scatter algorithm: the buffer of the blocks has this rank's operands, which are not
/// changed unless it is `recvbuf` (MPI_IN_PLACE); block `rank` of the reduction goes to `recvbuf`.
using BlockReduction = int(const Blocks& blocks, void* recvbuf, MPI_Op op, const Ranks& ranks);

/// Implement MPI_Reduce_scatter and MPI_Reduce_scatter_block by an algorithm.
int reduce_scatter_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                      const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int reduce_scatter_block_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                            int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// A process sends the half of its vector that the other half of its subtree needs to the process
/// p/2^k away in round k, and combines the received half with its own; before, p - q processes hand
/// their operands to a neighbour (Thakur & Gropp 4.3). Commutative operators only.
BlockReduction reduce_scatter_by_recursive_halving;
inline constexpr auto& recursive_halving_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_recursive_halving>;
inline constexpr auto& recursive_halving_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_recursive_halving>;

/// A process sends its reductions of the blocks d, 3d, 5d, ... before its own to the process d
/// before it in round d = 1, 2, 4, ...: the reversed rounds of sparbit_Allgather, half of the
/// vector between neighbours. Commutative operators only.
RoundsOf near_first_rounds, circulant_rounds;
int reduce_scatter_in_rounds(RoundsOf rounds_of, const Blocks& blocks, void* recvbuf, MPI_Op op,
                             const Ranks& ranks);
inline constexpr auto& near_first_Reduce_scatter =
    bind_first<reduce_scatter_by, bind_first<reduce_scatter_in_rounds, near_first_rounds>>;
inline constexpr auto& near_first_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, bind_first<reduce_scatter_in_rounds, near_first_rounds>>;

/// A process sends the process s = ceil(p/2) after it the blocks from that process's on, and
/// continues with half of s (Träff, "Optimal, non-pipelined reduce-scatter and allreduce
/// algorithms", arXiv 2410.14234). Commutative operators only.
inline constexpr auto& circulant_Reduce_scatter =
    bind_first<reduce_scatter_by, bind_first<reduce_scatter_in_rounds, circulant_rounds>>;
inline constexpr auto& circulant_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, bind_first<reduce_scatter_in_rounds, circulant_rounds>>;

/// Processes at distance 1, 2, 4, ... exchange the halves that the other needs, of blocks in
/// bit-reversed order; before, p - q processes hand their operands to a neighbour (Träff, "An
/// improved algorithm for (non-commutative) reduce-scatter with an application", EuroPVM/MPI 2005).
BlockReduction reduce_scatter_by_butterfly;
inline constexpr auto& butterfly_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_butterfly>;
inline constexpr auto& butterfly_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_butterfly>;

/// Processes at distance 1, 2, 4, ... exchange their reductions, except for the blocks of their own
/// half of the subtree (Thakur & Gropp 4.3).
BlockReduction reduce_scatter_by_recursive_doubling;
inline constexpr auto& recursive_doubling_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_recursive_doubling>;
inline constexpr auto& recursive_doubling_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_recursive_doubling>;

/// Every process sends the process i after it the operands of that process's block in step i, and
/// combines the operands received from the process i before it (Thakur & Gropp 4.3).
/// Non-commutative operators need one more block of memory.
BlockReduction reduce_scatter_by_pairwise_exchange;
inline constexpr auto& pairwise_exchange_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_pairwise_exchange>;
inline constexpr auto& pairwise_exchange_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_pairwise_exchange>;

/// Reduces the vector to process 0 in a binomial tree; process 0 sends the others their blocks one
/// after the other (Thakur & Gropp 4.3, the old algorithm).
BlockReduction reduce_scatter_by_reduction;
inline constexpr auto& reduce_scatterv_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_by_reduction>;
inline constexpr auto& reduce_scatterv_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_reduction>;

/// Uses recursive halving below 512 KiB in total for commutative operators, recursive doubling
/// below 512 bytes for others, else pairwise exchange (Thakur & Gropp 4.3).
BlockReduction reduce_scatter_as_MPICH2004;
inline constexpr auto& MPICH2004_Reduce_scatter =
    bind_first<reduce_scatter_by, reduce_scatter_as_MPICH2004>;
inline constexpr auto& MPICH2004_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_as_MPICH2004>;

/// A process gives away the blocks that its partner's later partners need, in the rounds of
/// swing_Allreduce; before, p - q processes hand their operands to a neighbour (De Sensi et al.,
/// "Bine Trees", SC 2025, arXiv 2508.17311). Commutative operators only.
BlockReduction reduce_scatter_by_bine;
inline constexpr auto& bine_Reduce_scatter = bind_first<reduce_scatter_by, reduce_scatter_by_bine>;
inline constexpr auto& bine_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by, reduce_scatter_by_bine>;

}  // namespace mpiaudit
