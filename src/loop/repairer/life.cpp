// SPDX-License-Identifier: BSD-3-Clause
// The functions that begin what is repaired. As with the collectives, PMPI_X is the application's
// call only when Fortran's library makes it.
#include <mpi.h>

#include "interposition/fortran_callers.h"
#include "interposition/library.h"
#include "repairer/session.h"

namespace mpiaudit::repairer {
namespace {

template <class Next>
int started(const Next& next) {
    if (interposition::depth != 0) return next();
    const interposition::Inside inside;
    const int code = next();
    if (code == MPI_SUCCESS) start();
    return code;
}

}  // namespace
}  // namespace mpiaudit::repairer

using mpiaudit::interposition::is_in_fortran_library;
using mpiaudit::interposition::next_of;
using mpiaudit::repairer::started;

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
