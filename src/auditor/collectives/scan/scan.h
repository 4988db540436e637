// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Prefix reductions with the signatures of MPI_Scan and MPI_Exscan; p processes, vectors of n
// bytes. All keep the order of the ranks.
//
//                       rounds           bytes sent by a process
// recursive doubling    ceil(log2 p)     n in every round in which it has a partner
// 123 doubling          see there        n in every round in which it has a receiver
// by bits               ceil(log2 p)     n in every round in which it has a receiver
// linear                p-1              n, the last process nothing
namespace mpiaudit {

/// Processes at distance 1, 2, 4, ... exchange the reductions over their subtrees. A process also
/// combines into its result what it receives from lower processes (Thakur & Gropp, "Improving the
/// Performance of Collective Operations in MPICH", EuroPVM/MPI 2003, section 4.1, describe the
/// exchange, not the scan).
VectorReduction scan_by_recursive_doubling;
inline constexpr auto& recursive_doubling_Scan =
    bind_first<reduction_by, scan_by_recursive_doubling>;

/// recursive_doubling_Scan without the process's own operands.
VectorReduction exscan_by_recursive_doubling;
inline constexpr auto& recursive_doubling_Exscan =
    bind_first<reduction_by, exscan_by_recursive_doubling>;

/// Every process has the reduction over the w processes before it. In the first two rounds a
/// process sends this reduction combined with its own operands: w becomes 1, then 3. Later rounds
/// send the reduction alone and double w: ceil(log2(p-1) + log2(4/3)) rounds (Träff,
/// "123-doubling", arXiv 2507.04785).
VectorReduction exscan_by_doubling_123;
inline constexpr auto& doubling_123_Exscan = bind_first<reduction_by, exscan_by_doubling_123>;

/// Like exscan_by_doubling_123, with one round for each bit of p-1, from the highest on. In the
/// rounds of the set bits, a process adds its own operands to what it sends (after the abstract of
/// "Two efficient message-passing exclusive scan algorithms", arXiv 2604.25667).
VectorReduction exscan_by_binary_expansion;
inline constexpr auto& bits_Exscan = bind_first<reduction_by, exscan_by_binary_expansion>;

/// Every process receives the preceding process's result, combines it with its operands and sends
/// the result to the next process (a textbook's chain).
VectorReduction scan_along_chain;
inline constexpr auto& linear_Scan = bind_first<reduction_by, scan_along_chain>;

/// linear_Scan without the process's own operands.
VectorReduction exscan_along_chain;
inline constexpr auto& linear_Exscan = bind_first<reduction_by, exscan_along_chain>;

}  // namespace mpiaudit
