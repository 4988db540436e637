// SPDX-License-Identifier: BSD-3-Clause
#include "answer/answer.h"
#include "record/samples_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "error_message.h"
#include "report/findings.h"
#include "report/report.h"
#include "report/small_audit.h"
#include "screens/console.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

void set_seed(NamedAudit& launch, std::uint64_t seed) {
    set_option(launch.audit.header.options, "order-seed", seed);
}

/// Returns an audit of the checks g0 and g1 on one problem. The left sides take the given seconds,
/// the right sides 1 s.
NamedAudit launch(const std::string& name, std::uint64_t order_seed, double g0_s, double g1_s) {
    NamedAudit made{name, {audit_header(), {}, {}, {}}};
    set_seed(made, order_seed);
    made.audit.header.planned_problems = 1;
    made.audit.problems = {
        problem_record("same", {contestant("A", 20, g0_s), contestant("B", 20, 1.0),
                                contestant("C", 20, g1_s), contestant("D", 20, 1.0)})};
    return made;
}

/// Returns a confirmation of that audit, which has only g0.
NamedAudit confirmation(const NamedAudit& confirmed, double g0_s, std::uint64_t order_seed = 99) {
    NamedAudit made{"confirmation", {audit_header(), {}, {}, {}}};
    set_seed(made, order_seed);
    record::Header& header = made.audit.header;
    header.planned_problems = 1;
    header.rule.checks = 1;
    header.confirms = {"x",
                       confirmed.audit.header.started,
                       confirmed.audit.header.order_seed(),
                       {{"same/b=10", "g0"}},
                       {}};
    made.audit.problems = {
        problem_record("same", {contestant("A", 20, g0_s), contestant("B", 20, 1.0)})};
    return made;
}

Report report_of(std::vector<NamedAudit> launches) {
    return make_report(joined_launches(std::move(launches)), judge::Rule{});
}

std::string refusal(std::vector<NamedAudit> launches) {
    return error_message([&] { joined_launches(std::move(launches)); });
}

TEST(JoinedLaunches, ChecksAreJudgedOverAllLaunchesAndKeptByLaunch) {
    const Report report = report_of({launch("x", 1, 2.0, 1.0), launch("y", 2, 3.0, 1.0)});
    EXPECT_EQ(report.summary.violated, 1U);
    EXPECT_EQ(report.summary.launches_disagree, 0U);
    const JudgedCheck& check = report.checks[0];
    EXPECT_EQ(check.samples.value().judgement.rounds, 40);
    EXPECT_EQ(check.samples->judgement.decided_at, 0);
    EXPECT_EQ(check.samples->judgement.left.samples, 40U);
    ASSERT_EQ(check.launches.size(), 2U);
    EXPECT_EQ(check.launches[1].launch, 2);
    EXPECT_EQ(check.launches[1].samples.judgement.decided_at, 9);
    EXPECT_EQ(check.launches[1].samples.judgement.ratio.median, 3.0);
    const ReportedProblem& problem = report.problems[0];
    EXPECT_EQ(problem.rounds, 40U);
    EXPECT_EQ(problem.contestants[0].statistics.value().maximum, 3.0);
    EXPECT_EQ(report.launches[1].order_seed, 2U);
    EXPECT_EQ(report.elapsed_s, 0.5);
}

TEST(JoinedLaunches, DisagreementIsReportedWithTheRatios) {
    const Report report = report_of({launch("x", 1, 2.0, 1.0), launch("y", 2, 0.5, 1.0)});
    const JudgedCheck& check = report.checks[0];
    EXPECT_EQ(check.verdict, Verdict::undecided);
    EXPECT_TRUE(check.launches_disagree);
    EXPECT_EQ(in_words(check.reason.value()),
              "launches disagree: ratios 2.00 0.50 in launches 1 2, no evidence in 2");
    EXPECT_EQ(report.summary.launches_disagree, 1U);
    EXPECT_THAT(other_findings(report),
                testing::Contains("Launches disagree on 1 check; the ratios differ most of: A <= B "
                                  "on same/b=10: " +
                                  in_words(*check.reason) + "."));
}

