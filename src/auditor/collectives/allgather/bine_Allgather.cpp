// SPDX-License-Identifier: BSD-3-Clause
#include <ranges>
#include <vector>

#include "collectives/allgather/allgather.h"
#include "collectives/patterns/halving_rounds.h"

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
    const Fold fold = far_first(ranks);
    const int rank = ranks.rank;
    if (fold.hands_over) {
        ranks.send(blocks.message(rank), rank + 1);
        const TypedBuffer others = blocks.message(all_blocks_but(rank, ranks.size));
        ranks.receive(others, rank + 1);
        return;
    }
    if (fold.acts_for_two) ranks.receive(blocks.message(rank - 1), rank - 1);
    const HalvingRounds rounds = bine_rounds(fold.survivors);
    int round = static_cast<int>(rounds.rounds.size());
    for (const HalvingRounds::Round& each : std::views::reverse(rounds.rounds)) {
        const int partner = bine_partner(fold.number, --round, fold.survivors);
        const int other = fold.position(partner);
        const TypedBuffer sent =
            blocks.message(blocks_of_survivor(rounds, fold, fold.number, each.blocks));
        const TypedBuffer received =
            blocks.message(blocks_of_survivor(rounds, fold, partner, each.blocks));
        ranks.exchange(sent, other, received, other);
    }
    if (!fold.acts_for_two) return;
    const TypedBuffer others = blocks.message(all_blocks_but(rank - 1, ranks.size));
    ranks.send(others, rank - 1);
}

}  // namespace mpiaudit
