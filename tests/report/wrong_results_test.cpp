// SPDX-License-Identifier: BSD-3-Clause
#include "report/wrong_results.h"
#include "answer/answer.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "report/gate.h"
#include "report/small_audit.h"
#include "report/small_report.h"
#include "screens/console.h"
#include "screens/fitting.h"
#include "screens/formats.h"
#include "screens/report_json.h"

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
    for (const WrongOperation& each : wrong_operations(report)) all.push_back(in_words(each));
    return all;
}

record::CallFinding finding(const std::string& operation, const std::string& conditions,
                            const std::string& what) {
    return {.operation = operation,
            .form = operation,
            .conditions = conditions,
            .call = "operation=" + operation + " " + conditions,
            .origin = {},
            .what = fault_of_old_text(what)};
}

TEST(WrongResults, GeneratedCallsWithEqualConditionsAreOneFault) {
    Report report = report_with({}, {wrong_way("MPI_Allreduce(m)", "x")});
    report.generated_calls.emplace().findings = {
        finding("MPI_Gather", "on a ring", "x"), finding("MPI_Allreduce", "", "x"),
        finding("MPI_Scatter", "on a ring", "y"), finding("MPI_Gather", "on a ring", "hangs: z"),
        finding("MPI_Scan", "on a ring", "y")};
    EXPECT_THAT(sentences(report),
                ElementsAre("MPI_Allreduce(m) gives a wrong result on same/b=10: x; the same with "
                            "1 other form of MPI_Allreduce",
                            "MPI_Gather, on a ring: x; the same with 2 other operations",
                            "MPI_Gather, on a ring: hangs: z"));
    EXPECT_EQ(command_of(report, wrong_forms(report)[1]),
              "mpirun -n 4 ./mpiaudit verify --call 'operation=MPI_Gather on a ring'");
}

TEST(WrongResults, AFaultThatIsKnownInThisVersionIsNoneOfGeneratedCalls) {
    Report report = report_with({}, {wrong_way("MPI_Gather_init[once](m)", "x")});
    record::CallFinding known = finding("MPI_Gather", "on a ring", "x");
    known.is_known = true;
    report.generated_calls.emplace().findings = {known};
    EXPECT_EQ(wrong_forms(report).size(), 1U);
    report.generated_calls.emplace().findings = {known, known};
    EXPECT_EQ(known_faults_in_words(report),
              "Known in this version of the library: MPI_Gather, on a ring: x; and 1 more fault");
}

TEST(WrongResults, AFormThatIsKnownToFailInThisVersionIsNoNewFault) {
    Report report = report_with({}, {wrong_way("MPI_Gather_init[once](m)", "x")});
    report.header.mpi.library = "MPICH Version: 5.0.2";
    EXPECT_EQ(wrong_forms(report).size(), 1U);
    report.header.mpi.library = "MPICH Version: 4.0.2";
    EXPECT_TRUE(wrong_forms(report).empty());
    EXPECT_EQ(known_faults_in_words(report),
              "Known in this version of the library: MPI_Gather_init[once]: wrong result");
}

TEST(WrongResults, ASentenceSaysHowManyPairsGeneratedCallsHad) {
    Report report = report_with({});
    EXPECT_EQ(generated_calls_in_words(report), "");
    report.generated_calls = {
        .calls = 1000, .seconds = 5, .valid_pairs = 3000, .covered_pairs = 2000};
    EXPECT_EQ(generated_calls_in_words(report),
              "Checked 1000 generated calls of the library in 5.0 s, with 2000 of 3000 pairs of "
              "properties; --check-calls 10s has all pairs");
    report.generated_calls->covered_pairs = 3000;
    EXPECT_THAT(generated_calls_in_words(report), testing::EndsWith("3000 pairs of properties"));
}

TEST(WrongResults, AnOperationIsATestCaseOfGeneratedCalls) {
    Report report = report_with({});
    report.generated_calls = {.operations = {"MPI_Bcast", "MPI_Gather"},
                              .findings = {finding("MPI_Gather", "on a ring", "x"),
                                           finding("MPI_Gather", "root 1", "y")}};
    const GateOutcome outcome = outcome_of_gate(report, {});
    const std::string xml = writers::junit(report, outcome);
    EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"1\""));
    EXPECT_THAT(xml, HasSubstr("classname=\"generated calls\" name=\"MPI_Bcast\" time=\"0\" />"));
    EXPECT_THAT(xml, HasSubstr("name=\"MPI_Gather\" time=\"0\">\n   <failure type=\"wrong\" "
                               "message=\"MPI_Gather, on a ring: x\">"));
    EXPECT_THAT(xml, HasSubstr("MPI_Gather, root 1: y&#10;mpirun -n 4 ./mpiaudit verify --call "));
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
    report.wrong_barrier =
        record::Incident{"same/b=10", "MPI_Barrier (--sync)", {FaultKind::left_early, "x"}};
    EXPECT_THAT(
        sentences(report),
        ElementsAre("MPI_Barrier (--sync) gives a wrong result on same/b=10: x; the same with "
                    "1 other form of MPI_Barrier"));
    EXPECT_EQ(command_of(report, wrong_forms(report).front()),
              "mpirun -n 4 ./mpiaudit verify --collectives MPI_Barrier");
}

TEST(WrongResults, AFaultThatIsKnownFromElsewhereIsNone) {
    ReportedContestant known;
    known.name = "MPI_Allgatherv[sent as one type](m)";
    known.skipped = Reason{ReasonKind::does_not_fit,
                           "MPI_Allgatherv[sent as one type] is known to hang; not tested here"};
    known.known_to_fail = Fault{FaultKind::hangs, known.skipped->said};
    const Report report = report_with({known, known}, {known});
    EXPECT_TRUE(wrong_forms(report).empty());
    EXPECT_THAT(untested_forms(report), ElementsAre(known.skipped->said));
    const std::string screen = fitted(first_screen(report, {}), {});
    EXPECT_THAT(screen, HasSubstr("\n" + known.skipped->said + "\n"));
    EXPECT_EQ(screen.find("WRONG"), std::string::npos);
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
    EXPECT_THAT(in_words(after, outcome), HasSubstr("1 form is wrong in the baseline, too\n"));
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
