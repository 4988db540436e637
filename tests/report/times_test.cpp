// SPDX-License-Identifier: BSD-3-Clause
#include "screens/times.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/small_audit.h"
#include "report/small_report.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

/// Samples of which one in ten takes 50 times as long.
std::vector<double> with_long_calls(double seconds) {
    std::vector<double> samples_s(20, seconds);
    samples_s[3] = samples_s[13] = 50 * seconds;
    return samples_s;
}

/// A report of two problems without checks, as --table makes it.
Report timed_report() {
    record::Audit audit{audit_header(), {}, {}, {}};
    audit.header.guidelines.clear();
    for (const char* distribution : {"same", "spikes:rho=10,x=2"}) {
        auto problem =
            problem_record(distribution, {contestant("MPI_Gatherv(m)", with_long_calls(2e-6)),
                                          contestant("TUW_Gatherv(m)", 20, 3e-3)});
        problem.checks.clear();
        problem.contestants[0].ranks = record::RankMedians{3, 1, 0.5e-6, 2e-6};
        audit.problems.push_back(std::move(problem));
    }
    return make_report(audit, {});
}

TEST(Times, HaveARowForEachDistributionAndImplementation) {
    const std::vector<TimesRow> found = times_of(timed_report());
    ASSERT_THAT(found, SizeIs(4));
    EXPECT_EQ(found[0].distribution, "same");
    EXPECT_EQ(found[0].implementation, "MPI_Gatherv");
    EXPECT_EQ(found[1].implementation, "TUW_Gatherv");
    EXPECT_EQ(found[0].bytes, 40) << "of a block";
    EXPECT_EQ(found[0].samples, 20U);
    EXPECT_EQ(found[0].median_s, 2e-6);
    EXPECT_EQ(found[0].minimum_s, 2e-6);
    EXPECT_NEAR(found[0].p90_s, 11.8e-6, 1e-12) << "outliers count";
    EXPECT_NEAR(found[0].p99_s, 100e-6, 1e-12);
    EXPECT_NEAR(found[0].maximum_s, 100e-6, 1e-12);
    EXPECT_NEAR(found[0].long_share, 200.0 / 236, 1e-12);
}

TEST(Times, OfAProblemAreOneLine) {
    std::vector<TimesRow> rows = times_of(timed_report());
    rows.resize(2);
    EXPECT_EQ(times_in_words(rows), "same, 40 B: MPI_Gatherv 2.000 us, TUW_Gatherv 3000 us");
    rows.front().bytes.reset();
    rows.resize(1);
    EXPECT_EQ(times_in_words(rows), "same: MPI_Gatherv 2.000 us");
    EXPECT_EQ(times_in_words({}), "");
}

TEST(Times, AreAlignedInEightyColumns) {
    const Report report = timed_report();
    const std::vector<std::string> lines =
        lines_of(printers_of_times::table(report, times_of(report)));
    EXPECT_THAT(lines, Each(SizeIs(testing::Le(80))));
    EXPECT_THAT(lines, Contains("# MPI_Gatherv"));
    EXPECT_THAT(lines, Contains("# blocks        bytes median   min   p90   p99   max >10x  fast  "
                                "of  slow  of"));
    EXPECT_THAT(lines, Contains("same               40  2.000 2.000 11.80 100.0 100.0  85% 0.500   "
                                "3 2.000   1"));
    EXPECT_THAT(lines, Contains("spikes:rho= ...    40  2.000 2.000 11.80 100.0 100.0  85% 0.500   "
                                "3 2.000   1"));
    EXPECT_THAT(lines, Contains("same               40   3000  3000  3000  3000  3000   0%"));
    EXPECT_THAT(lines.front(), AllOf(StartsWith("# L, 4 ranks"), HasSubstr("int, root 2")));
}

