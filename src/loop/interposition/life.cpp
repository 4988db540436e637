// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of the functions that start MPI, and of those that free communicators; declared in
// library.h. While attributes are deleted, calls are not recorded: an attribute that is set then
// corrupts MPICH's list and would never be freed.

#include <numeric>

#include "interposition/library.h"

namespace mpiaudit::interposition {
namespace {

template <class Next>
/// Behaviour of MPI_Init: calls on_start() after the real function.
int reporting_start(const Next& next) {
    if (depth != 0) return next();
    const Inside inside;
    const int code = next();
    if (code == MPI_SUCCESS) on_start();
    return code;
}

template <class Next>
/// Behaviour of functions that delete attributes: calls inside are not the application's.
int hiding_inner_calls(const Next& next) {
    const Inside inside;
    return next();
}

}  // namespace

void call_on_end_at_finalize() {
    int key = MPI_KEYVAL_INVALID;
    const auto end_of_mpi = [](MPI_Comm, int, void*, void*) -> int {
        on_end();
        return MPI_SUCCESS;
    };
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_of_mpi, &key, nullptr);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    // The key is freed when the attribute is deleted.
    PMPI_Comm_free_keyval(&key);
}

std::vector<int> world_ranks(MPI_Comm comm) {
    MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(comm, &group);
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> own(static_cast<std::size_t>(size)), ranks(own.size());
    std::iota(own.begin(), own.end(), 0);
    PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return ranks;
}

}  // namespace mpiaudit::interposition

using mpiaudit::interposition::hiding_inner_calls;
using mpiaudit::interposition::reporting_start;

MPIAUDIT_INTERPOSED(MPI_Init, (int* argc, char*** argv), (argc, argv), reporting_start)
MPIAUDIT_INTERPOSED(MPI_Init_thread, (int* argc, char*** argv, int required, int* provided),
                    (argc, argv, required, provided), reporting_start)
MPIAUDIT_INTERPOSED(MPI_Comm_free, (MPI_Comm * comm), (comm), hiding_inner_calls)
MPIAUDIT_INTERPOSED(MPI_Comm_disconnect, (MPI_Comm * comm), (comm), hiding_inner_calls)
MPIAUDIT_INTERPOSED(MPI_Finalize, (), (), hiding_inner_calls)
