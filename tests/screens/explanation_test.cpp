// SPDX-License-Identifier: BSD-3-Clause
#include "screens/explanation.h"

#include <gmock/gmock.h>

#include "report/small_report.h"
#include "screens/codes.h"
#include "screens/printed_screen.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;

std::string explained(const Report& report, int height = 24) {
    return explanation(report, report.overview.at(0), {.columns = 80, .rows = height},
                       {"./mpiaudit", "results/a", ""});
}

TEST(Explanation, HasTimesConditionsEvidenceAndCommands) {
    Report report = small_report();
    report.checks[0].samples->judgement.verdict = judge::Verdict::violated;
    count_again(report);
    EXPECT_EQ(explained(report),
              "S1 A: 1.50 times as long as B(m) at 40\u00a0B; a call loses 1 µs\n"
              "Some MPI v1.2, 4 ranks, single launch\n"
              "    bytes  problem      takes  instead  fastest  times  (us per call)\n"
              "     40 B !same/b=10    3.000    2.000    2.000   1.50  #####\n"
              "! slower, with evidence   ? not decided   fastest: of all ways compared\n"
              "Where most is lost: same/b=10; blocks: same, int\n"
              "Sure: one launch\n"
              "All ways there (us): A(m) 0.000, B(m) 0.000, C(1) + A(m') 0.000\n"
              "Do instead: B\n"
              "Measure again:\n"
              "  mpirun -n 4 mpiaudit run --guidelines irregular --only g1 --distributions \\\n"
              "    same --block-sizes 10\n"
              "In a new launch: mpirun -n 4 mpiaudit run --confirm results/a --row S1\n"
              "C program: ./mpiaudit reproduce results/a --row S1 --output S1.c\n");
}

TEST(Explanation, ATerminalHasSomeSizesAndAFileHasAll) {
    Report report = small_report();
    for (int size = 1; size <= 40; ++size) add_problem(report, "A", "same", 16 * size, 1.5);
    const auto sizes = [&](int height) {
        return std::ranges::count_if(lines_of(explained(report, height)), [](const auto& line) {
            return line.find("!same/b=") != line.npos;
        });
    };
    EXPECT_EQ(sizes(24), 12);
    EXPECT_EQ(sizes(0), 41);
}

TEST(CodeOfRow, NamesARow) {
    const Report report = many_violated(3);
    EXPECT_EQ(code_of_row(report, report.overview[2]), "S3");
    for (const char* code : {"S3", "s3", "3"})
        EXPECT_EQ(&row_of_code(report, "--row", code), &report.overview[2]);
    for (const char* code : {"S4", "S0", "S", "", "S3x", "3.0", "-1"}) {
        try {
            row_of_code(report, "--row", code);
            ADD_FAILURE() << code;
        } catch (const UsageError& error) {
            EXPECT_EQ(std::string(error.what()),
                      std::string("--row ") + code + ": the screen has the rows S1 to S3");
        }
    }
    EXPECT_TRUE(is_code_of_row("S12"));
    for (const char* folder : {"S", "12", "Sx", "results/S1"})
        EXPECT_FALSE(is_code_of_row(folder)) << folder;
}

}  // namespace
}  // namespace mpiaudit
