// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "error_message.h"
#include "guidelines/path.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr Layout scattered{Holding::scattered, false};
constexpr Layout padded_scattered{Holding::scattered, true};
constexpr Layout rooted{Holding::rooted, false};
constexpr Layout padded_rooted{Holding::rooted, true};

Inequality resolved(const std::string& text) {
    return resolve(parse_statement(text));
}

/// The message for a statement that makes no sense, whose caret has to stand under the first
/// character of the last occurrence of `place`.
std::string error_of(const std::string& text, const std::string& place) {
    const std::string message = error_message([&] { resolved(text); });
    const std::string end = "\n    " + text + "\n    " + std::string(text.rfind(place), ' ') + "^";
    return message.ends_with(end) ? message : "not at '" + place + "': " + message;
}

Problem problem(std::vector<Count> counts) {
    Problem problem;
    problem.distribution = "mine";
    problem.counts = std::move(counts);
    return problem;
}

TEST(Resolve, OneArrowOnEachSide) {
    const auto [left, right] = resolved("MPI_Gather(m) <= TUW_Gatherv(m)");
    EXPECT_EQ(left.name, "MPI_Gather(m)");
    EXPECT_THAT(left.describe(), ElementsAre("MPI_Gather: scattered -> rooted"));
    EXPECT_EQ(right.name, "TUW_Gatherv(m)");
    EXPECT_THAT(right.describe(), ElementsAre("TUW_Gatherv: scattered -> rooted"));
    for (const Path* path : {&left, &right}) {
        EXPECT_EQ(path->from(), scattered);
        EXPECT_EQ(path->to(), rooted);
        EXPECT_THAT(path->needs().sources, ElementsAre(scattered));
        EXPECT_THAT(path->needs().targets, ElementsAre(rooted));
    }
}

TEST(Resolve, PaddingIsDroppedSilentlyAtTheEnd) {
    const auto [left, right] = resolved("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')");
    EXPECT_THAT(left.describe(), ElementsAre("MPI_Gatherv: scattered -> rooted"));
    EXPECT_EQ(right.name, "MPI_Allreduce(1) + MPI_Gather(m')");
    EXPECT_THAT(right.describe(), ElementsAre("MPI_Allreduce: scattered -> padded scattered",
                                              "MPI_Gather: padded scattered -> padded rooted",
                                              "view: padded rooted -> rooted"));
    EXPECT_EQ(right.from(), left.from());
    EXPECT_EQ(right.to(), left.to());
    EXPECT_THAT(right.needs().sources, ElementsAre(scattered, padded_scattered));
    EXPECT_THAT(right.needs().targets, ElementsAre(padded_rooted));
}

TEST(Resolve, LongerSideMayBeTheLeftOne) {
    const auto [left, right] = resolved("MPI_Allreduce(1) + MPI_Gatherv(m') <= linear_Gatherv");
    EXPECT_THAT(left.describe(), ElementsAre("MPI_Allreduce: scattered -> padded scattered",
                                             "MPI_Gatherv: padded scattered -> padded rooted",
                                             "view: padded rooted -> rooted"));
    EXPECT_THAT(right.describe(), ElementsAre("linear_Gatherv: scattered -> rooted"));
}

TEST(Resolve, OperationAgainstItself) {
    const auto [left, right] = resolved("MPI_Gatherv(m) <= MPI_Gatherv(m)");
    EXPECT_EQ(left.describe(), right.describe());
}

TEST(Resolve, RootSeesItsBlocksAmongAll) {
    const auto [left, right] = resolved("MPI_Gather(m) <= MPI_Allgather(m)");
    EXPECT_THAT(left.describe(), ElementsAre("MPI_Gather: scattered -> rooted"));
    EXPECT_THAT(right.describe(), ElementsAre("MPI_Allgather: scattered -> replicated",
                                              "view: replicated -> rooted"));
}

TEST(Resolve, ViewBetweenTwoOperations) {
    const auto right = resolved("MPI_Allgatherv <= MPI_Allgatherv + MPI_Bcast").right;
    EXPECT_THAT(right.describe(),
                ElementsAre("MPI_Allgatherv: scattered -> replicated", "view: replicated -> rooted",
                            "MPI_Bcast: rooted -> replicated"));
}

