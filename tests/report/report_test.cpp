// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"
#include "answer/answer.h"
#include "report/findings.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/judged_audit.h"
#include "report/small_audit.h"
#include "report/small_report.h"
#include "screens/console.h"
#include "screens/fitting.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using record::Contestant;
using record::Stopped;
using testing::HasSubstr;
using testing::Not;

TEST(Report, ViolatedCheck) {
    const JudgedCheck check = check_of(contestant("A(m)", 12, 3e-6), contestant("B(m)", 12, 2e-6));
    EXPECT_EQ(check.guideline, "g0");
    EXPECT_EQ(check.problem, "same/b=10");
    EXPECT_EQ(check.left, "A(m)");
    EXPECT_EQ(check.right, "B(m)");
    EXPECT_EQ(check.verdict, Verdict::violated);
    const judge::Judgement& judgement = check.samples.value().judgement;
    // E(9, 9) = 1023 / 10 is the first to reach 3 checks / 0.05 = 60.
    EXPECT_EQ(judgement.decided_at, 9);
    EXPECT_EQ(judgement.rounds, 12);
    EXPECT_EQ(judgement.slower, 12);
    EXPECT_NEAR(judgement.log_e_violated, std::log(102.3), 1e-12);
    EXPECT_NEAR(check.samples->bound_violated, std::log(60.0), 1e-12);
    EXPECT_NEAR(check.samples->bound_holds, std::log(20.0), 1e-12);
    EXPECT_DOUBLE_EQ(judgement.ratio.median, 1.5);
    EXPECT_DOUBLE_EQ(judgement.left.mean, 3e-6);
    EXPECT_DOUBLE_EQ(judgement.right.minimum, 2e-6);
    EXPECT_EQ(check.reason, std::nullopt);
}

TEST(Report, CheckThatHoldsWithoutAdvice) {
    const JudgedCheck check = check_of(contestant("A", 8, 1.0), contestant("B", 8, 1.0));
    EXPECT_EQ(check.verdict, Verdict::holds);
}

TEST(Report, UndecidedCheckSaysWhatWasUsedUp) {
    const Contestant left = contestant("A", to_and_fro(10));
    const Contestant right = contestant("B", 10, 1.0);
    const JudgedCheck by_rounds = check_of(left, right, Stopped::rounds);
    EXPECT_EQ(by_rounds.verdict, Verdict::undecided);
    EXPECT_EQ(in_words(by_rounds.reason.value()),
              "not clear after 10 rounds: too close to the tolerance to be decided soon");
    EXPECT_EQ(by_rounds.samples.value().judgement.decided_at, 0);
    EXPECT_EQ(in_words(check_of(left, right, Stopped::budget).reason.value()),
              "the time budget was used up after 10 rounds");
}

TEST(Report, SkippedCheckSaysWhy) {
    const Contestant fine = contestant("B(m)", 9, 1.0);
    const Contestant lacking = skipped_contestant("A(m)", "A needs equal blocks");
    const Contestant large =
        skipped_contestant("A(1) + C(m')", "needs 9.1 GiB per rank, 4.0 GiB allowed");
    const auto reason = [](const JudgedCheck& check) {
        EXPECT_EQ(check.verdict, Verdict::skipped);
        EXPECT_FALSE(check.samples);
        return in_words(check.reason.value());
    };
    EXPECT_EQ(reason(check_of(lacking, fine)), "A needs equal blocks");
    EXPECT_EQ(reason(check_of(fine, lacking)), "A needs equal blocks");
    EXPECT_EQ(reason(check_of(large, fine)),
              "A(1) + C(m'): needs 9.1 GiB per rank, 4.0 GiB allowed");
    EXPECT_EQ(reason(check_of(fine, wrong_contestant("A(m)", "rank 1: no data"))),
              "A(m) is wrong: rank 1: no data");
    EXPECT_EQ(reason(check_of(contestant("A", {}), contestant("B", {}), Stopped::budget)),
              "no time was left to measure it (--budget)");
}

TEST(Report, ContestantThatLeftTheRoundsEarlyIsComparedWhereBothRan) {
    const JudgedCheck check = check_of(contestant("A", 7, 1.0), contestant("B", 30, 1.0));
    EXPECT_EQ(check.verdict, Verdict::holds);
    EXPECT_EQ(check.samples.value().judgement.rounds, 7);
    EXPECT_EQ(check.samples->judgement.right.samples, 7U);
}

