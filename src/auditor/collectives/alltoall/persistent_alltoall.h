// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall/zero_copy_bruck.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// The rounds of Zero-copy Bruck as persistent requests. These keep their datatypes alive.
struct PersistentAlltoall {
    /// The buffer to send from: `sendbuf`, or a copy of `recvbuf` if that is MPI_IN_PLACE.
    const void* bind_input(const void* sendbuf, const void* recvbuf, const Blocks& receive,
                           const Ranks& ranks);
    /// The message of this rank to itself; before any round.
    void add_own(const Blocks& send, const Blocks& receive, const Ranks& ranks);
    void add_round(const ZeroCopyRound& round, int distance, const Ranks& ranks);
    int start();
    int wait();

    /// The own message goes with the first round: nothing waits for it alone.
    std::size_t first_requests() const;

    std::optional<InputCopy> input_copy;
    Scratch intermediate;
    messages::PersistentRequests requests;  ///< send and receive: the own message, then the rounds
};

}  // namespace mpiaudit
