// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/gather/gather_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

/// A rank's node of the k-nomial tree (radix 2: binomial) over the ranks relative to the root,
/// (rank - root) mod p, whatever the block sizes: a subtree is a range of relative ranks, so of
/// ranks modulo p. The amounts are not known yet.
GatherNode fixed_tree(int rank, int root, int ranks, int radix);

/// Finds the amounts of an irregular gather or scatter: subtrees tell theirs to their parents by
/// one message per edge that does not end at the root, which knows all counts. Messages of their
/// own rather than MPI_Probe on the data, so that a gather can post all its receives to where the
/// data belong before any arrive.
void tell_amounts(const RootedCall& call, GatherNode& node);

/// The amounts when all blocks have the size of this rank's own.
void set_regular_amounts(const RootedCall& call, GatherNode& node);

}  // namespace mpiaudit
