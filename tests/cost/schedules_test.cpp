// SPDX-License-Identifier: BSD-3-Clause
// Schedules and trees that papers describe are consistent, and take the stated time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../collectives/gather/gather_cost.h"
#include "collectives/call/integers.h"
#include "collectives/call/limits.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/ordered_tree.h"
#include "messages/recorder.h"
#include "recorded.h"

namespace mpiaudit {
namespace {

/// Every block moves once for each digit of its distance that is not 0, and in each round a message
/// with the sizes, 8 bytes each, goes ahead (Fan et al. 2022 and 2024).
TEST(PublishedCosts, BruckByDigits) {
    constexpr std::int64_t m = 24;  // bytes, 6 ints
    for (const int p : awkward_sizes()) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 6);
        const int root = std::max(2, static_cast<int>(std::ceil(std::sqrt(p))));
        for (const auto& [name, radix] : {std::pair{"two_phase_Bruck_Alltoallv", 2},
                                          std::pair{"root_radix_Bruck_Alltoallv", root}}) {
            std::int64_t rounds = 0, moves = 0;
            for (int step = 1; step < p; step *= radix) {
                rounds += std::min(radix - 1, (p - 1) / step);
                for (int i = 1; i < p; ++i) moves += i / step % radix != 0;
            }
            EXPECT_EQ(recorded.time(name), static_cast<double>(2 * rounds) * alpha +
                                               static_cast<double>(moves * (m + 8)) * beta)
                << name;
        }
    }
}

/// Rounds as of equal blocks, each as long as the largest, once that is known (Fan et al. 2022).
TEST(PublishedCosts, PaddedBruck) {
    for (const int p : {1, 2, 4, 8, 16, 32}) {
        std::vector<Count> counts(static_cast<std::size_t>(p), 1);
        counts.back() = 6;
        constexpr double in_largest = 24;
        EXPECT_EQ(Recorded(counts, 0).time("padded_Bruck_Alltoallv"),
                  ceil_log2(p) * (2 * alpha + 8 * (beta + gamma) + p / 2 * in_largest * beta))
            << p;
    }
}

/// Checks the conditions of valid receive schedules, without messages: every rank gets every kind
/// of block, and its sender has this block (arXiv 2407.18004, section 2).
TEST(PublishedCosts, CirculantSchedulesAreConsistent) {
    for (int p = 2; p <= 130; ++p) {
        const std::vector<int> skips = circulant_skips(p);
        const int q = static_cast<int>(skips.size()) - 1;
        ASSERT_EQ(q, ceil_log2(p));
        std::vector<std::vector<int>> receives;
        for (int position = 0; position < p; ++position)
            receives.push_back(circulant_receives(skips, position));
        for (int position = 1; position < p; ++position) {
            const std::vector<int>& own = receives[static_cast<std::size_t>(position)];
            unsigned kinds = 0;
            for (const int entry : own) kinds |= 1U << ((entry + q) % q);
            EXPECT_EQ(kinds, (1U << q) - 1) << position << " of " << p;
            for (int k = 0; k < q; ++k) {
                const auto index = static_cast<std::size_t>(k);
                const int sender = (position - skips[index] + p) % p;
                const std::vector<int>& theirs = receives[static_cast<std::size_t>(sender)];
                const int newest = *std::ranges::max_element(theirs);
                const auto before = theirs.begin() + k;
                EXPECT_TRUE(sender == 0
                                ? own[index] == k
                                : own[index] == newest - q ||
                                      std::find(theirs.begin(), before, own[index]) != before)
                    << position << " of " << p << ", skip " << skips[index];
            }
        }
    }
}

/// Träff 2017, Theorem 1: the gather itself costs at most the bound, the construction of the tree
/// at most 2 ceil(log2 p) - 1 messages of constant size.
TEST(PublishedCosts, TreesForIrregularBlocks) {
    for (int p = 2; p <= 33; ++p) {
        for (const int root : {0, p / 2, p - 1}) {
            SCOPED_TRACE(testing::Message() << p << " ranks, root " << root);
            std::vector<Count> counts;
            std::vector<std::int64_t> bytes;
            for (int rank = 0; rank < p; ++rank) {
                counts.push_back(rank * 7919 % 101);
                bytes.push_back(4 * counts.back());
            }
            const Recorded recorded(counts, root);
            const Trace construction = replay(p, [&](int rank) {
                return [&, rank] {
                    distributed_ordered_tree(bytes[static_cast<std::size_t>(rank)], root,
                                             Ranks{MPI_COMM_SELF});
                };
            });
            EXPECT_LE(construction.time({1, 0}), 2 * ceil_log2(p) - 1);
            const auto tree = ordered_gather_tree(bytes, root);
            EXPECT_LE(recorded.time("TUW_Gatherv"),
                      construction.time(costs) + gather_cost_bound(tree, bytes, true, costs));
            // results/reference/TUW-carrying/README.md: words and carried blocks, the tree, and
            // blocks that are passed on.
            const double carried = alpha + static_cast<double>(carried_bytes + 32) * beta;
            EXPECT_LE(recorded.time("TUW_Gatherv_carrying"),
                      4 * ceil_log2(p) * carried + gather_cost_bound(tree, bytes, true, costs));
            // Equal blocks need no construction.
            std::ranges::fill(counts, 5);
            const Recorded equal(counts, root);
            EXPECT_LE(equal.time("TUW_Gather", {1, 0}), ceil_log2(p));
            EXPECT_LE(equal.time("TUW_Gatherv_carrying", {1, 0}), ceil_log2(p));
            EXPECT_LE(equal.time("TUW_Scatter", {1, 0}), ceil_log2(p));
        }
    }
}

}  // namespace
}  // namespace mpiaudit
