// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Allreduce algorithms with the signature of MPI_Allreduce; p processes, vectors of n bytes, lg is
// the logarithm to base 2, q the largest power of two that is at most p. "Thakur & Gropp" is
// "Improving the Performance of Collective Operations in MPICH", EuroPVM/MPI 2003. Algorithms keep
// the order of the ranks unless they need commutative operators. "Whole elements" as in bcast.h.
//
//                       rounds                         bytes sent by a process
// recursive doubling    lg q, and 2 more if p > q      p = q: n lg p; else p - q processes n, their
//                                                      neighbours n (lg q + 1), the others n lg q
// recursive multiplying the sum of f - 1 over   n in each; p > q: as recursive doubling
//                       the factors f of q, ...
// Rabenseifner, both    2 lg q, and 2 more if p > q    p = q: 2 n (q-1)/q; else p - q processes n,
// orders                                               their neighbours n more than the others
// near first, circulant 2 ceil(lg p)                   2 n (p-1)/p
// census                ceil(lg p)                     n ceil(lg p)
// Swing                 as recursive doubling          as recursive doubling
// Bine                  2 lg q, and 2 more if p > q    as Rabenseifner
// two trees             4 (lg p + b), about            2 n, for 2 b segments
// dual root             3 (2 lg p + b), about          3 n, for b segments
// ring                  2 (p-1)                        process i: 2 n minus the parts i and i + 1
// reduce + bcast        2 ceil(lg p)                   n (not process 0), and n to each child
namespace mpiaudit {

/// Processes at distance 1, 2, 4, ... exchange and combine their results; before, p - q processes
/// hand their operands to a neighbour, which returns the result at the end (Thakur & Gropp 4.1 and
/// 4.3).
VectorReduction allreduce_by_recursive_doubling;
inline constexpr auto& recursive_doubling_Allreduce =
    bind_first<reduction_by, allreduce_by_recursive_doubling>;

/// The processes of a group of 4, 3, 2, 5 or 7 exchange their results at once in each round; the
/// group sizes multiply to the largest q <= p without other factors, and p - q processes are
/// treated as in recursive doubling (recursive multiplying, Wilkins et al., CLUSTER 2023, with
/// mixed radix).
VectorReduction allreduce_by_recursive_multiplying;
inline constexpr auto& recursive_multiplying_Allreduce =
    bind_first<reduction_by, allreduce_by_recursive_multiplying>;

FoldOf far_first, near_first;  // Both are explained in patterns/halving.h.
void allreduce_by_halving(FoldOf fold_of, const Reduction& reduction, const void* input,
                          void* output, const Ranks& ranks);

/// Reduces and scatters the vector by recursive halving, and collects its parts by recursive
/// doubling (Rabenseifner, cited by Thakur & Gropp 4.4). Commutative operators only.
inline constexpr auto& Rabenseifner_Allreduce =
    bind_first<reduction_by, bind_first<allreduce_by_halving, far_first>>;

/// Rabenseifner_Allreduce with reversed distances: neighbours exchange half of the vector, and more
/// distant processes exchange smaller parts, so little crosses the network if nodes have many
/// processes. This is Rabenseifner's own order ("vector halving and distance doubling", Thakur,
/// Rabenseifner & Gropp, "Optimization of collective communication operations in MPICH", 2005) and
/// that of MPICH and Open MPI.
inline constexpr auto& near_first_Rabenseifner_Allreduce =
    bind_first<reduction_by, bind_first<allreduce_by_halving, near_first>>;

RoundsOf circulant_rounds, near_first_rounds;
void allreduce_in_rounds(RoundsOf rounds_of, const Reduction& reduction, const void* input,
                         void* output, const Ranks& ranks);

/// Reduces and scatters the vector as near_first_Reduce_scatter, and collects its p parts as
/// sparbit_Allgather, for any number of processes. Commutative operators only.
inline constexpr auto& near_first_Allreduce =
    bind_first<reduction_by, bind_first<allreduce_in_rounds, near_first_rounds>>;

/// Reduces and scatters the vector as circulant_Reduce_scatter, and collects its parts by the
/// reversed rounds (Träff, arXiv 2410.14234). Commutative operators only.
inline constexpr auto& circulant_Allreduce =
    bind_first<reduction_by, bind_first<allreduce_in_rounds, circulant_rounds>>;

/// Every process holds the sum of the w processes before it. In each round, a process sends this
/// sum with its own operands added or not. After ceil(lg p) rounds w is p-1 (Bar-Noy, Kipnis &
/// Schieber, "Optimal computation of census functions in the postal model", 1993). Commutative
/// operators only.
VectorReduction allreduce_by_census;
inline constexpr auto& census_Allreduce = bind_first<reduction_by, allreduce_by_census>;

/// Like recursive_doubling_Allreduce, but with processes at distances 1, -1, 3, -5, 11, ... (odd
/// processes count backwards), on average two thirds as far (De Sensi et al., "Swing", NSDI 2024,
/// for short vectors). Commutative operators only.
VectorReduction allreduce_by_swing;
inline constexpr auto& swing_Allreduce = bind_first<reduction_by, allreduce_by_swing>;

/// Reduces and scatters the vector as bine_Reduce_scatter, and collects its parts by the reversed
/// rounds (De Sensi et al., Swing for long vectors, NSDI 2024; Bine, SC 2025). Commutative
/// operators only.
VectorReduction allreduce_by_bine;
inline constexpr auto& bine_Allreduce = bind_first<reduction_by, allreduce_by_bine>;

/// Runs two_tree_Reduce to process 0, then two_tree_Bcast (Sanders, Speck & Träff, Parallel
/// Computing 35, 2009). Whole elements.
VectorReduction allreduce_in_two_trees;
inline constexpr auto& two_tree_Allreduce = bind_first<reduction_by, allreduce_in_two_trees>;

/// Each half of the processes has a binary tree. Segments go up, the two roots exchange them, and
/// segments go down at the same time: a process meets its children and its parent in each round
/// (Träff, "A doubly-pipelined, dual-root reduction-to-all algorithm and implementation", arXiv
/// 2109.12626). Whole elements.
VectorReduction allreduce_with_two_roots;
inline constexpr auto& dual_root_Allreduce = bind_first<reduction_by, allreduce_with_two_roots>;

/// Each of p parts of the vector goes round the ring once to be reduced and once to be collected
/// (Thakur & Gropp 4.1 for the second half). Commutative operators only.
VectorReduction allreduce_by_ring;
inline constexpr auto& ring_Allreduce = bind_first<reduction_by, allreduce_by_ring>;

/// Reduces the vector to process 0 and broadcasts the result, both in a binomial tree (the
/// composition MPI_Reduce + MPI_Bcast).
VectorReduction allreduce_by_root;
inline constexpr auto& reduce_bcast_Allreduce = bind_first<reduction_by, allreduce_by_root>;

/// Uses Rabenseifner, near first, above 2 KiB for predefined operators, else recursive doubling.
/// Thakur & Gropp give no limit for allreduce, so this is their limit for reduce (4.4).
VectorReduction allreduce_as_MPICH2004;
inline constexpr auto& MPICH2004_Allreduce = bind_first<reduction_by, allreduce_as_MPICH2004>;

}  // namespace mpiaudit
