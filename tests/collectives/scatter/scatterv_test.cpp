// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "../../recorded_calls.h"
#include "../gather/rooted_moves.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/ordered_tree.h"
#include "collectives/scatter/scatter.h"
#include "optimal_trees/optimal_tree.h"

#include "../../world.h"

namespace mpiaudit::test {
namespace {

Tested scatterv(const char* name, decltype(MPI_Scatterv)& function) {
    return {name, "MPI_Scatterv", function};
}

/// With MPI's own, which checks the test.
const std::vector<Tested>& scattervs() {
    static const std::vector<Tested> all = [] {
        join_algorithms(optimal_tree_algorithms());
        return algorithms_of(
            "MPI_Scatterv",
            {scatterv("MPI_Scatterv", MPI_Scatterv),
             scatterv("knomial, radix 3", by<scatterv_by, down<trees::knomial<3>>>),
             scatterv("degrading at 0", by<scatterv_by, by<scatter_degrading, limit<0>>>),
             scatterv("degrading at 40", by<scatterv_by, by<scatter_degrading, limit<40>>>),
             scatterv("degrading at 300", by<scatterv_by, by<scatter_degrading, limit<300>>>)});
    }();
    return all;
}

const std::vector<Tested>& scatters() {
    static const std::vector<Tested> all = algorithms_of(
        "MPI_Scatter",
        {{"knomial, radix 3", "MPI_Scatter", by<scatter_by, down<trees::knomial<3>>>}});
    return all;
}

TEST(Scatterv, of_every_algorithm_scatters_every_case) {
    const auto cases = irregular_moves(ranks_of_world());
    ASSERT_GT(cases.size(), 60U);
    check_each_and_in_turns(scattervs(), cases);
}

TEST(Scatter, of_every_algorithm_scatters_every_case) {
    const auto cases = regular_moves(ranks_of_world());
    ASSERT_GE(cases.size(), 24U);
    check_each_and_in_turns(scatters(), cases);
}

TEST(Scatter, over_trees_known_to_all_sends_one_message_per_edge) {
    for (const Tested& tested : scatters())
        for (int root = 0; root < ranks_of_world(); ++root) {
            long sent = -messages_sent();
            check(tested, {&element_kind("int"), "same", [](int, int) { return 5; }, root});
            sent += messages_sent();
            MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            EXPECT_EQ(sent, ranks_of_world() - 1) << tested.name;
        }
}

TEST(Scatterv, of_late_ranks_are_told_apart_from_later_operations) {
    // Without data a rank waits for nobody, so that it announces a subtree of a later operation, a
    // gather or a scatter, before a late one has announced one of an earlier operation.
    std::mt19937 random(12);
    for (int root = 0; root < ranks_of_world(); ++root)
        for (int late = 0; late < ranks_of_world(); ++late) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (own_rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            for (int i = 0; i < 4; ++i) {
                std::vector<int> items;
                for (int rank = 0; rank < ranks_of_world(); ++rank)
                    items.push_back(static_cast<int>(random() % 2 * (11 + random() % 9)));
                const Move move{&element_kind("int"), "late", blocks_of(items), root};
                check(scatterv("late", by<scatterv_by, by<scatter_degrading, limit<40>>>), move);
                check({"late", "MPI_Gatherv", by<gatherv_by, by<gather_degrading, limit<40>>>},
                      move);
            }
        }
}

/// Messages with data that the last rank sends as the root, when every rank gets one item: what it
/// sends more than without data. It speaks for all its cubes, so that the construction of the tree
/// takes as many messages of it either way.
long data_messages_of_root(const Tested& tested) {
    const int root = ranks_of_world() - 1;
    std::vector<long> sent;
    for (const int items : {0, 1}) {
        const long before = messages_sent();
        check(tested, {&element_kind("int"), "same", [=](int, int) { return items; }, root});
        sent.push_back(messages_sent() - before);
    }
    return sent[1] - sent[0];
}

TEST(Scatterv, splits_into_as_many_parts_as_it_says_and_skips_the_tree_for_long_data) {
    const int last = ranks_of_world() - 1;
    const auto children = [&](int radix) {
        const GatherNode root = regular_ordered_node(last, ranks_of_world(), last, 1, radix);
        return static_cast<long>(root.children.size());
    };
    const std::vector<std::pair<Tested, long>> expected = {
        {scatterv("TUW_Scatterv", TUW_Scatterv), children(2)},
        {scatterv("TUW_Scatterv_k2", TUW_Scatterv_k2), children(3)},
        {scatterv("TUW_Scatterv_k3", TUW_Scatterv_k3), children(4)},
        {scatterv("TUW_Scatterv_degrading", TUW_Scatterv_degrading), children(2)},
        {scatterv("degrading at 4", by<scatterv_by, by<scatter_degrading, limit<4>>>), last},
    };
    for (const auto& [tested, messages] : expected) {
        const long sent = data_messages_of_root(tested);
        if (own_rank() == last) {
            EXPECT_EQ(sent, messages) << tested.name;
        }
    }
}

}  // namespace
}  // namespace mpiaudit::test
