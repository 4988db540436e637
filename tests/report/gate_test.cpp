// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include "answer/answer.h"
#include "error_message.h"
#include "report/gate.h"
#include "report/report.h"
#include "report/small_audit.h"
#include "report/small_report.h"
#include "screens/formats.h"
#include "screens/report_json.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;

constexpr std::size_t enough_rounds = 30;

/// A report with a violation of ratio `first`, one of ratio 3, and one of a reference algorithm.
Report report_with(double first) {
    record::ProblemRecord problem = problem_record(
        "same", {contestant("A", enough_rounds, first), contestant("B", enough_rounds, 1.0),
                 contestant("C", enough_rounds, 3.0), contestant("D", enough_rounds, 1.0),
                 contestant("own", enough_rounds, 9.0), contestant("F", enough_rounds, 1.0)});
    record::Audit audit{audit_header(), {problem}, {}, {}};
    record::Implementation& own = audit.header.implementations.emplace_back();
    own.name = "own";
    own.collective = "gather";
    return make_report(audit, {});
}

TEST(FailureCondition, IsRead) {
    const auto read = &FailureCondition::read;
    EXPECT_FALSE(read("never").is_wanted);
    EXPECT_TRUE(read("violation").fails(1.01));
    EXPECT_FALSE(read("ratio>1.5").fails(1.5));
    EXPECT_TRUE(read("ratio >= 1.5").fails(1.5));
    EXPECT_TRUE(read("ratio>100").fails(std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(read("ratio>1.5").has_communicators);
    for (const char* with : {"violation,communicators", "ratio>1.5,communicators"})
        EXPECT_TRUE(read(with).has_communicators) << with;
    EXPECT_TRUE(read("ratio>1.5,communicators").fails(1.6));
    for (const char* wrong : {"", "ratio", "ratio>", "ratio<2", "ratio>-1", "violations", "ratio>x",
                              "never,communicators", ",communicators"})
        EXPECT_THROW(read(wrong), std::invalid_argument) << wrong;
}

TEST(Gate, FailsForVerdictsThatMeetTheCondition) {
    const Report report = report_with(1.5);
    EXPECT_EQ(report.summary.violated, 2U);
    EXPECT_EQ(report.summary.remarks.violated, 1U);
    const GateOutcome all = outcome_of_gate(report, asking_for("violation"));
    EXPECT_EQ(all.failing.size(), 2U);
    EXPECT_EQ(in_words(report, all), "");
    const GateOutcome large = outcome_of_gate(report, asking_for("ratio>2"));
    ASSERT_EQ(large.failing.size(), 1U);
    EXPECT_EQ(large.failing.front()->left, "C");
    EXPECT_EQ(large.tolerated.size(), 1U);
    EXPECT_EQ(in_words(report, large),
              "1 violation within the condition, 1 violation that fails:\n"
              "  C <= D on same/b=10: ratio 3.00\n");
    EXPECT_FALSE(outcome_of_gate(report, asking_for("never")).has_failed);
}

/// A report in which a function that makes a communicator takes `ratio` times as long as the
/// exchange of data that it needs, and MPI_Gather 1.5 times as long as MPI_Gatherv.
Report report_with_communicator(double ratio) {
    record::ProblemRecord problem =
        problem_record("same", {contestant("MPI_Comm_dup", enough_rounds, ratio),
                                contestant("MPI_Comm_dup[by MPI_Allreduce]", enough_rounds, 1.0),
                                contestant("MPI_Gather(m)", enough_rounds, 1.5),
                                contestant("MPI_Gatherv(m)", enough_rounds, 1.0)});
    return make_report(record::Audit{audit_header(), {problem}, {}, {}}, {});
}

/// The first screen gives no ratio for such a function, and says: keep the communicator.
TEST(Gate, FunctionsThatMakeCommunicatorsFailOnlyIfAskedFor) {
    const Report report = report_with_communicator(6.0);
    ASSERT_EQ(report.summary.violated, 2U);
    for (const char* condition : {"violation", "ratio>1.2"}) {
        const GateOutcome outcome = outcome_of_gate(report, asking_for(condition));
        ASSERT_EQ(outcome.failing.size(), 1U) << condition;
        EXPECT_EQ(outcome.failing.front()->left, "MPI_Gather(m)");
        EXPECT_THAT(in_words(report, outcome),
                    HasSubstr("1 violation of functions that make communicators"));
        EXPECT_THAT(writers::junit(report, outcome), HasSubstr("failures=\"1\""));
        EXPECT_THAT(writers::github(report, outcome),
                    HasSubstr("::warning title=Slow operation of MPI::MPI_Comm_dup: "));
    }
    EXPECT_FALSE(outcome_of_gate(report, asking_for("ratio>2")).has_failed);
    const GateOutcome with = outcome_of_gate(report, asking_for("ratio>2,communicators"));
    ASSERT_EQ(with.failing.size(), 1U);
    EXPECT_EQ(with.failing.front()->left, "MPI_Comm_dup");
}

/// The remedy of a check is another way than its right side, and the screen shows the remedy.
TEST(Gate, ComparesTheRatioOfTheRow) {
    record::ProblemRecord problem =
        problem_record("same", {contestant("MPI_Gather(m)", enough_rounds, 3.0),
                                contestant("MPI_Allgather(m)", enough_rounds, 2.0),
                                contestant("MPI_Gatherv(m)", enough_rounds, 1.0)});
    problem.checks.push_back({"g1", 1, 2});
    const Report report = make_report(record::Audit{audit_header(), {problem}, {}, {}}, {});
    const JudgedCheck& check = report.checks.front();
    ASSERT_EQ(check.samples->judgement.factor, 1.5);
    const OverviewRow& row = report.overview.front();
    ASSERT_EQ(row.factor, 3.0);
    EXPECT_EQ(gated_ratio(report, check), row.factor);
    const GateOutcome outcome = outcome_of_gate(report, asking_for("ratio>2.5"));
    EXPECT_THAT(in_words(report, outcome),
                HasSubstr("  MPI_Gather(m) <= MPI_Gatherv(m) on same/b=10: ratio 3.00\n"));
    EXPECT_THAT(writers::junit(report, outcome), HasSubstr("3.00 times as long as MPI_Gatherv(m)"));
}

/// A report of the named operations on problems of sizes 1, 2 ...; times in units of 1 us.
Report report_of_times(const std::map<std::string, std::vector<double>>& times_us) {
    Report report;
    for (const auto& [name, times] : times_us) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            ReportedProblem& problem = report.problems.emplace_back();
            problem.problem.id = fmt::format("same/b={}", i + 1);
            problem.problem.distribution = "same";
            problem.problem.ranks = 2;
            problem.problem.element_bytes = 4;
            problem.problem.block_size = static_cast<std::int64_t>(i) + 1;
            ReportedContestant& way = problem.contestants.emplace_back();
            way.name = name;
            way.statistics.emplace();
            way.statistics->median = 1e-6 * times[i];
        }
    }
    return report;
}

