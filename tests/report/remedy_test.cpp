// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "catalogue/catalogue.h"
#include "report/findings.h"
#include "report/report.h"
#include "report/small_audit.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using record::Contestant;

constexpr std::size_t many_rounds = 30;

/// A problem whose first check is between the first two contestants; the other checks compare all
/// other contestants of these layouts with the second one.
record::ProblemRecord problem_with(std::vector<Contestant> contestants) {
    record::ProblemRecord problem = problem_record("same", std::move(contestants));
    problem.checks = {{"g0", 0, 1}};
    for (std::size_t k = 2; k < problem.contestants.size(); ++k) {
        if (problem.contestants[k].to == problem.contestants[0].to)
            problem.checks.push_back({"g" + std::to_string(k), 1, k});
    }
    return problem;
}

JudgedCheck judged(const std::vector<record::ProblemRecord>& launches,
                   const std::vector<record::Implementation>& implementations = {}) {
    std::vector<record::Audit> audits;
    for (const record::ProblemRecord& problem : launches) {
        audits.push_back({audit_header(), {problem}, {}, {}});
        audits.back().header.implementations = implementations;
        set_option(audits.back().header.options, "order-seed", std::uint64_t{audits.size()});
    }
    return make_report(audits, {}).checks.front();
}

/// Returns the remedy; nothing if it is not clear.
std::string instead(const JudgedCheck& check) {
    return check.remedy ? check.remedy->contestant : "";
}

/// Returns a problem with A (3 s), B (2 s) and C.
record::ProblemRecord problem_of_three(double c_s, std::size_t rounds_of_c = many_rounds) {
    return problem_with({contestant("A", many_rounds, 3.0), contestant("B", many_rounds, 2.0),
                         contestant("C", rounds_of_c, c_s)});
}

TEST(Remedy, AFormThatOnlyTestsTheLibraryIsNoReplacement) {
    for (const char* form :
         {"MPI_Barrier[shuffled](m)", "MPI_Scan[user function](m)", "MPI_Reduce[order kept](m)",
          "MPI_Bcast[merged](m)", "MPI_Bcast[in a row](m)", "MPI_Comm_dup[by MPI_Allreduce]",
          "MPI_Scatter(m) + MPI_Allgather[split](m)", "C #2"}) {
        record::ProblemRecord problem =
            problem_with({contestant("A", many_rounds, 3.0), contestant("B", many_rounds, 2.0),
                          contestant(form, many_rounds, 0.5)});
        EXPECT_EQ(instead(judged({problem})), "B") << form;
    }
}

/// The table of form.cpp against all ways to call that the catalogue has.
TEST(Remedy, FormsOfTheCatalogueAreOfferedOnlyIfAProgramCanCallThem) {
    std::set<std::string> offered;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::variant && arrow.kind != Kind::nonblocking) continue;
        record::ContestantDescription way;
        way.name = arrow.name + "(m)";
        if (arrow.form.has_no_brackets() || !is_offered_as_replacement(way)) continue;
        const std::string words = arrow.name.substr(arrow.form.function().size() + 1);
        offered.insert(words.starts_with("by ") ? "by" : words.substr(0, words.size() - 1));
    }
    EXPECT_THAT(offered,
                testing::ElementsAre("2 parts", "4 parts", "8 parts", "by", "computing and testing",
                                     "folded", "hierarchical", "in place", "lane", "of copies",
                                     "on the device", "relayed", "rows and columns",
                                     "rows and one column", "staged"));
}

TEST(Remedy, IsTheFastestContestantToWhichGuidelinesLead) {
    Contestant elsewhere = contestant("elsewhere", many_rounds, 0.1);
    elsewhere.to = "replicated";
    const JudgedCheck check = judged({problem_with(
        {contestant("MPI_A(m)", many_rounds, 3.0), contestant("B", many_rounds, 2.0),
         contestant("C", many_rounds, 1.5), elsewhere, contestant("MPI_A(m)#2", many_rounds, 1.0),
         contestant("MPI_A(m/2)", many_rounds, 0.5), wrong_contestant("wrong", "so"),
         skipped_contestant("skipped", "so")})});
    ASSERT_EQ(check.verdict, Verdict::violated);
    ASSERT_EQ(instead(check), "C");
    EXPECT_DOUBLE_EQ(check.remedy->factor, 2.0);
    EXPECT_DOUBLE_EQ(check.remedy->saved_s, 1.5);
}