TEST(Resolve, LocalMoveBeforeAReduction) {
    const auto right = resolved("MPI_Allgatherv(m) <= MPI_Allreduce(m)").right;
    EXPECT_THAT(right.describe(),
                ElementsAre("zero fill: scattered -> contributed",
                            "MPI_Allreduce[in place]: contributed -> replicated"));
    EXPECT_THAT(resolved("MPI_Bcast(m) <= MPI_Allreduce(m)").right.describe(),
                ElementsAre("zero fill: rooted -> contributed",
                            "MPI_Allreduce[in place]: contributed -> replicated"));
}

TEST(Resolve, UseOfAnOperationIsTheOneThatFits) {
    // The only use of MPI_Allgatherv that starts where MPI_Scatterv ends and the root began.
    EXPECT_THAT(resolved("MPI_Bcast(m) <= MPI_Scatterv(m) + MPI_Allgatherv(m)").right.describe(),
                ElementsAre("MPI_Scatterv[in place]: rooted -> scattered",
                            "MPI_Allgatherv[in place]: scattered -> replicated"));
}

TEST(Resolve, BehindTheFirstOperationBlocksAreInTheirPlacesAlready) {
    const auto allreduce =
        resolved("MPI_Allreduce(m) <= MPI_Reduce_scatter_block(m) + MPI_Allgather(m)").right;
    EXPECT_EQ(allreduce.name, "MPI_Reduce_scatter_block(m) + MPI_Allgather(m)");
    EXPECT_THAT(allreduce.describe(),
                ElementsAre("MPI_Reduce_scatter_block: contributed -> scattered",
                            "MPI_Allgather[in place]: scattered -> replicated"));
    EXPECT_THAT(
        resolved("MPI_Reduce(m) <= MPI_Reduce_scatter(m) + MPI_Gatherv(m)").right.describe(),
        ElementsAre("MPI_Reduce_scatter: contributed -> scattered",
                    "MPI_Gatherv[in place]: scattered -> rooted"));
    EXPECT_THAT(resolved("MPI_Gather(m) <= MPI_Pack + MPI_Gather(m) + MPI_Unpack").right.describe(),
                ElementsAre("MPI_Pack: scattered -> packed scattered",
                            "MPI_Gather[in place]: packed scattered -> packed rooted",
                            "MPI_Unpack: packed rooted -> rooted"));
}

TEST(Resolve, BlocksAreCopiedWhereTheyAreNotInTheirPlaces) {
    // In the source, which the agreement leaves where it is.
    EXPECT_THAT(resolved("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')").right.describe(),
                Contains("MPI_Gather: padded scattered -> padded rooted"));
    // In the application's, which has to stay what it is.
    EXPECT_THAT(resolved("MPI_Scatter(m) <= MPI_Reduce_scatter_block(m)").right.describe(),
                ElementsAre("zero fill: rooted -> contributed",
                            "MPI_Reduce_scatter_block: contributed -> scattered"));
    // The own block is the result.
    EXPECT_THAT(
        resolved("MPI_Reduce_scatter(m) <= MPI_Reduce(m) + MPI_Scatterv(m)").right.describe(),
        Contains("MPI_Scatterv: rooted -> scattered"));
    EXPECT_THAT(error_of("MPI_Gather(m) <= MPI_Allreduce(1) + MPI_Gather[in place](m')",
                         "MPI_Gather[in place]"),
                StartsWith("the path breaks here: MPI_Gather[in place] finds its data where its "
                           "result will be, and what comes before does not put them there\n"));
}

TEST(Obstacle, ConditionHoldsForUnpaddedBlocksOnly) {
    const Problem unequal = problem({1, 2});
    const auto [regular, larger] = resolved("MPI_Gather(m) <= MPI_Allreduce(1) + MPI_Gather(m')");
    EXPECT_EQ(regular.obstacle(unequal), "MPI_Gather needs equal blocks");
    EXPECT_EQ(regular.obstacle(problem({2, 2})), std::nullopt);
    EXPECT_EQ(larger.obstacle(unequal), std::nullopt);
}

