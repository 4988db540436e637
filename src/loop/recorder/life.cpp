// SPDX-License-Identifier: BSD-3-Clause
// The functions that begin and end what is recorded. As with the collectives, PMPI_X is the
// application's call only when Fortran's library makes it.
#include <mpi.h>

#include "recorder/recorded.h"

namespace mpiaudit::recorder {
namespace {

template <class Next>
int started(const Next& next) {
    if (depth != 0) return next();
    int code = MPI_SUCCESS;
    {
        const Inside inside;
        code = next();
    }
    if (code == MPI_SUCCESS) start(true);
    return code;
}

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

extern "C" int MPI_Init(int* argc, char*** argv) {
    static const auto next = next_of(&MPI_Init, "MPI_Init");
    return started([&] { return next(argc, argv); });
}

extern "C" int PMPI_Init(int* argc, char*** argv) {
    static const auto next = next_of(&PMPI_Init, "PMPI_Init");
    if (!is_in_fortran_library(__builtin_return_address(0))) return next(argc, argv);
    return started([&] { return next(argc, argv); });
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    static const auto next = next_of(&MPI_Init_thread, "MPI_Init_thread");
    return started([&] { return next(argc, argv, required, provided); });
}

extern "C" int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    static const auto next = next_of(&PMPI_Init_thread, "PMPI_Init_thread");
    if (!is_in_fortran_library(__builtin_return_address(0)))
        return next(argc, argv, required, provided);
    return started([&] { return next(argc, argv, required, provided); });
}

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
