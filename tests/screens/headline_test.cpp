// SPDX-License-Identifier: BSD-3-Clause
#include "answer/answer.h"
#include "screens/fitting.h"

#include <gmock/gmock.h>

#include "report/findings.h"
#include "report/small_report.h"
#include "screens/printed_screen.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using testing::HasSubstr;
using testing::Not;

/// Ratios of several launches of the check.
void set_launches(JudgedCheck& check, std::initializer_list<double> factors) {
    check.launches.clear();
    for (const double each : factors) {
        JudgedLaunch& launch = check.launches.emplace_back();
        launch.launch = static_cast<int>(check.launches.size());
        launch.samples.judgement.factor = each;
        launch.samples.judgement.verdict = each > 1.05 ? Verdict::violated : Verdict::undecided;
    }
}

TEST(Headline, NamesWhatIsClearlySlowInEveryLaunchOnTwoProblems) {
    Report report = small_report();
    report.checks.clear();
    report.launches.resize(3);
    report.header.rule.tolerance = 0.05;
    add_problem(report, "MPI_Gather", "same", 16, 1.5);
    add_problem(report, "MPI_Gather", "same", 32, 1.5);
    JudgedCheck& last = report.checks.back();
    set_launches(report.checks.front(), {1.5, 1.5, 1.5});
    const auto is_named = [&](std::initializer_list<double> factors) {
        set_launches(report.checks.back(), factors);
        return clearly_slow(report).contains("MPI_Gather");
    };
    EXPECT_TRUE(is_named({1.1, 1.2, 1.3}));
    EXPECT_FALSE(is_named({1.1, 1.19, 1.3}));
    EXPECT_FALSE(is_named({1.04, 1.5, 1.5}));
    EXPECT_TRUE(is_named({1.2, 1.2}));
    EXPECT_FALSE(is_named({2.0}));  // less than half of the launches
    set_launches(last, {1.5, 1.5, 1.5});
    EXPECT_EQ(headline(report), "SLOW: 1 of 1 blocking operation");
    // One problem is enough if it is the only one.
    last.verdict = Verdict::skipped;
    last.samples.reset();
    EXPECT_TRUE(clearly_slow(report).contains("MPI_Gather"));
}

TEST(Headline, HasNoRatiosWhereRanksWaitForCores) {
    Report report = small_report();
    report.header.machine.hosts = {{.name = "h", .ranks = {0, 1, 2, 3}}};
    report.header.machine.hosts[0].topology.emplace().cores = 2;
    const std::string text = plain(report);
    EXPECT_TRUE(text.starts_with(
        "Some MPI v1.2, 4 ranks on 2 cores, single launch\n"
        "No usable times: 4 ranks on 2 cores wait for a turn. Start no more ranks than\n"
        "  cores.\n"))
        << text;
    EXPECT_THAT(text, HasSubstr("\nSlower here: A\n"));
    EXPECT_THAT(text, Not(HasSubstr("1.50")));
}

TEST(Violations, TheCountsAddUp) {
    Report report = many_violated(4);
    report.launches.resize(3);
    for (std::size_t i : {1U, 2U}) report.launches[i].confirms.emplace();
    set_launches(report.checks[0], {1.5, 1.5, 1.5});
    set_launches(report.checks[1], {1.5, 1.01, 1.5});
    report.checks[3].verdict = Verdict::undecided;
    set_launches(report.checks[3], {1.5, 0.9, 1.5});
    JudgedCheck control = report.checks[0];
    control.verdict = Verdict::holds;
    control.guideline = "held";
    set_launches(control, {0.9, 0.9, 0.9});
    report.checks.push_back(control);
    report.launches[1].confirms->controls = {{control.problem, control.guideline}};
    count_again(report);
    report.header.rule.alpha = 0.05;
    EXPECT_EQ(
        violations_in_words(report),
        "3 of 4 decided checks are violated: 1 in every launch that measured them, 1 by all "
        "launches together, 1 in the only launch that measured them. 1 more is violated in some "
        "launches only (not counted). Of 1 control that held before, 0 came out violated.");
    set_launches(report.checks.back(), {0.9, 1.3, 0.9});
    report.checks.back().verdict = Verdict::holds;
    EXPECT_THAT(violations_in_words(report),
                HasSubstr("1 came out violated, more than alpha = 0.05 allows: launches differ on "
                          "this machine; bind the ranks (--bind core)"));
}

