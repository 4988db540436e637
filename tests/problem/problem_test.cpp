// SPDX-License-Identifier: BSD-3-Clause
#include "problem/problem.h"

#include <gtest/gtest.h>

#include "problem/workspace.h"

namespace mpiaudit {
namespace {

Problem irregular() {
    Problem problem;
    problem.distribution = "mine";
    problem.block_size = 3;
    problem.counts = {3, 0, 5, 2};
    problem.root = 1;
    return problem;
}

TEST(Problem, AmountsOfTheNotationOfThePapers) {
    const Problem problem = irregular();
    EXPECT_EQ(problem.ranks(), 4);
    EXPECT_EQ(problem.total(), 10);
    EXPECT_EQ(problem.largest(), 5);
    EXPECT_EQ(problem.smallest(), 0);
    EXPECT_EQ(problem.padded_total(), 20);
    EXPECT_FALSE(problem.is_regular());
    EXPECT_EQ(problem.id(), "mine/b=3");
}

TEST(Problem, EqualBlocksAreRegular) {
    Problem problem = irregular();
    problem.counts = {4, 4};
    EXPECT_TRUE(problem.is_regular());
    EXPECT_EQ(problem.total(), problem.padded_total());
    problem.counts = {7};
    EXPECT_TRUE(problem.is_regular());
}

TEST(Problem, AmountsAreWiderThanInt) {
    Problem problem = irregular();
    problem.counts = {2'000'000'000, 1, 2'000'000'000};
    EXPECT_EQ(problem.total(), 4'000'000'001);
    EXPECT_EQ(problem.padded_total(), 6'000'000'000);
}

TEST(ElementsHeld, OfEveryRankAndAtMost) {
    const Problem problem = irregular();
    const auto held = [&](Holding holding, bool padded, int rank) {
        return elements_held(problem, {holding, padded}, rank);
    };
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(held(Holding::scattered, false, rank),
                  problem.counts[static_cast<std::size_t>(rank)]);
        EXPECT_EQ(held(Holding::scattered, true, rank), 5);
        EXPECT_EQ(held(Holding::rooted, false, rank), rank == 1 ? 10 : 0);
        EXPECT_EQ(held(Holding::rooted, true, rank), rank == 1 ? 20 : 0);
        EXPECT_EQ(held(Holding::exclusively_prefixed, false, rank), rank == 0 ? 0 : 10);
        for (const Holding everywhere : {Holding::replicated, Holding::contributed,
                                         Holding::outgoing, Holding::incoming, Holding::prefixed}) {
            EXPECT_EQ(held(everywhere, false, rank), 10) << name(everywhere);
            EXPECT_EQ(held(everywhere, true, rank), 20) << name(everywhere);
        }
    }
    EXPECT_EQ(held(Holding::scattered, false, -1), 5);
    EXPECT_EQ(held(Holding::scattered, true, -1), 5);
    EXPECT_EQ(held(Holding::rooted, false, -1), 10);
    EXPECT_EQ(held(Holding::rooted, true, -1), 20);
    EXPECT_EQ(held(Holding::exclusively_prefixed, false, -1), 10);
}

TEST(Layout, NamesOfTheNotation) {
    EXPECT_EQ(name(Layout{Holding::scattered, false}), "scattered");
    EXPECT_EQ(name(Layout{Holding::rooted, true}), "padded rooted");
    EXPECT_EQ(name(Layout{Holding::exclusively_prefixed, false}), "exclusively prefixed");
}

TEST(Oversize, FirstTotalThatDoesNotFitInt) {
    Problem problem = irregular();
    problem.counts = {2'147'483'646, 1};
    EXPECT_EQ(oversize(problem, {Holding::rooted, false}), "");
    EXPECT_EQ(oversize(problem, {Holding::scattered, true}), "");
    EXPECT_EQ(oversize(problem, {Holding::rooted, true}),
              "4294967292 elements padded rooted exceed the int counts of MPI");
    problem.counts = {2'147'483'646, 2};
    EXPECT_EQ(oversize(problem, {Holding::replicated, false}),
              "2147483648 elements replicated exceed the int counts of MPI");
    EXPECT_EQ(oversize(problem, {Holding::scattered, false}), "");
}

}  // namespace
}  // namespace mpiaudit