std::string sentence_of(const Report& before, const Report& after) {
    return changes_in_words(before_after(native_times(before), native_times(after)));
}

TEST(Baseline, OneLaunchEachShowsOnlyLargeChanges) {
    const Report before = report_of_times({{"MPI_Gather(m)", {1, 1, 1, 1, 1}}});
    const auto after = [&](std::vector<double> times) {
        return sentence_of(before, report_of_times({{"MPI_Gather(m)", std::move(times)}}));
    };
    EXPECT_EQ(after({1.3, 1.3, 1.4, 1.3, 1.3}), "MPI_Gather is 1.30 times slower");
    EXPECT_EQ(after({0.5, 0.5, 0.4, 0.5, 0.5}), "MPI_Gather is 2.00 times faster");
    const char* const nothing = "No change was found in 1 operation";
    EXPECT_EQ(after({1.2, 1.2, 1.2, 1.2, 1.2}), nothing);
    EXPECT_EQ(after({2, 2, 2}), nothing);                  // of three problems
    EXPECT_EQ(after({1.3, 1.3, 1.3, 1.1, 1.0}), nothing);  // two of five do not agree
    EXPECT_EQ(sentence_of(before, report_of_times({{"own(m)", {1, 1}}})),
              "MPI_Gather: measured in A and not in B, for want of time or because of an error; "
              "see the reports of B");
}

