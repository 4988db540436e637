// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "calls/properties.h"

/// How many ranks the communicators of generated calls have. Pure functions.
namespace mpiaudit::calls {

/// Returns the extents of a grid with this number of ranks, which is as square as possible.
std::vector<int> rectangle(int ranks);

/// Returns the number of ranks of the smallest communicator of this kind, or of the smaller group
/// of an intercommunicator. \param ranks of the launch
int fewest_ranks(Communicator communicator, int ranks);

/// Returns the number of ranks of the shortest periodic dimension of a Cartesian communicator;
/// nullopt for others. \param ranks of the launch
std::optional<int> shortest_periodic(Communicator communicator, int ranks);

}  // namespace mpiaudit::calls