TEST(JoinedLaunches, ConfirmationHasSomeOfTheChecks) {
    const NamedAudit first = launch("x", 1, 2.0, 1.0);
    const Report report = report_of({confirmation(first, 2.0), first});
    ASSERT_EQ(report.checks.size(), 2U);
    EXPECT_EQ(report.checks[0].verdict, Verdict::violated);
    EXPECT_EQ(report.checks[0].launches.size(), 2U);
    EXPECT_TRUE(report.checks[1].launches.empty());
    EXPECT_EQ(report.header.rule.checks, 3);
    EXPECT_EQ(violations_in_words(report),
              "1 of 2 decided checks is violated: 1 in every launch that measured them.");
    EXPECT_TRUE(report_of({first, confirmation(first, 0.5)}).checks[0].launches_disagree);
}

TEST(JoinedLaunches, SeveralConfirmationsAreToldTogether) {
    const NamedAudit first = launch("x", 1, 2.0, 1.0);
    const auto in_words = [&](double last_s) {
        return violations_in_words(
            report_of({first, confirmation(first, 2.0), confirmation(first, last_s, 7)}));
    };
    EXPECT_EQ(in_words(3.0),
              "1 of 2 decided checks is violated: 1 in every launch that measured them.");
    EXPECT_EQ(in_words(0.5), "1 check is violated in some launches only (not counted).");
}

TEST(JoinedLaunches, ChecksWithoutTimeInAConfirmationAreNamed) {
    const NamedAudit first = launch("x", 1, 2.0, 1.0);
    NamedAudit second = confirmation(first, 2.0);
    for (record::Contestant& each : second.audit.problems[0].contestants) each.samples_s.clear();
    EXPECT_EQ(violations_in_words(report_of({first, second})),
              "1 of 2 decided checks is violated: 1 in the only launch that measured them.");
}

TEST(JoinedLaunches, TheOrderOfArgumentsDoesNotMatter) {
    const NamedAudit first = launch("x", 1, 2.0, 1.0), second = launch("y", 2, 2.0, 1.0);
    const std::vector<NamedAudit> all = {first, second, confirmation(first, 2.0, 3),
                                         confirmation(first, 2.0, 4)};
    std::vector<std::size_t> places = {0, 1, 2, 3};
    do {
        std::vector<NamedAudit> launches;
        std::vector<std::uint64_t> audits, confirmations;
        for (const std::size_t place : places) {
            launches.push_back(all[place]);
            (place < 2 ? audits : confirmations).push_back(all[place].audit.header.order_seed());
        }
        // Audits come first; each kind keeps the given order.
        audits.insert(audits.end(), confirmations.begin(), confirmations.end());
        std::vector<std::uint64_t> found;
        for (const record::Audit& each : joined_launches(launches))
            found.push_back(each.header.order_seed());
        EXPECT_EQ(found, audits);
    } while (std::ranges::next_permutation(places).found);
}

/// Adds a problem that was chosen while the audit ran. \param next the block size that m+k stands
/// for
NamedAudit with_chosen(NamedAudit launch, std::int64_t block_size, std::int64_t next = 0) {
    record::ProblemRecord chosen =
        problem_record("same", {contestant("A", 20, 2.0), contestant("B", 20, 1.0),
                                contestant("C", 20, 2.0), contestant("D(m+k)", 20, 1.0)});
    chosen.problem.id = "same/b=" + std::to_string(block_size);
    chosen.problem.block_size = block_size;
    chosen.problem.chosen = true;
    chosen.problem.next_block_size = next;
    launch.audit.problems.push_back(std::move(chosen));
    return launch;
}

std::vector<std::string> named_checks(const Report& report) {
    std::vector<std::string> all;
    for (const JudgedCheck& each : report.checks)
        all.push_back(each.guideline + " on " + each.problem);
    return all;
}

