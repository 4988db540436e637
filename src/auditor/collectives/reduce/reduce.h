// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Reduce algorithms with the signature of MPI_Reduce; p processes, vectors of n bytes, lg is the
// logarithm to base 2, q the largest power of two that is at most p. "Thakur & Gropp" is "Improving
// the Performance of Collective Operations in MPICH", EuroPVM/MPI 2003. Algorithms keep the order
// of the ranks unless they need commutative operators. "Whole elements" as in bcast.h.
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

/// Implements MPI_Reduce. Positions count from the root for commutative operators, else from rank
/// 0, which sends the result to the root.
int reduce_by(VectorReduction reduce, const void* sendbuf, void* recvbuf, int count,
              MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);

/// Every process combines its operands with those of its children in a binomial tree and sends the
/// result to its parent (Thakur & Gropp 4.4, the old algorithm).
VectorReduction reduce_by_binomial_tree;
inline constexpr auto& binomial_Reduce = bind_first<reduce_by, reduce_by_binomial_tree>;

FoldOf far_first, near_first;
void reduce_by_halving_and_gather(FoldOf fold_of, const Reduction& reduction, const void* input,
                                  void* output, const Ranks& ranks);

/// Reduces and scatters the vector by recursive halving, and gathers its parts to the root in a
/// binomial tree (Thakur & Gropp 4.4, after Rabenseifner). Commutative operators only.
inline constexpr auto& Rabenseifner_Reduce =
    bind_first<reduce_by, bind_first<reduce_by_halving_and_gather, far_first>>;

/// Rabenseifner_Reduce with reversed distances, like near_first_Rabenseifner_Allreduce.
inline constexpr auto& near_first_Rabenseifner_Reduce =
    bind_first<reduce_by, bind_first<reduce_by_halving_and_gather, near_first>>;

/// binomial_Reduce in a tree of base four, like knomial_Bcast.
VectorReduction reduce_by_knomial_tree;
inline constexpr auto& knomial_Reduce = bind_first<reduce_by, reduce_by_knomial_tree>;

/// Every process receives the next one's result in segments, combines it with its own operands and
/// sends it on (the pipeline of Open MPI's coll/base). Whole elements.
VectorReduction reduce_along_chain;
inline constexpr auto& chain_Reduce = bind_first<reduce_by, reduce_along_chain>;

/// Every process combines the operands of its two children in a binary tree with its own, in
/// segments; a subtree is a range of processes that begins with its root (after the in-order tree
/// of Open MPI's coll/base). Whole elements.
VectorReduction reduce_by_binary_tree;
inline constexpr auto& binary_Reduce = bind_first<reduce_by, reduce_by_binary_tree>;

/// split_binary_Bcast reversed: neighbours exchange halves, and each half goes up its tree.
/// Commutative operators only. Whole elements.
VectorReduction reduce_by_split_binary_trees;
inline constexpr auto& split_binary_Reduce = bind_first<reduce_by, reduce_by_split_binary_trees>;

/// two_tree_Bcast reversed, in trees whose nodes are between their subtrees (Sanders, Speck &
/// Träff, Parallel Computing 35, 2009). Whole elements.
VectorReduction reduce_in_two_trees;
inline constexpr auto& two_tree_Reduce = bind_first<reduce_by, reduce_in_two_trees>;

/// bine_Bcast reversed (De Sensi et al., SC 2025). Commutative operators only.
VectorReduction reduce_by_bine_tree;
inline constexpr auto& bine_Reduce = bind_first<reduce_by, reduce_by_bine_tree>;

/// circulant_Bcast reversed: the sender of a block there receives and combines it here (Träff,
/// arXiv 2407.18004). Commutative operators only. Whole elements.
VectorReduction reduce_in_circulant_rounds;
inline constexpr auto& circulant_Reduce = bind_first<reduce_by, reduce_in_circulant_rounds>;

/// Every process sends its operands to the root, which receives and combines them in rank order,
/// the last one first (a textbook's loop of receives).
int linear_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm);

/// Uses Rabenseifner, from distance p/2 on, above 2 KiB for predefined operators, else the binomial
/// tree (Thakur & Gropp 4.4).
VectorReduction reduce_as_MPICH2004;
inline constexpr auto& MPICH2004_Reduce = bind_first<reduce_by, reduce_as_MPICH2004>;

/// Partial results move up the ordered tree for equal blocks, each the reduction of consecutive
/// ranks in rank order, so any associative operator is valid, commutative or not (Träff 2017,
/// "Practical, Linear-time, Fully Distributed Algorithms for Irregular Gather and Scatter", remark
/// after Theorem 1).
int TUW_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm);

}  // namespace mpiaudit
