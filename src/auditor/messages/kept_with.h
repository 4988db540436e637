// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>
#include <typeindex>

#include "messages/messages.h"

namespace mpiaudit {

/// The one thing of this type that is kept with the communicator, empty at first, and freed with
/// it.
std::shared_ptr<void>& kept_with(MPI_Comm comm, std::type_index type);

/// Frees all that is kept with it now: before MPI_Finalize, which does not end MPI as long as there
/// is a session.
void forget_kept(MPI_Comm comm);

/// What algorithms remember of a communicator from call to call. While calls are recorded, each
/// starts without a memory.
template <class State>
State& kept_with(MPI_Comm comm) {
    std::shared_ptr<void>& state = messages::recorder
                                       ? messages::recorder->kept(comm, typeid(State))
                                       : kept_with(comm, typeid(State));
    if (!state) state = std::make_shared<State>();
    return *static_cast<State*>(state.get());
}

/// A duplicate of `comm` for the messages of the reference algorithms, so that they can never match
/// a message of the caller. Made on the first call for `comm` (collective then, like the collective
/// operation that needs it), kept as an attribute of `comm` and freed with it.
MPI_Comm private_communicator(MPI_Comm comm);

}  // namespace mpiaudit
