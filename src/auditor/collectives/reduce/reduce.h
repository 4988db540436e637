// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Reduce algorithms with the signature of MPI_Reduce; p processes, vectors of n bytes, lg is the
// logarithm to base 2, q the largest power of two that is at most p. "Thakur & Gropp" is "Improving
// the Performance of Collective Operations in MPICH", EuroPVM/MPI 2003.
//
//                 rounds                        bytes sent by a process
// binomial        ceil(lg p), and 1 more if     n, the root nothing; not commutative and root > 0:
//                 not commutative and root > 0  every process but 0 once, and process 0 to the root
// Rabenseifner,   2 lg q, and 1 more if p > q   p = q: n (q-1)/q, and its part of the gather (not
// both orders                                   the root); p - q processes n only
// circulant       ceil(lg p) + b-1 for b blocks n, the root nothing
// chain           p-2 + b for b segments, and   n, the root nothing; not commutative and root > 0:
//                 1 if not commutative, root>0  process 0 to the root
// binary          2 (lg p + b-1), about, for b  n, as chain
//                 segments
// split binary    1 + 2 (lg p + b), about, for  n/2 to its neighbour, n/2 to its parent, the root
//                 2 b segments                  nothing
// two trees       2 (lg p + b), about, for 2 b  n, as chain
//                 segments
// Bine            ceil(lg p), and 1 more if p   n, the root nothing
//                 is no power of 2
// k-nomial, k = 4 3 ceil(log4 p), and 1 as for  n, as for binomial
//                 binomial
// linear          p-1                           n, the root nothing
namespace mpiaudit {

/// MPI_Reduce by positions: those of a commutative operation are numbered from the root. Otherwise
/// the order of the ranks counts: the result comes to rank 0, which sends it to the root.
int reduce_by(VectorReduction reduce, const void* sendbuf, void* recvbuf, int count,
              MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);

/// Every process combines its operands with those of its children in a binomial tree and sends the
/// result to its parent (Thakur & Gropp 4.4, the old algorithm). Keeps the order of the ranks.
VectorReduction reduce_by_binomial_tree;
inline constexpr auto& binomial_Reduce = bind_first<reduce_by, reduce_by_binomial_tree>;

FoldOf far_first, near_first;
void reduce_by_halving_and_gather(FoldOf fold_of, const Reduction& reduction, const void* input,
                                  void* output, const Ranks& ranks);

/// The vector is reduced and scattered by recursive halving, and its parts are gathered to the root
/// in a binomial tree (Thakur & Gropp 4.4, after Rabenseifner). Commutative operators only.
inline constexpr auto& Rabenseifner_Reduce =
    bind_first<reduce_by, bind_first<reduce_by_halving_and_gather, far_first>>;

/// Rabenseifner_Reduce with the opposite order of distances, as near_first_Rabenseifner_Allreduce.
inline constexpr auto& near_first_Rabenseifner_Reduce =
    bind_first<reduce_by, bind_first<reduce_by_halving_and_gather, near_first>>;

/// binomial_Reduce in a tree of base four, as knomial_Bcast. Keeps the order of the ranks.
VectorReduction reduce_by_knomial_tree;
inline constexpr auto& knomial_Reduce = bind_first<reduce_by, reduce_by_knomial_tree>;

/// Every process receives what the next one has, in segments, and passes it on with its own
/// operands (the pipeline of Open MPI's coll/base). Keeps the order of the ranks. Count and
/// datatype as for circulant_Bcast.
VectorReduction reduce_along_chain;
inline constexpr auto& chain_Reduce = bind_first<reduce_by, reduce_along_chain>;

/// Every process combines what its two children in a binary tree send it with its own operands, in
/// segments; a subtree is a row of processes that begins with its root (after the in-order tree of
/// Open MPI's coll/base). Keeps the order of the ranks. Count and datatype as for circulant_Bcast.
VectorReduction reduce_by_binary_tree;
inline constexpr auto& binary_Reduce = bind_first<reduce_by, reduce_by_binary_tree>;

/// split_binary_Bcast backwards: neighbours exchange halves, and each half goes up its tree.
/// Commutative operators only. Count and datatype as for circulant_Bcast.
VectorReduction reduce_by_split_binary_trees;
inline constexpr auto& split_binary_Reduce = bind_first<reduce_by, reduce_by_split_binary_trees>;

/// two_tree_Bcast backwards, in trees whose nodes are between their subtrees (Sanders, Speck &
/// Träff, Parallel Computing 35, 2009). Keeps the order of the ranks. Count and datatype as for
/// circulant_Bcast.
VectorReduction reduce_in_two_trees;
inline constexpr auto& two_tree_Reduce = bind_first<reduce_by, reduce_in_two_trees>;

/// bine_Bcast backwards (De Sensi et al., SC 2025). Commutative operators only.
VectorReduction reduce_by_bine_tree;
inline constexpr auto& bine_Reduce = bind_first<reduce_by, reduce_by_bine_tree>;

/// circulant_Bcast backwards: who sent a block there receives and combines it here (Träff, arXiv
/// 2407.18004). Commutative operators only. Count and datatype as for circulant_Bcast.
VectorReduction reduce_in_circulant_rounds;
inline constexpr auto& circulant_Reduce = bind_first<reduce_by, reduce_in_circulant_rounds>;

/// Every process sends its operands to the root, which receives and combines them in the order of
/// the ranks, the last one first (the textbook's loop of receives). Keeps the order of the ranks.
int linear_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm);

/// Rabenseifner, from distance p/2 on, above 2 KiB for the operators that MPI defines, else
/// binomial (Thakur & Gropp 4.4). Keeps the order of the ranks.
VectorReduction reduce_as_MPICH2004;
inline constexpr auto& MPICH2004_Reduce = bind_first<reduce_by, reduce_as_MPICH2004>;

/// Partial results move up the ordered tree for equal blocks, each the reduction of consecutive
/// ranks in rank order, so that it fits any associative operator, commutative or not (Träff 2017,
/// "Practical, Linear-time, Fully Distributed Algorithms for Irregular Gather and Scatter", remark
/// after Theorem 1).
int TUW_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm);

}  // namespace mpiaudit
