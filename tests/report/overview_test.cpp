// SPDX-License-Identifier: BSD-3-Clause
#include "report/console.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "report/findings.h"
#include "report/printed_overview.h"
#include "report/small_report.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t rows = 24;

TEST(Overview, AnswerRowsAndTheCommandForTheFirst) {
    EXPECT_EQ(plain(small_report()),
              "Some MPI v1.2, 4 ranks, single launch: 1 of 2 operations takes 1.2 times as long\n"
              "as other calls or more: A.\n"
              "WRONG: C(1) + A(m') gives a wrong result on two-blocks/b=1000: rank 2, rooted:\n"
              "  element 0 of block 3 is 5, not 7\n"
              "  mpirun -n 4 mpiaudit verify --collectives C,A --distributions two-blocks \\\n"
              "    --block-sizes 1000 --element int --op sum --root 0\n"
              "  Operation times us lost   bytes  slow at  instead\n"
              "! A          1.50   1.000      40  40       B\n"
              "  bytes: of a rank's vector or a block, as in OSU and IMB\n"
              "1 of 2 decided checks is violated; another launch may differ (`mpiaudit run\n"
              "  --confirm FOLDER`).\n"
              "To measure the first row again:\n"
              "  mpirun -n 4 mpiaudit run --only g1\n"
              "report: r/report.json\n");
}

TEST(Overview, NamesTheOptionThatComparesAlgorithmsOfTheLibrary) {
    Report report = many_violated(5);
    report.header.with_choice = {"MPI_Operation_1", "MPI_Operation_2", "MPI_Operation_3",
                                 "MPI_Operation_5"};
    EXPECT_THAT(
        plain(report),
        HasSubstr("To look for a setting of the library that chooses a faster algorithm:\n"
                  "  mpirun -n 4 mpiaudit run --algorithms operation_5,operation_3,operation_2\n"));
    report.header.with_choice = {"MPI_Operation_6"};
    EXPECT_THAT(plain(report), Not(HasSubstr("--algorithms")));
}

TEST(Overview, AFileHasTheSameWithAdviceAndCode) {
    const std::string file =
        overview(small_report(), {.columns = 80, .rows = 0}, "report: r/report.json\n");
    std::string screen = plain(small_report());
    const std::string row = "40       B\n";
    screen.insert(screen.find(row) + row.size(),
                  "    B(m) is 1.50 times as fast and saves 1.000 us per call at 40 B (same/b=10)\n"
                  "      B(buffer, count, comm);\n");
    EXPECT_EQ(file, screen);
}

TEST(Overview, TheNameOfAnAlgorithmIsWhole) {
    Report report = small_report();
    report.choices = {{"62-Allreduce/b=225",
                       "MPI_Reduce_scatter_block",
                       1e-6,
                       2,
                       {{"recursive_doubling", 5e-7}}}};
    EXPECT_THAT(choices_table(report, {.colour = false, .columns = 80}),
                HasSubstr(" 0.50\n    recursive_doubling\n"));
    report.choices = {{"same/b=10", "A", 1e-6, 1, {{"linear", 1e-6}}}};
    EXPECT_THAT(choices_table(report, {.colour = false, .columns = 80}),
                HasSubstr("A         same/b=10 (160 B)      1.00    1      1.00  linear\n"));
}

TEST(Overview, EveryOperationThatIsWrongIsNamed) {
    Report report = small_report();
    for (const char* name : {"D(m)", "E(m)", "F(m)"}) {
        ReportedContestant contestant;
        contestant.name = name;
        contestant.wrong = Fault{{}, "rank 0, rooted: element 0 of block 0 is 1, not 2"};
        report.problems.front().contestants.push_back(contestant);
    }
    const std::string text = plain(report);
    const std::string problem = report.problems.front().problem.id;
    EXPECT_THAT(text, HasSubstr("WRONG: D(m) gives a wrong result on " + problem));
    EXPECT_THAT(text, HasSubstr("\nWRONG, too: E, F, C + A\n"));
}