TEST(Remedy, ALeftSideIsNeverOfferedInsteadOfAnother) {
    record::ProblemRecord problem =
        problem_with({contestant("MPI_A(m)", many_rounds, 3.0), contestant("B", many_rounds, 2.0),
                      contestant("MPI_A[in place](m)", many_rounds, 1.0)});
    problem.checks[1] = {"in-place", 2, 0};
    const JudgedCheck check = judged({problem});
    EXPECT_EQ(instead(check), "B");
}

TEST(Remedy, TheGuidelineSpeaksWhereItsRightSideIsTheFastest) {
    const JudgedCheck check = judged({problem_of_three(2.5)});
    EXPECT_EQ(instead(check), "B");
}

TEST(Remedy, ASettingIsPreferredAmongWaysThatTakeTheSameTime) {
    Contestant setting = contestant("MPI_A[linear](m)", many_rounds, 1.55);
    setting.forced = true;
    const auto problem_beside = [&](double other_s) {
        return problem_with({contestant("MPI_A(m)", many_rounds, 3.0),
                             contestant("B", many_rounds, 2.0),
                             contestant("C", many_rounds, other_s), setting});
    };
    EXPECT_EQ(instead(judged({problem_beside(1.5)})), "MPI_A[linear](m)");
    EXPECT_EQ(instead(judged({problem_beside(1.4)})), "C");
    EXPECT_EQ(instead(judged({problem_beside(1.6)})), "MPI_A[linear](m)");
}

TEST(Remedy, NothingIsAdvisedWithoutEvidenceForTheFastest) {
    // Three rounds prove nothing, and the proven contestant is slower by a third.
    const JudgedCheck check = judged({problem_of_three(1.5, 3)});
    EXPECT_EQ(check.verdict, Verdict::violated);
    EXPECT_FALSE(check.remedy);
    // Two percent are no reason to be silent.
    EXPECT_EQ(instead(judged({problem_of_three(1.96, 3)})), "B");
}

TEST(Remedy, HasTheLargestFactorAmongEquallyFastWays) {
    // C has the smaller median, yet in most rounds A takes longer than B by more.
    std::vector<double> a_s, b_s, c_s;
    for (std::size_t k = 0; k < many_rounds; ++k) {
        a_s.push_back(k % 10 < 4 ? 2.0 : 6.0);
        b_s.push_back(a_s.back() / 1.6);
        c_s.push_back(a_s.back() / (k % 10 < 4 || k % 10 > 6 ? 1.58 : 2.0));
    }
    ASSERT_LT(judge::median(c_s), judge::median(b_s));
    const JudgedCheck check =
        judged({problem_with({contestant("A", a_s), contestant("B", b_s), contestant("C", c_s)})});
    ASSERT_EQ(instead(check), "B");
    EXPECT_DOUBLE_EQ(check.remedy->factor, check.samples->judgement.factor);
}

TEST(Remedy, HasTheFewestStepsAmongEquallyFastWays) {
    const JudgedCheck check = judged({problem_of_three(1.96)});
    ASSERT_EQ(instead(check), "B");
    EXPECT_EQ(check.remedy->factor, 1.5);
}

TEST(Remedy, IsShownByEvidenceWhateverTheRuleIs) {
    // A is faster by medians, B by minima and means.
    std::vector<double> a_s(many_rounds, 3.0), b_s(many_rounds, 3.1);
    for (std::size_t k = 0; k < many_rounds / 3; ++k) {
        a_s[many_rounds - 1 - k] = 2.0;
        b_s[many_rounds - 1 - k] = 1.0;
    }
    const auto judged_by = [](judge::Criterion criterion, const std::vector<double>& left_s,
                              const std::vector<double>& right_s) {
        const record::Audit audit{
            audit_header(),
            {problem_with({contestant("A", left_s), contestant("B", right_s)})},
            {},
            {}};
        return make_report(audit, {.criterion = criterion, .outliers = judge::Outliers::none})
            .checks.front();
    };
    EXPECT_NE(judged_by(judge::Criterion::evidence, a_s, b_s).verdict, Verdict::violated);
    for (const auto criterion : {judge::Criterion::minima, judge::Criterion::averages}) {
        const JudgedCheck check = judged_by(criterion, a_s, b_s);
        ASSERT_EQ(check.verdict, Verdict::violated);
        EXPECT_GT(check.samples->judgement.factor, 1.05);
        EXPECT_FALSE(check.remedy);
    }
    // With one sample of 302 s the mean is 12 times that of B, but the median ratio of both is 2.
    std::vector<double> disturbed(many_rounds, 2.0);
    disturbed[7] = 302.0;
    const JudgedCheck both =
        judged_by(judge::Criterion::averages, disturbed, std::vector<double>(many_rounds, 1.0));
    EXPECT_DOUBLE_EQ(both.samples->judgement.factor, 12.0);
    ASSERT_TRUE(both.remedy);
    EXPECT_EQ(both.remedy->factor, 2.0);
    EXPECT_EQ(both.remedy->saved_s, 1.0);
}

