// SPDX-License-Identifier: BSD-3-Clause
#include "answer/answer.h"
#include "screens/screen.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <regex>

#include "report/findings.h"
#include "report/small_report.h"
#include "screens/fitting.h"
#include "screens/printed_screen.h"
#include "screens/tables.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t rows = 24;

std::string in_file(const Report& report) {
    return fitted(first_screen(report, {.report = "report: r/report.json"}),
                  {.colour = false, .columns = 80, .rows = 0});
}

TEST(FirstScreen, HasTheAnswerTheRowsAndHowToGoOn) {
    Report report = small_report();
    report.header.started = "2026-11-28T09:00:12Z";
    const Where where{"./mpiaudit", "results/a", "report: results/a/report.json"};
    EXPECT_EQ(fitted(first_screen(report, where), {.columns = 80, .rows = 24}),
              "Some MPI v1.2, 4 ranks, single launch, 2026-11-28 09:00\n"
              "SLOW: 1 of 2 blocking operations\n"
              "WRONG: C(1) + A(m') gives a wrong result on two-blocks/b=1000: rank 2, rooted:\n"
              "  element 0 of block 3 is 5, not 7\n"
              "  mpirun -n 4 mpiaudit verify --collectives C,A --distributions two-blocks \\\n"
              "    --block-sizes 1000 --element int --op sum --root 0\n"
              "            us where most is lost worst  slow at bytes\n"
              "   Operation  takes instead  lost times  from..to  do instead\n"
              "S1 A           3.00    2.00  1.00  1.50  40B       B\n"
              "Sure: one launch, another may differ (mpiaudit run --confirm FOLDER)\n"
              "Explain: ./mpiaudit explain results/a S1\n"
              "report: results/a/report.json\n");
}

/// Returns the number in front of " of N blocking operations" or " of N other forms"; 0 for none.
std::size_t number_before(const std::string& text, const std::string& words) {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("(\\d+|none) of \\d+ " + words))) return 0;
    return found[1] == "none" ? 0 : std::stoul(found[1]);
}

TEST(FirstScreen, TheFirstSentenceCountsExactlyTheRows) {
    for (const std::size_t number : {1U, 2U, 7U, 20U, 40U}) {
        Report report = many_violated(number);
        for (std::size_t k = 0; k < number; k += 3)
            report.checks[k].left = fmt::format("MPI_Ifunction{}(m) + MPI_Wait", k);
        count_again(report);
        const Screen screen = first_screen(report, {});
        std::size_t blocking = 0, other = 0;
        const auto count = [&](const ScreenRow& row) {
            (row.of->is_other_form ? other : blocking) += 1 + row.alike;
        };
        for (const ScreenRow& row : screen.rows) count(row);
        for (const Cluster& cluster : screen.clusters)
            for (const ScreenRow& row : cluster.rows) count(row);
        EXPECT_EQ(number_before(headline(report), "blocking"), blocking);
        EXPECT_EQ(number_before(headline(report), "other form"), other);
        EXPECT_EQ(blocking + other + screen.small.size(), number);
    }
}

TEST(FirstScreen, FitsTheScreenWhateverWasFound) {
    for (const std::size_t number : {0U, 1U, 5U, 9U, 20U, 60U}) {
        Report report = many_violated(number);
        report.header.not_audited.assign(30, "MPI_Something");
        report.header.warnings.assign(3, std::string(300, 'w') + " " + std::string(60, 'w'));
        report.checks.push_back(small_report().checks[2]);
        report.checks.push_back(as_remark(small_report().checks[0]));
        report.tails.resize(4);
        for (Tail& each : report.tails) each.operation = std::string(250, 't');
        count_again(report);
        for (const int columns : {60, 80, 132}) {
            const std::vector<std::string> lines = lines_of(plain(report, columns));
            EXPECT_LT(lines.size(), rows) << number << " in " << columns << "\n"
                                          << plain(report, columns);
            for (const std::string& line : lines) {
                if (line.find("wwww") == line.npos && line.find("tttt") == line.npos) {
                    EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << line;
                }
            }
        }
        constexpr std::size_t most_in_file = 24 + 40 + 2;
        EXPECT_LE(lines_of(in_file(report)).size(), most_in_file) << in_file(report);
    }
}

TEST(FirstScreen, AFileHasTheScreenOfATerminalFirst) {
    for (const std::size_t number : {1U, 20U}) {
        const Report report = many_violated(number);
        EXPECT_TRUE(in_file(report).starts_with(plain(report)));
    }
}

