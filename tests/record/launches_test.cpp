// SPDX-License-Identifier: BSD-3-Clause
#include "record/launches.h"

#include <gmock/gmock.h>

#include "report/console.h"
#include "report/report.h"
#include "small_audit.h"

namespace mpiaudit {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// An audit of the checks g0 and g1 on one problem; the left sides take so many seconds, the right
/// sides 1 s.
NamedSamples launch(const std::string& name, int order_seed, double g0_s, double g1_s) {
    NamedSamples made{name, {}};
    made.samples.header = audit_header();
    made.samples.header["options"]["order-seed"] = order_seed;
    made.samples.header["planned_problems"] = 1;
    made.samples.problems = {
        problem_line("same", {contestant("A", times(20, g0_s)), contestant("B", times(20, 1.0)),
                              contestant("C", times(20, g1_s)), contestant("D", times(20, 1.0))})};
    return made;
}

/// Only g0, as a confirmation of that audit.
NamedSamples confirmation(const NamedSamples& audit, double g0_s) {
    NamedSamples made{"confirmation", {}};
    made.samples.header = audit_header();
    made.samples.header["options"]["order-seed"] = 99;
    made.samples.header["planned_problems"] = 1;
    made.samples.header["rule"]["checks"] = 1;
    made.samples.header["confirms"] = {
        {"order_seed", audit.samples.header["options"]["order-seed"]},
        {"started", audit.samples.header["started"]},
        {"suspects", {{{"problem", "same/b=10"}, {"guideline", "g0"}}}},
        {"controls", json::array()}};
    made.samples.problems = {
        problem_line("same", {contestant("A", times(20, g0_s)), contestant("B", times(20, 1.0))})};
    return made;
}

json report_of(std::vector<NamedSamples> launches) {
    return make_report(joined_launches(std::move(launches)), judge::Rule{});
}

std::string refusal(std::vector<NamedSamples> launches) {
    try {
        joined_launches(std::move(launches));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(JoinedLaunches, ChecksAreJudgedOverAllLaunchesAndKeptByLaunch) {
    const json report = report_of({launch("x", 1, 2.0, 1.0), launch("y", 2, 3.0, 1.0)});
    EXPECT_EQ(report["summary"]["violated"], 1);
    EXPECT_EQ(report["summary"]["launches_disagree"], 0);
    const json& check = report["checks"][0];
    EXPECT_EQ(check["rounds"], 40);
    EXPECT_FALSE(check.contains("decided_at"));
    EXPECT_EQ(check["left_statistics"]["samples"], 40);
    ASSERT_EQ(check["launches"].size(), 2U);
    EXPECT_EQ(check["launches"][1]["launch"], 2);
    EXPECT_EQ(check["launches"][1]["decided_at"], 9);
    EXPECT_EQ(check["launches"][1]["ratio"]["median"], 3.0);
    const json& problem = report["problems"][0];
    EXPECT_EQ(problem["rounds"], 40);
    EXPECT_EQ(problem["contestants"][0]["statistics"]["maximum_s"], 3.0);
    EXPECT_EQ(report["launches"][1]["order_seed"], 2);
    EXPECT_EQ(report["elapsed_s"], 0.5);
}

TEST(JoinedLaunches, DisagreementIsReportedWithTheRatios) {
    const json report = report_of({launch("x", 1, 2.0, 1.0), launch("y", 2, 0.5, 1.0)});
    const json& check = report["checks"][0];
    EXPECT_EQ(check["verdict"], "undecided");
    EXPECT_EQ(check["launches_disagree"], true);
    EXPECT_EQ(check["reason"], "launches disagree: ratios 2.00 0.50 in launches 1 2");
    EXPECT_EQ(report["summary"]["launches_disagree"], 1);
    EXPECT_THAT(launches_in_words(report),
                ElementsAre("2 launches judged together",
                            "A <= B on same/b=10: " + check["reason"].get<std::string>()));
}

TEST(JoinedLaunches, ConfirmationHasSomeOfTheChecks) {
    const NamedSamples audit = launch("x", 1, 2.0, 1.0);
    const json report = report_of({confirmation(audit, 2.0), audit});
    ASSERT_EQ(report["checks"].size(), 2U);
    EXPECT_EQ(report["checks"][0]["verdict"], "violated");
    EXPECT_EQ(report["checks"][0]["launches"].size(), 2U);
    EXPECT_FALSE(report["checks"][1].contains("launches"));
    EXPECT_EQ(report["rule"]["checks"], 3);
    EXPECT_THAT(launches_in_words(report).at(1),
                HasSubstr("1 suspected violation measured again in launch 2: 1 confirmed"));
    EXPECT_EQ(report_of({audit, confirmation(audit, 0.5)})["checks"][0]["launches_disagree"], true);
}

TEST(JoinedLaunches, SeveralConfirmationsAreToldTogether) {
    const NamedSamples audit = launch("x", 1, 2.0, 1.0);
    const auto in_words = [&](double last_s) {
        NamedSamples last = confirmation(audit, last_s);
        last.samples.header["options"]["order-seed"] = 7;
        return launches_in_words(report_of({audit, confirmation(audit, 2.0), last})).at(1);
    };
    EXPECT_EQ(in_words(3.0),
              "1 suspected violation measured again in launches 2 to 3: 1 confirmed by all, 0 not "
              "clear, 0 hold in some");
    EXPECT_THAT(in_words(0.5), HasSubstr("0 confirmed by all, 0 not clear, 1 hold in some"));
}

TEST(JoinedLaunches, AWrongResultInOneLaunchOutweighsTimes) {
    NamedSamples other = launch("y", 2, 2.0, 1.0);
    other.samples.problems[0]["contestants"][0] = wrong_contestant("A", "no data");
    const json check = report_of({launch("x", 1, 2.0, 1.0), other})["checks"][0];
    EXPECT_EQ(check["verdict"], "skipped");
    EXPECT_EQ(check["reason"], "A is wrong: no data");
}

TEST(JoinedLaunches, WhatDiffersIsListed) {
    NamedSamples other = launch("y", 2, 2.0, 1.0);
    other.samples.header["options"]["root"] = "0";
    other.samples.header["mpi"]["library"] = "M";
    other.samples.problems[0]["checks"].erase(1);
    EXPECT_EQ(refusal({launch("x", 1, 2.0, 1.0), other}),
              "y is not a launch of the same audit as x: the library is \"L\" there, \"M\" here; "
              "--root is \"half\" there, \"0\" here; 1 check is only in x, such as g1 on same/b=10 "
              "(root 2, counts [10,10,10,10])");
}

TEST(JoinedLaunches, DependentOrUnfinishedLaunchesAreRefused) {
    EXPECT_THAT(refusal({launch("x", 1, 2.0, 1.0), launch("y", 1, 2.0, 1.0)}),
                HasSubstr("x and y have the same order-seed 1"));
    NamedSamples unfinished = launch("y", 2, 2.0, 1.0);
    unfinished.samples.header["planned_problems"] = 2;
    EXPECT_THAT(refusal({launch("x", 1, 2.0, 1.0), unfinished}),
                HasSubstr("y: the audit is not complete, 1 of 2 problems are measured"));
    EXPECT_EQ(refusal({unfinished}), "accepted");
}

}  // namespace
}  // namespace mpiaudit
