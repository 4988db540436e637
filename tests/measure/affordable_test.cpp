// SPDX-License-Identifier: BSD-3-Clause
#include "measure/affordable.h"

#include <gmock/gmock.h>

#include <cmath>

#include "catalogue/catalogue.h"

namespace mpiaudit {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

/// Contestants that take so many seconds in a round, and checks of neighbouring pairs of them; a
/// clock of its own.
class AffordableTest : public testing::Test {
  protected:
    void plan(std::vector<double> seconds) {
        seconds_ = std::move(seconds);
        for (std::size_t i = 0; i < seconds_.size(); ++i) {
            const Path path{"path", {{&catalogue().front(), false, false}}, {}};
            planned_.contestants.push_back({"path", path, 0, {}});
            prepared_.calls.emplace_back([] {});
            prepared_.wrong.emplace_back();
            if (i % 2 == 1) planned_.checks.push_back({0, i - 1, i});
        }
    }
    std::vector<double> costs(double limit_s, const std::vector<char>& is_wanted = {}) {
        return costs_in_turns(
            planned_, prepared_, is_wanted,
            [&](std::size_t contestant) {
                now_s_ += seconds_[contestant];
                called_.push_back(contestant);
                return seconds_[contestant];
            },
            [&] { return now_s_ > limit_s; });
    }

    std::vector<double> seconds_;
    PlannedProblem planned_;
    Prepared prepared_;
    double now_s_ = 0.0;
    std::vector<std::size_t> called_;
};

TEST_F(AffordableTest, OneRoundOfAllMayTakeLongerThanTheLimit) {
    plan(std::vector<double>(100, 1.0));
    const std::vector<double> costs_s = costs(10.0);
    // What began within the limit may end behind it.
    EXPECT_EQ(now_s_, 11.0);
    EXPECT_EQ(std::ranges::count_if(costs_s, [](double each) { return std::isfinite(each); }), 11);
    EXPECT_THAT(affordable_checks(planned_, prepared_, costs_s, 29.0), Each(0));
}

TEST_F(AffordableTest, WhatWasNotCalledIsNotMeasured) {
    plan({0.1, 0.1, 30.0, 0.1, 0.1, 0.1});
    const std::vector<double> costs_s = costs(10.0);
    EXPECT_THAT(called_, ElementsAre(0, 1, 2));
    EXPECT_THAT(affordable_checks(planned_, prepared_, costs_s, 100.0), ElementsAre(1, 0, 0));
}

TEST_F(AffordableTest, EachIsCalledOnce) {
    plan({1.0, 2.0});
    planned_.checks.push_back({1, 1, 0});
    EXPECT_THAT(costs(10.0), ElementsAre(1.0, 2.0));
    EXPECT_THAT(called_, ElementsAre(0, 1));
}

TEST_F(AffordableTest, WhatCannotRunOrIsNotWantedIsNotCalled) {
    plan({1.0, 1.0, 1.0, 1.0});
    prepared_.wrong[1] = "wrong";
    costs(10.0, {1, 0});
    EXPECT_THAT(called_, IsEmpty());
}

}  // namespace
}  // namespace mpiaudit
