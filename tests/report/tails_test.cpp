// SPDX-License-Identifier: BSD-3-Clause
#include "report/tails.h"
#include "answer/answer.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "error_message.h"
#include "record/json_form.h"
#include "record/tails.h"
#include "report/findings.h"
#include "report/small_audit.h"
#include "screens/console.h"
#include "screens/fitting.h"
#include "screens/report_json.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// 1000 calls of 3 us, of which one in `every` takes 10 ms.
std::vector<double> with_tail(int every, std::size_t calls = 1000) {
    std::vector<double> samples_s(calls, 3e-6);
    for (std::size_t k = static_cast<std::size_t>(every) - 1; k < calls;
         k += static_cast<std::size_t>(every))
        samples_s[k] = 10e-3;
    return samples_s;
}

record::Audit audit_of(record::ProblemRecord problem) {
    return {audit_header(), {std::move(problem)}, {}, {}};
}

record::ProblemRecord bcast_beside(std::vector<double> bcast_s, std::vector<double> other_s) {
    return problem_record("same",
                          {contestant("MPI_Bcast(m)", std::move(bcast_s)),
                           contestant("MPI_Scatter(m) + MPI_Allgather(m)", std::move(other_s))});
}

TEST(Tails, NameTheOperationItsUsualTimeAndItsLongCalls) {
    const record::Audit audit = audit_of(bcast_beside(with_tail(50), times(1000, 5e-6)));
    const Report report = make_report(audit, {});
    ASSERT_THAT(report.tails, SizeIs(1));
    const Tail& tail = report.tails.front();
    EXPECT_EQ(tail.calls, 995);
    EXPECT_EQ(tail.long_calls, 20);
    EXPECT_EQ(
        in_words(tail),
        "MPI_Bcast is usually fast (3 us), but 1 in 50 calls takes 10 ms; the other ways have "
        "no such calls (995 calls beside MPI_Scatter + MPI_Allgather).");
    EXPECT_THAT(fitted(first_screen(report, {}), {.rows = 0}),
                HasSubstr("TAIL: MPI_Bcast is usually fast"));
    EXPECT_THAT(other_findings(report), testing::Contains(in_words(tail)));
    const auto json = nlohmann::json::parse(report_json(report));
    EXPECT_EQ(json.at("tails").at(0).at("long_calls"), 20);
    EXPECT_EQ(json.at("tails").at(0).at("long_s"), 10e-3);
}

TEST(Tails, ADisturbanceOfBothSidesAccusesNobody) {
    std::vector<double> other_s = with_tail(50);
    std::ranges::rotate(other_s, other_s.begin() + 7);
    EXPECT_THAT(make_report(audit_of(bcast_beside(with_tail(50), other_s)), {}).tails, IsEmpty());
}

TEST(Tails, RoundsThatLookForThemCount) {
    record::ProblemRecord problem = bcast_beside(times(12, 3e-6), times(12, 5e-6));
    const auto rounds_of_tail = [](bool after_pause, std::size_t long_calls) {
        return record::TailRecord{0, 1, after_pause,
                                  judge::LongCalls{.usual = {3e-6, 5e-6},
                                                   .rounds = 30,
                                                   .left_long_s = times(long_calls, 2e-3),
                                                   .left_all_s = 2e-3 * 30}};
    };
    problem.tails = {rounds_of_tail(true, 30)};
    const std::vector<Tail> after_pause = make_report(audit_of(problem), {}).tails;
    ASSERT_THAT(after_pause, SizeIs(1));
    EXPECT_THAT(in_words(after_pause.front()),
                HasSubstr("but every call after a pause of some milliseconds takes 2 ms"));
    problem.tails = {rounds_of_tail(true, 29)};
    EXPECT_THAT(in_words(make_report(audit_of(problem), {}).tails.front()),
                HasSubstr("but 29 in 30 calls after a pause of some milliseconds take 2 ms"));
    problem.tails = {rounds_of_tail(false, 14)};
    const std::vector<Tail> found = make_report(audit_of(problem), {}).tails;
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found.front().calls, 37);
}

