// SPDX-License-Identifier: BSD-3-Clause
#include "judge/order_effect.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace mpiaudit::judge {
namespace {

/// The factor on the time of a call of a side by the side that ran before: 'l' or 'r'.
using Carry = std::function<double(char side, char before)>;

/// Rounds of two contestants in random order, of which one in three is a repeat round, with times
/// that vary by about 5 %. \param slowdown of the left side after any call
class TwoSides {
  public:
    TwoSides(unsigned seed, double slowdown, Carry carry)
        : random_(seed), slowdown_(slowdown), carry_(std::move(carry)) {}

    OrderedRound next(bool is_repeat) {
        OrderedRound round{0.0, 0.0, "", "", is_repeat};
        const bool is_left_first = random_() % 2 == 0;
        for (const char side : {is_left_first ? 'l' : 'r', is_left_first ? 'r' : 'l'}) {
            const bool is_first = (side == 'l') == is_left_first;
            if (is_repeat) before_ = side;
            const double time_s = carry_(side, before_) * (side == 'l' ? slowdown_ : 1.0) *
                                  std::exp(0.05 * noise_(random_));
            const std::string_view name = before_ == 'l' ? "L" : "R";
            (side == 'l' ? round.left_s : round.right_s) = time_s;
            (side == 'l' ? round.before_left : round.before_right) =
                is_first && !is_repeat ? std::string_view() : name;
            before_ = side;
        }
        return round;
    }
    OrderedRound next() { return next(random_() % 3 == 0); }

  private:
    std::mt19937 random_;
    std::normal_distribution<double> noise_;
    double slowdown_;
    Carry carry_;
    char before_ = 'r';
};

struct Outcome {
    bool is_violated = false, depends_on_order = false;
    std::vector<OrderedRound> rounds;
};

/// Measures like OpenChecks: until the check is decided, then repeat rounds until the effect of the
/// order is clear.
Outcome outcome_of(TwoSides sides) {
    const Rule rule{.checks = 100};
    constexpr int most_rounds = 2000;
    EvidenceProcess process(rule, 1);
    OrderProcess order(rule, 1);
    Outcome outcome;
    const auto add = [&](const OrderedRound& round) {
        process.add(round.left_s, round.right_s);
        order.add(round.left_s, round.right_s, round.is_repeat);
        outcome.rounds.push_back(round);
    };
    while (process.verdict() == Verdict::undecided && process.rounds() < most_rounds)
        add(sides.next());
    outcome.is_violated = process.verdict() == Verdict::violated;
    while (outcome.is_violated && !order.is_clear() && process.rounds() < most_rounds)
        add(sides.next(true));
    outcome.depends_on_order = depends_on_order(std::span(&order, 1));
    return outcome;
}

constexpr unsigned audits = 200;

TEST(OrderEffect, APlainSlowdownNeverDependsOnTheOrder) {
    for (const double slowdown : {1.15, 1.5, 20.0}) {
        for (unsigned seed = 0; seed < audits; ++seed) {
            const Outcome outcome = outcome_of({seed, slowdown, [](char, char) { return 1.0; }});
            EXPECT_TRUE(outcome.is_violated) << slowdown << " " << seed;
            EXPECT_FALSE(outcome.depends_on_order) << slowdown << " " << seed;
        }
    }
}

TEST(OrderEffect, ASlowdownThatTheOrderMakesLargerIsAViolationAllTheSame) {
    for (unsigned seed = 0; seed < audits; ++seed) {
        const Outcome outcome = outcome_of(
            {seed, 1.5, [](char side, char before) { return side == before ? 1.0 : 3.0; }});
        EXPECT_TRUE(outcome.is_violated && !outcome.depends_on_order) << seed;
    }
}

TEST(OrderEffect, ASlowdownAfterTheOtherSideOnlyDependsOnTheOrder) {
    for (const double carried : {1.3, 2.0, 100.0}) {
        unsigned accused = 0;
        for (unsigned seed = 0; seed < audits; ++seed) {
            const Outcome outcome =
                outcome_of({seed, 1.0, [&](char side, char before) {
                                return side == 'l' && before == 'r' ? carried : 1.0;
                            }});
            accused += outcome.is_violated && !outcome.depends_on_order;
            if (!outcome.depends_on_order) continue;
            const OrderEffect effect = find_order_effect(outcome.rounds, 0.05);
            EXPECT_FALSE(effect.is_of_right) << carried << " " << seed;
            EXPECT_EQ(effect.predecessor, "R") << carried << " " << seed;
        }
        EXPECT_EQ(accused, 0U) << carried;
    }
}

TEST(OrderEffect, ARightSideThatGainsFromTheLeftOneAccusesNobody) {
    for (unsigned seed = 0; seed < audits; ++seed) {
        const Outcome outcome = outcome_of({seed, 1.0, [](char side, char before) {
                                                return side == 'r' && before == 'l' ? 0.5 : 1.0;
                                            }});
        EXPECT_TRUE(!outcome.is_violated || outcome.depends_on_order) << seed;
        if (!outcome.depends_on_order) continue;
        const OrderEffect effect = find_order_effect(outcome.rounds, 0.05);
        EXPECT_TRUE(effect.is_of_right) << seed;
        EXPECT_EQ(effect.predecessor, "L") << seed;
    }
}

TEST(OrderEffect, LaunchesAreJudgedTogether) {
    // Each launch has too few repeat rounds to tell; 4 with 4 do.
    const Rule rule{};
    std::vector<OrderProcess> launches(2, OrderProcess(rule, 1));
    for (OrderProcess& launch : launches) {
        for (int round = 0; round < 4; ++round) launch.add(1.0, 1.0, true);
    }
    EXPECT_TRUE(depends_on_order(launches));
    EXPECT_FALSE(depends_on_order(std::span(launches).first(1)));
}

TEST(OrderEffect, WithoutRepeatRoundsTheOrderTellsNothing) {
    OrderProcess process({}, 1);
    for (int round = 0; round < 50; ++round) process.add(2.0, 1.0, false);
    EXPECT_FALSE(depends_on_order(std::span(&process, 1)));
    EXPECT_FALSE(process.is_clear());
    EXPECT_EQ(process.repeats_until_clear(), 7);
    const OrderedRound round{1.0, 1.0, "R", "L", false};
    EXPECT_THROW(find_order_effect(std::span(&round, 1), 0.05), std::invalid_argument);
}

TEST(OrderEffect, SeveralCausesAreNotNamed) {
    std::vector<OrderedRound> rounds;
    for (int round = 0; round < 3; ++round) {
        rounds.push_back({1.0, 1.0, "L", "R", true});
        rounds.push_back({2.0, 1.0, "A", "A", false});
        rounds.push_back({2.0, 1.0, "B", "A", false});
        rounds.push_back({1.0, 1.0, "C", "C", false});
    }
    EXPECT_EQ(find_order_effect(rounds, 0.05).predecessor, std::nullopt);
    std::erase_if(rounds, [](const OrderedRound& each) { return each.before_left == "B"; });
    EXPECT_EQ(find_order_effect(rounds, 0.05).predecessor, "A");
}

}  // namespace
}  // namespace mpiaudit::judge
