// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "error_message.h"
#include "report/console.h"
#include "report/findings.h"
#include "report/report.h"
#include "report/report_rows.h"
#include "report/small_audit.h"
#include "report/small_report.h"

namespace mpiaudit {
namespace {

using nlohmann::json;
using record::Stopped;
using testing::ElementsAre;

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
    EXPECT_EQ(object_of(report.at("other_checks").at(0), report), json({{"kind", "verdict"},
                                                                        {"guideline", "g0"},
                                                                        {"problem", "same/b=10"},
                                                                        {"left", "A"},
                                                                        {"right", "B"},
                                                                        {"verdict", "skipped"},
                                                                        {"reason", "A: why"}}));
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

TEST(ReportJson, SaysWhatTheFirstScreenSays) {
    const Report report = small_report();
    const json summary = json::parse(report_json(report)).at("summary");
    EXPECT_EQ(summary.at("audited"), audited_system(report));
    EXPECT_EQ(summary.at("headline"), headline(report));
    EXPECT_EQ(summary.at("library"), "Some MPI v1.2");
    EXPECT_EQ(summary.at("assurance"), assurance_in_words(report));
    EXPECT_EQ(summary.at("remarks_in_words"), "");
    EXPECT_FALSE(summary.contains("incomplete"));
    Report of_forms = report;
    for (const char* form : {"MPI_Ireduce(m) + MPI_Wait", "MPI_Cart_create"}) {
        of_forms.checks[0].left = form;
        const json operation = json::parse(report_json(of_forms)).at("operations").at(0);
        EXPECT_EQ(operation.at("is_other_form"), true) << form;
    }
    count_again(of_forms);
    EXPECT_THAT(overview(of_forms, {.columns = 200}, ""),
                testing::HasSubstr("keep the communicator"));
}

TEST(ReportJson, HasTheRowsOfTheFirstScreen) {
    const json row = json::parse(report_json(small_report())).at("overview").at(0);
    EXPECT_EQ(row, json({{"operation", "A"},
                         {"is_other_form", false},
                         {"is_per_block", true},
                         {"sentence", "1.50 times as long as B(m) at 40\u00a0B; a call loses 1 µs"},
                         {"ranges", json::array()},
                         {"ways",
                          {{{"contestant", "A(m)"}, {"time_s", 0.0}},
                           {{"contestant", "B(m)"}, {"time_s", 0.0}},
                           {{"contestant", "C(1) + A(m')"}, {"time_s", 0.0}}}},
                         {"guideline", "g1"},
                         {"problem", "same/b=10"},
                         {"contestant", "B(m)"},
                         {"kind", "calls"},
                         {"instead", "B"},
                         {"code", "B(buffer, count, comm);"},
                         {"factor", 1.5},
                         {"takes_s", 0.0},
                         {"instead_s", 0.0},
                         {"lost_s", 1e-6},
                         {"bytes", 40},
                         {"low_bytes", 40},
                         {"high_bytes", 40},
                         {"is_lowest", true},
                         {"is_highest", true},
                         {"is_clear", true}}));
}

TEST(ReportJson, HasTheNumbersOfVerdictsOnEachOperation) {
    const json operations = json::parse(report_json(small_report())).at("operations");
    EXPECT_EQ(operations, json({{{"operation", "A"},
                                 {"is_other_form", false},
                                 {"checks", 2},
                                 {"violated", 1},
                                 {"holds", 0},
                                 {"undecided", 0},
                                 {"skipped", 1}},
                                {{"operation", "B"},
                                 {"is_other_form", false},
                                 {"checks", 2},
                                 {"violated", 0},
                                 {"holds", 1},
                                 {"undecided", 0},
                                 {"skipped", 1}}}));
}

TEST(ReportJson, HasThePartsOfNames) {
    Report report = small_report();
    const auto parts_of = [&](const char* name) {
        report.problems[0].contestants[0].name = name;
        json parts = json::parse(report_json(report)).at("names").at(0);
        EXPECT_EQ(parts.at("name"), name);
        parts.erase("name");
        return parts;
    };
    EXPECT_EQ(
        parts_of("A(m)"),
        json({{"operation", "A"}, {"label", "A"}, {"kind", "composed"}, {"implementation", "A"}}));
    EXPECT_EQ(parts_of("A(m) #2"), json({{"operation", "A"},
                                         {"label", "A(m) #2"},
                                         {"kind", "composed"},
                                         {"implementation", "A"},
                                         {"is_copy", true}}));
    EXPECT_EQ(parts_of("MPI_Gather_init[once](m)"), json({{"operation", "MPI_Gather_init[once]"},
                                                          {"label", "MPI_Gather_init[once](m)"},
                                                          {"kind", "native"},
                                                          {"function", "MPI_Gather"},
                                                          {"start", "persistent once"}}));
    EXPECT_EQ(parts_of("MPI_Scatter(m) + MPI_Allgather(m)"),
              json({{"operation", "MPI_Scatter + MPI_Allgather"},
                    {"label", "MPI_Scatter(m) + MPI_Allgather(m)"},
                    {"kind", "composed"}}));
    const auto kind_of = [&](const char* name) { return parts_of(name).at("kind"); };
    for (const char* name : {"MPI_Gather_init(m)", "MPI_Reduce(m+k)", "MPI_Gather[in place](m)",
                             "MPI_Bcast[dup](m)", "MPI_Igather(m) + MPI_Wait", "MPI_Gather(m')"})
        EXPECT_EQ(kind_of(name), "native") << name;
    for (const char* name : {"2 MPI_Gather(m/2)", "MPI_Gather[relayed](m)",
                             "MPI_Ibcast[2 parts](m) + MPI_Waitall", "MPI_Bcast[in a row](m)"})
        EXPECT_EQ(kind_of(name), "composed") << name;
    for (const char* name : {"TUW_Gatherv(m)", "TUW_Gather(m')"})
        EXPECT_EQ(kind_of(name), "reference") << name;
}

TEST(ReportJson, TheCodeOfAReplacementStandsOnce) {
    Report report = small_report();
    const auto violated = std::ranges::find_if(
        report.checks, [](const JudgedCheck& check) { return check.remedy.has_value(); });
    const std::string pair = violated->left + " -> B(m)";
    const auto written = [&] { return json::parse(report_json(report)); };
    const auto has_code = [&](const json& check) {
        return check.contains("remedy") && check.at("remedy").contains("code");
    };
    EXPECT_EQ(written().at("codes"), json({{pair, "B(buffer, count, comm);"}}));
    EXPECT_TRUE(std::ranges::none_of(written().at("checks"), has_code));
    // A line that depends on the problem stands beside each check.
    const std::size_t place = static_cast<std::size_t>(violated - report.checks.begin());
    report.checks.push_back(report.checks[place]);
    report.checks.back().remedy->code = "other();";
    EXPECT_EQ(written().at("codes"), json::object());
    EXPECT_EQ(std::ranges::count_if(written().at("checks"), has_code), 2);
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

TEST(TimeInWords, HasAUnit) {
    EXPECT_EQ(time_in_words(0), "0 s");
    EXPECT_EQ(time_in_words(0.2), "1 s");
    EXPECT_EQ(time_in_words(65), "65 s");
    EXPECT_EQ(time_in_words(1323), "23 min");
    EXPECT_EQ(time_in_words(12000), "3 h 20 min");
}

TEST(Remaining, IsWhatTheLimitLeavesWhereThatIsLess) {
    Progress progress({1, 1}, false, 10.0);
    EXPECT_LE(progress.remaining_s(), 10.0);
    EXPECT_GT(progress.remaining_s(), 0.0);
    progress.end(0, 100.0);
    EXPECT_LE(progress.remaining_s(), 10.0);
}

TEST(Remaining, IsInProportionToTheWorkThatIsLeft) {
    Progress progress({1, 2, 3, 4}, false);
    EXPECT_LT(progress.remaining_s(), 0) << "unknown";
    progress.end(0, 5.0);
    EXPECT_DOUBLE_EQ(progress.remaining_s(), 5.0 * (2 + 3 + 4));
    progress.end(1, 1.0);
    EXPECT_DOUBLE_EQ(progress.remaining_s(), 2.0 * (3 + 4));
    progress.end(2, 1.0);
    progress.end(3, 1.0);
    EXPECT_EQ(progress.remaining_s(), 0);
    // A problem of an earlier session tells nothing about the speed.
    Progress resumed({1, 2, 3, 4}, false);
    resumed.end(0, 0.0);
    EXPECT_LT(resumed.remaining_s(), 0);
    resumed.end(1, 6.0);
    EXPECT_DOUBLE_EQ(resumed.remaining_s(), 3.0 * (3 + 4));
}

TEST(ProgressLines, MovingLineIsOverwrittenAndCleared) {
    testing::internal::CaptureStderr();
    Progress progress({1, 1}, true);
    progress.begin("same/b=1");
    progress.end(0, 65.0);
    progress.begin("same/b=10");
    progress.end(1, 65.0);
    progress.finish();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "\r\033[K[1/2] same/b=1\r\033[K[2/2, 65 s left] same/b=10\r\033[K");
}

TEST(ProgressLines, MovingLineIsShorterThanTheTerminal) {
    testing::internal::CaptureStderr();
    Progress({1}, true).begin(std::string(200, 'x'));
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_EQ(line.size(), std::string("\r\033[K").size() + 79);
    EXPECT_TRUE(line.ends_with("x ...")) << line;
}

TEST(ProgressLines, QuietLineComesOnceAtTheStart) {
    testing::internal::CaptureStderr();
    Progress progress({1, 1}, false);
    progress.begin("same/b=1");
    progress.end(0, 65.0);
    progress.begin("same/b=10");
    progress.end(1, 65.0);
    progress.finish();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "[1/2] same/b=1\n");
}

}  // namespace
}  // namespace mpiaudit
