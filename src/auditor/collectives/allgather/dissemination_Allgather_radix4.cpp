// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "collectives/allgather/allgather.h"
#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

void replicate_by_radix4_dissemination(const Blocks& blocks, const Ranks& ranks) {
    constexpr int radix = 4;
    // A rank has the blocks of `known` ranks from itself on.
    for (int known = 1; known < ranks.size; known *= radix) {
        messages::Requests requests;
        std::vector<TypedBuffer> buffers;  // whose datatypes live as long as the messages
        for (int first = known; first < std::min(radix * known, ranks.size); first += known) {
            const int n = std::min(known, ranks.size - first);
            const TypedBuffer& received =
                buffers.emplace_back(blocks.message(ranks.shifted(first), n));
            requests.start_receive(received.address, received.count, received.type,
                                   ranks.shifted(first), Tag::data, ranks.comm);
        }
        for (int first = known; first < std::min(radix * known, ranks.size); first += known) {
            const int n = std::min(known, ranks.size - first);
            const TypedBuffer& sent = buffers.emplace_back(blocks.message(ranks.rank, n));
            requests.start_send(sent.address, sent.count, sent.type, ranks.shifted(-first),
                                Tag::data, ranks.comm);
        }
        requests.wait_for_all();
    }
}

}  // namespace mpiaudit
