// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

void replicate_spreading(const Blocks& blocks, const Ranks& ranks) {
    const int rank = ranks.rank;
    for (int step = 1; step < ranks.size; ++step) {
        const int destination = ranks.shifted(step);
        const int source = ranks.shifted(-step);
        messages::exchange(blocks.at(rank), blocks.count(rank), blocks.type(), destination,
                           Tag::data, blocks.at(source), blocks.count(source), blocks.type(),
                           source, Tag::data, ranks.comm);
    }
}

}  // namespace mpiaudit
