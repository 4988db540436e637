// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "collectives/allgather/allgather.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

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
            ranks.exchange(given, ranks.shifted(distance), taken, ranks.shifted(-distance));
        });
}

void replicate_by_sparbit_in_blocks(const Blocks& blocks, const Ranks& ranks) {
    in_sparbit_rounds(
        ranks, [&](int distance, const std::vector<int>& sent, const std::vector<int>& received) {
            messages::Requests requests;
            requests.reserve(2 * sent.size());
            for (const int block : received)
                ranks.start_receive(requests, blocks.message(block), ranks.shifted(-distance));
            for (const int block : sent)
                ranks.start_send(requests, blocks.message(block), ranks.shifted(distance));
            requests.wait_for_all();
        });
}

void replicate_by_radix4_dissemination(const Blocks& blocks, const Ranks& ranks) {
    constexpr int radix = 4;
    // A rank has the blocks of `known` ranks from itself on.
    for (int known = 1; known < ranks.size; known *= radix) {
        const int end = std::min(radix * known, ranks.size);
        const auto message = [&](int rank, int first) {
            return blocks.message(rank, std::min(known, ranks.size - first));
        };
        messages::Requests requests;
        for (int first = known; first < end; first += known)
            ranks.start_receive(requests, message(ranks.shifted(first), first),
                                ranks.shifted(first));
        for (int first = known; first < end; first += known)
            ranks.start_send(requests, message(ranks.rank, first), ranks.shifted(-first));
        requests.wait_for_all();
    }
}

}  // namespace mpiaudit
