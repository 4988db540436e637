// SPDX-License-Identifier: BSD-3-Clause
#include "proof/proof.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <utility>

namespace mpiaudit::proof {
namespace {

using judge::Verdict;
using testing::HasSubstr;

proof::Run run_of(double collective_s, double wall_s, std::int64_t calls) {
    return {collective_s, wall_s, calls, 0};
}

TEST(Proof, CallsFasterWhatAlwaysIs) {
    Proof proof(0.05, 0.05, 1, false);
    int pairs = 0;
    while (!proof.is_settled(40)) {
        ASSERT_FALSE(proof.is_faster());
        // The wall times are equal.
        proof.add(run_of(2, 10, 0), run_of(1, 10, 5));
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
    Proof proof(0.05, 0.05, 1, true);
    for (const auto& [base, repaired] : {std::pair(1, 4), std::pair(2, 2), std::pair(9, 3)})
        proof.add(run_of(base, 1, 1), run_of(repaired, 1, 1));
    EXPECT_THAT(in_words(proof.questions()[0], 0.05),
                HasSubstr("2 s without, 3 s with (medians)\n             in pairs 1.00 times"));
    EXPECT_THAT(
        proof_file(proof, "rules.json", 0.05, 0.05, 1),
        testing::AllOf(HasSubstr("\"without_seconds\": 2.0"), HasSubstr("\"with_seconds\": 3.0")));
}

TEST(Proof, SaysSlowerWhenTheIntervalLiesBelowOne) {
    Proof proof(0.05, 0.05, 1, true);
    for (int pair = 0; pair < 5; ++pair) {
        proof.add(run_of(1, 10, 0), run_of(1.5, 10, 0));
        // An interval of five pairs covers the median with less than 95 %.
        EXPECT_FALSE(proof.is_slower());
    }
    proof.add(run_of(1, 10, 0), run_of(1.5, 10, 0));
    EXPECT_TRUE(proof.is_slower());
    EXPECT_FALSE(proof.is_faster());
    EXPECT_THAT(in_words(proof.questions()[0], 0.05), HasSubstr("(0.67 to 0.67): slower"));
    EXPECT_THAT(in_words(proof.questions()[1], 0.05), testing::Not(HasSubstr("slower")));
    EXPECT_THAT(proof_file(proof, "rules.json", 0.05, 0.05, 1), HasSubstr("\"slower\": true"));
}

TEST(Proof, CallsNothingFasterWithoutACallOnAnotherPath) {
    Proof proof(0.05, 0.05, 1, false);
    for (int pair = 0; pair < 40; ++pair) proof.add(run_of(2, 2, 0), run_of(1, 1, 0));
    EXPECT_EQ(proof.questions()[0].verdict(), Verdict::violated);
    EXPECT_TRUE(proof.is_settled(1000));
    EXPECT_FALSE(proof.is_faster());
    EXPECT_FALSE(proof.can_be_faster());  // so that no ratio is said
    Proof with_settings(0.05, 0.05, 1, true);
    for (int pair = 0; pair < 40; ++pair) with_settings.add(run_of(2, 2, 0), run_of(1, 1, 0));
    EXPECT_TRUE(with_settings.is_faster());
    EXPECT_THAT(proof_file(proof, "rules.json", 0.05, 0.05, 1), HasSubstr("\"faster\": false"));
}

TEST(Proof, ReadsWhatARunHasWritten) {
    const proof::Run run = parse_run(
        "{\"collective_seconds\": 1.5, \"wall_seconds\": 2, \"calls\": 3, \"differences\": 0}",
        "f");
    EXPECT_EQ(run.collective_s, 1.5);
    EXPECT_EQ(run.wall_s, 2);
    EXPECT_EQ(run.calls, 3);
    EXPECT_THROW(parse_run("{\"collective_seconds\": -1}", "f"), std::invalid_argument);
    EXPECT_THROW(parse_run("", "f"), std::invalid_argument);
}

}  // namespace
}  // namespace mpiaudit::proof
