// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/gather/gather_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

/// The star: every other rank is a child of the root.
GatherNode linear_tree(const RootedCall& call);

}  // namespace mpiaudit
