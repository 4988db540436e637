// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/direct_messages.h"

#include "collectives/call/tags.h"

namespace mpiaudit {

void start_messages(const Blocks& send, const Blocks& receive, int first, int end,
                    const Ranks& ranks, messages::Requests& requests) {
    for (int distance = first; distance < end; ++distance) {
        const int from = ranks.shifted(-distance);
        if (receive.bytes(from) == 0) continue;
        requests.start_receive(receive.at(from), receive.count(from), receive.type(), from,
                               Tag::data, ranks.comm);
    }
    for (int distance = first; distance < end; ++distance) {
        const int to = ranks.shifted(distance);
        if (send.bytes(to) == 0) continue;
        requests.start_send(send.at(to), send.count(to), send.type(), to, Tag::data, ranks.comm);
    }
}

}  // namespace mpiaudit
