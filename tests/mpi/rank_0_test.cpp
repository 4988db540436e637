// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/texts.h"

#include <gmock/gmock.h>
#include <mpi.h>

#include "text/exit_code.h"

#include "../world.h"

namespace mpiaudit {
namespace {

/// What every rank catches when rank 0 throws this.
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
    // Of a file that is malformed, or a value out of range.
    EXPECT_EQ(caught<UsageError>(std::invalid_argument("f.json:2: is wrong")),
              "f.json:2: is wrong");
}

TEST(OnRank0, AnyOtherFailureIsOneEverywhere) {
    EXPECT_EQ(caught<FailureOfRank0>(std::runtime_error("the disk is full")), "the disk is full");
    EXPECT_EQ(caught<FailureOfRank0>(std::length_error("too long")), "too long");
}

}  // namespace
}  // namespace mpiaudit
