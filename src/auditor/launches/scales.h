// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "audit/commands.h"

namespace mpiaudit {

/// `run`: an audit of all ranks, or an audit for each number of --ranks or --nodes. Collective over
/// MPI_COMM_WORLD.
int run_launch(const Command& command, const Environment& environment,
               const OtherProducts& other_products);

}  // namespace mpiaudit
