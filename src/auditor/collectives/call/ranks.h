// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "messages/messages.h"
#include "messages/private_communicator.h"

namespace mpiaudit {

/// The ranks that take part in a collective call, in a ring that starts with rank `first`, and the
/// communicator of their messages. A rank has the same number in it as in the caller's.
struct Ranks {
    explicit Ranks(MPI_Comm callers, int first_rank = 0)
        : Ranks{Used{private_communicator(callers)}, first_rank} {}
    /// For work that sends nothing, and so must not make the private communicator: that is
    /// collective.
    static Ranks without_messages(MPI_Comm callers) { return Ranks{Used{callers}, 0}; }

    /// The rank at a place of the ring, 0 <= place < 3 size.
    int at(int place) const { return (place % size + first) % size; }
    /// The rank `distance` (at least -size, at most size) places further on the ring.
    int shifted(int distance) const { return (rank + distance + size) % size; }

    MPI_Comm comm;
    int first;
    int size = 0;
    int rank = 0;      ///< this rank
    int position = 0;  ///< where on the ring it is; its rank if `first` is 0

  private:
    /// A type of its own: the communicators of some libraries are int.
    struct Used {
        MPI_Comm comm;
    };
    Ranks(Used used, int first_rank) : comm{used.comm}, first{first_rank} {
        size = messages::size_of(comm);
        rank = messages::rank_in(comm);
        position = (rank - first + size) % size;
    }
};

}  // namespace mpiaudit
