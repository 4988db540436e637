// SPDX-License-Identifier: BSD-3-Clause
#include "messages/private_communicator.h"

#include <memory>

#include "messages/messages.h"

namespace mpiaudit {
namespace {

int free_duplicate(MPI_Comm, int, void* value, void*) {
    const std::unique_ptr<MPI_Comm> duplicate(static_cast<MPI_Comm*>(value));
    // Attributes of MPI_COMM_WORLD may be deleted while MPI finalizes, when freeing is too late.
    int finalized = 0;
    MPI_Finalized(&finalized);
    return finalized ? MPI_SUCCESS : MPI_Comm_free(duplicate.get());
}

int keyval() {
    static const int key = [] {
        int created = MPI_KEYVAL_INVALID;
        // A duplicate of the communicator makes its own private one: nothing is copied.
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate, &created, nullptr);
        return created;
    }();
    return key;
}

}  // namespace

MPI_Comm private_communicator(MPI_Comm comm) {
    if (messages::recorder) [[unlikely]]
        return comm;
    MPI_Comm* duplicate = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, keyval(), &duplicate, &found);
    if (!found) {
        duplicate = new MPI_Comm;
        MPI_Comm_dup(comm, duplicate);
        MPI_Comm_set_attr(comm, keyval(), duplicate);
    }
    return *duplicate;
}

}  // namespace mpiaudit
