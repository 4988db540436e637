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

using testing::HasSubstr;
using testing::Not;

/// A report with one violated check of MPI_Gather whose remedy has this name and these steps.
Report with_remedy(const std::string& name, const std::vector<record::Step>& steps,
                   bool is_forced = false) {
    Report report = small_report();
    ReportedContestant way = report.problems.front().contestants.front();
    way.name = name;
    way.steps = steps;
    way.forced = is_forced;
    report.problems.front().contestants.push_back(way);
    report.checks.resize(1);
    JudgedCheck& check = report.checks.front();
    check.left = "MPI_Gather(m)";
    check.right = name;
    check.remedy = Remedy{name, 1.5, 1e-6, 3e-6, 2e-6};
    count_again(report);
    return report;
}

TEST(Overview, ContestantsOfOneNameDifferByTheirLayouts) {
    Report report = with_remedy("MPI_Gatherv(m)", {{"MPI_Gatherv", "scattered", "rooted"}});
    std::vector<ReportedContestant>& contestants = report.problems.front().contestants;
    ReportedContestant other = contestants.back();
    other.to = "replicated";
    other.steps = {{"linear_Gather", "scattered", "replicated"}};
    contestants.insert(contestants.begin(), other);
    count_again(report);
    EXPECT_EQ(rows_in_words(report).at(0).instead, "MPI_Gatherv");
    EXPECT_EQ(contestant_of(report.checks.front(), "MPI_Gatherv(m)", report.problems.front()),
              &contestants.back());
}

TEST(Overview, TheRemedyHasFewWords) {
    const record::Step gatherv{"MPI_Gatherv", "scattered", "rooted"},
        reference{"linear_Gather", "scattered", "rooted"};
    const auto instead = [](const Report& report) { return rows_in_words(report).at(0).instead; };
    EXPECT_EQ(instead(with_remedy("MPI_Gatherv(m)", {gatherv})), "MPI_Gatherv");
    EXPECT_EQ(instead(with_remedy("2 MPI_Gather(m/2)", {gatherv})),
              "report it (mpiaudit reproduce); 2 calls of half the size are faster, and lay out "
              "blocks otherwise");
    EXPECT_EQ(instead(with_remedy("10 MPI_Gatherv(m/10)", {gatherv})),
              "10 MPI_Gatherv of 1/10 the size");
    EXPECT_EQ(instead(with_remedy("2 MPI_Gatherv(m/2)", {gatherv})),
              "2 MPI_Gatherv of half the size");
    EXPECT_EQ(instead(with_remedy("2 MPI_Other(m/2) + MPI_More(m/2)", {gatherv})),
              "2 MPI_Other(m/2) + MPI_More(m/2)");
    EXPECT_EQ(instead(with_remedy("MPI_Allreduce[by MPI_Allgather](m)", {gatherv})),
              "MPI_Allgather + MPI_Reduce_local");
    EXPECT_EQ(instead(with_remedy("linear_Gather(m)", {reference})),
              "no MPI call helps: report it (mpiaudit reproduce); faster: linear");
    // A setting is text that can be typed.
    Report forced = with_remedy("MPI_Gather[binomial](m)",
                                {{"MPI_Gather[binomial]", "scattered", "rooted"}}, true);
    record::Implementation& setting = forced.header.implementations.emplace_back();
    setting.name = "MPI_Gather[binomial]";
    setting.written_as = "MPIR_CVAR_GATHER_INTRA_ALGORITHM=binomial";
    count_again(forced);
    EXPECT_EQ(instead(forced), "set MPIR_CVAR_GATHER_INTRA_ALGORITHM=binomial (binomial tree)");
}

TEST(Overview, ASettingStandsInTheRowThatItCures) {
    Report report = small_report();
    report.header.with_choice = {"A"};
    report.compared_operations = {"A"};
    EXPECT_THAT(whole(report), HasSubstr("\nNo other algorithm of the library was faster for A\n"));
    const std::string blocking =
        "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_a_algorithm=3";
    report.faster_settings = {{.operation = "A",
                               .variables = blocking,
                               .algorithm = "linear_nb",
                               .family = "linear, nonblocking",
                               .factor = 2,
                               .saved_s = 1e-6,
                               .launches = 2,
                               .bytes = 4096,
                               .slower_at_bytes = {8, 16},
                               .slower_by = 1.3},
                              {.operation = "MPI_Ib + MPI_Wait",
                               .variables = "OMPI_MCA_coll_libnbc_ib_algorithm=1",
                               .algorithm = "linear",
                               .family = "linear",
                               .factor = 2,
                               .saved_s = 1e-6,
                               .launches = 2,
                               .bytes = 4,
                               .slower_at_bytes = {}}};
    const std::string text = plain(report);
    EXPECT_THAT(row_of(report), testing::EndsWith("  B [1]"));
    EXPECT_THAT(text,
                HasSubstr("\n[1] or set, 2.00 times as fast at 4 KiB (slower at 8 B, 16 B: 1.30):\n"
                          "    OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
                          "OMPI_MCA_coll_tuned_a_algorithm=3\n"));
    // An operation without a row has a sentence.
    EXPECT_THAT(text, HasSubstr("\nMPI_Ib + MPI_Wait 2.00 times as fast at 4 B: linear\n"
                                "  OMPI_MCA_coll_libnbc_ib_algorithm=1\n"));
    EXPECT_THAT(text, Not(HasSubstr("To look for a setting")));
    EXPECT_THAT(other_findings(report),
                testing::Contains("A setting, in 2 launches: A 2.00 times as fast at 4 KiB: "
                                  "linear_nb (linear, nonblocking); slower at 8 B, 16 B, up to "
                                  "1.30 times as long (" +
                                  blocking + ")"));
}

