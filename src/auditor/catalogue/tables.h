// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <vector>

#include "catalogue/arrow.h"

namespace mpiaudit {

// The arrows of each collective, one table per file. A new algorithm is one line in the table of
// its collective.
std::vector<Arrow> gather_arrows();
std::vector<Arrow> scatter_arrows();
std::vector<Arrow> allgather_arrows();
std::vector<Arrow> alltoall_arrows();
std::vector<Arrow> bcast_arrows();
std::vector<Arrow> reduce_arrows();
std::vector<Arrow> allreduce_arrows();
std::vector<Arrow> reduce_scatter_arrows();
std::vector<Arrow> scan_arrows();
std::vector<Arrow> barrier_arrows();
/// What is put together of parts on nodes and between them.
std::vector<Arrow> node_arrows();
std::vector<Arrow> neighbor_arrows();
/// Neighbourhood collectives with fewer messages than there are edges.
std::vector<Arrow> moore_arrows();
/// Operations with arrays of counts of type MPI_Count.
std::vector<Arrow> large_counts_arrows();
/// Agreements, packing and the arrows that a path uses without naming them.
std::vector<Arrow> local_arrows();
/// Natives by other natives, with copies and messages between: what a library could do itself.
std::vector<Arrow> composed_arrows();
/// Natives on the first half of the ranks.
std::vector<Arrow> first_half_arrows();
/// Other ways to call each native operation of `usual`.
std::vector<Arrow> variant_arrows(const std::deque<Arrow>& usual);

}  // namespace mpiaudit
