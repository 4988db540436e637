// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/texts.h"

#include <gmock/gmock.h>

#include "../world.h"

namespace mpiaudit {
namespace {

int number_of_ranks() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

TEST(Broadcast, TextOfRank0OnEveryRank) {
    const std::vector<std::string> texts = {"", "x", std::string("a\0b\n", 4)};
    for (const std::string& text : texts)
        EXPECT_EQ(broadcast(own_rank() == 0 ? text : "of another rank"), text);
}

TEST(Broadcast, InPartsFromAnyRoot) {
    // None, less than one part, one, two, and two and a bit.
    const std::vector<std::string> texts = {"", "ab", "abc", "abcdef", "abcdefgh"};
    for (const std::string& text : texts) {
        for (int root = 0; root < number_of_ranks(); ++root)
            EXPECT_EQ(
                broadcast_in_parts(own_rank() == root ? text : "another", root, MPI_COMM_WORLD, 3),
                text);
    }
}

/// Needs 6 GiB on two ranks: --gtest_also_run_disabled_tests.
TEST(Broadcast, DISABLED_LongerThanAnIntCounts) {
    const std::size_t bytes = (std::size_t{1} << 31U) + 7;
    const std::string text = broadcast(own_rank() == 0 ? std::string(bytes - 1, 'x') + 'y' : "");
    EXPECT_EQ(text.size(), bytes);
    EXPECT_EQ(text.back(), 'y');
}

TEST(TextOfLowestRank, NothingWhenNobodyHasOne) {
    EXPECT_EQ(text_of_lowest_rank(std::nullopt, MPI_COMM_WORLD), std::nullopt);
}

TEST(TextOfLowestRank, OfTheLowestThatHasOne) {
    for (int lowest = 0; lowest < number_of_ranks(); ++lowest) {
        const auto own = own_rank() < lowest ? std::nullopt
                                             : std::optional(std::to_string(own_rank()) + " says");
        EXPECT_EQ(text_of_lowest_rank(own, MPI_COMM_WORLD), std::to_string(lowest) + " says");
    }
}

TEST(GatherTexts, OnRank0InRankOrder) {
    std::vector<std::string> expected;
    for (int rank = 0; own_rank() == 0 && rank < number_of_ranks(); ++rank)
        expected.emplace_back(static_cast<std::size_t>(rank), 'x');
    EXPECT_EQ(gather_texts(std::string(static_cast<std::size_t>(own_rank()), 'x')), expected);
}

}  // namespace
}  // namespace mpiaudit
