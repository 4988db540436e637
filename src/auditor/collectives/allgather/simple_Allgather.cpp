// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <vector>

#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

void replicate_at_once(const Blocks& blocks, const Ranks& ranks) {
    const int rank = ranks.rank;
    messages::Requests requests;
    requests.reserve(2 * static_cast<std::size_t>(ranks.size));
    for (int source = 0; source < ranks.size; ++source) {
        if (source == rank) continue;
        requests.start_receive(blocks.at(source), blocks.count(source), blocks.type(), source,
                               Tag::data, ranks.comm);
    }
    for (int destination = 0; destination < ranks.size; ++destination) {
        if (destination == rank) continue;
        requests.start_send(blocks.at(rank), blocks.count(rank), blocks.type(), destination,
                            Tag::data, ranks.comm);
    }
    requests.wait_for_all();
}

}  // namespace mpiaudit
