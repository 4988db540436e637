// SPDX-License-Identifier: BSD-3-Clause
// The recorded algorithms take the time that their papers state.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "../collectives/gather/gather_cost.h"
#include "algorithms/algorithms.h"
#include "collectives/call/integers.h"
#include "collectives/call/limits.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/ordered_tree.h"
#include "messages/recorder.h"
#include "recorded.h"

namespace mpiaudit {
namespace {

/// The operations on the critical path.
struct Cost {
    double messages, sent_bytes, reduced_bytes = 0;
};
void expect_time(const Recorded& recorded, const std::vector<const char*>& names, Cost cost) {
    for (const char* const each : names)
        EXPECT_EQ(recorded.time(each),
                  cost.messages * alpha + cost.sent_bytes * beta + cost.reduced_bytes * gamma)
            << each;
}

/// The formulas of Thakur & Gropp 2003, sections 4.1 and 4.2, for any number of ranks.
TEST(PublishedCosts, AnyNumberOfRanks) {
    constexpr double m = 24;  // bytes, 6 ints
    for (int p = 1; p <= 33; ++p) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 6);
        const double rounds = ceil_log2(p), n = p * m, all_but_own = n - m;
        expect_time(recorded,
                    {"ring_Allgather", "spreading_simple_Allgather", "direct_Alltoall",
                     "pairwise_Alltoall", "linear_Gather", "linear_Scatter"},
                    {p - 1.0, all_but_own});
        expect_time(recorded, {"dissemination_Allgather"}, {rounds, all_but_own});
        expect_time(recorded, {"binomial_Bcast"}, {rounds, rounds * n});
        expect_time(recorded, {"linear_Bcast"}, {p - 1.0, (p - 1) * n});
        expect_time(recorded, {"binomial_Reduce"}, {rounds, rounds * n, rounds * n});
        expect_time(recorded, {"pairwise_exchange_Reduce_scatter"},
                    {p - 1.0, all_but_own, all_but_own});
        expect_time(recorded, {"ring_Allreduce"}, {2.0 * (p - 1), 2 * all_but_own, all_but_own});
        expect_time(recorded, {"linear_Scan"}, {p - 1.0, (p - 1) * n, (p - 1) * n});
        expect_time(recorded, {"dissemination_Barrier"}, {rounds, 0});
        // Hensgen, Finkel & Manber 1988: as many rounds to wake all as to find the winner.
        expect_time(recorded, {"tournament_Barrier"}, {2 * rounds, 0});
        // T_vandegeijn with the ring, and T_old of section 4.3.
        expect_time(recorded, {"van_de_Geijn_ring_Bcast"}, {rounds + p - 1, 2 * all_but_own});
        expect_time(recorded, {"reduce_scatterv_Reduce_scatter"},
                    {rounds + p - 1, rounds * n + all_but_own, rounds * n});
        // T_rec_half if p is no power of two: its start-ups are (2 + floor(lg p)) alpha. It takes n
        // bytes for all halves; single blocks and pairs of blocks take more.
        const auto halving = static_cast<int>(std::bit_floor(static_cast<unsigned>(p)));
        EXPECT_LE(recorded.rounds("recursive_halving_Reduce_scatter"),
                  std::bit_width(static_cast<unsigned>(p)) + 1);
        EXPECT_LE(recorded.time("recursive_halving_Reduce_scatter", {0, 1, 1}),
                  2 * (n + 2 * (halving - 1) * m) + m);
        // All begin with rank 0, which takes one message at a time.
        EXPECT_EQ(recorded.rounds("simple_Allgather"), std::max(0, 2 * (p - 1) - 1));
    }
}

/// The formulas of sections 4.3 and 4.4, which agree for powers of two. Swing and Bine take as long
/// as recursive halving and doubling (De Sensi et al., Swing 2024, Bine 2025).
TEST(PublishedCosts, PowersOfTwo) {
    constexpr double m = 24;  // bytes, 6 ints
    for (int p = 1; p <= 64; p *= 2) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 6);
        const double rounds = ceil_log2(p), n = p * m, all_but_own = n - m;
        expect_time(recorded,
                    {"recursive_doubling_Allgather", "bine_Allgather", "binomial_Gather",
                     "binomial_Scatter", "TUW_Gather"},
                    {rounds, all_but_own});
        expect_time(recorded, {"van_de_Geijn_recursive_doubling_Bcast"},
                    {2 * rounds, 2 * all_but_own});
        expect_time(
            recorded,
            {"recursive_halving_Reduce_scatter", "butterfly_Reduce_scatter",
             "butterfly_Reduce_scatter_block", "bine_Reduce_scatter", "bine_Reduce_scatter_block"},
            {rounds, all_but_own, all_but_own});
        expect_time(recorded, {"recursive_doubling_Reduce_scatter"},
                    {rounds, rounds * n - all_but_own, rounds * n - all_but_own});
        expect_time(recorded, {"Rabenseifner_Reduce", "Rabenseifner_Allreduce", "bine_Allreduce"},
                    {2 * rounds, 2 * all_but_own, all_but_own});
        expect_time(recorded, {"recursive_doubling_Allreduce", "swing_Allreduce", "bine_Reduce"},
                    {rounds, rounds * n, rounds * n});
        expect_time(recorded, {"bine_Bcast"}, {rounds, rounds * n});
        // Träff, Rougier & Hunold 2014, section 2: p/2 blocks in every round.
        expect_time(recorded, {"zeroBruck_Alltoall"}, {rounds, rounds * (p / 2) * m});
    }
}

