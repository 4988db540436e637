// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "error_message.h"
#include "problem/arrivals.h"
#include "problem/distribution.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Distribution with_formula(const std::string& formula) {
    return {.name = "mine", .formula = formula, .parameters = {{"rho", 5}, {"share", 0.5}}};
}

Distribution with_counts(std::vector<Count> counts) {
    return {.name = "mine", .counts = std::move(counts)};
}

std::vector<Count> sizes_of(const std::string& formula) {
    return block_sizes(with_formula(formula), 4, 10, 2, 1);
}

std::string error_of(const Distribution& distribution, int ranks = 4, Count block_size = 10,
                     int root = 0) {
    return error_message([&] { block_sizes(distribution, ranks, block_size, root, 1); });
}

TEST(UniformDraw, FollowsTheRecipe) {
    // Computed from the recipe in Python, with integers of unlimited size.
    EXPECT_EQ(uniform_draw(0, "random", 1, 0), 0x7c557ca58f55dp-53);
    EXPECT_EQ(uniform_draw(42, "spikes", 1000, 7), 0x14168974b0cb75p-53);
    EXPECT_EQ(uniform_draw(0xffffffffffffffff, "two-blocks:x=1", 100000, 6399),
              0x47469044e8279p-53);
}

TEST(BlockSizes, FormulasSeeTheirVariables) {
    EXPECT_THAT(sizes_of("i"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(sizes_of("p"), ElementsAre(4, 4, 4, 4));
    EXPECT_THAT(sizes_of("b"), ElementsAre(10, 10, 10, 10));
    EXPECT_THAT(sizes_of("i == root ? rho : 0"), ElementsAre(0, 0, 5, 0));
    EXPECT_THAT(sizes_of("u >= 0 && u < 1"), ElementsAre(1, 1, 1, 1));
    EXPECT_THAT(sizes_of("share*i*2\n+ 1"), ElementsAre(1, 2, 3, 4));
}

TEST(BlockSizes, FormulasCanRoundAndTakeRemainders) {
    EXPECT_THAT(sizes_of("floor(i/2)"), ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(sizes_of("ceil(i/2)"), ElementsAre(0, 1, 1, 2));
    EXPECT_THAT(sizes_of("mod(i, 3)"), ElementsAre(0, 1, 2, 0));
    EXPECT_THAT(sizes_of("mod(i - 3, 3)"), ElementsAre(0, 1, 2, 0));
    EXPECT_THAT(sizes_of("max(i, 2)"), ElementsAre(2, 2, 2, 3));
    EXPECT_THAT(sizes_of("i <= 1 ? 1 : (i != 2 ? 0 : 7)"), ElementsAre(1, 1, 7, 0));
}

TEST(BlockSizes, ExplicitCountsAreTakenAsTheyAre) {
    const Distribution mine = with_counts({3, 0, 7});
    EXPECT_TRUE(mine.is_explicit());
    EXPECT_THAT(block_sizes(mine, 3, 1, 0, 1), ElementsAre(3, 0, 7));
    EXPECT_THAT(block_sizes(mine, 3, 0, 2, 9), ElementsAre(3, 0, 7));
}

TEST(BlockSizes, ExplicitCountsMustMatchTheRanks) {
    EXPECT_EQ(error_of(with_counts({3, 0, 7})),
              "distribution 'mine' has 3 counts, but there are 4 ranks; start 3 ranks or give 4 "
              "counts");
    EXPECT_EQ(error_of(with_counts({3, -2, 7}), 3),
              "distribution 'mine': rank 1 has count -2; counts are non-negative");
}

TEST(BlockSizes, MustBeWholeAndNonNegative) {
    EXPECT_EQ(error_of(with_formula("i == 3 ? b/4 : b")),
              "distribution 'mine': its formula 'i == 3 ? b/4 : b' gives rank 3 at b = 10 a block "
              "size of 2.5; it must give a whole number from 0 to 2^53 - 1 (floor and ceil round)");
    EXPECT_THAT(error_of(with_formula("1 - i")), HasSubstr("rank 2 at b = 10 a block size of -1;"));
    EXPECT_THAT(error_of(with_formula("b/i")), HasSubstr("rank 0 at b = 10 a block size of inf;"));
    EXPECT_THAT(error_of(with_formula("sqrt(-1)")), HasSubstr("nan; it must"));
    EXPECT_THAT(error_of(with_formula("2^53")), HasSubstr("rank 0"));
    EXPECT_EQ(sizes_of("2^53 - 1").front(), (Count{1} << 53) - 1);
}

TEST(BlockSizes, PaddedTotalFitsACount) {
    EXPECT_EQ(block_sizes(with_formula("2^52"), 2047, 1, 0, 1).size(), 2047u);
    EXPECT_EQ(error_of(with_formula("i == 0 ? 2^52 : 0"), 2048),
              "distribution 'mine': 2048 blocks of up to 4503599627370496 elements are more than "
              "2^63 - 1 elements in all; use smaller blocks");
}

TEST(BlockSizes, ArgumentsOutOfRange) {
    const Distribution mine = with_formula("b");
    EXPECT_THAT(error_of(mine, 0), HasSubstr("'mine': 0 ranks; at least 1 is needed"));
    EXPECT_THAT(error_of(mine, 4, 0), HasSubstr("'mine': block size b = 0; use 1 to 2^53 - 1"));
    EXPECT_THAT(error_of(mine, 4, -1), HasSubstr("block size b = -1;"));
    EXPECT_THAT(error_of(mine, 4, Count{1} << 53), HasSubstr("block size b = 9007199254740992;"));
    EXPECT_THAT(error_of(mine, 4, 1, 4),
                HasSubstr("'mine': root 4 is none of the 4 ranks; use 0 to 3"));
    EXPECT_THAT(error_of(mine, 4, 1, -1), HasSubstr("root -1"));
    EXPECT_THAT(error_of(with_counts({1}), 1, 1, 1), HasSubstr("root 1 is none of the 1 ranks"));
}

TEST(Parameters, AreOverriddenAndBecomePartOfTheName) {
    const Distribution changed = with_parameters(with_formula("rho*b"), "rho=10");
    EXPECT_EQ(changed.name, "mine:rho=10");
    EXPECT_THAT(block_sizes(changed, 2, 3, 0, 1), ElementsAre(30, 30));

    const Distribution both = with_parameters(with_formula("rho*share*b"), "rho=4:share=0.25");
    EXPECT_EQ(both.name, "mine:rho=4:share=0.25");
    EXPECT_THAT(block_sizes(both, 2, 3, 0, 1), ElementsAre(3, 3));
}

TEST(Parameters, ErrorsSayWhatIsValid) {
    const auto parameter_error = [](const std::string& assignments) {
        return error_message([&] { with_parameters(with_formula("b"), assignments); });
    };
    EXPECT_EQ(parameter_error("rhp=10"),
              "distribution 'mine': unknown parameter 'rhp'; did you mean 'rho'? "
              "Valid: rho, share");
    for (const char* text : {"rho", "", "rho=1:"}) {
        EXPECT_THAT(parameter_error(text), HasSubstr("does not set a parameter; write NAME=NUMBER"))
            << text;
    }
    for (const char* text : {"rho=", "rho=ten", "rho=1x", "rho=nan", "rho=inf", "rho=1e999"}) {
        EXPECT_THAT(parameter_error(text), AllOf(HasSubstr(text), HasSubstr("is not a number")))
            << text;
    }
    EXPECT_THAT(parameter_error("rho=1:rho=2"), HasSubstr("'rho=1:rho=2' sets 'rho' twice"));
    EXPECT_EQ(error_message([] { with_parameters(with_counts({1}), "rho=1"); }),
              "distribution 'mine': unknown parameter 'rho'; valid: none");
}

using testing::DoubleEq;
using testing::Each;
using testing::Ge;
using testing::Lt;

constexpr double own_s = 8e-6;

/// Returns the delays of every rank in one round, four ranks on two hosts.
std::vector<double> delays_in_round(const std::string& text, int round, double time_s = own_s) {
    const ArrivalPattern pattern{Arrivals::read(text).formula, {0, 0, 1, 1}, 2};
    std::vector<double> delays_s;
    for (int rank = 0; rank < 4; ++rank)
        delays_s.push_back(arrival_delays(pattern, rank, 2, time_s, 1, round, 1).front());
    return delays_s;
}

std::string error_of(const std::string& text) {
    return error_message([&] { Arrivals::read(text); });
}

TEST(Arrivals, PatternsAreSharesOfTheCollectivesTime) {
    EXPECT_THAT(delays_in_round("together", 0), Each(0.0));
    EXPECT_THAT(delays_in_round("sorted", 0), ElementsAre(0, 2e-6, 4e-6, 6e-6));
    EXPECT_THAT(delays_in_round("reversed", 0), ElementsAre(6e-6, 4e-6, 2e-6, 0));
    EXPECT_THAT(delays_in_round("one-late", 0), ElementsAre(0, 0, 0, 8e-6));
    EXPECT_THAT(delays_in_round("host-late", 0), ElementsAre(0, 0, 8e-6, 8e-6));
    EXPECT_THAT(delays_in_round("i == root ? 5 : 0", 0), ElementsAre(0, 0, DoubleEq(5e-6), 0));
}

TEST(Arrivals, RandomOnesAreDrawnForEveryRankAndRound) {
    const std::vector<double> first = delays_in_round("random", 0);
    EXPECT_THAT(first, Each(AllOf(Ge(0.0), Lt(own_s))));
    EXPECT_NE(first[0], first[1]);
    EXPECT_NE(first, delays_in_round("random", 1));
    // A batch has the same delays as its rounds one by one.
    const ArrivalPattern pattern{Arrivals::read("random").formula, {0, 0, 1, 1}, 2};
    EXPECT_EQ(
        arrival_delays(pattern, 3, 2, own_s, 1, 5, 2),
        (std::vector<double>{delays_in_round("random", 5)[3], delays_in_round("random", 6)[3]}));
}

TEST(Arrivals, NobodyWaitsLongerThanASecond) {
    EXPECT_THAT(delays_in_round("t", 0, 1e9), Each(1.0));
    // The check of the formula has not seen this value.
    EXPECT_THAT(delays_in_round("t > 1 ? -t : t", 0), Each(0.0));
}

TEST(Arrivals, AWrongFormulaIsRefused) {
    EXPECT_EQ(error_of("t * u"), "");
    EXPECT_THAT(error_of("sorte"), HasSubstr("unknown pattern 'sorte'; did you mean 'sorted'?"));
    EXPECT_THAT(error_of("latest"), HasSubstr("unknown name 'latest'"));
    EXPECT_THAT(error_of("i - 1"), HasSubstr("rank 0 of 8 would come -1 us after the start"));
    EXPECT_THAT(error_of("1 / i"), HasSubstr("would come inf us"));
}

}  // namespace
}  // namespace mpiaudit