TEST(Baseline, AChangeOfAllOperationsIsThePaceUpToAFactorOfTwo) {
    std::map<std::string, std::vector<double>> times;
    for (const char* name :
         {"MPI_Bcast(m)", "MPI_Scan(m)", "MPI_Gather(m)", "MPI_Scatter(m) #2", "MPI_Barrier"})
        times[name] = {1, 1, 1, 1};
    const Report before = report_of_times(times);
    for (auto& [name, each] : times)
        for (double& time : each) time *= name == "MPI_Scan(m)" ? 2.1 : 1.4;
    EXPECT_EQ(sentence_of(before, report_of_times(times)),
              "All operations together take 1.40 times as long in B: another path between the "
              "processes, or another pace of the machine; MPI_Scan is 1.50 times slower; no change "
              "was found in the other 4 operations");
    for (auto& [name, each] : times)
        for (double& time : each) time *= 2;
    EXPECT_THAT(sentence_of(before, report_of_times(times)),
                HasSubstr("MPI_Barrier is 2.80 times slower"));
}

TEST(Gate, ABaselineFailsForOperationsThatBecameSlower) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "baseline";
    std::filesystem::create_directories(folder);
    const auto violated = [](double ratio) {
        Report report = report_of_times(
            {{"MPI_Gather(m)", {ratio, ratio, ratio, ratio}}, {"MPI_Scan(m)", {1, 1, 1, 1}}});
        for (const char* left : {"MPI_Gather(m)", "MPI_Scan(m)"}) {
            JudgedCheck& check = report.checks.emplace_back();
            check.left = left;
            check.problem = "same/b=1";
            check.verdict = judge::Verdict::violated;
        }
        return report;
    };
    write_report(violated(1), folder / "report.json");
    for (const std::filesystem::path& path : {folder, folder / "report.json"}) {
        EXPECT_FALSE(outcome_of_gate(violated(1.2), asking_for("never", path)).has_failed);
        const Report slower = violated(1.5);
        const GateOutcome alone = outcome_of_gate(slower, asking_for("never", path));
        EXPECT_TRUE(alone.has_failed);
        EXPECT_EQ(
            in_words(slower, alone),
            "The baseline is A, this audit B: MPI_Gather is 1.50 times slower; no change was\n"
            "  found in the other 1 operation\n"
            "One launch each cannot tell a change by less than a factor of 1.25; "
            "jobs/before-after\n  measures in several\n");
        const GateOutcome outcome = outcome_of_gate(slower, asking_for("violation", path));
        ASSERT_EQ(outcome.failing.size(), 1U);
        EXPECT_EQ(outcome.failing.front()->left, "MPI_Gather(m)");
        EXPECT_EQ(outcome.excused.size(), 1U);
    }
    // Faster operations fail no gate; other problems cannot be compared.
    EXPECT_FALSE(outcome_of_gate(violated(0.5), asking_for("never", folder)).has_failed);
    Report others = violated(1);
    for (ReportedProblem& each : others.problems) each.problem.ranks = 9;
    EXPECT_THROW(outcome_of_gate(others, asking_for("never", folder)), UsageError);
    std::filesystem::remove_all(folder);
}

TEST(Gate, AFileThatIsNoReportIsRefused) {
    const auto file = std::filesystem::path(testing::TempDir()) / "none.json";
    const auto refusal = [&](const std::string& text) {
        std::ofstream(file) << text;
        return error_message([&] { read_baseline(file); });
    };
    EXPECT_THAT(refusal("{"), HasSubstr("--baseline: " + file.string() + ":1:2: syntax error"));
    EXPECT_THAT(refusal("[]"), HasSubstr("is no report"));
    EXPECT_THAT(refusal(R"({"schema_version": "3.0"})"), HasSubstr("its schema_version is 3.0"));
    std::filesystem::remove(file);
    EXPECT_THROW(read_baseline(file), UsageError);
}

using judge::Verdict;

}  // namespace
}  // namespace mpiaudit
