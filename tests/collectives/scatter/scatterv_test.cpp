// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "../gather/rooted_moves.h"
#include "collectives/gather/gather.h"
#include "collectives/scatter/scatter.h"
#include "optimal_trees/optimal_tree.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

Tested scatterv(const char* name, decltype(MPI_Scatterv)& function) {
    return {name, "MPI_Scatterv", function};
}

/// Includes MPI's own operation, which checks the test.
const std::vector<Tested>& scattervs() {
    static const std::vector<Tested> all = [] {
        join_algorithms(optimal_tree_algorithms());
        return algorithms_of(
            "MPI_Scatterv",
            {scatterv("MPI_Scatterv", MPI_Scatterv),
             scatterv("knomial, radix 3", bind_first<scatterv_by, down<trees::knomial<3>>>),
             scatterv("degrading at 0",
                      bind_first<scatterv_by, bind_first<scatter_degrading, limit<0>>>),
             scatterv("degrading at 40",
                      bind_first<scatterv_by, bind_first<scatter_degrading, limit<40>>>),
             scatterv("degrading at 300",
                      bind_first<scatterv_by, bind_first<scatter_degrading, limit<300>>>)});
    }();
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
    const Tested knomial("knomial, radix 3", "MPI_Scatter",
                         bind_first<scatter_by, down<trees::knomial<3>>>);
    check_each_and_in_turns(algorithms_of("MPI_Scatter", {knomial}), cases);
}

TEST(Scatterv, of_late_ranks_are_told_apart_from_later_operations) {
    // A rank without data waits for nobody, so it announces a subtree of a later gather or scatter
    // before a late rank has announced one of an earlier operation.
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
                check(scatterv("late",
                               bind_first<scatterv_by, bind_first<scatter_degrading, limit<40>>>),
                      move);
                check({"late", "MPI_Gatherv",
                       bind_first<gatherv_by, bind_first<gather_degrading, limit<40>>>},
                      move);
            }
        }
}

}  // namespace
}  // namespace mpiaudit::test
