// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit {

/// From now on an access to the protected pages around a buffer (see guard/guarded_memory.h) ends
/// this rank, and by its launcher all of them, with the exit code of a wrong result and a line that
/// says what was being done (see Activity). Other faults go where they went before.
/// \param exit_code that of a wrong result
void watch_bounds(int rank, int exit_code);

}  // namespace mpiaudit
