// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"
#include "report/findings.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "record/json_form.h"
#include "report/console.h"
#include "report/findings.h"
#include "report/small_audit.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using record::Contestant;
using record::Stopped;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const judge::Rule evidence{};  // tolerance 0.05, alpha 0.05

/// Slower and faster than 1 s in turn.
std::vector<double> to_and_fro(std::size_t rounds) {
    std::vector<double> samples;
    for (std::size_t k = 0; k < rounds; ++k) samples.push_back(k % 2 == 0 ? 2.0 : 0.5);
    return samples;
}

record::Audit audit(std::vector<record::ProblemRecord> problems) {
    return {audit_header(), std::move(problems), {}, {}};
}

/// The only check of an audit of one problem with the two contestants.
JudgedCheck check_of(const Contestant& left, const Contestant& right,
                     Stopped stopped = Stopped::decided, const judge::Rule& rule = evidence) {
    return make_report(audit({problem_record("same", {left, right}, stopped)}), rule).checks.at(0);
}

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
    EXPECT_EQ(check.advice, "Use B.");
    EXPECT_THAT(check.reproduce, HasSubstr("--only g0"));
    EXPECT_EQ(check.reason, "");
}

TEST(Report, CheckThatHoldsWithoutAdvice) {
    const JudgedCheck check = check_of(contestant("A", 8, 1.0), contestant("B", 8, 1.0));
    EXPECT_EQ(check.verdict, Verdict::holds);
    EXPECT_EQ(check.advice, "");
    EXPECT_EQ(check.reproduce, "");
}

TEST(Report, UndecidedCheckSaysWhatWasUsedUp) {
    const Contestant left = contestant("A", to_and_fro(10));
    const Contestant right = contestant("B", 10, 1.0);
    const JudgedCheck by_rounds = check_of(left, right, Stopped::rounds);
    EXPECT_EQ(by_rounds.verdict, Verdict::undecided);
    EXPECT_EQ(by_rounds.reason,
              "not clear after 10 rounds: too close to the tolerance to be decided soon");
    EXPECT_EQ(by_rounds.samples.value().judgement.decided_at, 0);
    EXPECT_EQ(check_of(left, right, Stopped::budget).reason,
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
        return check.reason;
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
        check.reason,
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
              "confirms 1. Only these have advice.");
    EXPECT_FALSE(averages.checks[0].remedy);
    EXPECT_EQ(averages.checks[0].advice, "");
    EXPECT_TRUE(averages.checks[0].lacks_evidence);
    EXPECT_EQ(severity(averages.checks[0]), 1.0) << "no factor of 5.95";
    const std::string screen = overview(averages, {.columns = 200}, "");
    EXPECT_THAT(screen, HasSubstr("Judged by averages, a rule that bounds no error"));
    EXPECT_THAT(screen, HasSubstr("not confirmed by the evidence"));
    EXPECT_THAT(screen, Not(HasSubstr("5.95")));
    ASSERT_TRUE(averages.checks[1].remedy);
    EXPECT_EQ(averages.checks[1].remedy->factor, 3.0);
    EXPECT_EQ(caveat_of_rule(by(judge::Criterion::minima)),
              "Judged by minima, a rule that bounds no error: the evidence of all samples confirms "
              "1 of 1 violation. Only these have advice.");
    EXPECT_EQ(caveat_of_rule(by(judge::Criterion::evidence)), "");
}

TEST(Report, TheCommandHasTheRuleOfTheReportNotOfTheAudit) {
    judge::Rule rule;
    rule.criterion = judge::Criterion::minima;
    rule.tolerance = 0.05;  // as evidence allows, but minima do not by default
    const JudgedCheck check =
        check_of(contestant("A", 9, 3.0), contestant("B", 9, 1.0), Stopped::rounds, rule);
    EXPECT_EQ(check.verdict, Verdict::violated);
    EXPECT_THAT(check.reproduce, HasSubstr("--judge minima --tolerance 0.05"));
    const JudgedCheck by_own_rule = check_of(contestant("A", 9, 3.0), contestant("B", 9, 1.0));
    EXPECT_THAT(by_own_rule.reproduce, Not(HasSubstr("--judge")));
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
    EXPECT_EQ(problem.contestants[4].skipped, "why");
    EXPECT_FALSE(problem.contestants[5].statistics);
    EXPECT_EQ(report.problems[1].contestants[2].wrong, "why");
}