TEST(Tails, AreReadBackAndChecked) {
    record::ProblemRecord problem = bcast_beside(times(12, 3e-6), times(12, 5e-6));
    problem.tails = {{0, 1, true,
                      judge::LongCalls{.usual = {3e-6, 5e-6},
                                       .rounds = 30,
                                       .left_long_s = times(4, 2e-3),
                                       .right_long = 2,
                                       .left_all_s = 0.01}}};
    const record::Header header = audit_header();
    nlohmann::json line = record::line_of(problem);
    EXPECT_EQ(record::line_of(record::problem_of(line, header)).dump(), line.dump());
    line["tails"][0]["right_long"] = 27;
    EXPECT_THAT(error_message([&] { record::problem_of(line, header); }),
                HasSubstr("tails[0] has 4 and 27 long calls in 30 rounds"));
    line["tails"][0]["right"] = 2;
    EXPECT_THAT(error_message([&] { record::problem_of(line, header); }),
                HasSubstr("tails[0] must name contestants below 2, names 0 and 2"));
}

TEST(Tails, OtherRulesAndSimulationsHaveNone) {
    const record::Audit audit = audit_of(bcast_beside(with_tail(50), times(1000, 5e-6)));
    judge::Rule rule{.checks = 3};
    EXPECT_THAT(tails_of({&audit, 1}, rule), SizeIs(1));
    rule.criterion = judge::Criterion::averages;
    EXPECT_THAT(tails_of({&audit, 1}, rule), IsEmpty());
    EXPECT_THAT(tails_of({&audit, 1}, {.deterministic = true}), IsEmpty());
    EXPECT_THAT(tails_of({&audit, 1}, {.is_paired = false}), IsEmpty());
    EXPECT_THAT(tails_of({&audit, 1}, {.checks = 1 << 20}), IsEmpty()) << "evidence";
}

TEST(Tails, PairsTakeTheWayOfOtherOperationsThatTakesAlikeTimes) {
    const auto pairs_with = [](std::vector<record::Contestant> rights) {
        std::vector<record::Contestant> contestants;
        for (record::Contestant& right : rights) {
            contestants.push_back(contestant("MPI_Bcast(m)", 12, 3e-6));
            contestants.push_back(std::move(right));
        }
        record::ProblemRecord problem = problem_record("same", std::move(contestants));
        for (record::Check& check : problem.checks) check.left = 0;
        return record::tail_pairs(problem, 5);
    };
    const auto own = contestant("MPI_Ibcast(m) + MPI_Wait", 12, 2e-6);
    const auto slow = contestant("MPI_Scatter(m) + MPI_Allgather(m)", 12, 9e-6);
    const auto fast = contestant("binomial_Bcast(m)", 12, 4e-6);
    ASSERT_THAT(pairs_with({own, slow, fast}), SizeIs(1));
    EXPECT_EQ(pairs_with({own, slow, fast}).front().right, 5U);
    const auto faster = contestant("linear_Bcast(m)", 12, 2.5e-6);
    EXPECT_EQ(pairs_with({fast, faster, slow}).front().right, 3U) << "as a factor";
    EXPECT_EQ(pairs_with({own, slow}).front().right, 3U);
    EXPECT_EQ(pairs_with({own}).front().right, 1U) << "there is no other way";
    EXPECT_THAT(pairs_with({contestant("binomial_Bcast(m)", 4, 4e-6)}), IsEmpty());
    for (const char* left : {"MPI_Bcast(m) #2", "binomial_Bcast(m)", "2 MPI_Bcast(m/2)",
                             "MPI_Scatter(m) + MPI_Allgather(m)"}) {
        const auto problem =
            problem_record("same", {contestant(left, 12, 3e-6), contestant("A(m)", 12, 2e-6)});
        EXPECT_THAT(record::tail_pairs(problem, 5), IsEmpty()) << left;
    }
}

}  // namespace
}  // namespace mpiaudit