TEST(Report, SaysWhyADecisionWasWithdrawn) {
    std::vector<double> turned(9, 1e-6);
    turned.resize(30, 47e-6);
    const JudgedCheck check = check_of(contestant("A", turned), contestant("B", 30, 1e-6));
    EXPECT_EQ(check.verdict, Verdict::undecided);
    EXPECT_EQ(
        in_words(check.reason.value()),
        "holds by the evidence of the first 7 rounds, but over all 30 rounds the median ratio "
        "is 47.00; left 47 us, right 1 us");
}

TEST(Report, CountsWhereFilteredMeansSaySomethingElse) {
    // Slower in most rounds by a little, in a few faster by much: the evidence accuses, means do
    // not.
    std::vector<double> rarely_fast(40, 1.2);
    for (std::size_t k = 28; k < 40; ++k) rarely_fast[k] = 0.3;
    const auto counts = [](std::vector<double> left_s) {
        return make_report(audit({problem_record("same", {contestant("A", std::move(left_s)),
                                                          contestant("B", 40, 1.0)})}),
                           evidence)
            .summary.filtered_means;
    };
    const FilteredMeans other = counts(rarely_fast);
    EXPECT_EQ(other.checks, 1U);
    EXPECT_EQ(other.violated, 0U);
    EXPECT_EQ(other.evidence_only, 1U);
    EXPECT_EQ(other.means_only, 0U);
    const FilteredMeans both = counts(times(40, 1.2));
    EXPECT_EQ(both.violated, 1U);
    EXPECT_EQ(both.evidence_only, 0U);
    const FilteredMeans none =
        make_report(
            audit({problem_record("same", {contestant("A", {}), contestant("B", 40, 1.0)})}),
            evidence)
            .summary.filtered_means;
    EXPECT_EQ(none.checks, 0U) << "not measured";
}

TEST(Report, SaysThatARuleWithoutBoundMayAccuseByOneSample) {
    std::vector<double> disturbed(20, 1.0);
    disturbed[3] = 100.0;
    const record::Audit samples =
        audit({problem_record("same", {contestant("A", disturbed), contestant("B", 20, 1.0),
                                       contestant("C", 20, 3.0), contestant("D", 20, 1.0)})});
    const auto by = [&](judge::Criterion criterion) {
        return make_report(samples, {.criterion = criterion, .outliers = judge::Outliers::none});
    };
    const Report averages = by(judge::Criterion::averages);
    EXPECT_EQ(averages.summary.violated, 2U);
    EXPECT_EQ(caveat_of_rule(averages),
              "Judged by averages, a rule that bounds no error; one disturbed sample can make a "
              "violation: the minima confirm 1 of 2 violations, the evidence of all samples "
              "confirms 1. Only these have a remedy.");
    EXPECT_FALSE(averages.checks[0].remedy);
    EXPECT_TRUE(averages.checks[0].lacks_evidence);
    EXPECT_EQ(severity(averages.checks[0]), 1.0) << "no factor of 5.95";
    const std::string screen = with_all(first_screen(averages, {}), {.columns = 200, .rows = 24});
    EXPECT_THAT(screen, HasSubstr("Judged by averages, a rule that bounds no error"));
    EXPECT_THAT(screen, HasSubstr("not confirmed"));
    EXPECT_THAT(screen, Not(HasSubstr(" 5.95 ")));
    ASSERT_TRUE(averages.checks[1].remedy);
    EXPECT_EQ(averages.checks[1].remedy->factor, 3.0);
    EXPECT_EQ(caveat_of_rule(by(judge::Criterion::minima)),
              "Judged by minima, a rule that bounds no error: the evidence of all samples confirms "
              "1 of 1 violation. Only these have a remedy.");
    EXPECT_EQ(caveat_of_rule(by(judge::Criterion::evidence)), "");
}

/// The words of the only check of an audit.
CheckInWords words_of(const Contestant& left, const Contestant& right,
                      const judge::Rule& rule = {}) {
    const record::Audit audit{audit_header(), {problem_record("same", {left, right})}, {}, {}};
    return checks_in_words(make_report(audit, rule)).at(0);
}

