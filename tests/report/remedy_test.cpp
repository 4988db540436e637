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

/// The first check is between the first two contestants, the others hold all else between the same
/// layouts against the second of these.
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

/// What is to be called instead; nothing where that is not clear.
std::string instead(const JudgedCheck& check) {
    return check.remedy ? check.remedy->contestant : "";
}

/// Of A, 3 s, and B, 2 s, and C.
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

/// The table of findings.cpp against all ways to call that the catalogue has.
TEST(Remedy, FormsOfTheCatalogueAreOfferedOnlyIfAProgramCanCallThem) {
    std::set<std::string> offered;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::variant && arrow.kind != Kind::nonblocking) continue;
        record::ContestantDescription way;
        way.name = arrow.name + "(m)";
        const std::string form = record::step_of(way.name).algorithm;
        if (!form.empty() && is_offered_as_replacement(way))
            offered.insert(form.starts_with("by ") ? "by" : form);
    }
    EXPECT_THAT(offered,
                testing::ElementsAre("2 parts", "4 parts", "8 parts", "by", "computing and testing",
                                     "folded", "hierarchical", "in place", "lane", "of copies",
                                     "relayed", "rows and columns", "rows and one column"));
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
    // The words of the guideline are about B.
    EXPECT_EQ(check.advice, "");
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
    EXPECT_EQ(check.advice, "Use B.");
}

TEST(Remedy, NothingIsAdvisedWithoutEvidenceForTheFastest) {
    // Three rounds prove nothing, and what is proven is a third slower.
    const JudgedCheck check = judged({problem_of_three(1.5, 3)});
    EXPECT_EQ(check.verdict, Verdict::violated);
    EXPECT_FALSE(check.remedy);
    EXPECT_EQ(check.advice, "");
    // Two percent are no reason to be silent.
    EXPECT_EQ(instead(judged({problem_of_three(1.96, 3)})), "B");
}

TEST(Remedy, OfWaysThatTakeTheSameTheOneWithTheLargestFactor) {
    // C has the smaller median, yet A takes longer than B by more in the middle round.
    std::vector<double> a_s, c_s;
    for (std::size_t k = 0; k < many_rounds; ++k) {
        a_s.push_back(k % 2 == 0 ? 6.0 : 2.0);
        c_s.push_back(k % 2 == 0 ? 3.0 : 1.9);
    }
    std::vector<double> b_s;
    for (const double each : a_s) b_s.push_back(each / 1.6);
    const JudgedCheck check =
        judged({problem_with({contestant("A", a_s), contestant("B", b_s), contestant("C", c_s)})});
    ASSERT_EQ(instead(check), "B");
    EXPECT_EQ(check.remedy->factor, check.samples->judgement.factor);
}

TEST(Remedy, OfWaysThatTakeTheSameOneOfTheFewestSteps) {
    const JudgedCheck check = judged({problem_of_three(1.96)});
    ASSERT_EQ(instead(check), "B");
    EXPECT_EQ(check.remedy->factor, 1.5);
}

TEST(Remedy, SpeaksOfWhatTheRuleCompares) {
    // By medians A is the faster one, by minima and means B is.
    std::vector<double> a_s(many_rounds, 3.0), b_s(many_rounds, 3.1);
    for (std::size_t k = 0; k < many_rounds / 3; ++k) {
        a_s[many_rounds - 1 - k] = 2.0;
        b_s[many_rounds - 1 - k] = 1.0;
    }
    const record::Audit audit{
        audit_header(), {problem_with({contestant("A", a_s), contestant("B", b_s)})}, {}, {}};
    const auto judged_by = [&](judge::Criterion criterion) {
        return make_report(audit, {.criterion = criterion, .outliers = judge::Outliers::none})
            .checks.front();
    };
    EXPECT_NE(judged_by(judge::Criterion::evidence).verdict, Verdict::violated);
    const JudgedCheck by_minima = judged_by(judge::Criterion::minima);
    ASSERT_EQ(by_minima.verdict, Verdict::violated);
    EXPECT_LT(by_minima.samples->judgement.ratio.median, 1.0);
    EXPECT_DOUBLE_EQ(by_minima.samples->judgement.factor, 2.0);
    ASSERT_TRUE(by_minima.remedy);
    EXPECT_DOUBLE_EQ(by_minima.remedy->factor, 2.0);
    EXPECT_DOUBLE_EQ(by_minima.remedy->saved_s, 1.0);
    const JudgedCheck by_means = judged_by(judge::Criterion::averages);
    ASSERT_EQ(by_means.verdict, Verdict::violated);
    EXPECT_NEAR(by_means.samples->judgement.factor, (2.0 + 2 * 3.0) / (1.0 + 2 * 3.1), 1e-12);
    EXPECT_DOUBLE_EQ(by_means.remedy->factor, by_means.samples->judgement.factor);
}

TEST(Remedy, AllLaunchesThatMeasuredBothHaveToSpeakForIt) {
    const JudgedCheck agreed = judged({problem_of_three(1.0), problem_of_three(1.5)});
    ASSERT_EQ(instead(agreed), "C");
    EXPECT_DOUBLE_EQ(agreed.remedy->factor, 2.5);  // the ratio is 3 in one half and 2 in the other
    // In the third launch it is the slowest of all.
    const JudgedCheck disputed =
        judged({problem_of_three(1.0), problem_of_three(1.0), problem_of_three(4.0)});
    EXPECT_EQ(disputed.verdict, Verdict::violated);
    EXPECT_FALSE(disputed.remedy);
    // Where a launch did not measure it, the others decide.
    record::ProblemRecord without = problem_of_three(1.0);
    without.contestants.pop_back();
    without.checks.pop_back();
    EXPECT_EQ(instead(judged({problem_of_three(1.0), without})), "C");
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
    EXPECT_EQ(check.advice, "");
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
