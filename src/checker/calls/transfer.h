// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "calls/group.h"
#include "calls/properties.h"

namespace mpiaudit::calls {

/// A block of elements that one rank has written, in the send buffer or in the receive buffer.
struct Block {
    int actor =
        0;  ///< the rank that has written the block; negative for a slot that stays as it is
    int number = 0;  ///< in the send buffer of the actor
    std::int64_t elements = 0;
};

/// The blocks that this rank gives to a call and gets from the call, by the definition of the
/// operation in the standard.
struct Transfer {
    std::vector<Block> sent, received;  ///< in the order of the counts and types of the arguments
    /// The actors whose contributions a reduction combines, in their order; empty for no reduction.
    std::vector<int> combined = {};
    std::int64_t elements = 0;  ///< of the vector of a reduction
    /// Elements that each rank of the own group gets from a reduction with scattered results.
    std::vector<std::int64_t> scattered = {};
    std::int64_t begin = 0;  ///< first element of the vector that this rank gets
    bool is_root = false;
    /// The root as an argument of the call: MPI_ROOT and MPI_PROC_NULL on an intercommunicator.
    int root = 0;
};

/// \param unit elements that one unit of a count stands for
Transfer transfer_of(const ChosenCall& call, const Group& group, int unit);

}  // namespace mpiaudit::calls
