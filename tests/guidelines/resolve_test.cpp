// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "error_message.h"
#include "guidelines/guideline.h"

namespace mpiaudit {
namespace {

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

/// Returns the message for a statement without sense. Its caret has to stand under the first
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

TEST(Resolve, StepsOfTheRightSide) {
    using Steps = std::vector<std::string>;
    for (const auto& [statement, steps] : {
             std::pair{"MPI_Gatherv(m) <= MPI_Gatherv(m)",
                       Steps{"MPI_Gatherv: scattered -> rooted"}},
             // The root sees its blocks among all, also between two operations.
             {"MPI_Gather(m) <= MPI_Allgather(m)",
              {"MPI_Allgather: scattered -> replicated", "view: replicated -> rooted"}},
             {"MPI_Allgatherv <= MPI_Allgatherv + MPI_Bcast",
              {"MPI_Allgatherv: scattered -> replicated", "view: replicated -> rooted",
               "MPI_Bcast: rooted -> replicated"}},
             // A local move comes before a reduction.
             {"MPI_Allgatherv(m) <= MPI_Allreduce(m)",
              {"zero fill: scattered -> contributed",
               "MPI_Allreduce[in place]: contributed -> replicated"}},
             {"MPI_Bcast(m) <= MPI_Allreduce(m)",
              {"zero fill: rooted -> contributed",
               "MPI_Allreduce[in place]: contributed -> replicated"}},
             // The only use of MPI_Allgatherv from the layout in which MPI_Scatterv ends to the
             // layout of all blocks on all ranks.
             {"MPI_Bcast(m) <= MPI_Scatterv(m) + MPI_Allgatherv(m)",
              {"MPI_Scatterv[in place]: rooted -> scattered",
               "MPI_Allgatherv[in place]: scattered -> replicated"}},
             // After the first operation, blocks are in their places already.
             {"MPI_Allreduce(m) <= MPI_Reduce_scatter_block(m) + MPI_Allgather(m)",
              {"MPI_Reduce_scatter_block: contributed -> scattered",
               "MPI_Allgather[in place]: scattered -> replicated"}},
             {"MPI_Reduce(m) <= MPI_Reduce_scatter(m) + MPI_Gatherv(m)",
              {"MPI_Reduce_scatter: contributed -> scattered",
               "MPI_Gatherv[in place]: scattered -> rooted"}},
             {"MPI_Gather(m) <= MPI_Pack + MPI_Gather(m) + MPI_Unpack",
              {"MPI_Pack: scattered -> packed scattered",
               "MPI_Gather[in place]: packed scattered -> packed rooted",
               "MPI_Unpack: packed rooted -> rooted"}},
             // The buffers of the application must not change, so blocks are not in their places
             // there.
             {"MPI_Scatter(m) <= MPI_Reduce_scatter_block(m)",
              {"zero fill: rooted -> contributed",
               "MPI_Reduce_scatter_block: contributed -> scattered"}},
             // The block of the rank is the result.
             {"MPI_Reduce_scatter(m) <= MPI_Reduce(m) + MPI_Scatterv(m)",
              {"MPI_Reduce: contributed -> rooted", "MPI_Scatterv: rooted -> scattered"}},
         })
        EXPECT_EQ(resolved(statement).right.describe(), steps) << statement;
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

TEST(ResolveError, HasTheReasonAndThePlace) {
    for (const auto& [statement, place, reason] : {
             std::tuple{"MPI_Gather(m) <= MPI_Gathrv(m)", "MPI_Gathrv",
                        "unknown operation 'MPI_Gathrv'; did you mean 'MPI_Gatherv'? "},
             {"TUW_Gathervv(m) <= MPI_Gatherv(m)", "TUW_Gathervv(",
              "unknown operation 'TUW_Gathervv'; did you mean 'TUW_Gatherv'?"},
             {"MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(1)", "MPI_Gather(",
              "only MPI_Allreduce(1)"},
             {"MPI_Gatherv(m) <= MPI_Igatherv(m)", "MPI_Igatherv",
              "MPI_Igatherv has to be completed: write MPI_Igatherv(m) + MPI_Wait\n"},
             {"MPI_Gather(m) <= MPI_Gatherv(m) + MPI_Wait", "MPI_Gatherv",
              "MPI_Gatherv leaves nothing to wait for: leave out MPI_Wait\n"},
             {"MPI_Bcast(m) <= MPI_Ibcast[2 parts](m) + MPI_Wait", "MPI_Ibcast",
              "MPI_Ibcast[2 parts] has to be completed: write MPI_Ibcast[2 parts](m) + "
              "MPI_Waitall\n"},
             {"MPI_Gatherv(m/2) <= MPI_Gatherv(m)", "MPI_Gatherv(m/2)",
              "the left side must be about m itself, once\n"},
             {"MPI_Gatherv(m) <= MPI_Gather(m) + TUW_Gatherv(m)", "TUW_Gatherv",
              "the path breaks here: TUW_Gatherv starts from scattered, but the data are rooted\n"},
             {"MPI_Gather(m) + MPI_Gatherv(m) <= TUW_Gatherv(m)", "MPI_Gatherv",
              "the path breaks here: MPI_Gatherv starts from scattered, but the data are rooted\n"},
             {"MPI_Gatherv(m) <= MPI_Gather(m')", "MPI_Gather(",
              "the path breaks here: MPI_Gather starts from padded scattered, but the data are "
              "scattered\n"},
             {"MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m)", "MPI_Gather(",
              "the path breaks here: MPI_Gather starts from scattered, but the data are padded "
              "scattered\n"},
             {"MPI_Gather(m) <= MPI_Allreduce(1) + MPI_Gather[in place](m')",
              "MPI_Gather[in place]",
              "the path breaks here: MPI_Gather[in place] finds its data where its result will be, "
              "and what comes before does not put them there\n"},
             {"MPI_Gatherv(m) <= MPI_Allreduce(1)", "MPI_Allreduce", "this side ends"},
         })
        EXPECT_THAT(error_of(statement, place), StartsWith(reason)) << statement;
    EXPECT_THAT(error_of("MPI_Gather(m) <= MPI_Gathrv(m)", "MPI_Gathrv"),
                HasSubstr("`mpiaudit list collectives` has all"));
    EXPECT_THAT(error_of("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(1)", "MPI_Gather("),
                HasSubstr("takes a single element"));
    EXPECT_THAT(error_of("MPI_Gatherv(m) <= MPI_Allreduce(1)", "MPI_Allreduce"),
                HasSubstr("scattered, the left side ends rooted"));
}

}  // namespace
}  // namespace mpiaudit
