// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "../recorded_calls.h"
#include "collectives/gather/gather.h"
#include "gather_check.h"

#include "../world.h"

namespace mpiaudit {
namespace {

/// The first four send one message from every rank but the root.
const std::vector<NamedGatherv> gathers = {
    {"linear_Gather", regular<linear_Gather>},
    {"binomial_Gather", regular<binomial_Gather>},
    {"knomial_Gather_radix4", regular<knomial_Gather_radix4>},
    {"TUW_Gather", regular<TUW_Gather>},
    {"knomial_Gather_radix3", regular<by<gather_by, trees::knomial<3>>>},
    {"segmented_binomial_Gather", regular<segmented_binomial_Gather>},
    {"segmented_binomial_Gather_by 1", regular<by<segmented_binomial_Gather_by, limit<1>>>},
    {"segmented_binomial_Gather_by 100", regular<by<segmented_binomial_Gather_by, limit<100>>>},
    {"node_binomial_Gather", regular<node_binomial_Gather>},
    {"node_knomial_Gather_radix4", regular<node_knomial_Gather_radix4>},
};

TEST(Gather, of_every_algorithm_gathers_every_case) {
    const auto cases = regular_cases(ranks_of_world());
    ASSERT_GE(cases.size(), 24U);
    for (const NamedGatherv& named : gathers)
        for (const GatherCase& gather_case : cases)
            check_gather(gather_case, named, MPI_COMM_WORLD);
}

TEST(Gather, of_different_algorithms_follow_each_other_without_synchronisation) {
    const auto cases = regular_cases(ranks_of_world());
    for (std::size_t i = 0; i < 2 * cases.size(); ++i)
        check_gather(cases[i * 29 % cases.size()], gathers[i % gathers.size()], MPI_COMM_WORLD);
    EXPECT_FALSE(has_unmatched_message());
}

TEST(Gather, over_trees_known_to_all_sends_one_message_per_edge) {
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(messages_of_all_ranks(gathers[i], 5), ranks_of_world() - 1) << gathers[i].name;
        EXPECT_EQ(messages_of_all_ranks(gathers[i], 0), 0) << gathers[i].name;
    }
}

TEST(Gather, in_segments_sends_every_block_by_itself_if_told_to) {
    // Of the binomial tree over 4 ranks: subtrees of 1, 2 and 1 blocks.
    if (ranks_of_world() != 4) return;
    EXPECT_EQ(messages_of_all_ranks(gathers[6], 5), 4);
    EXPECT_EQ(messages_of_all_ranks(gathers[5], 5), 3);
}

}  // namespace
}  // namespace mpiaudit
