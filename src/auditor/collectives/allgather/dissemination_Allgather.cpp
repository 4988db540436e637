// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <algorithm>

#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

// After the rounds with distances 1, 2, ..., d/2 a process has its own block and those of the d - 1
// processes before it. Received in place, so that the blocks need no rotation at the end; where the
// blocks of a message go past the last one and on with block 0 a datatype describes them.
void replicate_by_dissemination(const Blocks& blocks, const Ranks& ranks) {
    const int size = ranks.size;
    for (int distance = 1; distance < size; distance *= 2) {
        const int n = std::min(distance, size - distance);
        const TypedBuffer sent = blocks.message(ranks.rank - n + 1 + size, n);
        const TypedBuffer received = blocks.message(ranks.rank - distance - n + 1 + size, n);
        messages::exchange(sent.address, sent.count, sent.type, ranks.shifted(distance), Tag::data,
                           received.address, received.count, received.type,
                           ranks.shifted(-distance), Tag::data, ranks.comm);
    }
}

}  // namespace mpiaudit
