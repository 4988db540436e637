// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.h"

#include <gmock/gmock.h>
#include <malloc.h>

#include "error_message.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint64_t plenty = std::uint64_t{1} << 40;

Guideline guideline(const std::string& statement) {
    Guideline guideline;
    guideline.id = guideline.statement = statement;
    guideline.inequality = resolve(parse_statement(statement));
    return guideline;
}
Distribution formula(const std::string& name, const std::string& text) {
    return {.name = name, .formula = text};
}
Distribution explicit_counts(std::vector<Count> counts) {
    return {.name = "counts", .counts = std::move(counts)};
}
RunOptions with_sizes(const std::string& block_sizes) {
    RunOptions options;
    options.block_sizes = block_sizes;
    return options;
}
std::vector<std::string> ids_of(const Plan& plan) {
    std::vector<std::string> ids;
    for (const ProblemOutline& planned : plan.problems) ids.push_back(planned.id);
    return ids;
}
std::vector<std::string> contestants(const ProblemOutline& planned) {
    std::vector<std::string> names;
    for (const Contestant& each : planned.contestants) names.push_back(each.name);
    return names;
}

class PlanTest : public testing::Test {
  protected:
    /// Plans for `ranks` ranks with enough memory.
    static Plan plan(const Inputs& inputs, const std::string& block_sizes, int ranks,
                     const Types& types) {
        return make_plan(inputs, with_sizes(block_sizes), types, ranks, plenty);
    }
    Plan plan(const Inputs& inputs, const std::string& block_sizes, int ranks = 4) const {
        return plan(inputs, block_sizes, ranks, types_);
    }
    static Types types_of(const Inputs& inputs) { return {"int", "sum", nullptr, inputs.looks}; }
    const Types types_{"int", "sum"};
};

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

TEST_F(PlanTest, OperationsTakeTurns) {
    const Inputs inputs{
        {guideline("MPI_Gather <= MPI_Gatherv"), guideline("MPI_Gather <= MPI_Reduce"),
         guideline("MPI_Bcast <= MPI_Allreduce"), guideline("MPI_Gatherv <= TUW_Gatherv"),
         guideline("MPI_Bcast <= linear_Bcast")},
        {formula("same", "b")}};
    const Plan plan = this->plan(inputs, "1");
    EXPECT_THAT(in_turns(plan.problems.at(0)), ElementsAre(3, 4, 0, 2, 1));
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
    EXPECT_EQ(ramp.contestants[0].skipped, "MPI_Gather needs equal blocks");
    EXPECT_EQ(ramp.contestants[1].skipped, std::nullopt);
    EXPECT_FALSE(ramp.is_checkable(ramp.checks[0]));
    EXPECT_TRUE(ramp.is_checkable(ramp.checks[1]));
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
            reasons.push_back(each.skipped.value_or(""));
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
              "needs 40.0 MiB per rank, 39.0 MiB allowed (--memory)");
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

