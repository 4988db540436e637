// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/ranks.h"
#include "collectives/datatypes/typed_buffer.h"

namespace mpiaudit {

/// Broadcasts from the rank at position 0 along a binomial tree: a rank gets the data from the one
/// whose position lacks its lowest bit, and is the root of the positions below that bit.
void broadcast_by_binomial_tree(const TypedBuffer& data, const Ranks& ranks);

}  // namespace mpiaudit
