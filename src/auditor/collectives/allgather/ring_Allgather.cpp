// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

void replicate_by_ring(const Blocks& blocks, const Ranks& ranks) {
    const int size = ranks.size;
    const int right = ranks.shifted(1);
    const int left = ranks.shifted(-1);
    for (int step = 1; step < size; ++step) {
        const int sent = (ranks.position - step + 1 + size) % size;
        const int received = (ranks.position - step + size) % size;
        messages::exchange(blocks.at(sent), blocks.count(sent), blocks.type(), right, Tag::data,
                           blocks.at(received), blocks.count(received), blocks.type(), left,
                           Tag::data, ranks.comm);
    }
}

}  // namespace mpiaudit
