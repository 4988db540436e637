// SPDX-License-Identifier: BSD-3-Clause
#include "messages/kept_with.h"

#include <map>
#include <memory>

#include "messages/messages.h"

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

/// The same ranks and error handler. MPI_Comm_dup would call what the application has for the
/// attributes of a communicator that it duplicates.
MPI_Comm group_alone(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_group(comm, &group);
    MPI_Comm_create(comm, group, &made);
    MPI_Group_free(&group);
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Comm_set_errhandler(made, handler);
    MPI_Errhandler_free(&handler);
    return made;
}

}  // namespace

MPI_Comm private_communicator(MPI_Comm comm) {
    if (messages::recorder) [[unlikely]]
        return comm;
    MPI_Comm* duplicate = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, keyval(), &duplicate, &found);
    if (!found) {
        duplicate = new MPI_Comm(group_alone(comm));
        MPI_Comm_set_attr(comm, keyval(), duplicate);
    }
    return *duplicate;
}

}  // namespace mpiaudit
