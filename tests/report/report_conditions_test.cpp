// SPDX-License-Identifier: BSD-3-Clause
#include "answer/answer.h"
#include "report/findings.h"
#include "report/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "record/json_form.h"
#include "report/findings.h"
#include "report/judged_audit.h"
#include "report/small_audit.h"
#include "screens/console.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using record::Contestant;
using record::Stopped;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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
    EXPECT_EQ(in_words(make_report(audit({problem}), evidence).checks[0].reason.value()),
              "in all 40 rounds some rank heard of the start too late (--sync barrier announces no "
              "start)");
    problem.window->unclear_rounds = 3;
    EXPECT_EQ(in_words(make_report(audit({problem}), evidence).checks[0].reason.value()),
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
    EXPECT_EQ(check.reason,
              (Reason{ReasonKind::order_of_calls, "A is slower only after B, not after itself"}));
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

}  // namespace
}  // namespace mpiaudit