TEST(Times, AsCsvHaveACellForEachKey) {
    const Report report = timed_report();
    EXPECT_THAT(
        lines_of(printers_of_times::csv(report, times_of(report))),
        ElementsAre(
            "distribution,implementation,problem,bytes,samples,median_s,minimum_s,p90_s,p99_s,"
            "maximum_s,long_share,fastest_rank,fastest_rank_s,slowest_rank,slowest_rank_s",
            "same,MPI_Gatherv,same/"
            "b=10,40,20,2e-6,2e-6,1.18e-5,0.0001,0.0001,0.847458,3,5e-7,1,2e-6",
            "same,TUW_Gatherv,same/b=10,40,20,0.003,0.003,0.003,0.003,0.003,0,,,,",
            "\"spikes:rho=10,x=2\",MPI_Gatherv,\"spikes:rho=10,x=2/b=10\",40,20,2e-6,2e-6,1.18e-5,"
            "0.0001,0.0001,0.847458,3,5e-7,1,2e-6",
            "\"spikes:rho=10,x=2\",TUW_Gatherv,\"spikes:rho=10,x=2/b=10\",40,20,0.003,0.003,0.003,"
            "0.003,0.003,0,,,,"));
}

TEST(Times, AsLinesOfJsonHaveTheKeysOfTheCsv) {
    const Report report = timed_report();
    const auto lines = lines_of(printers_of_times::json_lines(report, times_of(report)));
    ASSERT_THAT(lines, SizeIs(4));
    const auto row = nlohmann::json::parse(lines[2]);
    EXPECT_EQ(row.at("distribution"), "spikes:rho=10,x=2");
    EXPECT_EQ(row.at("p90_s"), 1.18e-5);
    EXPECT_EQ(row.at("slowest_rank"), 1);
    EXPECT_FALSE(nlohmann::json::parse(lines[1]).contains("slowest_rank"));
}

TEST(Times, OperationsThatWereNotTimedHaveAReason) {
    Report report = timed_report();
    EXPECT_EQ(not_timed_in_words(report), "");
    report.problems[1].contestants[0].skipped =
        Reason{ReasonKind::does_not_fit, "needs equal blocks"};
    report.problems[1].contestants[1].skipped = Reason{ReasonKind::does_not_fit, "needs 9.1 GiB"};
    EXPECT_EQ(not_timed_in_words(report),
              "not timed: MPI_Gatherv on spikes:rho=10,x=2/b=10: needs equal blocks (and 1 more)");
}

/// An audit of one check of MPI_Gatherv on each of so many problems, and one of `other` if given.
Report report_of_checks(int problems, const char* other = nullptr) {
    record::Audit audit{audit_header(), {}, {}, {}};
    for (int i = 0; i < problems; ++i) {
        std::vector<record::Contestant> contestants = {contestant("MPI_Gatherv(m)", 12, 2e-6),
                                                       contestant("MPI_Allgatherv(m)", 12, 3e-6)};
        if (other != nullptr) {
            contestants.push_back(contestant(other, 12, 1e-6));
            contestants.push_back(contestant("MPI_Allgatherv(m) #2", 12, 3e-6));
        }
        audit.problems.push_back(problem_record("same", std::move(contestants)));
        audit.problems.back().problem.id += std::to_string(i);
    }
    return make_report(audit, {});
}

TEST(Times, OfTheOnlyOperationStandBelowTheVerdict) {
    const std::string table = times_of_the_operation(report_of_checks(2), {});
    EXPECT_THAT(table, HasSubstr("\n# MPI_Gatherv\n"));
    EXPECT_THAT(table, testing::Not(HasSubstr("Allgatherv")));
    EXPECT_EQ(times_of_the_operation(report_of_checks(2, "MPI_Gather(m)"), {}), "");
    // Another form of the operation.
    EXPECT_EQ(times_of_the_operation(report_of_checks(2, "MPI_Igatherv(m) + MPI_Wait"), {}), table);
}

TEST(Times, OnATerminalAreCutBelowTheVerdict) {
    const Report report = report_of_checks(20);
    EXPECT_THAT(times_of_the_operation(report, {}),
                HasSubstr("# and 4 more lines: mpiaudit judge FOLDER --table"));
    EXPECT_THAT(times_of_the_operation(report, {.rows = 0}), testing::Not(HasSubstr("more lines")));
}

}  // namespace
}  // namespace mpiaudit
