// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>
#include <typeindex>

#include "messages/messages.h"

namespace mpiaudit {

/// Returns the state of this type that is kept with the communicator, initially null, and freed
/// with it.
std::shared_ptr<void>& kept_with(MPI_Comm comm, std::type_index type);

/// Frees all state kept with the communicator. Call this function before MPI_Finalize, which does
/// not end MPI while a session exists.
void forget_kept(MPI_Comm comm);

/// Returns the state that algorithms keep with a communicator between calls; default-constructed at
/// first. Each recorded call starts without kept state.
template <class State>
State& kept_with(MPI_Comm comm) {
    std::shared_ptr<void>& state = messages::recorder
                                       ? messages::recorder->kept(comm, typeid(State))
                                       : kept_with(comm, typeid(State));
    if (!state) state = std::make_shared<State>();
    return *static_cast<State*>(state.get());
}

/// Returns a duplicate of `comm` for the messages of the reference algorithms, which thus never
/// match messages of the caller. The first call for `comm` creates the duplicate (collective, like
/// the operation that needs it) as an attribute of `comm`, freed with it.
MPI_Comm private_communicator(MPI_Comm comm);

}  // namespace mpiaudit
