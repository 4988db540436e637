// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.h"

#include <gmock/gmock.h>

#include "error_message.h"
#include "plan/plans.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(PlanTest, ProblemsThatTellMostComeFirst) {
    const Inputs inputs{{guideline("MPI_Barrier <= MPI_Allreduce(1)")},
                        {formula("same", "b"), formula("ramp", "b + i")}};
    Plan plan = this->plan(inputs, "1,10,100,1000");
    std::vector<std::string> ids;
    for (const std::size_t i : by_value(plan)) ids.push_back(plan.problems[i].id);
    EXPECT_THAT(ids, ElementsAre("same/b=100", "same/b=1", "same/b=1000", "ramp/b=100", "same/b=10",
                                 "ramp/b=1", "ramp/b=10", "ramp/b=1000"));
    // A barrier says the same on all problems, and is part of the first one.
    for (const ProblemOutline& each : plan.problems)
        EXPECT_EQ(each.checks.size(), each.id == "same/b=100" ? 1U : 0U);
    // The audit may have had no time for the barrier.
    const std::size_t chosen = plan.choose({0, 101, 1000}, {0});
    EXPECT_EQ(plan.problems[chosen].checks.size(), 1U);
}

TEST_F(PlanTest, ReferencesThatArePredictedToBeFastComeFirst) {
    const Inputs inputs{
        {guideline("MPI_Gather <= MPI_Gatherv"), guideline("MPI_Gather <= MPI_Reduce"),
         guideline("MPI_Gather <= linear_Gather"), guideline("MPI_Gather <= TUW_Gather"),
         guideline("MPI_Gather <= binomial_Gather")},
        {formula("same", "b")}};
    ProblemOutline problem = plan(inputs, "1").problems.at(0);
    EXPECT_THAT(in_turns(problem), ElementsAre(2, 0, 3, 1, 4));
    const auto predict = [&](std::vector<double> of_references) {
        problem.predicted_s.assign(problem.contestants.size(), -1.0);
        for (std::size_t i = 0; i < of_references.size(); ++i)
            problem.predicted_s[problem.checks[2 + i].right] = of_references[i];
    };
    predict({3e-6, 2e-6, 1e-6});
    EXPECT_THAT(in_turns(problem), ElementsAre(4, 0, 3, 1, 2));
    // The second contestant has no prediction.
    predict({3e-6, -1.0, 1e-6});
    EXPECT_THAT(in_turns(problem), ElementsAre(4, 0, 2, 1, 3));
}

TEST_F(PlanTest, AnAuditOfTheLibraryHasAsManyReferencesAsItsBudgetAllows) {
    Inputs inputs{
        {guideline("MPI_Gather <= MPI_Gatherv"), guideline("MPI_Gather <= linear_Gather"),
         guideline("MPI_Gather <= TUW_Gather"), guideline("MPI_Gather <= binomial_Gather")},
        {formula("same", "b")}};
    RunOptions options = with_sizes("1");
    const auto references = [&](const char* budget) {
        options.budget = budget;
        const Plan plan = make_plan(inputs, options, types_, 4, plenty);
        EXPECT_EQ(plan.checkable, 4);  // the others are measured while time is left
        return plan.references.most;
    };
    for (Guideline& each : inputs.guidelines) each.is_of_library = true;
    // One comparison on one problem needs 0.07 s, as in a whole audit: a small audit gets all
    // references.
    EXPECT_EQ(references("0.1s"), 1);
    EXPECT_EQ(references("0.15s"), 2);
    EXPECT_EQ(references("1s"), 14);
    EXPECT_EQ(references(""), std::numeric_limits<int>::max());
}

