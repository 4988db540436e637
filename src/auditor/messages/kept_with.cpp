// SPDX-License-Identifier: BSD-3-Clause
#include "messages/kept_with.h"

#include <map>

namespace mpiaudit {
namespace {

struct Kept {
    std::map<std::type_index, std::shared_ptr<void>> states;
    OwnedComm private_communicator;
};

/// The delete callback of the attribute.
int forget(MPI_Comm, int, void* value, void*) {
    const std::unique_ptr<Kept> kept(static_cast<Kept*>(value));
    return MPI_SUCCESS;
}

int keyval() {
    static const int key = [] {
        int created = MPI_KEYVAL_INVALID;
        // A duplicate of the communicator starts without kept state.
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &created, nullptr);
        return created;
    }();
    return key;
}

Kept& kept_by(MPI_Comm comm) {
    Kept* kept = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, keyval(), &kept, &found);
    if (!found) {
        kept = new Kept;
        MPI_Comm_set_attr(comm, keyval(), kept);
    }
    return *kept;
}

/// Creates a communicator with the ranks and the error handler of `comm`. MPI_Comm_dup would run
/// the application's copy callbacks of attributes.
MPI_Comm copy_without_attributes(MPI_Comm comm) {
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

std::shared_ptr<void>& kept_with(MPI_Comm comm, std::type_index type) {
    return kept_by(comm).states[type];
}

void forget_kept(MPI_Comm comm) {
    Kept* kept = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, keyval(), &kept, &found);
    if (found) MPI_Comm_delete_attr(comm, keyval());
}

MPI_Comm private_communicator(MPI_Comm comm) {
    if (messages::recorder) [[unlikely]]
        return comm;
    OwnedComm& own = kept_by(comm).private_communicator;
    if (!own) own = OwnedComm{copy_without_attributes(comm)};
    return own.get();
}

}  // namespace mpiaudit
