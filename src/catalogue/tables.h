// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "catalogue/arrow.h"

namespace mpiaudit {

// The arrows of each collective, one table per file. A new algorithm is one line in the table of
// its collective.
std::span<const Arrow> gather_arrows();
std::span<const Arrow> scatter_arrows();
std::span<const Arrow> allgather_arrows();
/// Allgather scheduled from the network between the ranks.
std::span<const Arrow> grid_arrows();
std::span<const Arrow> alltoall_arrows();
std::span<const Arrow> bcast_arrows();
std::span<const Arrow> reduce_arrows();
std::span<const Arrow> allreduce_arrows();
std::span<const Arrow> reduce_scatter_arrows();
std::span<const Arrow> scan_arrows();
std::span<const Arrow> barrier_arrows();
/// Agreements, packing and the arrows that a path uses without naming them.
std::span<const Arrow> local_arrows();

}  // namespace mpiaudit
