// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "report/report.h"
#include "small_audit.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using record::Contestant;

constexpr std::size_t many_rounds = 30;

/// The first check is between the first two contestants; nobody asks about the others.
record::ProblemRecord problem_with(std::vector<Contestant> contestants) {
    record::ProblemRecord problem = problem_record("same", std::move(contestants));
    problem.checks.resize(1);
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

TEST(Remedy, IsTheFastestContestantOfTheLayoutsWhateverItsGuideline) {
    Contestant elsewhere = contestant("elsewhere", times(many_rounds, 0.1));
    elsewhere.to = "replicated";
    const JudgedCheck check = judged({problem_with(
        {contestant("MPI_A(m)", times(many_rounds, 3.0)), contestant("B", times(many_rounds, 2.0)),
         contestant("C", times(many_rounds, 1.5)), elsewhere,
         contestant("MPI_A(m)#2", times(many_rounds, 1.0)),
         contestant("MPI_A(m/2)", times(many_rounds, 0.5)), wrong_contestant("wrong", "so"),
         skipped_contestant("skipped", "so")})});
    ASSERT_EQ(check.verdict, Verdict::violated);
    ASSERT_TRUE(check.remedy);
    EXPECT_EQ(check.remedy->contestant, "C");
    EXPECT_DOUBLE_EQ(check.remedy->factor, 2.0);
    EXPECT_DOUBLE_EQ(check.remedy->saved_s, 1.5);
    // The words of the guideline are about B.
    EXPECT_EQ(check.advice, "");
}

TEST(Remedy, TheGuidelineSpeaksWhereItsRightSideIsTheFastest) {
    const JudgedCheck check = judged({problem_with({contestant("A", times(many_rounds, 3.0)),
                                                    contestant("B", times(many_rounds, 2.0)),
                                                    contestant("C", times(many_rounds, 2.5))})});
    ASSERT_TRUE(check.remedy);
    EXPECT_EQ(check.remedy->contestant, "B");
    EXPECT_EQ(check.advice, "Use B.");
}

TEST(Remedy, NothingIsAdvisedWithoutEvidenceForTheFastest) {
    // Three rounds prove nothing, and what is proven is a third slower.
    const auto a = contestant("A", times(many_rounds, 3.0)),
               b = contestant("B", times(many_rounds, 2.0));
    const JudgedCheck check = judged({problem_with({a, b, contestant("C", times(3, 1.5))})});
    EXPECT_EQ(check.verdict, Verdict::violated);
    EXPECT_FALSE(check.remedy);
    EXPECT_EQ(check.advice, "");
    // Two percent are no reason to be silent.
    const JudgedCheck near = judged({problem_with({a, b, contestant("C", times(3, 1.96))})});
    ASSERT_TRUE(near.remedy);
    EXPECT_EQ(near.remedy->contestant, "B");
}

TEST(Remedy, AllLaunchesThatMeasuredBothHaveToSpeakForIt) {
    const auto launch = [](double c_s) {
        return problem_with({contestant("A", times(many_rounds, 3.0)),
                             contestant("B", times(many_rounds, 2.0)),
                             contestant("C", times(many_rounds, c_s))});
    };
    const JudgedCheck agreed = judged({launch(1.0), launch(1.5)});
    ASSERT_TRUE(agreed.remedy);
    EXPECT_EQ(agreed.remedy->contestant, "C");
    EXPECT_DOUBLE_EQ(agreed.remedy->factor, 3.0 / 1.25);
    // In the third launch it is the slowest of all.
    const JudgedCheck disputed = judged({launch(1.0), launch(1.0), launch(4.0)});
    EXPECT_EQ(disputed.verdict, Verdict::violated);
    EXPECT_FALSE(disputed.remedy);
    // Where a launch did not measure it, the others decide.
    record::ProblemRecord without = launch(1.0);
    without.contestants.pop_back();
    const JudgedCheck partly = judged({launch(1.0), without});
    ASSERT_TRUE(partly.remedy);
    EXPECT_EQ(partly.remedy->contestant, "C");
}

TEST(Remedy, RemarksHaveNone) {
    record::Implementation reference;
    reference.name = "A";
    reference.collective = "gather";
    const JudgedCheck check = judged({problem_with({contestant("A(m)", times(many_rounds, 3.0)),
                                                    contestant("B", times(many_rounds, 2.0))})},
                                     {reference});
    EXPECT_EQ(check.verdict, Verdict::violated);
    EXPECT_EQ(check.kind, CheckKind::remark);
    EXPECT_FALSE(check.is_violation());
    EXPECT_FALSE(check.remedy);
    EXPECT_EQ(check.advice, "");
}

TEST(Remedy, ContestantsOfOneNameBetweenOtherLayoutsAreOthers) {
    Contestant other = contestant("B", times(many_rounds, 9.0));
    other.to = "replicated";
    record::Audit audit{audit_header(),
                        {problem_with({contestant("A", times(many_rounds, 3.0)),
                                       contestant("B", times(many_rounds, 2.0)), other})},
                        {},
                        {}};
    const Report report = make_report(audit, {});
    EXPECT_EQ(report.problems[0].contestants[1].statistics->median, 2.0);
    EXPECT_EQ(report.problems[0].contestants[2].statistics->median, 9.0);
    EXPECT_EQ(report.problems[0].contestants[1].statistics->samples, many_rounds);
}

}  // namespace
}  // namespace mpiaudit
