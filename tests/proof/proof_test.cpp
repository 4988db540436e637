// SPDX-License-Identifier: BSD-3-Clause
#include "proof/proof.h"

#include <gmock/gmock.h>

#include <utility>

namespace mpiaudit::proof {
namespace {

using judge::Verdict;
using testing::HasSubstr;

TEST(Proof, CallsFasterWhatAlwaysIs) {
    Proof proof(0.05, 0.05, 1);
    int pairs = 0;
    while (!proof.is_settled(40)) {
        ASSERT_FALSE(proof.is_faster());
        // The wall times are equal.
        proof.add({2, 10}, {1, 10});
        ++pairs;
    }
    // 2^9 / 9 is more than 2 / 0.05 for the first time; that wall is not by 5 % is known before.
    EXPECT_EQ(pairs, 8);
    EXPECT_TRUE(proof.is_faster());
    EXPECT_EQ(proof.questions()[0].verdict(), Verdict::violated);
    EXPECT_EQ(proof.questions()[1].verdict(), Verdict::holds);
    EXPECT_EQ(in_words(proof.questions()[0], 0.05),
              "collectives  2 s without, 1 s with (medians)\n"
              "             in pairs 2.00 times as fast (2.00 to 2.00): faster");
    EXPECT_THAT(in_words(proof.questions()[1], 0.05), HasSubstr("not faster by more than 5 %"));
    EXPECT_FALSE(proof.is_slower());
}

/// Pairs whose ratios have another median than the quotient of the medians.
TEST(Proof, ShowsTheMeasuredSecondsOnTheScreenAndInTheFile) {
    Proof proof(0.05, 0.05, 1);
    for (const auto& [base, repaired] :
         {std::pair(1.0, 4.0), std::pair(2.0, 2.0), std::pair(9.0, 3.0)})
        proof.add({base, 1}, {repaired, 1});
    EXPECT_THAT(in_words(proof.questions()[0], 0.05),
                HasSubstr("2 s without, 3 s with (medians)\n             in pairs 1.00 times"));
    EXPECT_THAT(
        proof_file(proof, "settings.sh", 0.05, 0.05, 1),
        testing::AllOf(HasSubstr("\"without_seconds\": 2.0"), HasSubstr("\"with_seconds\": 3.0")));
}

TEST(Proof, SaysSlowerWhenTheIntervalLiesBelowOne) {
    Proof proof(0.05, 0.05, 1);
    for (int pair = 0; pair < 5; ++pair) {
        proof.add({1, 10}, {1.5, 10});
        // An interval of five pairs covers the median with less than 95 %.
        EXPECT_FALSE(proof.is_slower());
    }
    proof.add({1, 10}, {1.5, 10});
    EXPECT_TRUE(proof.is_slower());
    EXPECT_FALSE(proof.is_faster());
    EXPECT_THAT(in_words(proof.questions()[0], 0.05), HasSubstr("(0.67 to 0.67): slower"));
    EXPECT_THAT(in_words(proof.questions()[1], 0.05), testing::Not(HasSubstr("slower")));
    EXPECT_THAT(proof_file(proof, "settings.sh", 0.05, 0.05, 1), HasSubstr("\"slower\": true"));
}

TEST(Proof, TimesOfARunAreThoseOfItsRecording) {
    application::Recording recording;
    recording.ranks = 4;
    recording.wall_seconds = 3;
    for (const auto& [mode, seconds] : {std::pair("blocking", 2.0), std::pair("nonblocking", 100.0),
                                        std::pair("blocking", 4.0)}) {
        application::Problem& problem = recording.problems.emplace_back();
        problem.mode = mode;
        problem.seconds.sum = seconds;
    }
    EXPECT_EQ(run_of(recording).collective_s, 1.5);
    EXPECT_EQ(run_of(recording).wall_s, 3);
    recording.lost = {.calls = 7, .seconds = 2};
    EXPECT_EQ(run_of(recording).collective_s, 2);
}

}  // namespace
}  // namespace mpiaudit::proof
