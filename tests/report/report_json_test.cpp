// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "error_message.h"
#include "report/findings.h"
#include "report/report.h"
#include "report/small_audit.h"
#include "report/small_report.h"
#include "screens/console.h"
#include "screens/report_json.h"
#include "screens/report_rows.h"

namespace mpiaudit {
namespace {

using nlohmann::json;
using record::Stopped;

json report_of(const record::ProblemRecord& problem, const judge::Rule& rule = {}) {
    return json::parse(
        report_json(make_report(record::Audit{audit_header(), {problem}, {}, {}}, rule)));
}

/// A row as an object with the names of its shape.
json object_of(const json& row, const json& report) {
    json object;
    const json& shape = report.at("shapes").at(row.at(0).get<std::size_t>());
    EXPECT_EQ(shape.size() + 1, row.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto member = shape[i].get<std::string>();
        const std::size_t colon = member.find(':');
        const bool is_text = colon != std::string::npos && member.substr(colon) == ":text";
        object[member.substr(0, colon)] =
            is_text ? report.at("texts").at(row[i + 1].get<std::size_t>()) : row[i + 1];
    }
    return object;
}

TEST(ReportJson, ACheckSaysWhatItFound) {
    const json check =
        report_of(problem_record("same", {contestant("A", 12, 3.0), contestant("B", 12, 2.0)}))
            .at("checks")
            .at(0);
    for (const char* key : {"ratio", "evidence", "advice", "remedy", "reproduce", "decided_at"})
        EXPECT_TRUE(check.contains(key)) << key;
    // The contestants have the same statistics.
    for (const char* key :
         {"reason", "launches", "launches_disagree", "left_statistics", "right_statistics"})
        EXPECT_FALSE(check.contains(key)) << key;
    EXPECT_EQ(check.at("verdict"), "violated");
    EXPECT_EQ(check.at("kind"), "verdict");
    EXPECT_EQ(check.at("remedy"), json({{"contestant", "B"},
                                        {"factor", 1.5},
                                        {"saved_s", 1.0},
                                        {"left_s", 3.0},
                                        {"instead_s", 2.0}}));
    EXPECT_EQ(check.at("verdicts"), json({{"evidence", "violated"},
                                          {"averages", "violated"},
                                          {"filtered_means", "violated"},
                                          {"minima", "violated"}}));
    EXPECT_EQ(check.at("ratio").at("median"), 1.5);
    EXPECT_EQ(check.at("place"), 0);
}

TEST(ReportJson, ASideHasTimesOfItsOwnWhereItsRoundsAreOthers) {
    // The second side has left the rounds early, and a third contestant has not.
    auto problem = problem_record("same", {contestant("A", 12, 3.0), contestant("B", 12, 2.0)});
    Report report = make_report(record::Audit{audit_header(), {problem}, {}, {}}, {});
    report.checks[0].samples->judgement.left.mean = 2.9;
    const json check = json::parse(report_json(report)).at("checks").at(0);
    EXPECT_EQ(check.at("left_statistics"),
              json({{"mean_s", 2.9}, {"median_s", 3.0}, {"minimum_s", 3.0}}));
    EXPECT_FALSE(check.contains("right_statistics"));
}

TEST(ReportJson, ChecksThatHoldAndContestantsAreRows) {
    const json report =
        report_of(problem_record("same", {contestant("A", 12, 2.0), contestant("B", 12, 3.0)}));
    EXPECT_EQ(report.at("checks"), json::array());
    ASSERT_EQ(report.at("other_checks").size(), 1U);
    const json check = object_of(report.at("other_checks").at(0), report);
    EXPECT_EQ(check.at("verdict"), "holds");
    EXPECT_EQ(check.at("left"), "A");
    EXPECT_EQ(check.at("ratio.median"), 0.666667) << "six digits";
    const json& contestants = report.at("problems").at(0).at("contestants");
    ASSERT_EQ(contestants.size(), 2U);
    const json right = object_of(contestants.at(1), report);
    EXPECT_EQ(right.at("name"), "B");
    EXPECT_EQ(right.at("statistics.median_s"), 3.0);
    // A text stands once.
    const auto texts = report.at("texts").get<std::vector<std::string>>();
    EXPECT_EQ(std::ranges::count(texts, "A"), 1);
}

TEST(ReportJson, MissingValuesHaveNoKey) {
    const json report =
        report_of(problem_record("same", {skipped_contestant("A", "why"), contestant("B", {1.0})}));
    EXPECT_EQ(object_of(report.at("other_checks").at(0), report),
              json({{"kind", "verdict"},
                    {"guideline", "g0"},
                    {"problem", "same/b=10"},
                    {"left", "A"},
                    {"right", "B"},
                    {"verdict", "skipped"},
                    {"reason", "A: why"},
                    {"reason_kind", "does not fit"}}));
    const json infinite =
        report_of(problem_record("same", {contestant("A", 9, 1.0), contestant("B", 9, 0.0)}))
            .at("checks")
            .at(0);
    EXPECT_EQ(infinite.at("verdict"), "violated");
    EXPECT_FALSE(infinite.contains("ratio"));
}

TEST(ReportJson, SamplesThatWereTakenInARowHaveARatioOfMedians) {
    record::Audit audit{
        audit_header(),
        {problem_record("same", {contestant("A", 9, 3.0), contestant("B", 9, 2.0)})},
        {},
        {}};
    set_option(audit.header.options, "in-a-row", true);
    const json report =
        json::parse(report_json(make_report(audit, {.criterion = judge::Criterion::averages})));
    const json& check = report.at("checks").at(0);
    EXPECT_EQ(check.at("ratio_of_medians"), 1.5);
    EXPECT_FALSE(check.contains("ratio"));
}

TEST(ReportJson, RawSamplesAreLeftOut) {
    auto audited = problem_record("same", {contestant("A", {1.0}), contestant("B", {1.0})});
    audited.young_heap.emplace().samples_s.resize(2);
    const json report = report_of(audited);
    for (const char* internal : {"kind", "planned_problems"})
        EXPECT_FALSE(report.contains(internal)) << internal;
    const json& problem = report.at("problems").at(0);
    for (const char* internal : {"kind", "counts", "order", "checks", "stopped", "young_heap"})
        EXPECT_FALSE(problem.contains(internal)) << internal;
    EXPECT_FALSE(object_of(problem.at("contestants").at(0), report).contains("samples_s"));
    EXPECT_EQ(problem.at("operator"), "sum");
    EXPECT_EQ(report.at("schema_version"), record::schema_version);
}

TEST(ReportJson, TheCodeOfAReplacementStandsOnce) {
    Report report = small_report();
    ReportedContestant way = report.problems.front().contestants.front();
    way.name = "MPI_Gatherv(m)";
    way.steps = {{"MPI_Gatherv", "scattered", "rooted"}};
    report.problems.front().contestants.push_back(way);
    report.checks.resize(1);
    JudgedCheck& violated = report.checks.front();
    violated.left = "MPI_Gather(m)";
    violated.right = violated.remedy->contestant = way.name;
    report.checks.push_back(violated);
    const std::string code = checks_in_words(report).at(0).code;
    EXPECT_THAT(code, testing::HasSubstr("MPI_Gatherv("));
    const json written = json::parse(report_json(report));
    EXPECT_EQ(written.at("codes"), json({{"MPI_Gather(m) -> MPI_Gatherv(m)", code}}));
    EXPECT_TRUE(std::ranges::none_of(written.at("checks"), [](const json& check) {
        return check.contains("remedy") && check.at("remedy").contains("code");
    }));
}

TEST(ReportJson, ShortNumbersHaveShortExponents) {
    EXPECT_EQ(short_number(4.56789012e-07), "4.56789e-7");
    EXPECT_EQ(short_number(-1.5e-12), "-1.5e-12");
    EXPECT_EQ(short_number(2e+30), "2e+30");
    EXPECT_EQ(short_number(0.25), "0.25");
}

TEST(ReportJson, TheMachineAfterwardsHasItsWarningsElsewhere) {
    record::Audit audit{audit_header(), {}, {}, {}};
    audit.ends.emplace_back().machine.rebound_ranks = {3};
    audit.ends.back().machine.warnings = {"late"};
    const json report = json::parse(report_json(make_report(audit, {})));
    EXPECT_EQ(report.at("warnings"), json({"late"}));
    EXPECT_EQ(report.at("machine").at("after"), json({{"conditions", json::object()},
                                                      {"moved_ranks", json::array()},
                                                      {"rebound_ranks", {3}}}));
}

TEST(ReportJson, SameSamplesGiveTheSameReport) {
    // Equal to (1 + tolerance) times the other side: the coin decides every round.
    const auto problem = problem_record(
        "same", {contestant("A", 40, 1.0), contestant("B", 40, 1.0)}, Stopped::rounds);
    const judge::Rule rule{.tolerance = 0.0, .alpha = 0.05};
    EXPECT_EQ(report_of(problem, rule), report_of(problem, rule));
}

TEST(WriteReport, LeavesOneWholeFile) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "write_report";
    std::filesystem::create_directories(folder);
    const std::string path = folder / "report.json";
    Report report;
    write_report(report, path);
    report.elapsed_s = 2;
    write_report(report, path);
    EXPECT_EQ(json::parse(std::ifstream(path)), json::parse(report_json(report)));
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
    std::filesystem::remove_all(folder);
    EXPECT_EQ(error_message<std::runtime_error>([&] { write_report(report, path); }),
              path + ": cannot be written (No such file or directory)");
}

}  // namespace
}  // namespace mpiaudit
