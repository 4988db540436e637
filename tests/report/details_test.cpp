// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "report/console.h"
#include "small_report.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;

TEST(Details, NumbersReasonsAndEveryViolatedGuideline) {
    EXPECT_EQ(details(small_report(), {.colour = false, .columns = 80}),
              "4 checks: 1 violated, 1 hold, 0 undecided, 2 skipped\n"
              "  skipped 1: A needs equal blocks\n"
              "  skipped 1: C is wrong\n"
              "  48 samples in 12.3 s; 75 repetitions of everything would be 300\n"
              "\n"
              "! A(m) <= B(m) [g1]\n"
              "  violated on 1 of 1 problems, worst on same/b=10 (160 B): 1.50 times as slow\n"
              "  (median, 96 % interval 1.25 to 1.75)\n"
              "  Where all blocks are equal, call B in place of A. The library could do the\n"
              "  same.\n"
              "  fastest: B(m), 1.50 times as fast, saves 1.000 us per call\n");
}

TEST(Details, RemarksComeLastWithTheirMark) {
    Report report = small_report();
    JudgedCheck own = as_remark(report.checks[0]);
    own.samples->judgement.factor = 9;
    report.checks.insert(report.checks.begin(), own);
    const std::string text = details(report, {.colour = true, .columns = 200});
    const std::size_t verdict = text.find("\n\033[1;31m! A(m) <= B(m)\033[0m [g1]\n  violated on");
    const std::size_t remark = text.find("\n\033[35m~ own_A(m) <= B(m)\033[0m [rg1]\n  slower on");
    ASSERT_NE(verdict, std::string::npos) << text;
    ASSERT_NE(remark, std::string::npos) << text;
    EXPECT_LT(verdict, remark);
}

TEST(Details, NoLineIsLongerThanTheTerminal) {
    Report report = small_report();
    report.header.warnings = {
        "a warning of many short words that has to be broken at a blank, since "
        "it is far longer than any line of the terminal may be"};
    for (const int columns : {60, 72, 80}) {
        for (const std::string& line : lines_of(details(report, {.columns = columns})))
            EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
    }
}

TEST(Details, NothingToTell) {
    EXPECT_THAT(details(Report{}, {}),
                HasSubstr("0 checks: 0 violated, 0 hold, 0 undecided, 0 skipped\n"));
}

}  // namespace
}  // namespace mpiaudit
