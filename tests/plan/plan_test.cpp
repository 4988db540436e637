// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.h"

#include <gmock/gmock.h>

#include "error_message.h"
#include "plan/plans.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(PlanTest, EveryGuidelineOnEveryDistributionAndSize) {
    const Inputs inputs{
        {guideline("MPI_Gather <= MPI_Gatherv"), guideline("MPI_Gatherv <= TUW_Gatherv")},
        {formula("same", "b"), formula("ramp", "b + i")}};
    const Plan plan = this->plan(inputs, "1,10,100");
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < plan.problems.size(); ++i) {
        const PlannedProblem planned = plan.instantiate(i);
        EXPECT_EQ(planned.problem().id(), planned.id);
        ids.push_back(planned.id);
        EXPECT_EQ(planned.problem().root, 2);
        EXPECT_EQ(planned.problem().element, &types_.element);
        ASSERT_EQ(planned.checks.size(), 2U);
        EXPECT_EQ(planned.checks[0].guideline, 0U);
        EXPECT_EQ(planned.checks[1].guideline, 1U);
    }
    EXPECT_THAT(ids, ElementsAre("same/b=1", "same/b=10", "same/b=100", "ramp/b=1", "ramp/b=10",
                                 "ramp/b=100"));
    EXPECT_THAT(plan.instantiate(5).problem().counts, ElementsAre(100, 101, 102, 103));
}

TEST_F(PlanTest, EqualBlocksAreOneProblem) {
    const Inputs inputs{{guideline("MPI_Gatherv <= TUW_Gatherv")},
                        {formula("same", "b"), formula("ends", "(i == 0 || i == p - 1) ? b : 0"),
                         formula("tens", "10")}};
    const Plan two = plan(inputs, "1,10", 2);
    EXPECT_EQ(ids_of(two), (std::vector<std::string>{"same/b=1", "same/b=10"}));
    std::vector<std::string> duplicates;
    for (const Duplicate& each : two.duplicates)
        duplicates.push_back(each.problem + " = " + each.equal_to);
    EXPECT_THAT(duplicates, ElementsAre("ends/b=1 = same/b=1", "ends/b=10 = same/b=10",
                                        "tens/b=1 = same/b=10", "tens/b=10 = same/b=10"));
    // On three ranks the distributions differ.
    const Plan three = plan(inputs, "1,10", 3);
    EXPECT_EQ(ids_of(three),
              (std::vector<std::string>{"same/b=1", "same/b=10", "ends/b=1", "ends/b=10"}));
    EXPECT_EQ(three.duplicates.size(), 2U);
}

TEST_F(PlanTest, VariantsAreMadeInTurn) {
    const Inputs inputs{
        {guideline("MPI_Bcast(m) <= MPI_Bcast(m+k)"), guideline("MPI_Bcast(m) <= 2 MPI_Bcast(m/2)"),
         guideline("MPI_Gatherv(m) <= MPI_Gatherv(m+k)")},
        {formula("ramp", "b + i"), formula("same", "b")}};
    RunOptions options = with_sizes("4,40");
    options.shared_buffers = true;
    const Plan plan = make_plan(inputs, options, types_, 3, plenty);
    const PlannedProblem ramp = plan.instantiate(0);
    ASSERT_EQ(ramp.variants.size(), 3U);
    EXPECT_THAT(ramp.variants[0].counts, ElementsAre(4, 5, 6));
    EXPECT_THAT(ramp.variants[1].counts, ElementsAre(40, 41, 42));
    EXPECT_THAT(ramp.variants[2].counts, ElementsAre(2, 3, 3));
    ASSERT_EQ(ramp.parts.size(), 3U);
    EXPECT_THAT(ramp.parts[0].counts, ElementsAre(4, 5, 6));
    EXPECT_THAT(ramp.parts[1].counts, ElementsAre(10, 11, 11));
    EXPECT_EQ(ramp.contestants[1].variant, 1U);
    EXPECT_EQ(ramp.contestants[2].variant, 2U);
    EXPECT_EQ(ramp.own_parts(1), 1);
    EXPECT_EQ(ramp.own_parts(2), 2);
    EXPECT_EQ(ramp.total, 15);
    EXPECT_EQ(ramp.padded_total, 18);
    // Each instantiation makes its larger problem again.
    EXPECT_THAT(plan.instantiate(1).problem().counts, ElementsAre(40, 41, 42));
    EXPECT_EQ(plan.problems[1].total, 123);
    EXPECT_EQ(plan.instantiate(1).variants.size(), 2U);
}