/// A broadcast of 6 doubles from rank 1, and a gather of integers, with less time.
Inputs inputs_of_application() {
    application::Recording recording;
    recording.ranks = 3;
    recording.groups = {{{0, 1, 2}, 1}};
    recording.problems.resize(2);
    for (application::Problem& each : recording.problems) each.mode = "blocking";
    application::Problem& gatherv = recording.problems[0];
    gatherv.collective = "MPI_Gatherv";
    gatherv.root = 2;
    gatherv.element = application::Element{"MPI_INT", 4, 4, "predefined"};
    gatherv.bytes.blocks = {0, 8, 4};
    gatherv.seconds.sum = 1;
    application::Problem& bcast = recording.problems[1];
    bcast.collective = "MPI_Bcast";
    bcast.root = 1;
    bcast.element = application::Element{"MPI_DOUBLE", 8, 8, "predefined"};
    bcast.bytes.block = 48;
    bcast.seconds.sum = 3;
    Inputs inputs{
        {guideline("MPI_Gatherv <= TUW_Gatherv"), guideline("MPI_Bcast <= linear_Bcast"),
         guideline("MPI_Bcast <= 2 MPI_Bcast(m/2)"), guideline("TUW_Gatherv <= linear_Gatherv")},
        {}};
    inputs.recording = recording;
    select_problems(inputs, {3, {}}, "problems.json");
    return inputs;
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

std::vector<std::string> names_of(const std::vector<const Arrow*>& arrows) {
    std::vector<std::string> names;
    for (const Arrow* each : arrows) names.push_back(each->name);
    return names;
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

TEST_F(PlanTest, SpreadSizesAreFewAndOfEachDistributionItsOwn) {
    Inputs inputs{{guideline("MPI_Gatherv <= TUW_Gatherv"), guideline("MPI_Gather <= MPI_Gatherv"),
                   guideline("MPI_Allgather <= MPI_Allgatherv")},
                  {formula("same", "b"), formula("random", "b + i"), formula("own", "b + 2*i"),
                   formula("look", "b")}};
    inputs.looks = {{3, "same", "8", "double", "max", "0"}};
    const Types types = types_of(inputs);
    Plan plan = PlanTest::plan(inputs, "spread", 4, types);
    EXPECT_THAT(
        ids_of(plan),
        ElementsAre("same/b=1", "same/b=4", "same/b=16", "same/b=64", "same/b=256", "same/b=1024",
                    "same/b=4096", "same/b=16384", "same/b=65536", "same/b=262144", "random/b=2",
                    "random/b=200", "random/b=20000", "own/b=1", "own/b=10", "own/b=100",
                    "own/b=1000", "own/b=10000", "own/b=100000", "look/b=8"));
    // Large blocks are for operations that need equal blocks.
    EXPECT_EQ(plan.problems[8].checks.size(), 3U);
    EXPECT_EQ(plan.problems[9].checks.size(), 2U);
    EXPECT_EQ(by_value(plan)[2], 8U);
    EXPECT_EQ(plan.may_be_chosen, plan.checkable);
    EXPECT_EQ(plan.checks(), 2 * plan.checkable + plan.tails);
    EXPECT_EQ(PlanTest::plan(inputs, "1,8", 4, types).may_be_chosen, 0);
    // A size between 4 and 16, with two of the guidelines.
    const std::size_t chosen = plan.choose({0, 8, 16}, {0, 2});
    EXPECT_EQ(plan.problems[chosen].id, "same/b=8");
    EXPECT_TRUE(plan.problems[chosen].is_chosen);
    EXPECT_EQ(plan.problems[chosen].next, 16);
    EXPECT_THAT(plan.instantiate(chosen).problem().counts, ElementsAre(8, 8, 8, 8));
    ASSERT_EQ(plan.problems[chosen].checks.size(), 2U);
    EXPECT_EQ(plan.problems[chosen].checks[1].guideline, 2U);
}

TEST_F(PlanTest, ALookHasDataOfItsOwnAndWhatDependsOnThem) {
    Inputs inputs{
        {guideline("MPI_Gatherv <= TUW_Gatherv"), guideline("MPI_Allgather <= MPI_Allgatherv"),
         guideline("MPI_Allreduce <= MPI_Reduce + MPI_Bcast")},
        {formula("look", "b")}};
    inputs.looks = {{0, "same", "8,512", "double", "max", "0"}};
    const Types types = types_of(inputs);
    const Plan plan = PlanTest::plan(inputs, "1", 4, types);
    EXPECT_THAT(ids_of(plan), ElementsAre("look/b=8", "look/b=512"));
    const PlannedProblem planned = plan.instantiate(0);
    EXPECT_EQ(planned.problem().root, 0);
    EXPECT_EQ(planned.problem().element->name(), "double");
    EXPECT_EQ(planned.problem().op->name(), "max");
    ASSERT_EQ(planned.checks.size(), 2U);
    EXPECT_EQ(planned.checks[1].guideline, 2U);
}

#ifdef OPEN_MPI
TEST_F(PlanTest, AFormThatIsKnownToHangIsSkippedWhereItDoes) {
    Inputs inputs{{guideline("MPI_Allgatherv[sent as one type] <= MPI_Allgatherv")},
                  {formula("v", "b*i")}};
    const auto form_on = [&](int ranks) {
        return PlanTest::plan(inputs, "8", ranks).problems[0].contestants.front();
    };
    EXPECT_TRUE(form_on(3).is_known_to_fail);
    EXPECT_THAT(
        form_on(3).skipped.value_or(""),
        testing::MatchesRegex(".* is known to hang where ranks send different types in Open "
                              "MPI v.*; not tested here"));
    inputs.distributions[0] = formula("v", "b");
    EXPECT_FALSE(form_on(3).is_known_to_fail);
    EXPECT_EQ(form_on(3).skipped, std::nullopt);
}
#endif

TEST_F(PlanTest, ALookTakesTheGuidelinesThatNameIt) {
    Inputs inputs{
        {guideline("MPI_Alltoall[in place] <= MPI_Alltoall"),
         guideline("MPI_Gather <= MPI_Gatherv"), guideline("MPI_Comm_dup <= MPI_Comm_split")},
        {formula("same", "b"), formula("look", "b")}};
    inputs.guidelines[0].look = inputs.guidelines[2].look = "forms";
    inputs.looks = {{1, "same", "8,512", "int", "sum", "half", "forms"}};
    const Types types = types_of(inputs);
    const Plan plan = PlanTest::plan(inputs, "1", 4, types);
    EXPECT_THAT(ids_of(plan), ElementsAre("same/b=1", "look/b=8", "look/b=512"));
    ASSERT_EQ(plan.problems[0].checks.size(), 1U);
    EXPECT_EQ(plan.problems[0].checks[0].guideline, 1U);
    ASSERT_EQ(plan.problems[1].checks.size(), 2U);
    // A guideline without data says the same at all sizes.
    ASSERT_EQ(plan.problems[2].checks.size(), 1U);
    EXPECT_EQ(plan.problems[2].checks[0].guideline, 0U);
}

}  // namespace
}  // namespace mpiaudit