/// ceil(log2 p) rounds and p-1 blocks for every p: Träff 2024; Loch & Koslovski 2021, also
/// backwards; Bar-Noy, Kipnis & Schieber 1993.
TEST(PublishedCosts, OptimalForAnyNumberOfRanks) {
    constexpr double m = 24;  // bytes, 6 ints
    for (const int p : awkward_sizes()) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 6);
        const double rounds = ceil_log2(p), n = p * m, all_but_own = n - m;
        expect_time(recorded,
                    {"circulant_Reduce_scatter", "near_first_Reduce_scatter",
                     "circulant_Reduce_scatter_block", "near_first_Reduce_scatter_block"},
                    {rounds, all_but_own, all_but_own});
        expect_time(recorded, {"circulant_Allreduce", "near_first_Allreduce"},
                    {2 * rounds, 2 * all_but_own, all_but_own});
        expect_time(recorded, {"sparbit_Allgather", "circulant_Allgatherv"}, {rounds, all_but_own});
        expect_time(recorded, {"sparbit_blocks_Allgather", "kring_Allgather", "windowed_Alltoall"},
                    {p - 1.0, all_but_own});
        expect_time(recorded, {"neighbour_exchange_Allgather"},
                    {p % 2 == 0 ? p / 2.0 : p - 1.0, all_but_own});
        const int rows = largest_divisor_to_root(p), columns = p / rows;
        expect_time(recorded, {"factorised_Alltoall"},
                    {rows + columns - 2.0, (2 * p - rows - columns) * m});
        EXPECT_EQ(recorded.rounds("bits_Exscan"), rounds);
        int messages = 0;
        for (int known = 1; known < p; known *= 4) messages += std::min(3, (p - 1) / known);
        expect_time(recorded, {"dissemination_Allgather_radix4"}, {1.0 * messages, all_but_own});
        if (p == 1) continue;
        const int wide = std::popcount(static_cast<unsigned>(p - 1));
        expect_time(recorded, {"census_Allreduce"}, {rounds, rounds * n, (rounds + wide - 1) * n});
        const double rounds_123 = std::ceil(std::log2(p - 1) + std::log2(4.0 / 3));
        EXPECT_EQ(recorded.rounds("doubling_123_Exscan"), std::max(rounds_123, 1.0));
    }
}

/// The messages of each round of a radix, and no rank leaves a barrier before all have entered.
TEST(PublishedCosts, Barriers) {
    for (const int p : awkward_sizes()) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 6);
        for (const auto& [name, radix] : {std::pair{"dissemination_Barrier_radix4", 4},
                                          std::pair{"dissemination_Barrier_radix8", 8}}) {
            int messages = 0;
            for (int known = 1; known < p; known *= radix)
                messages += std::min(radix - 1, (p - 1) / known);
            EXPECT_EQ(recorded.messages_sent(name),
                      Recorded::Numbers(static_cast<std::size_t>(p), messages))
                << name;
        }
        for (const int ranks_per_node : {1, 2, 3, 4}) {
            if (p % ranks_per_node != 0) continue;
            Recorded on_nodes(p, 6);
            on_nodes.put_on_nodes(ranks_per_node);
            for (const Algorithm& each : algorithms()) {
                if (each.operation != "MPI_Barrier" || (each.traits & of_library) != 0) continue;
                EXPECT_EQ(on_nodes.fewest_awaited(each.name), p) << each.name;
            }
        }
    }
}

/// With nodes, every rank sends out of its node once per other node; without nodes the rings have
/// another length.
TEST(PublishedCosts, RingsOfNodes) {
    for (const auto& [p, ranks_per_node] : {std::pair{12, 2}, {12, 6}, {16, 8}, {15, 3}}) {
        SCOPED_TRACE(p);
        Recorded recorded(p, 6);
        recorded.put_on_nodes(ranks_per_node);
        const int others = p / ranks_per_node - 1;
        EXPECT_EQ(recorded.between_nodes("kring_Allgather"), p * others);
        EXPECT_EQ(recorded.between_nodes("kring_Allgatherv"), p * others);
        EXPECT_EQ(recorded.time("kring_Allgather"), (p - 1) * (alpha + 24 * beta));
    }
}