TEST(Overview, UndecidedChecksAreCountedByReason) {
    Report report = small_report();
    EXPECT_THAT(whole(report), Not(HasSubstr("Not decided")));
    report.checks[1].verdict = Verdict::undecided;
    report.checks[2].reason = Reason{ReasonKind::no_time};
    report.checks[3].reason = Reason{ReasonKind::slower_reference, "", {3, 9, 180.0}};
    report.checks.push_back(report.checks[2]);
    report.checks.back().reason = Reason{ReasonKind::does_not_fit, "needs equal blocks"};
    count_again(report);
    EXPECT_THAT(whole(report), HasSubstr("\nNot decided: 1 too close or too noisy, 1 for lack of "
                                         "time (--budget), 1\n  predicted to be slow, 1 not "
                                         "applicable\n"));
}

TEST(Overview, TellsHowManyAlgorithmsWereNotFaster) {
    Report report = small_report();
    record::Implementation own;
    own.collective = "bcast";
    JudgedCheck check = report.checks[1];
    const auto add = [&](const char* right, Verdict verdict, std::optional<Reason> reason = {}) {
        check.right = right;
        check.verdict = verdict;
        check.reason = std::move(reason);
        report.checks.push_back(check);
        own.name = parse_way(right).operations();
        report.header.implementations.push_back(own);
    };
    report.checks.clear();
    check.left = "MPI_Bcast(m)";
    add("linear_Bcast(m)", Verdict::holds);
    add("binomial_Bcast(m)", Verdict::undecided, Reason{ReasonKind::too_close, "", {9}});
    add("chain_Bcast(m)", Verdict::skipped, Reason{ReasonKind::slower_reference, "", {2, 3, 180}});
    add("ring_Bcast(m)", Verdict::skipped,
        Reason{ReasonKind::does_not_fit, "needs a power of two"});
    EXPECT_THAT(other_findings(report),
                testing::Contains("Nothing measured was faster than MPI_Bcast (2 of 3 "
                                  "algorithms)."));
    check.problem = report.problems[1].problem.id;
    add("linear_Bcast(m)", Verdict::holds);
    add("binomial_Bcast(m)", Verdict::skipped, Reason{ReasonKind::no_time});
    EXPECT_THAT(other_findings(report),
                testing::Contains("Nothing measured was faster than MPI_Bcast (1 to 2 of 3 "
                                  "algorithms)."));
}

TEST(Overview, SaysWhatWasNotAudited) {
    Report report = small_report();
    report.header.not_audited = {"MPI_Scan", "MPI_Bcast"};
    EXPECT_THAT(whole(report),
                HasSubstr("\nNot audited, since no guideline asks for it: MPI_Scan, MPI_Bcast\n"));
    report.is_complete = false;
    report.header.planned_problems = 9;
    EXPECT_THAT(plain(report), HasSubstr("The audit is not complete: 2 of 9 problems measured.\n"));
}

TEST(Headline, AcquitsOnlyWhatWasDecided) {
    Report report = small_report();
    for (JudgedCheck& check : report.checks) check.verdict = Verdict::holds;
    count_again(report);
    EXPECT_EQ(headline(report), "None of 4 checks found a violated guideline.");
    report.checks[0].verdict = Verdict::skipped;
    count_again(report);
    EXPECT_EQ(headline(report),
              "No violated guideline in 3 decided checks; 1 more has no verdict.");
    report.checks[1].verdict = report.checks[2].verdict = Verdict::undecided;
    count_again(report);
    EXPECT_EQ(headline(report),
              "No violated guideline in 1 decided check; 3 more have no verdict.");
}

