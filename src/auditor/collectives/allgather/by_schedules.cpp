// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/allgather/allgather.h.
#include <algorithm>
#include <ranges>
#include <vector>

#include "collectives/allgather/allgather.h"
#include "collectives/call/limits.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/halving.h"
#include "messages/kept_with.h"

namespace mpiaudit {
namespace {

/// Receive schedules of all positions, kept between calls.
struct CirculantTable {
    std::vector<int> skips;
    std::vector<std::vector<int>> receives;
};

/// Returns the table of the communicator; the first call makes the table.
const CirculantTable& circulant_table(const Ranks& ranks) {
    auto& table = kept_with<CirculantTable>(ranks.comm);
    if (!table.skips.empty()) return table;
    table.skips = circulant_skips(ranks.size);
    for (int position = 0; position < ranks.size; ++position)
        table.receives.push_back(circulant_receives(table.skips, position));
    return table;
}

/// Returns the number of segments into which each block is cut; `q` is ceil(lg p). The number grows
/// with the bytes by which the largest block exceeds the mean. Equal blocks need one segment.
int segments_of_each(const Blocks& blocks, int q) {
    std::int64_t largest = 0, elements = 1;
    for (int block = 0; block < blocks.size(); ++block) {
        largest = std::max(largest, blocks.bytes(block));
        elements = std::max<std::int64_t>(elements, blocks.count(block));
    }
    const std::int64_t mean = blocks.bytes(0, blocks.size()) / blocks.size();
    return pipeline_segments(largest - mean, elements, std::max(q - 1, 0));
}

}  // namespace

/// The broadcasts from all ranks share the rounds of one broadcast.
void replicate_by_circulant_broadcasts(const Blocks& blocks, const Ranks& ranks) {
    const int size = ranks.size;
    const CirculantTable& table = circulant_table(ranks);
    const int q = static_cast<int>(table.skips.size()) - 1;
    const int n = segments_of_each(blocks, q);
    std::vector<int> counts, displacements;
    for (int block = 0; block < size; ++block) {
        const Blocks segments = Blocks::split(nullptr, blocks.count(block), blocks.type(), n);
        for (int segment = 0; segment < n; ++segment) {
            counts.push_back(segments.count(segment));
            displacements.push_back(
                static_cast<int>(blocks.begin(block) + segments.begin(segment)));
        }
    }
    const Blocks all = Blocks::irregular(blocks.buffer(), counts.data(), displacements.data(),
                                         blocks.type(), size * n);
    const CirculantRounds rounds{q, n};
    // Returns the segments that reach a rank in a round, in the order of their roots.
    const auto arriving = [&](int rank, int round) {
        std::vector<int> segments;
        const auto k = static_cast<std::size_t>(rounds.skip(round));
        for (int root = 0; root < size; ++root) {
            if (root == rank) continue;
            const auto position = static_cast<std::size_t>((rank - root + size) % size);
            const int segment = rounds.block(table.receives[position][k], round);
            if (segment >= 0) segments.push_back(root * n + segment);
        }
        return segments;
    };
    for (int round = 0; round < rounds.rounds(); ++round) {
        const int skip = table.skips[static_cast<std::size_t>(rounds.skip(round))];
        const TypedBuffer sent = all.message(arriving(ranks.shifted(skip), round));
        const TypedBuffer received = all.message(arriving(ranks.rank, round));
        ranks.exchange(sent, ranks.shifted(skip), received, ranks.shifted(-skip));
    }
}

namespace {

/// Returns the blocks in the first `places` places of a survivor's vector, in the order of the
/// rounds. The place of a survivor that acts for two ranks has two blocks.
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

/// Returns all other blocks, beginning behind the rank's own.
std::vector<int> all_blocks_but(int rank, int size) {
    std::vector<int> blocks;
    for (int distance = 1; distance < size; ++distance) blocks.push_back((rank + distance) % size);
    return blocks;
}

}  // namespace

// Runs bine_rounds() backwards with all messages reversed.
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
