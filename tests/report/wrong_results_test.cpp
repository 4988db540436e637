// SPDX-License-Identifier: BSD-3-Clause
#include "report/wrong_results.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "report/console.h"
#include "report/gate.h"
#include "report/small_audit.h"
#include "report/small_report.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ReportedContestant wrong_way(const std::string& name, const std::string& what) {
    ReportedContestant made;
    static_cast<record::ContestantDescription&>(made) = wrong_contestant(name, what);
    return made;
}

/// The first problem was only verified.
Report report_with(const std::vector<ReportedContestant>& verified,
                   const std::vector<ReportedContestant>& measured = {}) {
    Report report;
    report.header = audit_header();
    report.header.planned_problems = 2;
    report.is_complete = true;
    for (const char* id : {"verify-same/b=10", "same/b=10"}) {
        ReportedProblem& problem = report.problems.emplace_back();
        static_cast<record::MeasuredProblem&>(problem) = problem_record("same", {});
        problem.problem.id = id;
    }
    report.problems[0].problem.verification = true;
    report.problems[0].contestants = verified;
    report.problems[1].contestants = measured;
    return report;
}

std::vector<std::string> sentences(const Report& report) {
    std::vector<std::string> all;
    for (const WrongOperation& each : wrong_operations(report)) all.push_back(each.sentence());
    return all;
}

TEST(WrongResults, SumsThatSaturateAreOneRemarkAndNotWrong) {
    ReportedContestant saturated = wrong_way("MPI_Reduce(m)", "");
    saturated.wrong.reset();
    saturated.remark = "rank 0: element 0 of block 0 is 65535, not 4464: the sum saturates";
    Report report = report_with({saturated, saturated});
    report.problems[0].problem.element = "ushort";
    EXPECT_THAT(wrong_forms(report), testing::IsEmpty());
    EXPECT_THAT(saturated_sums(report), testing::StartsWith("MPI_SUM of ushort saturates"));
    report.problems[0].contestants = {wrong_way("MPI_Reduce(m)", "x")};
    EXPECT_EQ(saturated_sums(report), "");
}

TEST(WrongResults, FormsOfOneOperationAndWhatCallsThemAreOneFault) {
    const Report report = report_with(
        {wrong_way("MPI_Iallreduce[2 parts](m)", "x"),
         wrong_way("MPI_Allreduce_init[once](m)", "x"), wrong_way("MPI_Allreduce(m)", "x"),
         wrong_way("MPI_Bcast(m)", "hangs: y")},
        {wrong_way("MPI_Allreduce(m) #2", "x"),
         wrong_way("MPI_Reduce(m) + MPI_Bcast(m)", "hangs: y"),
         wrong_way("MPI_Reduce(m) + MPI_Scan(m)", "z"), wrong_way("census_Allreduce(m)", "z")});
    EXPECT_THAT(
        sentences(report),
        ElementsAre("MPI_Allreduce(m) gives a wrong result on verify-same/b=10: x; the same with 2 "
                    "other forms of MPI_Allreduce and on 1 other problem",
                    "MPI_Bcast(m) on verify-same/b=10: hangs: y; the same with 1 other form of "
                    "MPI_Bcast and on 1 other problem",
                    "census_Allreduce(m) gives a wrong result on same/b=10: z",
                    "MPI_Reduce(m) + MPI_Scan(m) gives a wrong result on same/b=10: z"));
    EXPECT_EQ(wrong_forms(report).size(), 7U);
}

TEST(WrongResults, ABarrierThatIsWrongWhereItBringsRanksTogether) {
    Report report = report_with({}, {wrong_way("MPI_Ibarrier(m)", "x")});
    report.wrong_barrier = record::Incident{"same/b=10", "MPI_Barrier (--sync)", "x"};
    EXPECT_THAT(
        sentences(report),
        ElementsAre("MPI_Barrier (--sync) gives a wrong result on same/b=10: x; the same with "
                    "1 other form of MPI_Barrier"));
    EXPECT_EQ(wrong_forms(report).front().command,
              "mpirun -n 4 ./mpiaudit verify --collectives MPI_Barrier");
}

TEST(WrongResults, AFaultThatIsKnownFromElsewhereIsNone) {
    ReportedContestant known;
    known.name = "MPI_Allgatherv[sent as one type](m)";
    known.known_to_fail = true;
    known.skipped = "MPI_Allgatherv[sent as one type] is known to hang; not tested here";
    const Report report = report_with({known, known}, {known});
    EXPECT_TRUE(wrong_forms(report).empty());
    EXPECT_THAT(untested_known_faults(report), ElementsAre(*known.skipped));
    EXPECT_EQ(verified_forms(report).all, 0U);
    const std::string screen = overview(report, {}, "");
    EXPECT_THAT(screen, HasSubstr("\n" + *known.skipped + "\n"));
    EXPECT_EQ(screen.find("WRONG"), std::string::npos);
}

TEST(WrongResults, ASentenceSaysHowMuchWasVerified) {
    ReportedContestant verified, late;
    verified.name = "MPI_Bcast(m)";
    late.name = "MPI_Gather(m)";
    late.skipped = record::no_time_left;
    Report report = report_with({verified, late, late, wrong_way("MPI_Scan(m)", "x")});
    report.problems[0].elapsed_s = 5.0;
    // 10 s for all forms, with half of it as a reserve, are a quarter of the budget.
    EXPECT_EQ(verified_forms(report).sentence(), "Verified 2 of 4 forms; --budget 1m verifies all");
    report.problems[0].contestants.resize(1);
    EXPECT_EQ(verified_forms(report).sentence(), "");
}

TEST(WrongResults, FailUnlessTheyAreInTheBaseline) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "wrong-baseline";
    std::filesystem::create_directories(folder);
    const auto with = [](std::vector<ReportedContestant> wrong) {
        ReportedContestant right;
        right.name = "MPI_Scan(m)";
        right.statistics.emplace().median = 1e-6;
        return report_with(wrong, {right});
    };
    const Report before = with({wrong_way("MPI_Bcast(m)", "x")});
    const Report after =
        with({wrong_way("MPI_Bcast(m)", "y"), wrong_way("MPI_Gather[in place](m)", "z")});
    write_report(before, folder / "report.json");
    GateOptions options;
    EXPECT_EQ(outcome_of_gate(after, options).wrong.size(), 2U);
    options.baseline = folder;
    const GateOutcome outcome = outcome_of_gate(after, options);
    ASSERT_EQ(outcome.wrong.size(), 1U);
    EXPECT_EQ(outcome.wrong.front().form, "MPI_Gather[in place]");
    EXPECT_EQ(outcome.excused_wrong.size(), 1U);
    EXPECT_THAT(in_words(outcome), HasSubstr("1 form is wrong in the baseline, too\n"));
    EXPECT_TRUE(outcome_of_gate(before, options).wrong.empty());
    const std::string xml = writers::junit(after, outcome);
    EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\""));
    EXPECT_THAT(xml, HasSubstr("<testcase classname=\"wrong result\" name=\"MPI_Gather[in place]\" "
                               "time=\"0\">\n   <failure type=\"wrong\" message=\"MPI_Gather[in "
                               "place](m) gives a wrong result on verify-same/b=10: z\">mpirun "));
    EXPECT_THAT(xml, HasSubstr("<system-out>as in the baseline: MPI_Bcast(m) gives"));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mpiaudit