TEST(Overview, AdviceThatDoesNotFitEndsWithDotsAndConditionsHaveAStar) {
    Report report =
        with_remedy("MPI_Scatter(m) + MPI_Allgather(m)", {{"MPI_Scatter", "scattered", "rooted"}});
    EXPECT_THAT(row_of(report), testing::EndsWith("  Scatter + Allgather"));
    report.problems.front().problem.distribution = "spikes";
    EXPECT_THAT(row_of(report), testing::EndsWith("  Scatter + Allgather [1]"));
    EXPECT_THAT(plain(report), HasSubstr("\n[1] measured with blocks: spikes\n"));
    report.checks.front().left = "MPI_Reduce_scatter_block(m)";
    count_again(report);
    EXPECT_THAT(row_of(report), testing::EndsWith("  Scatter + .. [1]"));
    EXPECT_LE(row_of(report).size(), 80U);
    EXPECT_THAT(plain(report),
                HasSubstr("\n[1] Scatter + Allgather; measured with blocks: spikes\n"));
    // A table of many rows has no lines for the conditions of each.
    report.checks.front().remedy->saved_s = 1e-3;
    for (const char* other : {"MPI_Scan", "MPI_Exscan"})
        add_problem(report, other, "same", 10, 1.6);
    EXPECT_THAT(row_of(report), testing::EndsWith("  Scatter + .. *"));
    EXPECT_THAT(plain(report), HasSubstr("\n* under conditions: explain the row\n"));
}

TEST(Overview, AnOperationOfTheSimulatorIsNotOfTheLibrary) {
    Report report =
        with_remedy("MPI_Igather(m) + MPI_Wait", {{"MPI_Igather", "scattered", "rooted"}});
    EXPECT_THAT(row_of(report), testing::EndsWith("  Igather"));
    report.header.simulated = true;
    EXPECT_THAT(row_of(report), testing::EndsWith("  Igather [1]"));
    EXPECT_EQ(rows_in_words(report).at(0).caveat,
              "the simulator's own nonblocking operation, which is linear");
    report = with_remedy("MPI_Gatherv(m)", {{"MPI_Gatherv", "scattered", "rooted"}});
    report.header.simulated = true;
    EXPECT_EQ(rows_in_words(report).at(0).caveat, "");
}

TEST(Overview, ACallThatAProgramCanMakeComesBeforeAReport) {
    Report report = with_remedy("linear_Gather(m)", {{"linear_Gather", "scattered", "rooted"}});
    // The right side is faster, too, by the ratio of the check itself.
    report.checks.front().right = "B(m)";
    report.checks.front().samples->judgement.factor = 1.25;
    count_again(report);
    const OverviewRow& row = report.overview.at(0);
    EXPECT_EQ(rows_in_words(report).at(0).instead, "B");
    EXPECT_EQ(row.factor, 1.25);
    EXPECT_DOUBLE_EQ(row.lost_s, 3e-6 * 0.2);
    // A form that only tests the library is no replacement either.
    report.checks.front().right = "MPI_Gather[shuffled](m)";
    report.checks.front().remedy.reset();
    count_again(report);
    EXPECT_EQ(report.overview.at(0).kind, AdviceKind::report);
}

TEST(Overview, CommunicatorsAreKeptNotReplaced) {
    Report report = with_remedy("MPI_Comm_dup[by MPI_Allreduce]", {});
    report.checks.front().left = "MPI_Comm_dup";
    report.checks.front().remedy.reset();
    count_again(report);
    EXPECT_EQ(row_of(report), "S1 Comm_dup    3.00       -  3.00  1.50  -         reuse it");
    // Another function makes the same communicator in less time.
    report.checks.front().right = "MPI_Comm_split";
    report.checks.front().samples->judgement.factor = 20.0;
    count_again(report);
    EXPECT_EQ(row_of(report), "S1 Comm_dup    3.00   0.150  2.85  20.0  -         Comm_split");
    EXPECT_EQ(rows_in_words(report).at(0).instead, "keep the communicator, or MPI_Comm_split");
}

TEST(Overview, TheRatioIsThatOfTheReplacement) {
    Report report = small_report();
    report.checks[0].samples->judgement.factor = 1.4;  // B(m) over the guideline's right side
    count_again(report);
    EXPECT_THAT(row_of(report), HasSubstr("    2.00  1.00 "));
    report.checks[0].remedy.reset();
    count_again(report);
    EXPECT_THAT(row_of(report), HasSubstr("    2.14 0.857 "));
}

}  // namespace
}  // namespace mpiaudit
