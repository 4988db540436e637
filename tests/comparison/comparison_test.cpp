// SPDX-License-Identifier: BSD-3-Clause
#include "comparison/compare.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <thread>

#include "messages/agreement.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

// A wrong conclusion would fail a test once in a million runs.
const CompareOptions sure = {.alpha = 1e-6, .limit_s = 250.0};

std::function<void()> sleeping(int milliseconds) {
    return [=] { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
}

TEST(Compare, FindsTheSlowerSide) {
    const Comparison found = compare(sleeping(20), sleeping(1), MPI_COMM_WORLD, sure);
    EXPECT_EQ(found.conclusion, Conclusion::left_is_slower) << found.sentence();
    EXPECT_GT(found.ratio, 1.05);
    EXPECT_THAT(found.ratio, AllOf(Ge(found.ratio_low), Le(found.ratio_high)));
    EXPECT_GT(found.left_s, found.right_s);
    EXPECT_LE(found.p_slower, 1e-6);
    EXPECT_EQ(found.alpha, 1e-6);
    EXPECT_THAT(found.sentence(), HasSubstr("left is slower, wrong with a probability of at most"));
}

TEST(Compare, FindsTheFasterSide) {
    const Comparison found = compare(sleeping(1), sleeping(20), MPI_COMM_WORLD, sure);
    EXPECT_EQ(found.conclusion, Conclusion::left_is_no_slower) << found.sentence();
    EXPECT_LT(found.ratio, 1.0);
    EXPECT_GT(found.p_slower, 1e-6);
}

TEST(Compare, DoesNotAccuseACallableAgainstItself) {
    const auto barrier = [] { MPI_Barrier(MPI_COMM_WORLD); };
    const Comparison found =
        compare(barrier, barrier, MPI_COMM_WORLD, {.alpha = 1e-6, .limit_s = 0.3});
    EXPECT_NE(found.conclusion, Conclusion::left_is_slower) << found.sentence();
    EXPECT_GT(found.p_slower, 1e-6);
    EXPECT_GE(found.rounds, 1);
}

TEST(Compare, TakesTheSlowestRank) {
    const int last = messages::size_of(MPI_COMM_WORLD) - 1;
    const bool is_last = messages::rank_in(MPI_COMM_WORLD) == last;
    const Comparison found = compare(sleeping(is_last ? 20 : 0), sleeping(1), MPI_COMM_WORLD, sure);
    EXPECT_EQ(found.conclusion, Conclusion::left_is_slower) << found.sentence();
}

TEST(Compare, GivesAllRanksEqualResults) {
    const Comparison found = compare(sleeping(3), sleeping(1), MPI_COMM_WORLD, {.limit_s = 0.2});
    for (const double value : {found.ratio, found.left_s, found.p_slower, double(found.rounds)})
        EXPECT_EQ(value, largest_of_ranks(value, MPI_COMM_WORLD));
}

TEST(Compare, StopsAtTheLimitWithWhatItHas) {
    // The first batch takes at most 0.1 s, and the limit allows no other one. So many rounds cannot
    // reach this alpha.
    const CompareOptions options = {.alpha = 1e-9, .limit_s = 1e-6};
    const Comparison found = compare(sleeping(2), sleeping(2), MPI_COMM_WORLD, options);
    EXPECT_EQ(found.conclusion, Conclusion::undecided);
    EXPECT_THAT(found.rounds, AllOf(Ge(1), Le(25)));
    EXPECT_THAT(found.sentence(), EndsWith(": undecided"));
}

TEST(Compare, RefusesUnusableOptions) {
    const auto nothing = [] {};
    const auto refused = [&](const CompareOptions& options) {
        EXPECT_THROW(compare(nothing, nothing, MPI_COMM_WORLD, options), std::invalid_argument);
    };
    refused({.tolerance = -0.1});
    refused({.tolerance = NAN});
    refused({.alpha = 0.0});
    refused({.alpha = 1.0});
    refused({.limit_s = 0.0});
    EXPECT_THROW(compare({}, nothing, MPI_COMM_WORLD), std::invalid_argument);
}

}  // namespace
}  // namespace mpiaudit