TEST(FirstScreen, WhatDoesNotFitIsNamed) {
    const std::string text = plain(many_violated(30));
    EXPECT_THAT(text, HasSubstr("\nS1  Operation_30 "));
    EXPECT_LT(text.find("S1  Operation_30 "), text.find("S2  Operation_29 "));
    EXPECT_THAT(text, HasSubstr("\nSlow, too (times): S"));
    EXPECT_THAT(text, HasSubstr(" more\n"));
    EXPECT_THAT(whole(many_violated(30)), HasSubstr("\nS30 Operation_1 "));
}

TEST(FirstScreen, AHigherTerminalHasMoreRows) {
    const Report report = many_violated(20);
    const auto shown = [&](int height) {
        return std::ranges::count_if(lines_of(plain(report, 80, height)), [](const auto& line) {
            return line.starts_with("S") && line.find(" Operation_") == 3;
        });
    };
    EXPECT_GE(shown(24), 6);
    EXPECT_LT(shown(24), shown(40));
    EXPECT_EQ(shown(100), 20);
}

TEST(FirstScreen, ARowHasTheLargestRatioOfAnyWayOnAnyProblem) {
    Report report = small_report();
    add_problem(report, "A", "few-partners", 1, 25.2);
    report.checks.back().remedy.reset();
    report.checks.back().right = "direct_A(m)";
    // The row advises the way of MPI, which saves more time.
    report.checks.front().remedy->saved_s = 1e-3;
    count_again(report);
    const OverviewRow& row = report.overview.at(0);
    EXPECT_EQ(row.problem, "same/b=10");
    EXPECT_EQ(row.worst.value().factor, 25.2);
    EXPECT_EQ(row.worst->contestant, "direct_A(m)");
    EXPECT_EQ(row.worst->problem, "few-partners/b=1");
    EXPECT_THAT(row_of(report), HasSubstr(" 25.2  4B..40B "));
}

TEST(FirstScreen, LongTimesStandApart) {
    Report report = small_report();
    Remedy& remedy = *report.checks.front().remedy;
    remedy.left_s = 0.147311;
    remedy.instead_s = 0.038552;
    remedy.saved_s = 0.108759;
    remedy.factor = 3.82;
    count_again(report);
    EXPECT_THAT(row_of(report), HasSubstr(" 147311   38563 108759 "));
    EXPECT_LE(row_of(report).size(), 80U);
}

TEST(FirstScreen, SmallLossesAreCountedAndNotListed) {
    Report report = small_report();
    add_problem(report, "MPI_Gather", "same", 10, 1.1);
    report.checks.back().remedy->saved_s = 0.9e-6;
    count_again(report);
    EXPECT_THAT(plain(report), HasSubstr("\nSLOW: 1 of 3 blocking operations; 1 barely (--all)\n"));
    EXPECT_THAT(plain(report), Not(HasSubstr("Gather")));
    EXPECT_THAT(whole(report), HasSubstr("\nS2 Gather "));
    // A large ratio is no small finding, however short the call.
    report.checks.back().remedy->factor = 1.3;
    count_again(report);
    EXPECT_THAT(plain(report), HasSubstr("\nSLOW: 2 of 3 blocking operations\n"));
}

/// A report whose blocking operations are slow at one size only, each by the same ratio.
Report slow_at_one_size(std::size_t number) {
    Report report = small_report();
    report.checks.clear();
    for (std::size_t k = 0; k < number; ++k) {
        add_problem(report, fmt::format("MPI_Op{}", k), "same", 1024, 1.6);
        add_problem(report, fmt::format("MPI_Op{}", k), "same", 16, 1.0);
    }
    return report;
}

TEST(FirstScreen, OperationsThatAreSlowAtTheSameSizesShareALine) {
    EXPECT_THAT(plain(slow_at_one_size(5)),
                HasSubstr("\nAt 4 KiB only, 1.60 times: S1 Op0, S2 Op1, S3 Op2, S4 Op3, S5 Op4. "
                          "Probably one\n  cause: the library changes its protocol at 4 KiB\n"));
    EXPECT_THAT(plain(slow_at_one_size(2)), HasSubstr("\nS2 Op1 "));
    // Another ratio has another cause.
    Report report = slow_at_one_size(5);
    add_problem(report, "MPI_Other", "same", 1024, 4.0);
    EXPECT_THAT(plain(report), HasSubstr(" Other "));
    EXPECT_THAT(plain(report), HasSubstr("S5 Op3"));
}

TEST(FirstScreen, EveryOperationThatIsWrongIsNamed) {
    Report report = small_report();
    for (const char* name : {"D(m)", "E(m)", "F(m)"}) {
        ReportedContestant contestant;
        contestant.name = name;
        contestant.wrong = Fault{{}, "rank 0, rooted: element 0 of block 0 is 1, not 2"};
        report.problems.front().contestants.push_back(contestant);
    }
    const std::string text = plain(report), problem = report.problems.front().problem.id;
    EXPECT_THAT(text, HasSubstr("WRONG: D(m) gives a wrong result on " + problem));
    EXPECT_THAT(text, HasSubstr("\nWRONG, too: F, C + A\n"));
    EXPECT_THAT(text, Not(HasSubstr("RIGHT")));
}