TEST_F(PlanTest, MemoryLimitSkipsWhatNeedsMore) {
    // Four ranks with 1 Mi elements of 4 bytes on one of them: 4 MiB to send; at the root as much
    // again, or four times as much with padding.
    const Inputs inputs{{guideline("MPI_Gatherv(m) <= TUW_Gatherv(m)"),
                         guideline("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')")},
                        {explicit_counts({1 << 20, 0, 0, 0})}};
    constexpr std::uint64_t MiB = 1 << 20;
    const auto skipped = [&](std::uint64_t memory) {
        std::vector<std::string> reasons;
        const Plan plan = make_plan(inputs, {}, types_, 4, memory);
        for (const Contestant& each : plan.problems.at(0).contestants)
            reasons.push_back(each.skipped ? in_words(*each.skipped) : "");
        return reasons;
    };
    EXPECT_THAT(skipped(20 * MiB), ElementsAre("", "", ""));
    EXPECT_THAT(skipped(20 * MiB - 1),
                ElementsAre("", "", "needs 20.0 MiB per rank, 20.0 MiB allowed (--memory)"));
    EXPECT_THAT(skipped(8 * MiB),
                ElementsAre("", "", "needs 20.0 MiB per rank, 8.0 MiB allowed (--memory)"));
    const std::string small = "needs 8.0 MiB per rank, 4.5 MiB allowed (--memory)";
    EXPECT_THAT(skipped(9 * MiB / 2),
                ElementsAre(small, small, "needs 20.0 MiB per rank, 4.5 MiB allowed (--memory)"));
    EXPECT_EQ(make_plan(inputs, {}, types_, 4, MiB).checkable, 0);
}

TEST_F(PlanTest, MemoryLimitIsForAllSetsOfBuffers) {
    // As above, one set takes 20 MiB.
    const Inputs inputs{{guideline("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')")},
                        {explicit_counts({1 << 20, 0, 0, 0})}};
    constexpr std::uint64_t MiB = 1 << 20;
    RunOptions options;
    options.buffers = BufferChoice::rotate;
    EXPECT_EQ(make_plan(inputs, options, types_, 4, 40 * MiB).checkable, 1);
    const Plan plan = make_plan(inputs, options, types_, 4, 39 * MiB);
    EXPECT_EQ(plan.checkable, 0);
    EXPECT_EQ(plan.problems.at(0).contestants.at(1).skipped,
              (Reason{ReasonKind::too_much_memory,
                      "needs 40.0 MiB per rank, 39.0 MiB allowed (--memory)"}));
}

TEST_F(PlanTest, ExplicitCountsMakeOneProblemWithTheirAverage) {
    const Inputs inputs{{guideline("MPI_Gatherv <= TUW_Gatherv")},
                        {formula("same", "b"), explicit_counts({5, 0, 3})}};
    const Plan plan = this->plan(inputs, "1,10", 3);
    ASSERT_EQ(plan.problems.size(), 3U);
    EXPECT_EQ(plan.problems[2].id, "counts/b=3");
    EXPECT_THAT(plan.instantiate(2).problem().counts, ElementsAre(5, 0, 3));
}

TEST_F(PlanTest, ExplicitCountsForAnotherNumberOfRanks) {
    const Inputs inputs{{}, {explicit_counts({5, 0, 3})}};
    EXPECT_THROW(make_plan(inputs, {}, types_, 4, plenty), UsageError);
    EXPECT_THAT(error_message([&] { make_plan(inputs, {}, types_, 4, plenty); }), HasSubstr("4"));
}

TEST_F(PlanTest, BlockSizesAreChecked) {
    const Inputs inputs{{}, {formula("same", "b")}};
    const auto error = [&](const std::string& sizes) {
        return error_message([&] { plan(inputs, sizes, 2); });
    };
    EXPECT_THAT(error("0,1"), StartsWith("b = 0 moves no data"));
    EXPECT_THAT(error("1,x"), StartsWith("'1,x': 'x' is not a non-negative integer"));
}

TEST_F(PlanTest, SeedDecidesRandomBlockSizes) {
    const Inputs inputs{{}, {formula("random", "floor(1000*u)")}};
    const auto counts = [&](std::uint64_t seed) {
        RunOptions options = with_sizes("1");
        options.seed = seed;
        return make_plan(inputs, options, types_, 8, plenty).instantiate(0).problem().counts;
    };
    EXPECT_EQ(counts(1), counts(1));
    EXPECT_NE(counts(1), counts(2));
}

}  // namespace
}  // namespace mpiaudit
