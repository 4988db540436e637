// SPDX-License-Identifier: BSD-3-Clause
#include "messages/kept_with.h"

#include <map>

namespace mpiaudit {
namespace {

using Kept = std::map<std::type_index, std::shared_ptr<void>>;

int forget(MPI_Comm, int, void* value, void*) {
    const std::unique_ptr<Kept> kept(static_cast<Kept*>(value));
    return MPI_SUCCESS;
}

int kept_keyval() {
    static const int key = [] {
        int created = MPI_KEYVAL_INVALID;
        // A duplicate of the communicator begins without a memory.
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &created, nullptr);
        return created;
    }();
    return key;
}

}  // namespace

std::shared_ptr<void>& kept_with(MPI_Comm comm, std::type_index type) {
    Kept* kept = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, kept_keyval(), &kept, &found);
    if (!found) {
        kept = new Kept;
        MPI_Comm_set_attr(comm, kept_keyval(), kept);
    }
    return (*kept)[type];
}

void forget_kept(MPI_Comm comm) {
    Kept* kept = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, kept_keyval(), &kept, &found);
    if (found) MPI_Comm_delete_attr(comm, kept_keyval());
}

}  // namespace mpiaudit