TEST(CheckInWords, TheGuidelineSpeaksWhereItsRightSideIsTheRemedy) {
    const CheckInWords words = words_of(contestant("A", 12, 3.0), contestant("B", 12, 2.0));
    EXPECT_EQ(words.advice, "Use B.");
    EXPECT_THAT(words.reproduce, HasSubstr("--only g0"));
    Report report = small_report();
    report.header.guidelines.front().advice = "Use B.";
    EXPECT_EQ(checks_in_words(report).at(0).advice, "Use B.");
    report.checks.front().remedy->contestant = "C(1) + A(m')";
    EXPECT_EQ(checks_in_words(report).at(0).advice, "");
    const CheckInWords holding = words_of(contestant("A", 12, 1.0), contestant("B", 12, 1.0));
    EXPECT_EQ(holding.advice + holding.reproduce, "");
}

TEST(CheckInWords, TheCommandHasTheRuleOfTheReportNotOfTheAudit) {
    judge::Rule rule;
    rule.criterion = judge::Criterion::minima;
    rule.tolerance = 0.05;  // as evidence allows, but minima do not by default
    const auto command = [&](const judge::Rule& of) {
        return words_of(contestant("A", 9, 3.0), contestant("B", 9, 1.0), of).reproduce;
    };
    EXPECT_THAT(command(rule), HasSubstr("--judge minima --tolerance 0.05"));
    EXPECT_THAT(command({}), Not(HasSubstr("--judge")));
}

TEST(Report, RuleIsTheGivenOneButForTheNumberOfChecks) {
    const judge::Rule rule{
        .criterion = judge::Criterion::minima, .tolerance = 0.2, .alpha = 0.01, .checks = 999};
    const record::RuleRecord recorded =
        make_report(
            audit({problem_record("same", {contestant("A", {1.0}), contestant("B", {1.0})})}), rule)
            .header.rule;
    EXPECT_EQ(recorded.criterion, judge::Criterion::minima);
    EXPECT_EQ(recorded.tolerance, 0.2);
    EXPECT_EQ(recorded.alpha, 0.01);
    EXPECT_EQ(recorded.checks, 3);
}

TEST(Report, WholeAudit) {
    const Report report = make_report(
        audit({problem_record("same", {contestant("A", 9, 2.0), contestant("B", 9, 1.0),
                                       contestant("C", 9, 1.0), contestant("D", 9, 2.0),
                                       skipped_contestant("E", "why"), contestant("F", {})}),
               problem_record("spikes",
                              {contestant("A", to_and_fro(4)), contestant("B", 4, 1.0),
                               wrong_contestant("C", "why"), contestant("D", {})},
                              Stopped::rounds)}),
        evidence);
    const ReportSummary& summary = report.summary;
    EXPECT_EQ(summary.checks, 5U);
    EXPECT_EQ(summary.violated, 1U);
    EXPECT_EQ(summary.holds, 1U);
    EXPECT_EQ(summary.undecided, 1U);
    EXPECT_EQ(summary.skipped, 2U);
    EXPECT_EQ(summary.wrong, 1U);
    EXPECT_EQ(summary.samples, 4U * 9 + 2 * 4);
    EXPECT_EQ(summary.fixed_protocol_samples, 6U * 75);
    EXPECT_FALSE(summary.launches_disagree);
    EXPECT_TRUE(report.is_complete);
    EXPECT_EQ(report.elapsed_s, 0.5);
    EXPECT_EQ(report.header.mpi, audit_header().mpi);
    ASSERT_EQ(report.problems.size(), 2U);
    const ReportedProblem& problem = report.problems[0];
    EXPECT_EQ(problem.rounds, 9U);
    EXPECT_EQ(problem.contestants[0].statistics.value().samples, 9U);
    EXPECT_EQ(problem.contestants[4].skipped, (Reason{ReasonKind::does_not_fit, "why"}));
    EXPECT_FALSE(problem.contestants[5].statistics);
    EXPECT_EQ(report.problems[1].contestants[2].wrong, (Fault{FaultKind::wrong_value, "why"}));
}

TEST(Report, AuditThatWasInterruptedIsNotComplete) {
    const auto problem = problem_record("same", {contestant("A", {1.0}), contestant("B", {1.0})});
    EXPECT_FALSE(make_report(audit({problem}), evidence).is_complete);
}

}  // namespace
}  // namespace mpiaudit
