// SPDX-License-Identifier: BSD-3-Clause
// The functions that end what is recorded, or interrupt it. As with the collectives, PMPI_X is the
// application's call only when Fortran's library makes it.
#include <mpi.h>

#include "recorder/recorded.h"

namespace mpiaudit::recorder {
namespace {

template <class Next>
int aborted(const Next& next) {
    if (depth == 0) write_part("MPI_Abort");
    return next();
}

template <class Next>
int controlled(int level, const Next& next) {
    if (depth == 0) session.is_paused = level == 0;
    return next();
}

}  // namespace
}  // namespace mpiaudit::recorder

using mpiaudit::interposition::is_in_fortran_library;
using mpiaudit::interposition::next_of;
using namespace mpiaudit::recorder;

extern "C" int MPI_Abort(MPI_Comm comm, int code) {
    static const auto next = next_of(&MPI_Abort, "MPI_Abort");
    return aborted([&] { return next(comm, code); });
}

extern "C" int PMPI_Abort(MPI_Comm comm, int code) {
    static const auto next = next_of(&PMPI_Abort, "PMPI_Abort");
    if (!is_in_fortran_library(__builtin_return_address(0))) return next(comm, code);
    return aborted([&] { return next(comm, code); });
}

// What follows the level belongs to a tool that knows it; both libraries ignore all of it.
extern "C" int MPI_Pcontrol(const int level, ...) {
    static const auto next = next_of(&MPI_Pcontrol, "MPI_Pcontrol");
    return controlled(level, [&] { return next(level); });
}

extern "C" int PMPI_Pcontrol(const int level, ...) {
    static const auto next = next_of(&PMPI_Pcontrol, "PMPI_Pcontrol");
    if (!is_in_fortran_library(__builtin_return_address(0))) return next(level);
    return controlled(level, [&] { return next(level); });
}
