// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <limits>

#include "report/console.h"
#include "small_report.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Conclusions, NumbersFindingsAndTheCommandForTheWorst) {
    EXPECT_EQ(conclusions(small_report(), {.colour = false, .columns = 80}),
              "4 checks: 1 violated, 1 hold, 0 undecided, 2 skipped\n"
              "  skipped 1: A needs equal blocks\n"
              "  skipped 1: C is wrong\n"
              "48 samples in 12.3 s; 75 repetitions of everything would be 300\n"
              "WRONG: C(1) + A(m') gives a wrong result on two-blocks/b=1000: rank 2, rooted:\n"
              "  element 0 of block 3 is 5, not 7\n"
              "\n"
              "A(m) <= B(m) is violated on 1 problem\n"
              "  worst: A(m) on same/b=10: 1.50 times as slow (median, 96 % interval 1.25 to\n"
              "  1.75)\n"
              "  Where all blocks are equal, call B in place of A. The library could do the\n"
              "  same.\n"
              "\n"
              "To see the worst one again:\n"
              "  mpirun -n 4 mpiaudit run --only g1\n");
}

TEST(Conclusions, FindingsAreBoldRedInColour) {
    const std::string coloured = conclusions(small_report(), {.colour = true, .columns = 200});
    EXPECT_THAT(coloured, HasSubstr("\n\033[1;31mA(m) <= B(m)\033[0m is violated on 1 problem\n"));
    EXPECT_THAT(coloured, HasSubstr("\n\033[1;31mWRONG\033[0m: C(1)"));
    EXPECT_EQ(without_colour(coloured),
              conclusions(small_report(), {.colour = false, .columns = 200}));
}

TEST(Conclusions, NoLineIsLongerThanTheTerminal) {
    Report report = small_report();
    report.header.warnings = {
        "a warning of many short words that has to be broken at a blank, since "
        "it is far longer than any line of the terminal may be"};
    for (const int columns : {60, 72, 80}) {
        for (const std::string& line : lines_of(conclusions(report, {.columns = columns})))
            EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
    }
}

TEST(Conclusions, WorstViolationsComeFirstAndOnePerGuideline) {
    Report report = small_report();
    report.summary.violated = 6;
    for (int k = 2; k <= 6; ++k) {
        const std::string id = "g" + std::to_string(k);
        report.header.guidelines.push_back({id, "statement of " + id, "", "", ""});
        JudgedCheck check = report.checks[0];
        check.guideline = id;
        check.samples->judgement.ratio.median = k;
        check.reproduce = "reproduce " + id;
        report.checks.push_back(check);
        check.samples->judgement.ratio.median = k + 0.5;
        report.checks.push_back(check);
    }
    const std::string text = conclusions(report, {});
    std::size_t last = 0;
    for (const char* expected :
         {"statement of g6 is violated on 2 problems", "6.50 times as slow",
          "statement of g5 is violated on 2 problems", "5.50 times as slow",
          "statement of g4 is violated on 2 problems", "and 3 more guidelines;", "reproduce g6"}) {
        const std::size_t at = text.find(expected);
        ASSERT_NE(at, std::string::npos) << expected << " is not in\n" << text;
        EXPECT_GT(at, last) << expected;
        last = at;
    }
    EXPECT_THAT(text, Not(HasSubstr("6.00 times")));
    EXPECT_THAT(text, Not(HasSubstr("statement of g3")));
}

TEST(Conclusions, NothingToTell) {
    EXPECT_EQ(conclusions(Report{}, {}),
              "0 checks: 0 violated, 0 hold, 0 undecided, 0 skipped (the audit is not complete)\n");
}

TEST(Conclusions, ViolationByATimeOfZeroIsTheWorst) {
    Report report = small_report();
    JudgedCheck infinite = report.checks[0];
    infinite.samples->judgement.ratio.median = std::numeric_limits<double>::infinity();
    infinite.problem = "same/b=1";
    report.checks.push_back(infinite);
    EXPECT_THAT(conclusions(report, {.columns = 200}),
                HasSubstr("\n  worst: A(m) on same/b=1: the right side took no time that the clock "
                          "can see\n"));
}

}  // namespace
}  // namespace mpiaudit