TEST(Overview, VerdictsAreBoldRedAndRemarksMagenta) {
    Report report = small_report();
    report.checks.push_back(as_remark(report.checks[0]));
    count_again(report);
    const std::string coloured = overview(report, {.colour = true, .columns = 200}, "");
    EXPECT_THAT(coloured, HasSubstr("\n\033[1;31m! A\033[0m  "));
    EXPECT_THAT(coloured, HasSubstr("\n\033[35m~\033[0m 1 of 1 check "));
    EXPECT_EQ(without_colour(coloured), overview(report, {.colour = false, .columns = 200}, ""));
}

TEST(Overview, RemarksAreNotCounted) {
    Report report = small_report();
    report.checks[0] = as_remark(report.checks[0]);
    count_again(report);
    const std::string text = plain(report);
    EXPECT_THAT(text,
                HasSubstr("single launch: No violated guideline in 1 decided check;\n2 more"));
    EXPECT_THAT(text,
                HasSubstr("\n~ 1 of 1 check found a reference algorithm slow, not the library"));
    EXPECT_THAT(text, Not(HasSubstr("!")));
    EXPECT_THAT(text, Not(HasSubstr("To measure the worst again")));
}

/// Seven launches, six of which confirm the first.
void tell_of_launches(Report& report) {
    report.launches.resize(7);
    for (std::size_t i = 1; i < report.launches.size(); ++i) {
        report.launches[i].confirms = {"a", "then", 1, {}, {}};
        for (const JudgedCheck& check : report.checks)
            report.launches[i].confirms->suspects.push_back({check.problem, check.guideline});
    }
    for (JudgedCheck& check : report.checks) {
        check.reproduce = "mpirun -n 2 --allow-run-as-root --bind-to none -q mpiaudit run " +
                          std::string(12, 'x') + " --guidelines self-consistent --only " +
                          std::string(40, 'y') + " --distributions spikes --block-sizes 10000";
    }
}

TEST(Overview, EachViolatedOperationHasALineWhereThereIsRoom) {
    Report report = many_violated(9);
    report.header.not_audited.assign(30, "MPI_Something");
    report.header.warnings.assign(3, std::string(60, 'w') + " " + std::string(60, 'w'));
    tell_of_launches(report);
    // The advice does not fit into the line of the operation.
    for (JudgedCheck& check : report.checks) check.remedy->contestant = std::string(60, 'z');
    report.overview = overview_rows(report);
    const std::string text = plain(report);
    EXPECT_LT(lines_of(text).size(), rows) << text;
    // No advice is left out: if it does not fit, the operation is named below.
    EXPECT_THAT(text, HasSubstr("\n! MPI_Operation_9 "));
    for (int k = 1; k <= 9; ++k)
        EXPECT_THAT(text, HasSubstr(fmt::format("MPI_Operation_{} ", k))) << text;
    EXPECT_EQ(text.find("! MPI_Operation_1 "), std::string::npos);
    EXPECT_THAT(text, HasSubstr("! slower, too: "));
    EXPECT_THAT(text, Not(HasSubstr(" ...")));
}

TEST(Overview, OtherFormsFollowTheBlockingOperationsAndShareRows) {
    Report report = many_violated(60);
    report.checks[0].left = "MPI_Gather(m)";
    for (std::size_t k = 1; k < 58; ++k)
        report.checks[k].left = std::string(k % 2 == 0 ? "MPI_Igather" : "MPI_Iscatter") +
                                fmt::format("[{}](m) + MPI_Wait", k / 2);
    report.checks[58].left = "MPI_Ireduce(m) + MPI_Wait";
    report.checks[59].left = "MPI_Iscan(m) + MPI_Wait";
    count_again(report);
    const std::string text = plain(report);
    EXPECT_THAT(text, HasSubstr(": 1 of 1 operation and 59 of 59 other forms\ntake 1.2 times"));
    EXPECT_LT(text.find("! MPI_Gather  "), text.find("! MPI_Iscan +1  ")) << text;
    EXPECT_THAT(text, HasSubstr("! MPI_Iscatter[27] +1 "));
    EXPECT_THAT(text, HasSubstr(" (2 such)"));
    // With enough room each operation has its own row and its whole name.
    EXPECT_THAT(overview(report, {.columns = 80, .rows = 0}, ""), HasSubstr("! MPI_Ireduce "));
}

