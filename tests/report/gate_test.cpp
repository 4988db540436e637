// SPDX-License-Identifier: BSD-3-Clause
#include "report/gate.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "report/report_json.h"
#include "small_audit.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;

constexpr std::size_t enough_rounds = 30;

/// One violation of ratio `first`, one of ratio 3, and one of a reference algorithm.
Report report_with(double first, std::int64_t block_size = 10) {
    record::ProblemRecord problem = problem_record(
        "same",
        {contestant("A", times(enough_rounds, first)), contestant("B", times(enough_rounds, 1.0)),
         contestant("C", times(enough_rounds, 3.0)), contestant("D", times(enough_rounds, 1.0)),
         contestant("own", times(enough_rounds, 9.0)), contestant("F", times(enough_rounds, 1.0))});
    problem.problem.block_size = block_size;
    record::Audit audit{audit_header(), {problem}, {}, {}};
    record::Implementation& own = audit.header.implementations.emplace_back();
    own.name = "own";
    own.collective = "gather";
    return make_report(audit, {});
}

GateOptions asking_for(const std::string& fail_on, std::vector<std::string> baseline = {}) {
    GateOptions options;
    options.fail_on = fail_on;
    options.baseline = std::move(baseline);
    return options;
}

GateOutcome outcome_of(const Report& report, const GateOptions& options) {
    return Gate(options).outcome(report);
}

TEST(FailureCondition, IsRead) {
    EXPECT_FALSE(find_failure_condition("never")->is_wanted);
    EXPECT_TRUE(find_failure_condition("violation")->fails(1.01));
    EXPECT_FALSE(find_failure_condition("ratio>1.5")->fails(1.5));
    EXPECT_TRUE(find_failure_condition("ratio >= 1.5")->fails(1.5));
    EXPECT_TRUE(find_failure_condition("ratio>100")->fails(std::nullopt));
    for (const char* wrong :
         {"", "ratio", "ratio>", "ratio<2", "ratio>-1", "violations", "ratio>x"})
        EXPECT_FALSE(find_failure_condition(wrong)) << wrong;
}

TEST(Gate, FailsForVerdictsThatMeetTheCondition) {
    const Report report = report_with(1.5);
    EXPECT_EQ(report.summary.violated, 2U);
    EXPECT_EQ(report.summary.remarks.violated, 1U);
    const GateOutcome all = outcome_of(report, asking_for("violation"));
    EXPECT_EQ(all.failing.size(), 2U);
    EXPECT_EQ(in_words(all), "");
    const GateOutcome large = outcome_of(report, asking_for("ratio>2"));
    ASSERT_EQ(large.failing.size(), 1U);
    EXPECT_EQ(large.failing.front()->left, "C");
    EXPECT_EQ(large.tolerated.size(), 1U);
    EXPECT_EQ(in_words(large), "1 violation within the condition, 1 violation that fails");
    EXPECT_FALSE(Gate(asking_for("never")).is_wanted());
}

TEST(Gate, ABaselineExcusesWhatItHas) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "baseline";
    std::filesystem::create_directories(folder);
    // There A did not violate anything.
    write_report(report_with(1.0), folder / "report.json");
    for (const std::filesystem::path& path : {folder, folder / "report.json"}) {
        const Gate gate(asking_for("never", {path}));
        EXPECT_TRUE(gate.is_wanted());
        const Report report = report_with(1.5);
        const GateOutcome outcome = gate.outcome(report);
        ASSERT_EQ(outcome.failing.size(), 1U);
        EXPECT_EQ(outcome.failing.front()->left, "A");
        EXPECT_EQ(outcome.known.size(), 1U);
    }
    // Another problem of the same guideline is another check.
    EXPECT_EQ(outcome_of(report_with(1.0, 11), asking_for("never", {folder})).failing.size(), 1U);
    std::filesystem::remove_all(folder);
}

TEST(Gate, OfSizesThatWereChosenAnyOfTheKindIsKnown) {
    const std::string file = std::filesystem::path(testing::TempDir()) / "gate-chosen.json";
    write_report(report_with(1.5, 10), file);
    Report later = report_with(1.5, 12);
    EXPECT_EQ(outcome_of(later, asking_for("violation", {file})).failing.size(), 2U);
    later.problems[0].problem.chosen = true;
    EXPECT_EQ(outcome_of(later, asking_for("violation", {file})).known.size(), 2U);
    later.problems[0].problem.distribution = "random";
    EXPECT_EQ(outcome_of(later, asking_for("violation", {file})).failing.size(), 2U);
    std::filesystem::remove(file);
}

TEST(Gate, WhatIsNoReportIsRefused) {
    const auto file = std::filesystem::path(testing::TempDir()) / "none.json";
    const auto refusal = [&](const std::string& text) -> std::string {
        std::ofstream(file) << text;
        try {
            violations_in(file);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(refusal("{"), HasSubstr("--baseline: " + file.string() + ":1:2: syntax error"));
    EXPECT_THAT(refusal("[]"), HasSubstr("is no report"));
    EXPECT_THAT(refusal(R"({"schema_version": "2.0"})"), HasSubstr("its schema_version is 2.0"));
    std::filesystem::remove(file);
    EXPECT_THROW(violations_in(file), UsageError);
}

}  // namespace
}  // namespace mpiaudit
