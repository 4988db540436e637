// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <mpi.h>

#include "../world.h"
#include "causes/fault.h"
#include "mpi/environment.h"
#include "mpi/library_algorithms.h"
#include "mpi/texts.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

TEST(Broadcast, TextOfRank0OnEveryRank) {
    const std::vector<std::string> texts = {"", "x", std::string("a\0b\n", 4)};
    for (const std::string& text : texts)
        EXPECT_EQ(broadcast(own_rank() == 0 ? text : "of another rank"), text);
}

TEST(Broadcast, InPartsFromAnyRoot) {
    // None, less than one part, one, two, and two and a bit.
    const std::vector<std::string> texts = {"", "ab", "abc", "abcdef", "abcdefgh"};
    for (const std::string& text : texts) {
        for (int root = 0; root < ranks_of_world(); ++root)
            EXPECT_EQ(
                broadcast_in_parts(own_rank() == root ? text : "another", root, MPI_COMM_WORLD, 3),
                text);
    }
}

TEST(TextOfLowestRank, NothingWhenNobodyHasOne) {
    EXPECT_EQ(text_of_lowest_rank(std::nullopt, MPI_COMM_WORLD), std::nullopt);
}

TEST(TextOfLowestRank, OfTheLowestThatHasOne) {
    for (int lowest = 0; lowest < ranks_of_world(); ++lowest) {
        const auto own = own_rank() < lowest ? std::nullopt
                                             : std::optional(std::to_string(own_rank()) + " says");
        EXPECT_EQ(text_of_lowest_rank(own, MPI_COMM_WORLD), std::to_string(lowest) + " says");
    }
}

TEST(OfLowestRank, AnyFault) {
    EXPECT_EQ(of_lowest_rank<Fault>(std::nullopt, MPI_COMM_WORLD), std::nullopt);
    for (const auto& [kind, name] : fault_names.entries) {
        for (int lowest = 0; lowest < ranks_of_world(); ++lowest) {
            const auto fault_of = [&, kind = kind](int rank) {
                return Fault{kind, std::string("0:\n\0 ", 5) + std::to_string(rank)};
            };
            std::optional<Fault> own;
            if (own_rank() >= lowest) own = fault_of(own_rank());
            EXPECT_EQ(of_lowest_rank(own, MPI_COMM_WORLD), fault_of(lowest)) << name;
        }
    }
}

TEST(GatherTexts, OnRank0InRankOrder) {
    std::vector<std::string> expected;
    for (int rank = 0; own_rank() == 0 && rank < ranks_of_world(); ++rank)
        expected.emplace_back(static_cast<std::size_t>(rank), 'x');
    EXPECT_EQ(gather_texts(std::string(static_cast<std::size_t>(own_rank()), 'x')), expected);
}

/// Returns the message that every rank catches if rank 0 throws `error`.
template <class Caught, class Thrown>
std::string caught(const Thrown& error) {
    try {
        on_rank_0([&] { throw error; });
    } catch (const Caught& everywhere) {
        return everywhere.what();
    }
    return "nothing";
}

TEST(OnRank0, RunsThereAlone) {
    int runs = 0;
    on_rank_0([&] { ++runs; });
    EXPECT_EQ(runs, own_rank() == 0 ? 1 : 0);
}

TEST(OnRank0, TextIsTheSameEverywhere) {
    EXPECT_EQ(text_of_rank_0([] { return std::string("made by ") + std::to_string(own_rank()); }),
              "made by 0");
    EXPECT_EQ(text_of_rank_0([] { return std::string(); }), "");
}

TEST(OnRank0, WrongUseIsWrongUseEverywhere) {
    EXPECT_EQ(caught<UsageError>(UsageError("--x: is wrong")), "--x: is wrong");
    // A malformed file or a value out of range throws std::invalid_argument.
    EXPECT_EQ(caught<UsageError>(std::invalid_argument("f.json:2: is wrong")),
              "f.json:2: is wrong");
}

TEST(OnRank0, AnyOtherFailureIsOneEverywhere) {
    EXPECT_EQ(caught<FailureOfRank0>(std::runtime_error("the disk is full")), "the disk is full");
    EXPECT_EQ(caught<FailureOfRank0>(std::length_error("too long")), "too long");
}

TEST(LibraryAlgorithms, AreReadFromDescriptionsWithoutEndsOfLines) {
    EXPECT_EQ(
        described_values("Variable to select bcast algorithmauto - Internal algorithm "
                         "selection (can be overridden)nb   - Force nonblocking algorithmsmp  "
                         "- Force smp algorithmbinomial - Force Binomial Treescatter_ring - "
                         "Force Scatter Ring Allgatherring - Force ring-based algorithm"),
        (NamedValues{{"auto", 0},
                     {"nb", 1},
                     {"smp", 2},
                     {"binomial", 3},
                     {"scatter_ring", 4},
                     {"ring", 5}}));
}

TEST(LibraryAlgorithms, NonblockingOnesHaveTheNameOfTheirEngineInFront) {
    EXPECT_EQ(
        described_values("Variable to select iallgather algorithmauto - Internal algorithm "
                         "selection (can be overridden)sched_auto - Internal algorithm selection "
                         "for sched-based algorithmssched_ring   - Force ring algorithm"
                         "tsp_recexch_doubling - Force exchange, doubling in distance in each "
                         "phasetsp_recexch_halving  - Force exchange"),
        (NamedValues{{"auto", 0},
                     {"sched_auto", 1},
                     {"sched_ring", 2},
                     {"tsp_recexch_doubling", 3},
                     {"tsp_recexch_halving", 4}}));
}

TEST(LibraryAlgorithms, AreReadFromDescriptionsOfLines) {
    EXPECT_EQ(described_values("Variable to select\nauto - Internal\nlinear\t - Force linear\n"),
              (NamedValues{{"auto", 0}, {"linear", 1}}));
    EXPECT_TRUE(described_values("- Force nothing; a - b").empty());
}

}  // namespace
}  // namespace mpiaudit