TEST(Overview, AFileHasAllRowsAndNoLongList) {
    Report report = many_violated(60);
    report.header.not_audited.assign(30, "MPI_Something");
    report.header.warnings.assign(5, std::string(60, 'w') + " " + std::string(60, 'w'));
    tell_of_launches(report);
    const std::string text = overview(report, {.columns = 80, .rows = 0}, "");
    EXPECT_THAT(text, Not(HasSubstr(" ...")));
    for (const JudgedCheck& check : report.checks)
        EXPECT_THAT(text, HasSubstr("! " + check.left.way().operations() + " "));
    EXPECT_THAT(text, HasSubstr("To measure the first row again:\n"));
    const std::string listed = text.substr(text.find("Not audited, since"));
    EXPECT_THAT(lines_of(listed).at(1), HasSubstr(" more, on the page"));
}

TEST(Overview, FitsTheScreenWhateverWasFound) {
    for (const std::size_t number : {0U, 1U, 5U, 9U, 20U, 60U}) {
        Report report = many_violated(number);
        report.header.not_audited.assign(30, "MPI_Something");
        report.header.warnings.assign(3, std::string(300, 'w') + " " + std::string(60, 'w'));
        tell_of_launches(report);
        report.checks.push_back(small_report().checks[2]);
        report.checks.push_back(as_remark(small_report().checks[0]));
        count_again(report);
        for (const int columns : {60, 80, 132}) {
            const std::vector<std::string> lines = lines_of(plain(report, columns));
            EXPECT_LT(lines.size(), rows) << number << " in " << columns << "\n"
                                          << plain(report, columns);
            for (const std::string& line : lines) {
                if (line.find("wwww") == std::string::npos) {
                    EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
                }
            }
        }
    }
}

TEST(Overview, ATallerTerminalHasMoreOperations) {
    const Report report = many_violated(20);
    const auto operations = [&](int terminal_rows) {
        const std::string text = overview(report, {.columns = 80, .rows = terminal_rows}, "");
        return std::ranges::count_if(lines_of(text), [](const std::string& line) {
            return line.starts_with("! MPI_Operation");
        });
    };
    EXPECT_LT(operations(24), operations(40));
    EXPECT_EQ(operations(100), 20);
}

TEST(Overview, WorstComeFirstAndWhatDoesNotFitIsNamed) {
    const std::string text = plain(many_violated(30));
    EXPECT_THAT(text, HasSubstr("! MPI_Operation_30 "));
    EXPECT_LT(text.find("! MPI_Operation_30 "), text.find("! MPI_Operation_29 "));
    EXPECT_THAT(text, HasSubstr("\n! slower, too: MPI_Operation_"));
    // The command goes where operations need its lines.
    EXPECT_THAT(text, Not(HasSubstr("To measure the first row again")));
    EXPECT_THAT(plain(many_violated(5)),
                HasSubstr("To measure the first row again:\n  reproduce g5\n"));
}

TEST(Overview, ACommandCanBePastedWithItsLineEnds) {
    Report report = small_report();
    report.checks[0].reproduce =
        "mpirun -n 4 mpiaudit run --setting 'A=two  words' --guidelines irregular --only g1 "
        "--distributions two-blocks --block-sizes 1000";
    const std::string text = plain(report);
    EXPECT_THAT(text, HasSubstr("  mpirun -n 4 mpiaudit run --setting 'A=two  words' --guidelines "
                                "irregular \\\n    --only g1 --distributions two-blocks "
                                "--block-sizes 1000\n"));
}

}  // namespace
}  // namespace mpiaudit
