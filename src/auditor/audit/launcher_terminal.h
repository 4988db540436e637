// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit {

/// Whether what this process writes to standard error ends on a terminal, directly or through a
/// launcher on this host: mpirun gives its ranks pipes, and passes on what comes out of them.
bool errors_reach_a_terminal();

}  // namespace mpiaudit
