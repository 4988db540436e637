// SPDX-License-Identifier: BSD-3-Clause
// The functions that end what is recorded, or interrupt it.
#include <mpi.h>

#include "recorder/recorded.h"

namespace mpiaudit::recorder {
namespace {

template <class Next>
int aborted(const Next& next) {
    if (depth == 0) write_part("MPI_Abort");
    return next();
}

auto controlled(int level) {
    return [level](const auto& next) {
        if (depth == 0) session.is_paused = level == 0;
        return next();
    };
}

}  // namespace
}  // namespace mpiaudit::recorder

using namespace mpiaudit::recorder;

MPIAUDIT_INTERPOSED(MPI_Abort, (MPI_Comm comm, int code), (comm, code), aborted)
// What follows the level belongs to a tool that knows it; both libraries ignore all of it.
MPIAUDIT_INTERPOSED(MPI_Pcontrol, (const int level, ...), (level), controlled(level))
