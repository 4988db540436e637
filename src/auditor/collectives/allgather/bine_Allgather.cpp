// SPDX-License-Identifier: BSD-3-Clause
#include <ranges>
#include <vector>

#include "collectives/allgather/allgather.h"
#include "collectives/allgather/replicate.h"
#include "collectives/call/bine.h"
#include "collectives/call/tags.h"
#include "collectives/reduce_scatter/halving_rounds.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// The blocks that a rank has when it is done with all rounds but the first ones, so many places.
std::vector<int> blocks_of_survivor(const HalvingRounds& rounds, const Fold& fold, int survivor,
                                    int places) {
    std::vector<int> blocks;
    for (const int offset : rounds.offsets | std::views::take(places)) {
        const int of =
            modulo(survivor % 2 == 0 ? survivor + offset : survivor - offset, fold.survivors);
        if (of < fold.pairs) blocks.push_back(fold.position(of) - 1);
        blocks.push_back(fold.position(of));
    }
    return blocks;
}

/// In their order behind that of the rank.
std::vector<int> all_blocks_but(int rank, int size) {
    std::vector<int> blocks;
    for (int distance = 1; distance < size; ++distance) blocks.push_back((rank + distance) % size);
    return blocks;
}

}  // namespace

// bine_rounds() backwards, with all messages turned round.
void replicate_by_bine(const Blocks& blocks, const Ranks& ranks) {
    const Fold fold{ranks};
    const int rank = ranks.rank;
    if (fold.hands_over) {
        messages::send(blocks.at(rank), blocks.count(rank), blocks.type(), rank + 1, Tag::data,
                       ranks.comm);
        const TypedBuffer others = blocks.message(all_blocks_but(rank, ranks.size));
        messages::receive(others.address, others.count, others.type, rank + 1, Tag::data,
                          ranks.comm);
        return;
    }
    if (fold.acts_for_two)
        messages::receive(blocks.at(rank - 1), blocks.count(rank - 1), blocks.type(), rank - 1,
                          Tag::data, ranks.comm);
    const HalvingRounds rounds = bine_rounds(fold.survivors);
    int round = static_cast<int>(rounds.rounds.size());
    for (const HalvingRounds::Round& each : std::views::reverse(rounds.rounds)) {
        const int partner = bine_partner(fold.number, --round, fold.survivors);
        const int other = fold.position(partner);
        const TypedBuffer sent =
            blocks.message(blocks_of_survivor(rounds, fold, fold.number, each.blocks));
        const TypedBuffer received =
            blocks.message(blocks_of_survivor(rounds, fold, partner, each.blocks));
        messages::exchange(sent.address, sent.count, sent.type, other, Tag::data, received.address,
                           received.count, received.type, other, Tag::data, ranks.comm);
    }
    if (!fold.acts_for_two) return;
    const TypedBuffer others = blocks.message(all_blocks_but(rank - 1, ranks.size));
    messages::send(others.address, others.count, others.type, rank - 1, Tag::data, ranks.comm);
}

}  // namespace mpiaudit
