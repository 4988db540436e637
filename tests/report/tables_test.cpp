// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "report/console.h"
#include "small_report.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Tables, AverageAndMinimumOfEveryContestantWithMarksOnViolations) {
    EXPECT_EQ(tables(small_report(), {.colour = false, .columns = 80}),
              "gather: scattered -> rooted, microseconds; ! left side of a violated guideline,\n"
              "  ~ of a remark\n"
              "  A: A(m)\n"
              "  B: B(m)\n"
              "  C: C(1) + A(m')\n"
              "                                                A            B            C     \n"
              "Problem         b       m      m'   bytes   avg   min    avg   min    avg   min \n"
              "same           10      40      40    160B 3.005!2.500! 2.000 2.000  45.68 33.00 \n"
              "two-blocks     1k    2000    4000 7.81KiB     -     -   123k  1000  wrong wrong \n"
              "\n");
}

TEST(Tables, RemarksHaveAMarkOfTheirOwn) {
    Report report = small_report();
    report.checks[0].kind = CheckKind::remark;
    EXPECT_THAT(tables(report, {.columns = 80}), HasSubstr(" 3.005~2.500~ "));
    EXPECT_THAT(tables(report, {.colour = true, .columns = 80}),
                HasSubstr("\033[35m3.005~\033[0m"));
    // A verdict on the same left side outweighs it.
    report.checks.push_back(report.checks[0]);
    report.checks.back().kind = CheckKind::verdict;
    EXPECT_THAT(tables(report, {.columns = 80}), HasSubstr(" 3.005!2.500! "));
}

TEST(Tables, WhatWasNotMeasuredHasNeitherRowNorColumn) {
    Report report = small_report();
    for (ReportedContestant& each : report.problems[1].contestants) {
        each.statistics.reset();
        each.wrong.reset();
    }
    report.problems[0].contestants[2].statistics.reset();
    const std::string text = tables(report, {});
    EXPECT_THAT(text, Not(HasSubstr("two-blocks")));
    EXPECT_THAT(text, Not(HasSubstr("C(1) + A(m')")));
    report.problems.erase(report.problems.begin());
    EXPECT_EQ(tables(report, {}), "");
}

TEST(Tables, ViolationsAreBoldRedInColour) {
    const std::string plain = tables(small_report(), {.colour = false, .columns = 80});
    const std::string coloured = tables(small_report(), {.colour = true, .columns = 80});
    EXPECT_THAT(coloured,
                HasSubstr("    160B \033[1;31m3.005!\033[0m\033[1;31m2.500!\033[0m 2.000"));
    EXPECT_EQ(without_colour(coloured), plain);
}

TEST(Tables, ColumnsThatDoNotFitFollowInAFurtherTable) {
    Report report = small_report();
    std::vector<ReportedContestant>& contestants = report.problems[0].contestants;
    for (int k = 0; k < 30; ++k) {
        ReportedContestant extra = contestants[1];
        extra.name = "extra " + std::to_string(k);
        contestants.push_back(extra);
    }
    for (const int columns : {60, 80, 132}) {
        const std::string text = tables(report, {.colour = false, .columns = columns});
        std::size_t tables_seen = 0;
        for (const std::string& line : lines_of(text)) {
            EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
            tables_seen += line.starts_with("Problem");
        }
        const std::size_t fit = static_cast<std::size_t>(columns - 41) / 13;
        EXPECT_EQ(tables_seen, (33 + fit - 1) / fit);
        // Headings go on with letters, and behind Z with letters and numbers.
        EXPECT_THAT(text, HasSubstr("  Z: extra 22\n"));
        EXPECT_THAT(text, HasSubstr("  A1: extra 23\n"));
    }
}

TEST(Tables, ContestantsOfOtherEndsHaveATableOfTheirOwn) {
    Report report = small_report();
    ReportedContestant other = report.problems[0].contestants[0];
    other.name = "All(m)";
    other.to = "replicated";
    report.problems[0].contestants.push_back(other);
    const std::string text = tables(report, {});
    const std::size_t second = text.find("scattered -> replicated, microseconds");
    ASSERT_NE(second, std::string::npos);
    EXPECT_THAT(text.substr(0, second), Not(HasSubstr("All(m)")));
    // Only problems with a contestant of the group have a row.
    EXPECT_THAT(text.substr(second), HasSubstr("\nsame  "));
    EXPECT_THAT(text.substr(second), Not(HasSubstr("two-blocks")));
}

TEST(Tables, LongNameOfADistributionHasALineOfItsOwn) {
    Report report = small_report();
    report.problems[1].problem.distribution = "spikes:rho=100";
    EXPECT_THAT(tables(report, {}),
                HasSubstr("\nspikes:rho=100\n               1k    2000    4000 7.81KiB     -"));
}

TEST(Tables, SimulatedTimesAreCalledSo) {
    Report report = small_report();
    report.header.simulated = true;
    EXPECT_THAT(tables(report, {.columns = 100}), HasSubstr("rooted, microseconds, simulated; !"));
}

}  // namespace
}  // namespace mpiaudit