TEST(Report, AuditThatWasInterruptedIsNotComplete) {
    const auto problem = problem_record("same", {contestant("A", {1.0}), contestant("B", {1.0})});
    EXPECT_FALSE(make_report(audit({problem}), evidence).is_complete);
}

/// Around which a barrier took so many microseconds.
record::ProblemRecord paced_problem(const char* distribution, double before_us, double after_us) {
    auto problem = problem_record(distribution, {contestant("A", 9, 1.0), contestant("B", 9, 1.0)});
    problem.barrier = {before_us * 1e-6, after_us * 1e-6};
    return problem;
}

TEST(Report, SaysWhereTheMachineChangedItsPace) {
    const auto usual = paced_problem("same", 0.25, 0.3), other = paced_problem("random", 0.7, 0.25);
    const record::Audit steady = audit({usual, paced_problem("random", 0.5, 0.18)});
    EXPECT_THAT(make_report(steady, evidence).header.warnings, Each(Not(HasSubstr("pace"))));
    const record::Audit changed = audit({usual, other});
    EXPECT_EQ(record::problem_of(record::line_of(other), changed.header).barrier->before_s, 0.7e-6);
    const Report report = make_report(changed, evidence);
    EXPECT_THAT(
        report.header.warnings.at(0),
        HasSubstr("the machine changed its pace around 1 of 2 problems (a barrier took 0.25 "
                  "to 0.7 us): confirm by more launches (--confirm)"));
    EXPECT_EQ(report.problems[0].barrier->after_s, 0.3e-6);
    // A pace that is quicker than usual is also another pace.
    EXPECT_THAT(make_report(audit({usual, paced_problem("random", 0.3, 0.1)}), evidence)
                    .header.warnings.at(0),
                HasSubstr("0.1 to 0.3 us"));
}

/// Returns a problem whose rounds in the window were all dropped.
record::ProblemRecord problem_without_rounds(std::size_t samples = 0) {
    auto problem =
        problem_record("same", {contestant("A", samples, 2.0), contestant("B", samples, 1.0)});
    problem.stopped = record::Stopped::rounds;
    problem.window.emplace();
    problem.window->late_starts = 90;
    problem.window->dropped_rounds = 40;
    return problem;
}

TEST(Report, LateStartsAreNoWantOfTime) {
    auto problem = problem_without_rounds();
    EXPECT_EQ(make_report(audit({problem}), evidence).checks[0].reason,
              "in all 40 rounds some rank heard of the start too late (--sync barrier announces no "
              "start)");
    problem.window->unclear_rounds = 3;
    EXPECT_EQ(make_report(audit({problem}), evidence).checks[0].reason,
              "the clocks differ too much in 3 rounds and 40 began late (--sync barrier needs no "
              "common clock)");
}

TEST(Report, SaysWhereABarrierHadToDoAndTheWorstErrorOfTheClocks) {
    auto problem = problem_without_rounds(9);
    problem.window->unclear_rounds = 2;
    problem.window->clock_error_s = 5e-4;
    problem.window->instead = "barrier";
    record::Audit samples = audit({problem});
    samples.header.clock.global.emplace();
    samples.header.clock.global->error_s = 1e-6;
    EXPECT_EQ(record::problem_of(record::line_of(problem), samples.header).window->instead,
              "barrier");
    const Report report = make_report(samples, evidence);
    EXPECT_EQ(report.checks[0].verdict, Verdict::violated);
    EXPECT_EQ(report.header.clock.global->worst_error_s, 5e-4);
    ASSERT_EQ(report.header.warnings.size(), 2U);
    EXPECT_THAT(
        report.header.warnings[0],
        testing::StartsWith("1 of 1 problems were measured after a barrier (barrier) instead "
                            "of in the window of the global clock, same/b="));
    EXPECT_THAT(report.header.warnings[1],
                testing::HasSubstr("2 rounds were dropped because the ranks' clocks"));
    EXPECT_THAT(report.header.warnings[1], testing::HasSubstr("500 us"));
}

