// SPDX-License-Identifier: BSD-3-Clause
#include "answer/answer.h"
#include "screens/console.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

#include "report/findings.h"
#include "report/small_report.h"
#include "screens/printed_screen.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Overview, RowsAreInTheOrderOfTheTimeThatACallLoses) {
    Report report = many_violated(2);
    report.checks[0].remedy->factor = 5.27;
    report.checks[0].remedy->saved_s = 0.15e-6;
    report.checks[1].remedy->factor = 1.3;
    report.checks[1].remedy->saved_s = 100e-6;
    count_again(report);
    EXPECT_EQ(report.overview.at(0).operation, "MPI_Operation_2");
    EXPECT_EQ(report.overview.at(1).factor, 5.27);
}

TEST(Overview, SizesAreAllAtWhichAnyWayIsFaster) {
    Report report = small_report();
    report.checks.clear();
    for (const auto& [block_size, factor] :
         {std::pair{16, 1.0}, {32, 1.5}, {64, 2.0}, {128, 1.4}, {256, 1.0}})
        add_problem(report, "MPI_Gather", "same", block_size, factor);
    add_problem(report, "MPI_Gather", "spikes", 512, 1.3);
    const auto row = [&] { return report.overview.at(0); };
    EXPECT_EQ(row().problem, "same/b=64");
    EXPECT_EQ(row().bytes, 256);  // of one block of ints
    EXPECT_EQ(row().low_bytes, 128);
    EXPECT_EQ(row().high_bytes, 2048);
    EXPECT_THAT(row_of(report), HasSubstr("  128B..2Ki "));
    // Any way that is faster makes a size slow.
    report.checks[3].remedy->contestant = "C(m)";
    report.checks[3].right = "C(m)";
    count_again(report);
    EXPECT_EQ(row().high_bytes, 2048);
    // The vector of a rank where the operation reduces or broadcasts.
    for (JudgedCheck& check : report.checks) check.left = "MPI_Ibcast(m) + MPI_Wait";
    count_again(report);
    EXPECT_EQ(row().bytes, 4 * 256);
}

TEST(Overview, OtherDataAreSaidInTheWordsOfMPI) {
    Report report = small_report();
    report.checks.clear();
    for (const char* name : {"same", "spikes", "double-max-root-0"})
        report.header.distributions.emplace_back().name = name;
    report.header.distributions.back().repeats = "same";
    const auto data = [&](const char* operation, const char* distribution) {
        report.checks.clear();
        add_problem(report, operation, distribution, 10, 1.5);
        record::ProblemDescription& problem = report.problems.back().problem;
        if (distribution == report.header.distributions.back().name) {
            problem.element = "double";
            problem.op = "max";
            problem.root = 3;
        }
        count_again(report);
        const std::string said = rows_in_words(report).at(0).data;
        report.problems.pop_back();
        return said;
    };
    EXPECT_EQ(data("MPI_Gather", "same"), "");
    EXPECT_EQ(data("MPI_Gather", "spikes"), "blocks: spikes");
    EXPECT_EQ(data("MPI_Bcast", "spikes"), "");
    EXPECT_EQ(data("MPI_Reduce", "double-max-root-0"), "MPI_DOUBLE, MPI_MAX, root 3");
    EXPECT_EQ(data("MPI_Alltoall", "double-max-root-0"), "MPI_DOUBLE");
}

TEST(Overview, ARatioToATimeOfZeroIsInfinite) {
    Report report = many_violated(3);
    report.checks[0].samples->judgement.factor = std::numeric_limits<double>::infinity();
    report.checks[0].samples->judgement.left.median = 1e-5;
    report.checks[0].remedy.reset();
    count_again(report);
    EXPECT_THAT(plain(report), HasSubstr(" inf "));
}

/// The report with its rows made again.
Report with_rows(Report report) {
    report.overview = overview_rows(report);
    return report;
}

TEST(OverviewRow, HasASentenceForEachRange) {
    Report report = small_report();
    const auto add = [&](const char* operation, const char* distribution, const char* last) {
        ViolatedRange& range = report.ranges.emplace_back();
        range.operation = operation;
        range.distribution = distribution;
        range.first = "same/b=10";
        range.last = last;
        range.factor = 1.5;
        range.instead = "B(m)";
    };
    add("A", "same", "two-blocks/b=1000");
    report.ranges.back().below = "same/b=10";
    report.ranges.back().above = "two-blocks/b=1000";
    add("A", "spikes", "same/b=10");
    report.ranges.back().factor = std::numeric_limits<double>::infinity();
    add("another", "same", "same/b=10");
    EXPECT_THAT(
        rows_in_words(with_rows(report)).at(0).ranges,
        ElementsAre("same: from 40\u00a0B to 1.95\u00a0KiB, up to 1.50 times as long as B(m); "
                    "not at 1.95\u00a0KiB; another ratio at 40\u00a0B",
                    "spikes: at 40\u00a0B"));
}

TEST(OverviewRow, HasTheFastestWaysToWhichGuidelinesLead) {
    Report report = small_report();
    report.checks[0].remedy->left_s = report.checks[0].remedy->instead_s = 0;
    std::vector<ReportedContestant>& contestants = report.problems[0].contestants;
    const auto ways = [&] {
        return names_of(overview_rows(report).at(0).ways, &OverviewRow::Way::contestant);
    };
    const auto add = [&](const std::string& name, double time_s, const std::string& to) {
        contestants.push_back(contestants[0]);
        contestants.back().name = name;
        contestants.back().to = to;
        contestants.back().statistics->median = time_s;
    };
    const auto compare = [&](const std::string& left, const std::string& right) {
        report.checks.push_back(report.checks[1]);
        report.checks.back().left = left;
        report.checks.back().right = right;
    };
    contestants[0].statistics->median = 9.0;
    add("A[in place](m)", 1e-3, "rooted");
    compare("A[in place](m)", "A(m)");
    EXPECT_THAT(ways(), ElementsAre("B(m)", "C(1) + A(m')", "A(m)"));
    compare("A(m)", "A[in place](m)");
    EXPECT_THAT(ways(), ElementsAre("B(m)", "C(1) + A(m')", "A[in place](m)", "A(m)"));
    // The operation itself is always among the ways; a way between other layouts never is.
    for (int k = 1; k < 9; ++k) {
        add(fmt::format("W{}(m)", k), k, k == 1 ? "replicated" : "rooted");
        compare("A(m)", fmt::format("W{}(m)", k));
    }
    EXPECT_THAT(ways(), ElementsAre("B(m)", "C(1) + A(m')", "A[in place](m)", "W2(m)", "W3(m)",
                                    "W4(m)", "W5(m)", "A(m)"));
}

}  // namespace
}  // namespace mpiaudit