TEST(Obstacle, CountsThatDoNotFitInt) {
    const auto [plain, larger] = resolved("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')");
    const Problem spike = problem({1'500'000'000, 1});
    EXPECT_EQ(plain.obstacle(spike), std::nullopt);
    EXPECT_EQ(larger.obstacle(spike),
              "3000000000 elements padded rooted exceed the int counts of MPI");
    EXPECT_EQ(plain.obstacle(problem({2'000'000'000, 147'483'647})), std::nullopt);
    EXPECT_EQ(plain.obstacle(problem({2'000'000'000, 147'483'648})),
              "2147483648 elements rooted exceed the int counts of MPI");
}

TEST(ResolveError, UnknownOperationWithSuggestion) {
    EXPECT_THAT(error_of("MPI_Gather(m) <= MPI_Gathrv(m)", "MPI_Gathrv"),
                AllOf(StartsWith("unknown operation 'MPI_Gathrv'; did you mean 'MPI_Gatherv'? "),
                      HasSubstr("`mpiaudit list collectives` has all")));
    EXPECT_THAT(error_of("TUW_Gathervv(m) <= MPI_Gatherv(m)", "TUW_Gathervv("),
                StartsWith("unknown operation 'TUW_Gathervv'; did you mean 'TUW_Gatherv'?"));
}

TEST(ResolveError, ArgumentThatTheOperationDoesNotTake) {
    EXPECT_THAT(error_of("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(1)", "MPI_Gather("),
                AllOf(StartsWith("only MPI_Allreduce(1)"), HasSubstr("takes a single element")));
}

TEST(ResolveError, CompletionWhereItDoesNotBelong) {
    EXPECT_THAT(error_of("MPI_Gatherv(m) <= MPI_Igatherv(m)", "MPI_Igatherv"),
                StartsWith("MPI_Igatherv has to be completed: write MPI_Igatherv(m) + MPI_Wait\n"));
    EXPECT_THAT(error_of("MPI_Gather(m) <= MPI_Gatherv(m) + MPI_Wait", "MPI_Gatherv"),
                StartsWith("MPI_Gatherv leaves nothing to wait for: leave out MPI_Wait\n"));
    EXPECT_THAT(error_of("MPI_Bcast(m) <= MPI_Ibcast[2 parts](m) + MPI_Wait", "MPI_Ibcast"),
                StartsWith("MPI_Ibcast[2 parts] has to be completed: write "
                           "MPI_Ibcast[2 parts](m) + MPI_Waitall\n"));
}

TEST(ResolveError, LeftSideOfAnotherSize) {
    EXPECT_THAT(error_of("MPI_Gatherv(m/2) <= MPI_Gatherv(m)", "MPI_Gatherv(m/2)"),
                StartsWith("the left side must be about m itself, once\n"));
}

TEST(ResolveError, PathBreaksInTheMiddle) {
    EXPECT_THAT(error_of("MPI_Gatherv(m) <= MPI_Gather(m) + TUW_Gatherv(m)", "TUW_Gatherv"),
                StartsWith("the path breaks here: TUW_Gatherv starts from scattered, but the data "
                           "are rooted\n"));
    EXPECT_THAT(error_of("MPI_Gather(m) + MPI_Gatherv(m) <= TUW_Gatherv(m)", "MPI_Gatherv"),
                StartsWith("the path breaks here: MPI_Gatherv starts from scattered, but the data "
                           "are rooted\n"));
}

TEST(ResolveError, PathBreaksAtTheStart) {
    EXPECT_THAT(error_of("MPI_Gatherv(m) <= MPI_Gather(m')", "MPI_Gather("),
                StartsWith("the path breaks here: MPI_Gather starts from padded scattered, but the "
                           "data are scattered\n"));
}

TEST(ResolveError, UnpaddedOperationBehindTheAgreement) {
    EXPECT_THAT(error_of("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m)", "MPI_Gather("),
                StartsWith("the path breaks here: MPI_Gather starts from scattered, but the data "
                           "are padded scattered\n"));
}

TEST(ResolveError, DifferentEnds) {
    EXPECT_THAT(
        error_of("MPI_Gatherv(m) <= MPI_Allreduce(1)", "MPI_Allreduce"),
        AllOf(StartsWith("this side ends"), HasSubstr("scattered, the left side ends rooted")));
}

}  // namespace
}  // namespace mpiaudit
