// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "../../world.h"
#include "collectives/gather/gather.h"
#include "rooted_moves.h"

namespace mpiaudit::test {
namespace {

Tested gather(const char* name, decltype(MPI_Gather)& function) {
    return {name, "MPI_Gather", function};
}

const Tested by_blocks = gather("segments of 1 byte", by<segmented_binomial_Gather_by, limit<1>>);

const std::vector<Tested>& gathers() {
    static const std::vector<Tested> all = algorithms_of(
        "MPI_Gather",
        {by_blocks, gather("segments of 100", by<segmented_binomial_Gather_by, limit<100>>),
         gather("knomial, radix 3", by<gather_by, trees::knomial<3>>)});
    return all;
}

TEST(Gather, of_every_algorithm_gathers_every_case) {
    const auto cases = regular_moves(ranks_of_world());
    ASSERT_GE(cases.size(), 24U);
    for (const Tested& tested : gathers())
        for (const Move& move : cases) check(tested, move);
}

TEST(Gather, of_different_algorithms_follow_each_other_without_synchronisation) {
    const auto cases = regular_moves(ranks_of_world());
    for (std::size_t i = 0; i < 2 * cases.size(); ++i)
        check(gathers()[i % gathers().size()], cases[i * 29 % cases.size()]);
    EXPECT_FALSE(has_unmatched_message());
}

TEST(Gather, over_trees_known_to_all_sends_one_message_per_edge) {
    for (const auto function :
         {linear_Gather, binomial_Gather, knomial_Gather_radix4, TUW_Gather}) {
        EXPECT_EQ(messages_of_all_ranks(gather("tree", *function), 5), ranks_of_world() - 1);
        EXPECT_EQ(messages_of_all_ranks(gather("tree", *function), 0), 0);
    }
}

TEST(Gather, in_segments_sends_every_block_by_itself_if_told_to) {
    // Of the binomial tree over 4 ranks: subtrees of 1, 2 and 1 blocks.
    if (ranks_of_world() != 4) return;
    EXPECT_EQ(messages_of_all_ranks(by_blocks, 5), 4);
    EXPECT_EQ(messages_of_all_ranks(gather("in long segments", segmented_binomial_Gather), 5), 3);
}

}  // namespace
}  // namespace mpiaudit::test