/// The memory of a plan does not grow with block sizes or neighbours.
TEST_F(PlanTest, NoMoreThanSixtyFourBytesForEachRank) {
    constexpr int ranks = 200'000;
    const Inputs inputs{
        {guideline("MPI_Bcast(m) <= MPI_Bcast(m+k)"),
         guideline("MPI_Bcast(m) <= 2 MPI_Bcast(m/2)")},
        {formula("same", "b"), formula("ramp", "b + i"), formula("down", "b + p - i")}};
    const auto allocated = [] {
        const auto heap = mallinfo2();
        return static_cast<double>(heap.uordblks + heap.hblkhd);
    };
    const double before = allocated();
    const Plan plan = this->plan(inputs, "1..100000:x10", ranks);
    EXPECT_LT((allocated() - before) / ranks, 32);
    const PlannedProblem planned = plan.instantiate(7);
    EXPECT_EQ(planned.variants.size(), 3U);
    EXPECT_LT((allocated() - before) / ranks, 64);
}

TEST_F(PlanTest, OperationsTakeTurns) {
    const Inputs inputs{
        {guideline("MPI_Gather <= MPI_Gatherv"), guideline("MPI_Gather <= MPI_Reduce"),
         guideline("MPI_Bcast <= MPI_Allreduce"), guideline("MPI_Gatherv <= TUW_Gatherv"),
         guideline("MPI_Bcast <= linear_Bcast")},
        {formula("same", "b")}};
    const Plan plan = this->plan(inputs, "1");
    EXPECT_THAT(in_turns(plan.problems.at(0)), ElementsAre(3, 4, 0, 2, 1));
}

TEST_F(PlanTest, ContestantsAreSharedBetweenGuidelines) {
    const Inputs inputs{{guideline("MPI_Gather(m) <= MPI_Gatherv(m)"),
                         guideline("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')"),
                         guideline("MPI_Gatherv <= TUW_Gatherv")},
                        {formula("same", "b")}};
    const ProblemOutline planned = plan(inputs, "10", 2).problems.at(0);
    EXPECT_THAT(contestants(planned),
                ElementsAre("MPI_Gather(m)", "MPI_Gatherv(m)", "MPI_Allreduce(1) + MPI_Gather(m')",
                            "TUW_Gatherv(m)"));
    EXPECT_EQ(planned.checks[0].left, 0U);
    EXPECT_EQ(planned.checks[0].right, 1U);
    EXPECT_EQ(planned.checks[1].left, 1U);
    EXPECT_EQ(planned.checks[1].right, 2U);
    EXPECT_EQ(planned.checks[2].left, 1U);
    EXPECT_EQ(planned.checks[2].right, 3U);
}

TEST_F(PlanTest, OperationAgainstItselfHasTwoContestants) {
    const Inputs inputs{{guideline("MPI_Gatherv(m) <= MPI_Gatherv(m)")}, {formula("same", "b")}};
    const ProblemOutline planned = plan(inputs, "10", 2).problems.at(0);
    EXPECT_THAT(contestants(planned), ElementsAre("MPI_Gatherv(m)", "MPI_Gatherv(m) #2"));
    EXPECT_NE(planned.checks[0].left, planned.checks[0].right);
}

TEST_F(PlanTest, OnlyChecksThatCanBeMeasuredCount) {
    const Inputs inputs{{guideline("MPI_Gather(m) <= MPI_Gatherv(m)"),
                         guideline("MPI_Gatherv(m) <= TUW_Gatherv(m)")},
                        {formula("same", "b"), formula("ramp", "b + i")}};
    const Plan plan = this->plan(inputs, "1,10");
    // MPI_Gather does not apply to the two problems of the ramp.
    EXPECT_EQ(plan.checkable, 8 - 2);
    const ProblemOutline& ramp = plan.problems.at(2);
    EXPECT_EQ(ramp.contestants[0].skipped,
              (Reason{ReasonKind::does_not_fit, "MPI_Gather needs equal blocks"}));
    EXPECT_EQ(ramp.contestants[1].skipped, std::nullopt);
    EXPECT_FALSE(ramp.is_checkable(ramp.checks[0]));
    EXPECT_TRUE(ramp.is_checkable(ramp.checks[1]));
}

TEST_F(PlanTest, TheProblemsOfAnApplicationEachWithItsOwnCollective) {
    const Inputs inputs = inputs_of_application();
    const Types types{"int", "sum", &*inputs.selection};
    const Plan plan = make_plan(inputs, RunOptions{}, types, 3, plenty);
    EXPECT_THAT(ids_of(plan), ElementsAre("2-Bcast/b=2", "1-Gatherv/b=1"));
    EXPECT_THAT(contestants(plan.problems[0]), ElementsAre("MPI_Bcast(m)", "linear_Bcast(m)"));
    EXPECT_THAT(contestants(plan.problems[1]), ElementsAre("MPI_Gatherv(m)", "TUW_Gatherv(m)"));
    EXPECT_EQ(plan.instantiate(0).problem().root, 1);
    EXPECT_EQ(plan.instantiate(0).problem().element->name(), "double");
    EXPECT_THAT(plan.instantiate(0).problem().counts, ElementsAre(2, 2, 2));
    EXPECT_EQ(plan.instantiate(1).problem().element->name(), "int");
    EXPECT_THAT(plan.instantiate(1).problem().counts, ElementsAre(0, 2, 1));
    EXPECT_EQ(plan.problems[0].worth_s, 1.0);
    EXPECT_EQ(plan.checkable, 2);
    EXPECT_THAT(by_value(plan), ElementsAre(0, 1));
    EXPECT_THAT(inputs.distributions[0].counts, ElementsAre(2, 2, 2));
}

