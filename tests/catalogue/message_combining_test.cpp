// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/message_combining.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace mpiaudit {
namespace {

/// A block that is known by its sender and, where each neighbour gets another one, by its number.
using Block = std::pair<int, int>;

/// Moves all blocks as the schedule says; whether in the end each rank has what it should.
void expect_delivery(const Graph& graph, const CombiningSchedule& schedule, bool gives_one) {
    const int ranks = graph.ranks();
    const Block nothing{-1, -1};
    std::vector<std::vector<Block>> places(
        static_cast<std::size_t>(ranks),
        std::vector<Block>(static_cast<std::size_t>(schedule.places), nothing));
    for (int rank = 0; rank < ranks; ++rank)
        for (std::size_t k = 0; k < (gives_one ? 1 : graph.offsets.size()); ++k)
            places[static_cast<std::size_t>(rank)][k] = {rank, static_cast<int>(k)};
    for (const auto& phase : schedule.phases) {
        const auto before = places;
        for (const auto& message : phase) {
            ASSERT_EQ(message.sent.size(), message.received.size());
            for (int rank = 0; rank < ranks; ++rank) {
                const int to = graph.rank_at(rank, message.hop, 1);
                for (std::size_t i = 0; i < message.sent.size(); ++i) {
                    const Block& block = before[static_cast<std::size_t>(rank)]
                                               [static_cast<std::size_t>(message.sent[i])];
                    ASSERT_NE(block, nothing);
                    Block& there = places[static_cast<std::size_t>(to)]
                                         [static_cast<std::size_t>(message.received[i])];
                    ASSERT_EQ(there, nothing);
                    there = block;
                }
            }
        }
    }
    for (int rank = 0; rank < ranks; ++rank)
        for (std::size_t k = 0; k < graph.offsets.size(); ++k) {
            const int source = graph.rank_at(rank, graph.offsets[k], -1);
            EXPECT_EQ(
                places[static_cast<std::size_t>(rank)][static_cast<std::size_t>(schedule.last[k])],
                Block(source, gives_one ? 0 : static_cast<int>(k)));
        }
}

/// Distinct coordinates but 0 of all dimensions, and such coordinates of all offsets.
std::pair<int, int> messages_and_hops(const std::vector<Offset>& offsets) {
    std::set<std::pair<std::size_t, int>> distances;
    int hops = 0;
    for (const Offset& offset : offsets)
        for (std::size_t k = 0; k < offset.size(); ++k) {
            if (offset[k] == 0) continue;
            distances.emplace(k, offset[k]);
            ++hops;
        }
    return {static_cast<int>(distances.size()), hops};
}

TEST(MessageCombining, DeliversForAnyOffsetsInThePapersMessages) {
    std::mt19937 random(1606);
    for (const int ranks : {5, 12, 30, 64})
        for (std::size_t dimensions = 1; dimensions <= 3; ++dimensions)
            for (int i = 0; i < 20; ++i) {
                std::set<Offset> drawn;
                for (unsigned k = 0; k < 1 + random() % 12; ++k) {
                    Offset offset;
                    for (std::size_t d = 0; d < dimensions; ++d)
                        offset.push_back(static_cast<int>(random() % 5) - 2);
                    if (offset != Offset(dimensions, 0)) drawn.insert(offset);
                }
                std::string text = "offsets:";
                for (const Offset& each : drawn) {
                    if (text.back() != ':') text += "/";
                    for (std::size_t d = 0; d < dimensions; ++d)
                        text += (d > 0 ? "," : "") + std::to_string(each[d]);
                }
                if (drawn.empty()) continue;
                const Graph graph = make_graph(text, ranks);
                if (graph.offsets.empty()) continue;  // on this torus two are one
                SCOPED_TRACE(text + ", p = " + std::to_string(ranks));
                const auto [messages, hops] = messages_and_hops(graph.offsets);
                for (const bool gives_one : {false, true}) {
                    const auto schedule = by_dimensions(graph.offsets, gives_one);
                    expect_delivery(graph, schedule, gives_one);
                    EXPECT_EQ(schedule.messages(), messages);
                    if (gives_one)
                        EXPECT_LE(schedule.blocks(), hops);
                    else
                        EXPECT_EQ(schedule.blocks(), hops);
                    EXPECT_GE(schedule.blocks(), static_cast<int>(graph.offsets.size()));
                    expect_delivery(graph, straight(graph.offsets, gives_one), gives_one);
                }
            }
}

TEST(MessageCombining, OneBlockForEverybodyAroundMovesOnceForEach) {
    std::vector<Offset> cube;
    for (int i = 0; i < 27; ++i)
        if (i != 13) cube.push_back({i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1});
    EXPECT_EQ(by_dimensions(cube, true).blocks(), 26);
    EXPECT_EQ(by_dimensions(make_graph("moore", 12).offsets, true).blocks(), 8);
}

TEST(MessageCombining, OneBlockGoesThroughTheDimensionsInTheBestOrder) {
    // All offsets lie in one column: the column last means one message along the row for each.
    const std::vector<Offset> offsets{{1, 1}, {2, 1}, {-1, 1}, {-2, 1}};
    EXPECT_EQ(by_dimensions(offsets, true).blocks(), 5);
    EXPECT_EQ(by_dimensions(offsets, false).blocks(), 8);
}

TEST(MessageCombining, LongBlocksGoStraight) {
    const auto around = make_graph("moore", 12).offsets;
    // 4 start-ups and 12 blocks against 8 and 8: equal at one start-up.
    EXPECT_EQ(by_dimensions_if_short(around, false, 16383).messages(), 4);
    EXPECT_EQ(by_dimensions_if_short(around, false, 16384).messages(), 8);
    // As many blocks in fewer messages are never longer.
    EXPECT_EQ(by_dimensions_if_short(around, true, 1 << 30).messages(), 4);
}

}  // namespace
}  // namespace mpiaudit