TEST(FirstScreen, SaysHowManyCallsWereRight) {
    Report report = small_report();
    for (ReportedProblem& problem : report.problems)
        for (ReportedContestant& each : problem.contestants) each.wrong.reset();
    EXPECT_THAT(plain(report), HasSubstr("\nRIGHT: no wrong result in what was measured\n"));
    record::GeneratedCalls& calls = report.generated_calls.emplace();
    calls.calls = 2588;
    calls.covered_pairs = 19907;
    calls.valid_pairs = 22298;
    EXPECT_THAT(plain(report), HasSubstr("\nRIGHT: no new fault in 2588 generated calls\n"));
}

TEST(FirstScreen, ABusyMachineWithFewAnswersLeads) {
    Report report = small_report();
    report.header.machine.hosts = {{.name = "h", .ranks = {0}}};
    report.header.machine.hosts[0].conditions.emplace().other_tasks = 3;
    EXPECT_THAT(plain(report), Not(HasSubstr("BUSY")));
    for (int k = 0; k < 98; ++k) {
        report.checks.push_back(report.checks[2]);
        report.checks.back().reason = Reason{ReasonKind::no_time};
    }
    count_again(report);
    EXPECT_EQ(lines_of(plain(report)).at(1).find("BUSY: other programs used this machine; 2 % of"),
              0U)
        << plain(report);
    EXPECT_THAT(plain(report), HasSubstr("; 98 % of"));
}

TEST(FirstScreen, ViolationsAreBoldRedAndRemarksMagenta) {
    Report report = small_report();
    report.checks.push_back(as_remark(report.checks[0]));
    count_again(report);
    const Terminal colours{.colour = true, .columns = 200, .rows = 24},
        none{.colour = false, .columns = 200, .rows = 24};
    const Screen screen = first_screen(report, {});
    const std::string coloured = with_all(screen, colours);
    EXPECT_THAT(coloured, HasSubstr("\n\033[1;31mS1\033[0m A"));
    EXPECT_THAT(coloured, HasSubstr("\n\033[35m~ 1 of 1 check found a reference"));
    EXPECT_EQ(without_colour(coloured), with_all(screen, none));
    EXPECT_EQ(with_all(screen, none).find('\033'), std::string::npos);
}

TEST(FirstScreen, RemarksAreNotCounted) {
    Report report = small_report();
    report.checks[0] = as_remark(report.checks[0]);
    count_again(report);
    EXPECT_THAT(plain(report), HasSubstr("\nNo violated guideline in 1 decided check; 2 more"));
    EXPECT_THAT(plain(report), Not(HasSubstr("S1")));
    EXPECT_THAT(whole(report),
                HasSubstr("\n~ 1 of 1 check found a reference algorithm slow, not the library"));
}

TEST(FirstScreen, OtherFormsFollowAndShareRows) {
    Report report = many_violated(60);
    report.checks[0].left = "MPI_Gather(m)";
    for (std::size_t k = 1; k < 60; ++k)
        report.checks[k].left =
            fmt::format("MPI_I{}[{}](m) + MPI_Wait", k % 2 == 0 ? "gather" : "scatter", k / 2);
    report.checks[58].left = "MPI_Ireduce(m) + MPI_Wait";
    report.checks[59].left = "MPI_Iscan(m) + MPI_Wait";
    count_again(report);
    const std::string text = plain(report);
    EXPECT_THAT(text, HasSubstr("\nSLOW: 1 of 1 blocking operation, 59 of 59 other forms\n"));
    EXPECT_LT(text.find("\nS1  Gather  "), text.find("\nS2  Iscan +1 ")) << text;
    EXPECT_THAT(text, HasSubstr("\nOther forms (times): "));
}

TEST(FirstScreen, ACommandCanBePastedWithItsLineEnds) {
    const ScreenLine line{.text = "Again:",
                          .command =
                              "mpirun -n 4 mpiaudit run --setting 'A=two  words' "
                              "--guidelines irregular --only g1 --block-sizes 1000"};
    EXPECT_EQ(laid_out(line, {.columns = 80}, 0),
              "Again:\n  mpirun -n 4 mpiaudit run --setting 'A=two  words' --guidelines irregular "
              "\\\n    --only g1 --block-sizes 1000\n");
    EXPECT_EQ(laid_out(line, {.columns = 200}, 0), "Again: " + line.command + "\n");
}

TEST(FirstScreen, NamesTheOptionThatComparesAlgorithmsOfTheLibrary) {
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

TEST(Choices, TheNameOfAnAlgorithmIsWhole) {
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

}  // namespace
}  // namespace mpiaudit