TEST(TimedArrows, AreTheNamedOperationsOrTheFamily) {
    EXPECT_THAT(names_of(timed_arrows({"gatherv"})), ElementsAre("MPI_Gatherv"));
    EXPECT_THAT(names_of(timed_arrows({"gather"})), ElementsAre("MPI_Gather"))
        << "an operation before a family";
    EXPECT_THAT(names_of(timed_arrows({"TUW_Gatherv", "gatherv"})),
                testing::UnorderedElementsAre("MPI_Gatherv", "TUW_Gatherv"));
    EXPECT_THAT(names_of(timed_arrows({"MPI_Igatherv"})), ElementsAre("MPI_Igatherv"));
    const std::vector<std::string> all = names_of(timed_arrows({}));
    EXPECT_THAT(all, testing::IsSupersetOf({"MPI_Gatherv", "MPI_Barrier", "MPI_Scan"}));
    EXPECT_EQ(std::ranges::count(all, "MPI_Alltoall"), 1) << "one of its uses";
    EXPECT_THAT(error_message([] { timed_arrows({"gahter"}); }), HasSubstr("gather"));
}

TEST_F(PlanTest, TimedOperationsAreContestantsWithoutChecks) {
    Inputs inputs{{}, {formula("same", "b"), formula("ramp", "b + i")}};
    inputs.timed = timed_arrows({"gatherv", "bcast", "gather", "barrier"});
    const Plan plan = this->plan(inputs, "1,10");
    ASSERT_THAT(ids_of(plan), ElementsAre("same/b=1", "same/b=10", "ramp/b=1", "ramp/b=10"));
    EXPECT_THAT(contestants(plan.problems[0]),
                testing::UnorderedElementsAre("MPI_Gatherv(m)", "MPI_Bcast(m)", "MPI_Gather(m)",
                                              "MPI_Barrier(m)"));
    // Only blocks of different sizes make a difference.
    EXPECT_THAT(contestants(plan.problems[1]),
                testing::UnorderedElementsAre("MPI_Gatherv(m)", "MPI_Bcast(m)", "MPI_Gather(m)"));
    EXPECT_THAT(contestants(plan.problems[2]), ElementsAre("MPI_Gatherv(m)"));
    EXPECT_EQ(plan.checks(), 0);
    // A distribution at which nothing new is timed has no problems.
    inputs.timed = timed_arrows({"bcast"});
    EXPECT_THAT(ids_of(this->plan(inputs, "1,10")), ElementsAre("same/b=1", "same/b=10"));
}

TEST_F(PlanTest, StatementsAboutLongCallsCountAsChecks) {
    const Inputs inputs{
        {guideline("MPI_Gatherv <= TUW_Gatherv"), guideline("MPI_Gatherv <= linear_Gatherv"),
         guideline("MPI_Gather <= MPI_Gatherv"), guideline("TUW_Gatherv <= MPI_Gatherv"),
         guideline("MPI_Igatherv + MPI_Wait <= MPI_Gatherv")},
        {formula("same", "b"), formula("ramp", "b + i")}};
    RunOptions options = with_sizes("1,10,100,1000");
    options.budget = "100s";
    const auto plan_with = [&] { return make_plan(inputs, options, types_, 4, plenty); };
    const Plan plan = plan_with();
    // Three ways of the library, each with and without a pause.
    EXPECT_EQ(plan.tails, 6);
    EXPECT_EQ(plan.checks(), plan.checkable + 6);
    // A medium, a small and a large size of the first distribution share 8 % of the budget.
    double all_s = 0.0;
    for (const ProblemOutline& each : plan.problems) {
        all_s += each.tail_s;
        EXPECT_EQ(each.tail_s > 0.0, each.distribution == "same" && each.id != "same/b=10")
            << each.id;
    }
    EXPECT_NEAR(all_s, 8.0, 1e-12);
    options.confirm = "folder";
    EXPECT_EQ(plan_with().problems.front().tail_s, 0.0);
    options.criterion = judge::Criterion::averages;
    EXPECT_EQ(plan_with().tails, 0);
}

}  // namespace
}  // namespace mpiaudit
