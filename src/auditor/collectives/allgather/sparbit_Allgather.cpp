// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "collectives/allgather/allgather.h"
#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Calls round(d, sent, received) for d = 2^(q-1), ..., 2, 1, with q = ceil(log2 p): the blocks
/// which a rank sends to the rank d after it, its own, that of the rank 2d before it and so on, and
/// those which it gets from the rank d before it.
template <class Round>
void in_sparbit_rounds(const Ranks& ranks, Round round) {
    int distance = 1;
    while (distance < ranks.size) distance *= 2;
    for (distance /= 2; distance > 0; distance /= 2) {
        std::vector<int> sent, received;
        for (int before = distance; before < ranks.size; before += 2 * distance) {
            sent.push_back(ranks.shifted(distance - before));
            received.push_back(ranks.shifted(-before));
        }
        round(distance, sent, received);
    }
}

}  // namespace

void replicate_by_sparbit(const Blocks& blocks, const Ranks& ranks) {
    in_sparbit_rounds(
        ranks, [&](int distance, const std::vector<int>& sent, const std::vector<int>& received) {
            const TypedBuffer given = blocks.message(sent);
            const TypedBuffer taken = blocks.message(received);
            messages::exchange(given.address, given.count, given.type, ranks.shifted(distance),
                               Tag::data, taken.address, taken.count, taken.type,
                               ranks.shifted(-distance), Tag::data, ranks.comm);
        });
}

void replicate_by_sparbit_in_blocks(const Blocks& blocks, const Ranks& ranks) {
    in_sparbit_rounds(
        ranks, [&](int distance, const std::vector<int>& sent, const std::vector<int>& received) {
            messages::Requests requests;
            requests.reserve(2 * sent.size());
            for (const int block : received)
                requests.start_receive(blocks.at(block), blocks.count(block), blocks.type(),
                                       ranks.shifted(-distance), Tag::data, ranks.comm);
            for (const int block : sent)
                requests.start_send(blocks.at(block), blocks.count(block), blocks.type(),
                                    ranks.shifted(distance), Tag::data, ranks.comm);
            requests.wait_for_all();
        });
}

}  // namespace mpiaudit