TEST(Remedy, AViolationOfTheMeanAloneHasNone) {
    // A mean accuses A beside B; C is faster without doubt, which is another check.
    std::vector<double> disturbed(many_rounds, 2.0);
    disturbed[7] = 302.0;
    record::ProblemRecord problem =
        problem_with({contestant("A", disturbed), contestant("B", many_rounds, 2.0),
                      contestant("C", many_rounds, 1.0)});
    problem.checks.push_back({"g3", 0, 2});
    const Report report =
        make_report(record::Audit{audit_header(), {problem}, {}, {}},
                    {.criterion = judge::Criterion::averages, .outliers = judge::Outliers::none});
    ASSERT_EQ(report.checks[0].verdict, Verdict::violated);
    EXPECT_FALSE(report.checks[0].remedy);
    EXPECT_EQ(instead(report.checks[2]), "C");
}

TEST(Remedy, IsChosenOnTheFirstLaunchAndMeasuredOnTheOthers) {
    const JudgedCheck agreed = judged({problem_of_three(1.0), problem_of_three(1.5)});
    ASSERT_EQ(instead(agreed), "C");
    EXPECT_DOUBLE_EQ(agreed.remedy->factor, 2.0);
    EXPECT_DOUBLE_EQ(agreed.remedy->left_s, 3.0);
    EXPECT_DOUBLE_EQ(agreed.remedy->instead_s, 1.5);
    EXPECT_DOUBLE_EQ(agreed.remedy->saved_s, 1.5);
    // The other launches would choose D.
    record::ProblemRecord first =
        problem_with({contestant("A", many_rounds, 3.0), contestant("B", many_rounds, 2.0),
                      contestant("C", many_rounds, 1.0), contestant("D", many_rounds, 1.5)});
    record::ProblemRecord second = first;
    second.contestants[3] = contestant("D", many_rounds, 0.5);
    EXPECT_EQ(instead(judged({first, second, second})), "C");
}

TEST(Remedy, IsNoWayThatALaunchOfTheCheckRefutesOrHasNotMeasured) {
    // C is slowest in the third launch.
    const JudgedCheck disputed =
        judged({problem_of_three(1.0), problem_of_three(1.0), problem_of_three(4.0)});
    EXPECT_EQ(disputed.verdict, Verdict::violated);
    EXPECT_EQ(instead(disputed), "B");
    record::ProblemRecord without = problem_of_three(1.0);
    without.contestants.pop_back();
    without.checks.pop_back();
    EXPECT_EQ(instead(judged({problem_of_three(1.0), without})), "B");
    record::ProblemRecord wrong = problem_of_three(1.0);
    wrong.contestants[2].wrong = Fault{{}, "no data"};
    EXPECT_EQ(instead(judged({problem_of_three(1.0), wrong})), "B");
}

TEST(Remedy, RemarksHaveNone) {
    record::Implementation reference;
    reference.name = "A";
    reference.collective = "gather";
    const JudgedCheck check = judged(
        {problem_with({contestant("A(m)", many_rounds, 3.0), contestant("B", many_rounds, 2.0)})},
        {reference});
    EXPECT_EQ(check.verdict, Verdict::violated);
    EXPECT_EQ(check.kind, CheckKind::remark);
    EXPECT_FALSE(check.is_violation());
    EXPECT_FALSE(check.remedy);
}

TEST(Remedy, ContestantsOfOneNameBetweenOtherLayoutsAreOthers) {
    Contestant other = contestant("B", many_rounds, 9.0);
    other.to = "replicated";
    record::Audit audit{audit_header(),
                        {problem_with({contestant("A", many_rounds, 3.0),
                                       contestant("B", many_rounds, 2.0), other})},
                        {},
                        {}};
    const Report report = make_report(audit, {});
    EXPECT_EQ(report.problems[0].contestants[1].statistics->median, 2.0);
    EXPECT_EQ(report.problems[0].contestants[2].statistics->median, 9.0);
    EXPECT_EQ(report.problems[0].contestants[1].statistics->samples, many_rounds);
}

}  // namespace
}  // namespace mpiaudit
