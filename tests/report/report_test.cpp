// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "small_audit.h"

namespace mpiaudit {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const judge::Rule evidence{};  // tolerance 0.05, alpha 0.05

/// Slower and faster than 1 s in turn.
std::vector<double> to_and_fro(std::size_t rounds) {
    std::vector<double> samples;
    for (std::size_t k = 0; k < rounds; ++k) samples.push_back(k % 2 == 0 ? 2.0 : 0.5);
    return samples;
}

SamplesFile audit(std::vector<json> problems) {
    SamplesFile samples;
    samples.header = audit_header();
    samples.problems = std::move(problems);
    return samples;
}

/// The only check of an audit of one problem with the two contestants.
json check_of(const json& left, const json& right, const std::string& stopped = "decided",
              const judge::Rule& rule = evidence) {
    return make_report(audit({problem_line("same", {left, right}, stopped)}), rule)["checks"].at(0);
}

TEST(Report, ViolatedCheck) {
    const json check =
        check_of(contestant("A(m)", times(12, 3e-6)), contestant("B(m)", times(12, 2e-6)));
    EXPECT_EQ(check["guideline"], "g0");
    EXPECT_EQ(check["problem"], "same/b=10");
    EXPECT_EQ(check["left"], "A(m)");
    EXPECT_EQ(check["right"], "B(m)");
    EXPECT_EQ(check["verdict"], "violated");
    // E(9, 9) = 1023 / 10 is the first to reach 3 checks / 0.05 = 60.
    EXPECT_EQ(check["decided_at"], 9);
    EXPECT_EQ(check["rounds"], 12);
    EXPECT_EQ(check["slower"], 9);
    EXPECT_NEAR(check["evidence"]["log_e_violated"], std::log(102.3), 1e-12);
    EXPECT_NEAR(check["evidence"]["bound_violated"], std::log(60.0), 1e-12);
    EXPECT_NEAR(check["evidence"]["bound_holds"], std::log(20.0), 1e-12);
    EXPECT_DOUBLE_EQ(check["ratio"]["median"], 1.5);
    EXPECT_DOUBLE_EQ(check["left_statistics"]["mean_s"], 3e-6);
    EXPECT_DOUBLE_EQ(check["right_statistics"]["minimum_s"], 2e-6);
    EXPECT_EQ(check["advice"], "Use B.");
    EXPECT_THAT(check["reproduce"].get<std::string>(), HasSubstr("--only g0"));
    EXPECT_FALSE(check.contains("reason"));
}

TEST(Report, CheckThatHoldsWithoutAdvice) {
    const json check = check_of(contestant("A", times(8, 1.0)), contestant("B", times(8, 1.0)));
    EXPECT_EQ(check["verdict"], "holds");
    // E(7, 7) = 255 / 8 is the first to reach 1 / 0.05 = 20.
    EXPECT_EQ(check["decided_at"], 7);
    EXPECT_EQ(check["slower"], 0);
    EXPECT_FALSE(check.contains("advice"));
    EXPECT_FALSE(check.contains("reproduce"));
}

TEST(Report, UndecidedCheckSaysWhatWasUsedUp) {
    const json left = contestant("A", to_and_fro(10));
    const json right = contestant("B", times(10, 1.0));
    const json by_rounds = check_of(left, right, "rounds");
    EXPECT_EQ(by_rounds["verdict"], "undecided");
    EXPECT_EQ(by_rounds["reason"],
              "not clear after 10 rounds: too close to decide within --max-rounds");
    EXPECT_FALSE(by_rounds.contains("decided_at"));
    EXPECT_EQ(check_of(left, right, "budget")["reason"],
              "the time budget was used up after 10 rounds");
}

TEST(Report, SkippedCheckSaysWhy) {
    const json fine = contestant("B(m)", times(9, 1.0));
    const json lacking = skipped_contestant("A(m)", "A needs equal blocks");
    const json large =
        skipped_contestant("A(1) + C(m')", "needs 9.1 GiB per rank, 4.0 GiB allowed");
    const auto reason = [](const json& check) {
        EXPECT_EQ(check["verdict"], "skipped");
        EXPECT_FALSE(check.contains("rounds"));
        return check["reason"].get<std::string>();
    };
    EXPECT_EQ(reason(check_of(lacking, fine)), "A needs equal blocks");
    EXPECT_EQ(reason(check_of(fine, lacking)), "A needs equal blocks");
    EXPECT_EQ(reason(check_of(large, fine)),
              "A(1) + C(m'): needs 9.1 GiB per rank, 4.0 GiB allowed");
    EXPECT_EQ(reason(check_of(fine, wrong_contestant("A(m)", "rank 1: no data"))),
              "A(m) is wrong: rank 1: no data");
    EXPECT_EQ(reason(check_of(contestant("A", {}), contestant("B", {}), "budget")),
              "no time was left to measure it");
}

TEST(Report, ContestantThatLeftTheRoundsEarlyIsComparedWhereBothRan) {
    const json check = check_of(contestant("A", times(7, 1.0)), contestant("B", times(30, 1.0)));
    EXPECT_EQ(check["verdict"], "holds");
    EXPECT_EQ(check["rounds"], 7);
    EXPECT_EQ(check["right_statistics"]["samples"], 30);
}

TEST(Report, PlainComparisons) {
    judge::Rule rule;
    rule.tolerance = 0.0;
    // Mean 1.25 against 1, minimum 0.5 against 1.
    const json left = contestant("A", to_and_fro(10));
    const json right = contestant("B", times(10, 1.0));
    rule.criterion = judge::Criterion::averages;
    EXPECT_EQ(check_of(left, right, "rounds", rule)["verdict"], "violated");
    rule.criterion = judge::Criterion::minima;
    EXPECT_EQ(check_of(left, right, "rounds", rule)["verdict"], "holds");
}

TEST(Report, RatioToZeroIsLeftOut) {
    const json check = check_of(contestant("A", times(9, 1.0)), contestant("B", times(9, 0.0)));
    EXPECT_EQ(check["verdict"], "violated");
    EXPECT_FALSE(check.contains("ratio"));
}

TEST(Report, RuleIsTheGivenOneButForTheNumberOfChecks) {
    judge::Rule rule{judge::Criterion::minima, 0.2, 0.01, 999, false};
    const json recorded =
        make_report(audit({problem_line("same", {contestant("A", {1.0}), contestant("B", {1.0})})}),
                    rule)["rule"];
    EXPECT_EQ(recorded["criterion"], "minima");
    EXPECT_EQ(recorded["tolerance"], 0.2);
    EXPECT_EQ(recorded["alpha"], 0.01);
    EXPECT_EQ(recorded["checks"], 3);
}

TEST(Report, WholeAudit) {
    const json report = make_report(
        audit({problem_line("same", {contestant("A", times(9, 2.0)), contestant("B", times(9, 1.0)),
                                     contestant("C", times(9, 1.0)), contestant("D", times(9, 2.0)),
                                     skipped_contestant("E", "why"), contestant("F", {})}),
               problem_line("spikes",
                            {contestant("A", to_and_fro(4)), contestant("B", times(4, 1.0)),
                             wrong_contestant("C", "why"), contestant("D", {})},
                            "rounds")}),
        evidence);
    EXPECT_EQ(report["summary"], json({{"checks", 5},
                                       {"violated", 1},
                                       {"holds", 1},
                                       {"undecided", 1},
                                       {"skipped", 2},
                                       {"wrong", 1},
                                       {"samples", 4 * 9 + 2 * 4},
                                       {"fixed_protocol_samples", 6 * 75}}));
    EXPECT_EQ(report["complete"], true);
    EXPECT_EQ(report["elapsed_s"], 0.5);
    EXPECT_EQ(report["mpi"], audit_header()["mpi"]);
    EXPECT_FALSE(report.contains("kind"));
    EXPECT_FALSE(report.contains("planned_problems"));
    ASSERT_EQ(report["problems"].size(), 2U);
    const json& problem = report["problems"][0];
    for (const char* internal : {"kind", "counts", "order", "checks", "stopped"})
        EXPECT_FALSE(problem.contains(internal)) << internal;
    EXPECT_EQ(problem["rounds"], 9);
    EXPECT_EQ(problem["contestants"][0]["statistics"]["samples"], 9);
    EXPECT_FALSE(problem["contestants"][0].contains("samples_s"));
    EXPECT_EQ(problem["contestants"][4]["skipped"], "why");
    EXPECT_FALSE(problem["contestants"][5].contains("statistics"));
    EXPECT_EQ(report["problems"][1]["contestants"][2]["wrong"], "why");
}

TEST(Report, AuditThatWasInterruptedIsNotComplete) {
    const json line = problem_line("same", {contestant("A", {1.0}), contestant("B", {1.0})});
    EXPECT_EQ(make_report(audit({line}), evidence)["complete"], false);
}

TEST(Report, SameSamplesGiveTheSameReport) {
    // Equal to (1 + tolerance) times the other side: the coin decides every round.
    const json line = problem_line(
        "same", {contestant("A", times(40, 1.0)), contestant("B", times(40, 1.0))}, "rounds");
    const judge::Rule rule{judge::Criterion::evidence, 0.0, 0.05, 1, false};
    EXPECT_EQ(make_report(audit({line}), rule), make_report(audit({line}), rule));
}

TEST(Report, SamplesByTheGlobalClockAreJudgedBesideThoseAfterABarrier) {
    json line =
        problem_line("same", {contestant("A", times(9, 2.0)), contestant("B", times(9, 1.0))});
    line["second"] = {{"synchronisation", "global"}, {"samples_s", {times(8, 1.0), times(8, 1.0)}}};
    const json report = make_report(audit({line}), evidence);
    const json& check = report["checks"][0];
    EXPECT_EQ(check["verdict"], "violated");
    EXPECT_EQ(check["second"]["verdict"], "holds");
    EXPECT_EQ(check["second"]["synchronisation"], "global");
    EXPECT_EQ(check["synchronisations_disagree"], true);
    EXPECT_EQ(report["summary"]["synchronisations_disagree"], 1);
    EXPECT_FALSE(report["problems"][0].contains("second"));
}

TEST(Report, WarningsAtTheEndOfSessionsJoinThoseOfTheStart) {
    SamplesFile samples =
        audit({problem_line("same", {contestant("A", {1.0}), contestant("B", {1.0})})});
    samples.header["warnings"] = {"one"};
    samples.ends = {{{"machine", {{"warnings", {"one", "two"}}, {"moved_ranks", json::array()}}}}};
    const json report = make_report(samples, evidence);
    EXPECT_EQ(report["warnings"], json({"one", "two"}));
    EXPECT_EQ(report["machine"]["after"], json({{"moved_ranks", json::array()}}));
}

TEST(WriteReport, LeavesOneWholeFile) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "write_report";
    std::filesystem::create_directories(folder);
    const std::string path = folder / "report.json";
    write_report({{"old", 1}}, path);
    write_report({{"new", 2}}, path);
    EXPECT_EQ(json::parse(std::ifstream(path)), json({{"new", 2}}));
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
    std::filesystem::remove_all(folder);
    try {
        write_report({}, path);
        FAIL() << "wrote into a folder that is not there";
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), path + ": cannot be written (No such file or directory)");
    }
}

}  // namespace
}  // namespace mpiaudit