TEST(Report, FirstCallsAreJudgedBesideRepeatedOnes) {
    auto problem = problem_record("same", {contestant("A", 9, 2.0), contestant("B", 9, 1.0)});
    problem.young_heap.emplace();
    problem.young_heap->order.assign(8, {0, 1});
    problem.young_heap->samples_s = {times(8, 1.0), times(8, 1.0)};
    EXPECT_EQ(record::problem_of(record::line_of(problem), audit_header()).young_heap->samples_s,
              problem.young_heap->samples_s);
    const Report report = make_report(audit({problem}), evidence);
    const JudgedCheck& check = report.checks[0];
    EXPECT_EQ(check.verdict, Verdict::violated);
    EXPECT_EQ(check.young_heap.value().judgement.verdict, Verdict::holds);
    EXPECT_THAT(other_findings(report), testing::Contains("Slow in repeated calls only: 1 check."));
    std::swap(problem.contestants[0].samples_s, problem.young_heap->samples_s[0]);
    problem.contestants[1].samples_s.pop_back();
    problem.young_heap->samples_s[1].push_back(1.0);
    EXPECT_THAT(other_findings(make_report(audit({problem}), evidence)),
                testing::Contains("Slow in first calls only (new memory): 1 check."));
}

/// A is slow behind B, in 20 rounds, and as fast as B behind itself, in 7 repeat rounds.
record::ProblemRecord problem_with_effect_of_order() {
    auto problem = problem_record("same", {contestant("A", 27, 1.0), contestant("B", 27, 1.0)});
    for (std::size_t round = 0; round < 27; ++round) {
        const bool is_repeat = round >= 20;
        problem.order[round] = is_repeat ? std::vector{1, 1, 0, 0} : std::vector{1, 0};
        if (!is_repeat) problem.contestants[0].samples_s[round] = 9.0;
    }
    return problem;
}

TEST(Report, SlownessAfterAnotherCallOnlyIsNoViolation) {
    auto problem = problem_with_effect_of_order();
    EXPECT_EQ(record::problem_of(record::line_of(problem), audit_header()).order, problem.order);
    const Report report = make_report(audit({problem}), evidence);
    const JudgedCheck& check = report.checks[0];
    EXPECT_EQ(check.verdict, Verdict::undecided);
    EXPECT_TRUE(check.depends_on_order);
    EXPECT_EQ(check.reason, "A is slower only after B, not after itself");
    EXPECT_EQ(report.summary.violated, 0U);
    // A launch that agrees changes nothing.
    record::Audit again = audit({problem});
    set_option(again.header.options, "order-seed", std::uint64_t{8});
    const std::vector<record::Audit> launches{audit({problem}), again};
    const Report of_both = make_report(launches, evidence);
    EXPECT_EQ(of_both.checks[0].reason, check.reason);
    EXPECT_EQ(of_both.checks[0].launches[1].samples.judgement.verdict, Verdict::undecided);
    // An operation that is also slower after itself is a violation.
    for (std::size_t round = 20; round < 27; ++round) problem.contestants[0].samples_s[round] = 2.0;
    const Report slower = make_report(audit({problem}), evidence);
    EXPECT_EQ(slower.checks[0].verdict, Verdict::violated);
    EXPECT_FALSE(slower.checks[0].depends_on_order);
}

TEST(Report, FirstCallsThatDependOnTheOrderAreNoViolationEither) {
    auto problem = problem_record("same", {contestant("A", 9, 1.0), contestant("B", 9, 1.0)});
    const record::ProblemRecord with_effect = problem_with_effect_of_order();
    problem.young_heap.emplace();
    problem.young_heap->order = with_effect.order;
    for (const record::Contestant& each : with_effect.contestants)
        problem.young_heap->samples_s.push_back(each.samples_s);
    EXPECT_THAT(other_findings(make_report(audit({problem}), evidence)),
                testing::Each(testing::Not(testing::StartsWith("Slow"))));
}

TEST(Report, WarningsAtTheEndOfSessionsJoinThoseOfTheStart) {
    record::Audit samples =
        audit({problem_record("same", {contestant("A", {1.0}), contestant("B", {1.0})})});
    samples.header.warnings = {"one"};
    samples.ends.emplace_back().machine.rebound_ranks = {3};
    samples.ends.back().machine.warnings = {"one", "two"};
    const Report report = make_report(samples, evidence);
    EXPECT_THAT(report.header.warnings, ElementsAre("one", "two"));
    EXPECT_THAT(report.machine_after.value().rebound_ranks, ElementsAre(3));
}

TEST(Report, WarnsIfAnAuditContinuedOnOtherHosts) {
    auto problem = problem_record("same", {contestant("A", {1.0}), contestant("B", {1.0})});
    record::Audit samples = audit({problem});
    samples.header.machine.hosts = {{.name = "a", .ranks = {}, .topology = {}, .conditions = {}}};
    samples.problems[0].continued = {"later", {"a"}, {}};
    EXPECT_THAT(make_report(samples, evidence).header.warnings, testing::IsEmpty());
    samples.problems[0].continued->hosts = {"b", "c"};
    EXPECT_THAT(make_report(samples, evidence).header.warnings,
                ElementsAre("the audit went on with same/b=10 on other hosts (b, c): compare its "
                            "problems with care"));
}

