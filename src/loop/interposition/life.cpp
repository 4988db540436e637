// SPDX-License-Identifier: BSD-3-Clause
// The functions that begin what is looked at, and those that end a communicator: what the
// application calls while its attributes are deleted is left alone, since an attribute that is set
// then corrupts MPICH's list, and nobody would take it away.

#include <numeric>

#include "interposition/library.h"

namespace mpiaudit::interposition {
namespace {

template <class Next>
int started(const Next& next) {
    if (depth != 0) return next();
    const Inside inside;
    const int code = next();
    if (code == MPI_SUCCESS) on_start();
    return code;
}

template <class Next>
int unseen(const Next& next) {
    const Inside inside;
    return next();
}

}  // namespace

void listen_for_end() {
    int key = MPI_KEYVAL_INVALID;
    const auto end_of_mpi = [](MPI_Comm, int, void*, void*) {
        on_end();
        return MPI_SUCCESS;
    };
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_of_mpi, &key, nullptr);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    // Freed when the attribute is gone.
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

using mpiaudit::interposition::started;
using mpiaudit::interposition::unseen;

MPIAUDIT_INTERPOSED(MPI_Init, (int* argc, char*** argv), (argc, argv), started)
MPIAUDIT_INTERPOSED(MPI_Init_thread, (int* argc, char*** argv, int required, int* provided),
                    (argc, argv, required, provided), started)
MPIAUDIT_INTERPOSED(MPI_Comm_free, (MPI_Comm * comm), (comm), unseen)
MPIAUDIT_INTERPOSED(MPI_Comm_disconnect, (MPI_Comm * comm), (comm), unseen)
MPIAUDIT_INTERPOSED(MPI_Finalize, (), (), unseen)