TEST(JoinedLaunches, SizesThatAllAuditsHaveChosenAreJudged) {
    NamedAudit first = with_chosen(with_chosen(launch("x", 1, 2.0, 1.0), 20, 40), 30);
    NamedAudit second = with_chosen(with_chosen(launch("y", 2, 2.0, 1.0), 20, 50), 70);
    second.audit.header.rule.checks = 5;
    const Report report = report_of({first, second});
    // The check g1 on 20 elements compares with two different larger sizes.
    EXPECT_THAT(named_checks(report),
                ElementsAre("g0 on same/b=10", "g1 on same/b=10", "g0 on same/b=20"));
    EXPECT_EQ(report.checks.back().launches.size(), 2U);
    EXPECT_EQ(report.checks.back().samples->bound_violated, std::log(5 / 0.05));
    EXPECT_EQ(report.summary.measured_alone, 2U);
    EXPECT_EQ(measured_alone_in_words(report),
              "2 problems measured by one launch only and left out.");
    EXPECT_EQ(named_checks(report_of({second, first})), named_checks(report));
    const Report three = report_of({first, second, with_chosen(launch("z", 3, 2.0, 1.0), 20, 40)});
    EXPECT_EQ(named_checks(three), named_checks(report));
    EXPECT_EQ(report_of({first, with_chosen(with_chosen(launch("y", 2, 2.0, 1.0), 20, 40), 30)})
                  .summary.measured_alone,
              std::nullopt);
}

TEST(JoinedLaunches, AConfirmationHasWhatItsAuditHasChosen) {
    const NamedAudit first = with_chosen(launch("x", 1, 2.0, 1.0), 20);
    NamedAudit second = with_chosen(confirmation(first, 2.0), 20);
    second.audit.problems.back().problem.chosen = false;
    second.audit.header.planned_problems = 2;
    const Report report = report_of({first, second});
    EXPECT_EQ(report.checks.back().launches.size(), 2U);
    EXPECT_EQ(report.summary.measured_alone, std::nullopt);
    second.audit.problems.back().problem.id = "same/b=21";
    EXPECT_THAT(refusal({first, second}), HasSubstr("2 checks are only in confirmation, such as"));
}

TEST(JoinedLaunches, AProblemOfOneAuditAloneIsNoAnswer) {
    const NamedAudit first = launch("x", 1, 2.0, 2.0);
    NamedAudit second = launch("y", 2, 2.0, 2.0);
    second.audit.problems[0].contestants[2] =
        skipped_contestant("C", in_words({ReasonKind::no_time}));
    const JudgedCheck check = report_of({first, second}).checks[1];
    EXPECT_EQ(check.verdict, Verdict::skipped);
    EXPECT_EQ(check.reason, Reason{ReasonKind::no_time});
    EXPECT_FALSE(check.samples);
    EXPECT_EQ(report_of({first, second, launch("z", 3, 2.0, 2.0)}).checks[1].verdict,
              Verdict::violated);
    // A confirmation measures only some checks.
    EXPECT_EQ(report_of({first, confirmation(first, 2.0)}).checks[1].verdict, Verdict::violated);
}

TEST(JoinedLaunches, AWrongResultInOneLaunchOutweighsTimes) {
    NamedAudit other = launch("y", 2, 2.0, 1.0);
    other.audit.problems[0].contestants[0] = wrong_contestant("A", "no data");
    const JudgedCheck check = report_of({launch("x", 1, 2.0, 1.0), other}).checks[0];
    EXPECT_EQ(check.verdict, Verdict::skipped);
    EXPECT_EQ(in_words(check.reason.value()), "A is wrong: no data");
}

TEST(JoinedLaunches, DifferencesAreListed) {
    NamedAudit other = launch("y", 2, 2.0, 1.0);
    set_option(other.audit.header.options, "root", "0");
    other.audit.header.mpi.library = "M";
    other.audit.problems[0].checks.pop_back();
    EXPECT_EQ(refusal({launch("x", 1, 2.0, 1.0), other}),
              "y is not a launch of the same audit as x: the library is \"L\" there, \"M\" here; "
              "--root is \"half\" there, \"0\" here; 1 check is only in x, such as g1 on same/b=10 "
              "(root 2, counts [10,10,10,10])");
}

TEST(JoinedLaunches, DependentOrUnfinishedLaunchesAreRefused) {
    EXPECT_THAT(refusal({launch("x", 1, 2.0, 1.0), launch("y", 1, 2.0, 1.0)}),
                HasSubstr("x and y have the same order-seed 1"));
    NamedAudit unfinished = launch("y", 2, 2.0, 1.0);
    unfinished.audit.header.planned_problems = 2;
    EXPECT_THAT(refusal({launch("x", 1, 2.0, 1.0), unfinished}),
                HasSubstr("y: the audit is not complete, 1 of 2 problems are measured"));
    EXPECT_EQ(refusal({unfinished}), "");
}

}  // namespace
}  // namespace mpiaudit