TEST(Choices, TheLibrarysOwnChoiceIsThePlainCallOnTheProblemItself) {
    ReportedProblem problem;
    problem.problem.id = "same/b=1";
    const auto add = [&](const char* name, double median_s, bool forced) {
        ReportedContestant& made = problem.contestants.emplace_back();
        made.name = name;
        made.forced = forced;
        made.steps = {{"MPI_Bcast: rooted -> replicated"}};
        made.statistics.emplace().median = median_s;
    };
    add("MPI_Bcast(m)", 2e-6, false);
    add("MPI_Bcast[linear](m)", 3e-6, true);
    add("MPI_Bcast(m+k)", 4e-6, false);
    add("2 MPI_Bcast(m/2)", 5e-6, false);
    add("MPI_Ibcast(m) + MPI_Wait", 6e-6, false);
    const std::vector<Choice> found = choices({problem});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].median_s, 2e-6);
    EXPECT_EQ(found[0].rank, 1U);
    ASSERT_EQ(found[0].algorithms.size(), 1U);
    EXPECT_EQ(found[0].algorithms[0].name, "linear");
    add("MPI_Ibcast[knomial](m) + MPI_Wait", 7e-6, true);
    const std::vector<Choice> both = choices({problem});
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[1].operation, "MPI_Ibcast");
    EXPECT_EQ(both[1].median_s, 6e-6);
    EXPECT_EQ(both[1].algorithms[0].name, "knomial");
}

/// An audit of two sizes: the algorithm is twice as fast as the library's choice at the first size
/// and takes `large_s` at the second one, where the choice takes 4 us.
record::Audit audit_of_algorithms(double large_s, std::uint64_t order_seed) {
    const auto problem = [](const char* distribution, double own_s, double forced_s) {
        Contestant forced = contestant("MPI_Gather[linear_nb](m)", 30, forced_s);
        forced.forced = true;
        forced.steps = {{"MPI_Gather[linear_nb]: scattered -> rooted"}};
        Contestant own = contestant("MPI_Gather(m)", 30, own_s);
        own.steps = {{"MPI_Gather: scattered -> rooted"}};
        return problem_record(distribution, {own, forced});
    };
    record::Audit made = audit({problem("same", 2e-6, 1e-6), problem("spikes", 4e-6, large_s)});
    record::Implementation& known = made.header.implementations.emplace_back();
    known.name = "MPI_Gather[linear_nb]";
    known.written_as = "OMPI_MCA_coll_tuned_gather_algorithm=3";
    set_option(made.header.options, "order-seed", order_seed);
    return made;
}

TEST(FasterSettings, AreThoseThatAnotherLaunchConfirms) {
    const auto report_with = [](std::vector<record::Audit> launches) {
        Report report;
        add_settings_of(make_report(launches), report);
        return report;
    };
    const Report once = report_with({audit_of_algorithms(4e-6, 1)});
    EXPECT_THAT(once.compared_operations, ElementsAre("MPI_Gather"));
    EXPECT_THAT(once.faster_settings, testing::IsEmpty());
    EXPECT_THAT(faster_settings_in_words(once),
                ElementsAre("No other algorithm of the library was faster for MPI_Gather"));
    const Report twice = report_with({audit_of_algorithms(4e-6, 1), audit_of_algorithms(4e-6, 2)});
    ASSERT_EQ(twice.faster_settings.size(), 1U);
    EXPECT_EQ(twice.faster_settings[0].variables, "OMPI_MCA_coll_tuned_gather_algorithm=3");
    EXPECT_EQ(twice.faster_settings[0].family, "linear, nonblocking");
    EXPECT_EQ(twice.faster_settings[0].launches, 2U);
    EXPECT_EQ(twice.faster_settings[0].sentence,
              "MPI_Gather 2.00 times as fast at 40 B: linear_nb (linear, nonblocking)");
    const Report mixed = report_with({audit_of_algorithms(6e-6, 1), audit_of_algorithms(6e-6, 2)});
    ASSERT_EQ(mixed.faster_settings.size(), 1U);
    EXPECT_THAT(mixed.faster_settings[0].sentence,
                HasSubstr("; slower at 40 B, up to 1.50 times as long"));
}

}  // namespace
}  // namespace mpiaudit