/// Checks the time per byte of very long vectors: n (Sanders, Speck & Träff 2009), half a vector
/// more (Open MPI's split binary tree), 2 n (binary trees), 3 n (Träff, arXiv 2109.12626).
TEST(PublishedCosts, PipelinesOfLongVectors) {
    for (const int p : {3, 4, 6, 16, 31}) {
        const Recorded recorded(vector_of(p, 100'000'000), 0);
        for (const auto& [name, times] : {std::pair{"two_tree_Bcast", 1.0},
                                          {"two_tree_Reduce", 1.0},
                                          {"two_tree_Allreduce", 2.0},
                                          {"split_binary_Bcast", 1.5},
                                          {"split_binary_Reduce", 1.5},
                                          {"binary_Reduce", 2.0},
                                          {"dual_root_Allreduce", 3.0}}) {
            const double over_n = recorded.time(name, {0, 1}) / 4e8;
            EXPECT_LE(over_n, times + 0.1) << name << " on " << p;
        }
    }
}

/// f-1 messages for each factor f of p (Wilkins et al. 2023).
TEST(PublishedCosts, RecursiveMultiplying) {
    for (const auto& [p, messages] :
         {std::pair{4, 3}, {5, 4}, {6, 3}, {9, 4}, {12, 5}, {16, 6}, {35, 10}, {105, 12}}) {
        const double n = 24.0 * p;
        EXPECT_EQ(Recorded(p, 6).time("recursive_multiplying_Allreduce"),
                  messages * (alpha + n * (beta + gamma)))
            << p;
    }
}

/// About 100 000 ints, cut into segments that are all as long for a pipeline of this depth.
struct Pipeline {
    explicit Pipeline(int depth)
        : segments(pipeline_segments(400'000, 100'000, depth)),
          count(Count{100'000} / segments * segments),
          segment_bytes(4.0 * static_cast<double>(count) / segments),
          is_even(pipeline_segments(4 * count, count, depth) == segments) {}
    int segments;
    Count count;
    double segment_bytes;
    bool is_even;
};

/// n-1 + ceil(log2 p) rounds of 1/n of the vector (Träff, arXiv 2407.18004), wherever the data are.
TEST(PublishedCosts, CirculantBroadcasts) {
    for (const int p : {1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 65}) {
        SCOPED_TRACE(p);
        const int q = ceil_log2(p);
        const Pipeline cut(std::max(q - 1, 0));
        if (!cut.is_even) continue;
        const double rounds = p > 1 ? cut.segments - 1 + q : 0, sent = rounds * cut.segment_bytes;
        std::vector<Count> counts(static_cast<std::size_t>(p), 0);
        counts[static_cast<std::size_t>(p / 2)] = cut.count;
        const Recorded one_block(counts, p / 3);
        expect_time(one_block, {"circulant_Bcast"}, {rounds, sent});
        expect_time(one_block, {"circulant_Reduce"}, {rounds, sent, sent});
        const double mean = 4.0 * static_cast<double>(cut.count) / p;
        EXPECT_LE(one_block.time("circulant_Allgatherv"),
                  rounds * alpha + sent * beta + q * mean * beta);
    }
}

/// p-2+n rounds of 1/n of the vector (Open MPI's coll/base).
TEST(PublishedCosts, Chains) {
    for (const int p : {2, 3, 5, 8, 13, 31}) {
        SCOPED_TRACE(p);
        const Pipeline cut(p - 2);
        ASSERT_TRUE(cut.is_even);
        const double rounds = p - 2 + cut.segments, sent = rounds * cut.segment_bytes;
        const Recorded recorded(vector_of(p, cut.count), p / 3);
        expect_time(recorded, {"chain_Bcast"}, {rounds, sent});
        expect_time(recorded, {"chain_Reduce"}, {rounds, sent, sent});
    }
}

/// Complete trees take 3 log4 p messages in a row, and send every segment twice on every level.
TEST(PublishedCosts, TreesWithSeveralChildren) {
    for (const int levels : {1, 2, 3}) {
        const int p = 1 << (2 * levels);
        const Recorded recorded(vector_of(p, 1000), p / 3);
        const double messages = 3 * levels, sent = messages * 4000;
        expect_time(recorded, {"knomial_Bcast"}, {messages, sent});
        expect_time(recorded, {"knomial_Reduce"}, {messages, sent, sent});
    }
    for (const int height : {1, 2, 3, 4}) {
        const int p = (2 << height) - 1;
        const Pipeline cut(height - 1);
        ASSERT_TRUE(cut.is_even);
        const double messages = 2 * (height + cut.segments - 1);
        expect_time(Recorded(vector_of(p, cut.count), p / 3), {"binary_Bcast"},
                    {messages, messages * cut.segment_bytes});
    }
}

}  // namespace
}  // namespace mpiaudit