TEST(Headline, NothingDecidedIsNoGoodNews) {
    Report report = small_report();
    for (JudgedCheck& check : report.checks) check.verdict = Verdict::undecided;
    count_again(report);
    EXPECT_TRUE(is_nothing_decided(report));
    EXPECT_EQ(headline(report), "Nothing was decided: none of 4 checks has a verdict.");
    report.summary.samples = 0;
    EXPECT_EQ(headline(report), "Nothing was measured: no check has a verdict.");
    report.checks = {as_remark(small_report().checks[0])};
    // Decided or not, the check is no question about the library.
    for (const Verdict verdict : {Verdict::holds, Verdict::undecided}) {
        report.checks[0].verdict = verdict;
        count_again(report);
        EXPECT_FALSE(is_nothing_decided(report));
    }
    EXPECT_EQ(headline(report), "No check of this audit is about the library.");
    EXPECT_FALSE(is_nothing_decided(Report{}));
}

TEST(Headline, NamesOfLibraries) {
    Report report;
    report.header.machine.ranks = 1;
    for (const auto& [said, name] :
         {std::pair{"Open MPI v4.1.4, package: Debian", "Open MPI v4.1.4, 1 rank"},
          {"MPICH Version:\t4.0.2\nMPICH Release date:", "MPICH 4.0.2, 1 rank"},
          {"", "unknown MPI library, 1 rank"}}) {
        report.header.mpi.library = said;
        EXPECT_EQ(audited_system(report), name);
    }
}

TEST(Headline, SaysUnderWhichConditions) {
    Report report;
    report.header.mpi.library = "Open MPI v5";
    report.header.machine.ranks = 4;
    report.header.default_options = {{"arrivals", std::string("together")},
                                     {"buffers", std::string("same")},
                                     {"heap", std::string("both")},
                                     {"sync", std::string("barrier")}};
    report.header.options = report.header.default_options;
    EXPECT_EQ(audited_system(report), "Open MPI v5, 4 ranks");
    set_option(report.header.options, "heap", std::string("free"));
    set_option(report.header.options, "sync", std::string("global"));
    EXPECT_EQ(audited_system(report), "Open MPI v5, 4 ranks");
    set_option(report.header.options, "heap", std::string("grown"));
    set_option(report.header.options, "buffers", std::string("cold"));
    set_option(report.header.options, "arrivals", std::string("10 * i"));
    EXPECT_EQ(audited_system(report),
              "Open MPI v5, 4 ranks, --arrivals 10 * i, --buffers cold, --heap grown");
}

TEST(Headline, SaysHowRanksLieOnNodes) {
    Report report;
    report.header.mpi.library = "Open MPI v5";
    report.header.machine.ranks = 4;
    const auto system_on = [&](std::vector<std::vector<int>> nodes) {
        report.header.machine.hosts.clear();
        for (std::vector<int>& ranks : nodes)
            report.header.machine.hosts.emplace_back().ranks = std::move(ranks);
        return audited_system(report);
    };
    EXPECT_EQ(system_on({{0, 1, 2, 3}}), "Open MPI v5, 4 ranks");
    EXPECT_EQ(system_on({{0, 1}, {2, 3}}), "Open MPI v5, 4 ranks on 2 nodes");
    EXPECT_EQ(system_on({{0, 2}, {1, 3}}), "Open MPI v5, 4 ranks on 2 nodes (cyclic)");
    EXPECT_EQ(system_on({{0, 1, 2}, {3}}),
              "Open MPI v5, 4 ranks on 2 nodes (irregular, 1 to 3 ranks each)");
}

}  // namespace
}  // namespace mpiaudit
