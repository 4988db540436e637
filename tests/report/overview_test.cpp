// SPDX-License-Identifier: BSD-3-Clause
#include "report/console.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

#include "report/findings.h"
#include "report/small_report.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t rows = 24;

std::string plain(const Report& report, int columns = 80) {
    return overview(report, {.colour = false, .columns = columns}, "report: r/report.json\n");
}

/// A report with so many operations whose checks are violated, the last one worst.
Report many_violated(std::size_t number) {
    Report report = small_report();
    const JudgedCheck sample = report.checks[0];
    report.checks.clear();
    for (std::size_t k = 1; k <= number; ++k) {
        JudgedCheck check = sample;
        check.guideline = "g" + std::to_string(k);
        check.left = "MPI_Operation_" + std::to_string(k) + "(m)";
        check.remedy->factor = 1.0 + static_cast<double>(k);
        check.reproduce = "reproduce " + check.guideline;
        report.checks.push_back(check);
    }
    count_again(report);
    return report;
}

TEST(Overview, AnswerOperationsRemediesAndTheCommandForTheWorst) {
    EXPECT_EQ(plain(small_report()),
              "Some MPI v1.2, 4 ranks: 1 of 2 operations is slower than it could be (1 of 2\n"
              "decided checks violated). No other launch has confirmed these violations.\n"
              "WRONG: C(1) + A(m') gives a wrong result on two-blocks/b=1000: rank 2, rooted:\n"
              "  element 0 of block 3 is 5, not 7\n"
              "  Operation times  bytes      instead\n"
              "! A          1.50  same/b=10  B\n"
              "    B(m) is 1.50 times as fast and saves 1.000 us per call on same/b=10 (160 B)\n"
              "      B(buffer, count, comm);\n"
              "  bytes: of all blocks together\n"
              "Nothing measured was faster than B\n"
              "To measure the worst again:\n"
              "  mpirun -n 4 mpiaudit run --only g1\n"
              "report: r/report.json\n");
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

TEST(Overview, MessagesAreHeldAgainstTheMemoryOfTheirHost) {
    Report report = small_report();
    report.header.machine.hosts = {{.name = "h", .ranks = {0, 1}}};
    report.header.machine.hosts[0].speed = HostSpeed{.handover_s = 1e-7, .copy_bytes_per_s = 24e9};
    report.header.cost_model = LinearModel{.alpha = 4e-7, .beta = 1 / 8e9};
    report.header.environment = {{"OMPI_MCA_btl", "self,tcp"}, {"OMPI_OTHER", "1"}};
    const std::string healthy =
        "Messages within this host: 0.4 us, 8 GB/s; its memory: 0.1 us, 24 GB/s\n";
    EXPECT_THAT(plain(report), HasSubstr("confirmed these violations.\n" + healthy));

    report.header.cost_model->alpha = 2.1e-6;
    EXPECT_TRUE(plain(report).starts_with(
        "Messages within this host: 2.1 us, 8 GB/s; its memory: 0.1 us, 24 GB/s: all\n"
        "  operations are slow, which no guideline can show. These variables may be the\n"
        "  cause: OMPI_MCA_btl=self,tcp\n"))
        << plain(report);
    report.header.environment = {{"OMPI_MCA_mpi_yield_when_idle", "1"}};
    EXPECT_THAT(plain(report), HasSubstr("the\n  cause: OMPI_MCA_mpi_yield_when_idle=1\n"));
    report.header.machine.hosts[0].conditions.emplace().other_tasks = 3.0;
    EXPECT_THAT(plain(report), Not(HasSubstr("Messages within")));
    report.header.machine.hosts[0].conditions->other_tasks = 0.0;
    EXPECT_THAT(plain(report), HasSubstr("Messages within"));
    report.header.machine.hosts.push_back({.name = "other", .ranks = {2}});
    EXPECT_THAT(plain(report), Not(HasSubstr("Messages within")));
}

TEST(Overview, AModelThatEveryOperationBeatsSaysNothing) {
    Report report = small_report();
    ReportedContestant& plain_one = report.problems.front().contestants.front();
    plain_one.name = "MPI_Reduce_scatter(m)";
    plain_one.statistics->median = 3e-6;
    plain_one.steps = {{"zero fill", "contributed", "contributed"}};
    const Terminal terminal{.colour = false, .columns = 80, .rows = 60};
    plain_one.lower_bound_s = 1e-6;
    EXPECT_THAT(overview(report, terminal, ""),
                HasSubstr("lower bound: MPI_Reduce_scatter 3.00 times"));
    plain_one.lower_bound_s = 1e-4;
    EXPECT_THAT(overview(report, terminal, ""), Not(HasSubstr("lower bound")));
}

TEST(Overview, CallsThatTakeMuchMemoryAreNamed) {
    Report report = small_report();
    ReportedProblem& problem = report.problems.front();
    ReportedContestant contestant;
    contestant.name = "D(m)";
    problem.problem.total = 100'000;
    problem.problem.element_bytes = 4;
    contestant.call_bytes = 4.0 * 400'000;
    problem.contestants.push_back(contestant);
    contestant.name = "E(m+k)";
    contestant.call_bytes = 1e9;
    problem.contestants.push_back(contestant);
    EXPECT_THAT(plain(report), Not(HasSubstr("MEMORY")));
    problem.contestants.rbegin()[1].call_bytes = 4.0 * 400'000 + 1;
    const std::string said = plain(report);
    EXPECT_THAT(said, HasSubstr("\nMEMORY: D(m) takes 1.6 MB of a rank's memory in a call on "));
    EXPECT_THAT(said, HasSubstr("(0.4 MB in\n  all)\n"));
    problem.problem.total = 10'000;  // as much as a pool
    problem.contestants.rbegin()[1].call_bytes = 1 << 20;
    EXPECT_THAT(plain(report), Not(HasSubstr("MEMORY")));
    problem.contestants.rbegin()[1].lost_bytes = 24;
    contestant.name = "2 D(m/2)";
    contestant.call_bytes = 0;
    contestant.lost_bytes = 48;
    problem.contestants.insert(problem.contestants.end() - 1, contestant);
    EXPECT_THAT(plain(report), HasSubstr("MEMORY: D(m) loses 24 bytes in every call\n"));
    problem.contestants.back().lost_bytes = 32;
    EXPECT_THAT(plain(report), HasSubstr("MEMORY: E(m+k) loses 32 bytes in every call; 1 other "));
}

TEST(Overview, EveryOperationThatIsWrongIsNamed) {
    Report report = small_report();
    for (const char* name : {"D(m)", "E(m)", "F(m)"}) {
        ReportedContestant contestant;
        contestant.name = name;
        contestant.wrong = "rank 0, rooted: element 0 of block 0 is 1, not 2";
        report.problems.front().contestants.push_back(contestant);
    }
    const std::string text = plain(report);
    const std::string problem = report.problems.front().problem.id;
    EXPECT_THAT(text, HasSubstr("WRONG: D(m) gives a wrong result on " + problem));
    EXPECT_THAT(text, HasSubstr("\nWRONG, too: F, C + A\n"));
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
    EXPECT_THAT(text, HasSubstr("4 ranks: No violated guideline in 1 decided check; 2 more"));
    EXPECT_THAT(text,
                HasSubstr("\n~ 1 of 1 check found a reference algorithm slow, not the library"));
    EXPECT_THAT(text, Not(HasSubstr("!")));
    EXPECT_THAT(text, Not(HasSubstr("To measure the worst again")));
}

/// Seven launches, six of which confirm the first, and checks that hold in first calls.
void tell_of_launches_and_heaps(Report& report) {
    report.launches.resize(7);
    for (std::size_t i = 1; i < report.launches.size(); ++i) {
        report.launches[i].confirms = {"a", "then", 1, {}, {}};
        for (const JudgedCheck& check : report.checks)
            report.launches[i].confirms->suspects.push_back({check.problem, check.guideline});
    }
    for (JudgedCheck& check : report.checks) {
        check.young_heap = check.samples;
        check.young_heap->judgement.verdict = Verdict::holds;
        check.reproduce = "mpirun -n 2 --allow-run-as-root --bind-to none -q mpiaudit run " +
                          std::string(12, 'x') + " --guidelines self-consistent --only " +
                          std::string(40, 'y') + " --distributions spikes --block-sizes 10000";
    }
}

TEST(Overview, EachViolatedOperationHasALineWhereThereIsRoom) {
    Report report = many_violated(9);
    report.header.not_audited.assign(30, "MPI_Something");
    report.header.warnings.assign(3, std::string(60, 'w') + " " + std::string(60, 'w'));
    tell_of_launches_and_heaps(report);
    // What to call does not fit into the line of the operation.
    for (JudgedCheck& check : report.checks) check.remedy->contestant = std::string(60, 'z');
    const std::string text = plain(report);
    EXPECT_LT(lines_of(text).size(), rows) << text;
    // Nothing of an advice is left out: where it does not fit, the operation is named below.
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
    const std::string text = plain(report);
    EXPECT_THAT(text, HasSubstr("4 ranks: 1 of 1 operation and 59 of 59 other forms are slower\n"));
    EXPECT_LT(text.find("! MPI_Gather  "), text.find("! MPI_Iscan +1  ")) << text;
    EXPECT_THAT(text, HasSubstr("! MPI_Iscatter[27] +1 "));
    EXPECT_THAT(text, HasSubstr(" (2 such)"));
    // Where there is room each has its own row, by its whole name.
    EXPECT_THAT(overview(report, {.columns = 80, .rows = 0}, ""), HasSubstr("! MPI_Ireduce "));
    for (JudgedCheck& check : report.checks) check.verdict = Verdict::undecided;
    report.checks.resize(3);
    count_again(report);
    EXPECT_THAT(plain(report),
                HasSubstr("\nNo answer about MPI_Gather and 2 other forms, on the page\n"));
    report.checks.erase(report.checks.begin());
    count_again(report);
    EXPECT_THAT(plain(report),
                HasSubstr("\nNo answer about 2 forms other than the blocking ones, on"));
}

TEST(Overview, WhatToCallIsSaidInFewWords) {
    Report report = many_violated(9);
    for (std::size_t k = 0; k < report.checks.size(); ++k) {
        const std::string operation =
            report.checks[k].left.substr(0, report.checks[k].left.find('('));
        report.checks[k].remedy->contestant =
            k % 2 == 0 ? "10 " + operation + "(m/10)" : "2 MPI_Other(m/2) + MPI_More(m)";
    }
    const std::string text = plain(report);
    EXPECT_THAT(text, HasSubstr("  B, or 10 smaller calls\n"));
    EXPECT_THAT(text, HasSubstr(" 2 MPI_Other(m/2) + MPI_More\n"));
    EXPECT_THAT(text,
                HasSubstr("\n  smaller calls: the library copies through a buffer, or sends"));
}

/// What was measured on the problem of the worst check, by name and forced or not.
void add_way(Report& report, const std::string& name, bool is_forced, double factor) {
    ReportedContestant way;
    way.name = name;
    way.forced = is_forced;
    way.steps = {{name.substr(0, name.find('(')), "scattered", "rooted"}};
    JudgedCheck check = report.checks.front();
    for (ReportedProblem& each : report.problems)
        if (each.problem.id == check.problem) each.contestants.push_back(way);
    check.right = name;
    check.remedy->contestant = name;
    check.samples->judgement.factor = factor;
    report.checks.push_back(check);
    for (JudgedCheck& each : report.checks) each.remedy = check.remedy;
    count_again(report);
}

TEST(Overview, SettingsComeBeforeCallsAndCallsBeforeAlgorithms) {
    Report report = many_violated(1);
    add_way(report, "linear_Gather(m)", false, 2.0);
    report.checks.erase(report.checks.begin());
    EXPECT_THAT(plain(report), HasSubstr("  ask for linear_Gather\n"));
    EXPECT_THAT(plain(report), HasSubstr("\n  ask for: an algorithm that the library's makers"));
    add_way(report, "MPI_Gatherv(m)", false, 1.5);
    report.checks.back().remedy->contestant = "linear_Gather(m)";
    report.checks.front().remedy->contestant = "linear_Gather(m)";
    EXPECT_THAT(plain(report), HasSubstr("  MPI_Gatherv, or ask for linear_Gather\n"));
    add_way(report, "MPI_Gather[linear](m)", true, 1.2);
    EXPECT_THAT(plain(report), HasSubstr("  set MPI_Gather[linear]\n"));
    add_way(report, "MPI_Allreduce[by MPI_Allgather](m)", false, 3.0);
    EXPECT_THAT(plain(report), HasSubstr("set MPI_Gather[linear], or MPI_Allgather + MPI_Reduce"));
}

TEST(Overview, RangesThatAreNearAreOne) {
    Report report = many_violated(1);
    const auto range = [&](const std::string& distribution, std::int64_t first, std::int64_t last) {
        for (const std::int64_t total : {first, last}) {
            ReportedProblem& problem = report.problems.emplace_back(report.problems.front());
            problem.problem.id = fmt::format("{}/{}", distribution, total);
            problem.problem.total = total;
            problem.problem.element_bytes = 1;
        }
        ViolatedRange& made = report.ranges.emplace_back();
        made.operation = "MPI_Operation_1";
        made.distribution = distribution;
        made.first = fmt::format("{}/{}", distribution, first);
        made.last = fmt::format("{}/{}", distribution, last);
        made.below = made.above = "some";
        made.factor = static_cast<double>(report.ranges.size());
    };
    report.ranges.clear();
    range("even", 1024, 1024);
    EXPECT_THAT(plain(report), HasSubstr(" 2.00  even 1 KiB  "));
    report.ranges.back().above.reset();
    EXPECT_THAT(plain(report), HasSubstr(" 2.00  even >= 1 KiB  "));
    range("same", 4096, 65536);
    EXPECT_THAT(plain(report), HasSubstr(" 2.00  1..64 KiB  "));
    range("even", 4, 8);
    EXPECT_THAT(plain(report), HasSubstr(" 2.00  even 4..8 B +1  "));
    EXPECT_THAT(plain(report), HasSubstr("together; +1: one more range\n"));
}

TEST(Overview, WhatGoesIntoAFileIsWhole) {
    Report report = many_violated(60);
    report.header.not_audited.assign(30, "MPI_Something");
    report.header.warnings.assign(5, std::string(60, 'w') + " " + std::string(60, 'w'));
    tell_of_launches_and_heaps(report);
    const std::string text = overview(report, {.columns = 80, .rows = 0}, "");
    EXPECT_THAT(text, Not(HasSubstr(" ...")));
    EXPECT_THAT(text, Not(HasSubstr(" more")));
    for (const JudgedCheck& check : report.checks)
        EXPECT_THAT(text, HasSubstr("! " + operation_on_left(check.left) + " "));
    EXPECT_THAT(text, HasSubstr("To measure the worst again:\n"));
}

TEST(Overview, FitsTheScreenWhateverWasFound) {
    for (const std::size_t number : {0U, 1U, 5U, 9U, 20U, 60U}) {
        Report report = many_violated(number);
        report.header.not_audited.assign(30, "MPI_Something");
        report.header.warnings.assign(3, std::string(300, 'w') + " " + std::string(60, 'w'));
        report.header.duplicates = {{"spikes/b=1", "same/b=1"}, {"spikes/b=10", "same/b=1"}};
        tell_of_launches_and_heaps(report);
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
    EXPECT_THAT(text, Not(HasSubstr("To measure the worst again")));
    EXPECT_THAT(plain(many_violated(5)),
                HasSubstr("To measure the worst again:\n  reproduce g5\n"));
}

TEST(Overview, ViolationByATimeOfZeroIsTheWorst) {
    Report report = many_violated(3);
    report.checks[0].samples->judgement.factor = std::numeric_limits<double>::infinity();
    report.checks[0].remedy.reset();
    EXPECT_THAT(plain(report), HasSubstr("To measure the worst again:\n  reproduce g1\n"));
    EXPECT_THAT(plain(report), HasSubstr(" inf "));
}

TEST(Overview, TheWorstFactorIsThatOfWhatIsToBeCalled) {
    Report report = small_report();
    report.checks[0].samples->judgement.factor = 1.4;  // of B(m) to what the guideline asks for
    EXPECT_THAT(plain(report), HasSubstr("! A          1.50  same/b=10"));
    EXPECT_THAT(plain(report), HasSubstr("B(m) is 1.50 times as fast"));
    report.checks[0].remedy.reset();
    EXPECT_THAT(plain(report), HasSubstr("! A          1.40  same/b=10"));
    EXPECT_THAT(plain(report),
                HasSubstr("\n    slower than B(m); which way is the fastest is not clear\n"));
}

TEST(Overview, WhatHasNoAnswerIsNotCalledFine) {
    Report report = small_report();
    for (JudgedCheck& check : report.checks) check.verdict = Verdict::undecided;
    count_again(report);
    EXPECT_THAT(plain(report), HasSubstr("\nNo answer about A, B\n"));
    EXPECT_THAT(plain(report), Not(HasSubstr("Nothing measured")));
}

TEST(Overview, SaysWhatWasNotAudited) {
    Report report = small_report();
    report.header.not_audited = {"MPI_Scan", "MPI_Bcast"};
    EXPECT_THAT(plain(report),
                HasSubstr("\nNot audited, since no guideline asks for it: MPI_Scan, MPI_Bcast\n"));
    report.header.duplicates = {{"spikes/b=1", "same/b=1"}, {"spikes/b=10", "same/b=1"}};
    EXPECT_THAT(plain(report),
                HasSubstr("\nLeft out: 2 problems with the same blocks as another one "
                          "(spikes/b=1 = same/b=1)\n"));
    report.is_complete = false;
    report.header.planned_problems = 9;
    EXPECT_THAT(plain(report), HasSubstr("The audit is not complete: 2 of 9 problems measured.\n"));
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

TEST(Headline, AcquitsOnlyWhatWasDecided) {
    Report report = small_report();
    for (JudgedCheck& check : report.checks) check.verdict = Verdict::holds;
    count_again(report);
    EXPECT_EQ(headline(report), "None of 4 checks found a violated guideline.");
    report.checks[0].verdict = Verdict::skipped;
    count_again(report);
    EXPECT_EQ(headline(report),
              "No violated guideline in 3 decided checks; 1 more has no verdict.");
    report.checks[1].verdict = report.checks[2].verdict = Verdict::undecided;
    count_again(report);
    EXPECT_EQ(headline(report),
              "No violated guideline in 1 decided check; 3 more have no verdict.");
}

TEST(Headline, NothingDecidedIsNoGoodNews) {
    Report report = small_report();
    for (JudgedCheck& check : report.checks) check.verdict = Verdict::undecided;
    count_again(report);
    EXPECT_TRUE(is_nothing_decided(report));
    EXPECT_EQ(headline(report), "Nothing was decided: none of 4 checks has a verdict.");
    report.summary.samples = 0;
    EXPECT_EQ(headline(report), "Nothing was measured: no check has a verdict.");
    report.checks = {as_remark(small_report().checks[0])};
    // Decided or not: it is no question about the library.
    for (const Verdict verdict : {Verdict::holds, Verdict::undecided}) {
        report.checks[0].verdict = verdict;
        count_again(report);
        EXPECT_FALSE(is_nothing_decided(report));
    }
    EXPECT_EQ(headline(report), "No check of this audit is about the library.");
    EXPECT_FALSE(is_nothing_decided(Report{}));
}

TEST(Headline, NamesOfLibraries) {
    Report report;
    report.header.machine.ranks = 1;
    for (const auto& [said, name] :
         {std::pair{"Open MPI v4.1.4, package: Debian", "Open MPI v4.1.4, 1 rank"},
          {"MPICH Version:\t4.0.2\nMPICH Release date:", "MPICH 4.0.2, 1 rank"},
          {"", "unknown MPI library, 1 rank"}}) {
        report.header.mpi.library = said;
        EXPECT_EQ(audited_system(report), name);
    }
}

TEST(Headline, SaysUnderWhichConditions) {
    Report report;
    report.header.mpi.library = "Open MPI v5";
    report.header.machine.ranks = 4;
    report.header.default_options = {{"arrivals", std::string("together")},
                                     {"buffers", std::string("same")},
                                     {"heap", std::string("both")},
                                     {"sync", std::string("barrier")}};
    report.header.options = report.header.default_options;
    EXPECT_EQ(audited_system(report), "Open MPI v5, 4 ranks");
    set_option(report.header.options, "heap", std::string("free"));
    set_option(report.header.options, "sync", std::string("global"));
    EXPECT_EQ(audited_system(report), "Open MPI v5, 4 ranks");
    set_option(report.header.options, "heap", std::string("grown"));
    set_option(report.header.options, "buffers", std::string("cold"));
    set_option(report.header.options, "arrivals", std::string("10 * i"));
    EXPECT_EQ(audited_system(report),
              "Open MPI v5, 4 ranks, --arrivals 10 * i, --buffers cold, --heap grown");
}

TEST(Headline, SaysHowRanksLieOnNodes) {
    Report report;
    report.header.mpi.library = "Open MPI v5";
    report.header.machine.ranks = 4;
    const auto system_on = [&](std::vector<std::vector<int>> nodes) {
        report.header.machine.hosts.clear();
        for (std::vector<int>& ranks : nodes)
            report.header.machine.hosts.emplace_back().ranks = std::move(ranks);
        return audited_system(report);
    };
    EXPECT_EQ(system_on({{0, 1, 2, 3}}), "Open MPI v5, 4 ranks");
    EXPECT_EQ(system_on({{0, 1}, {2, 3}}), "Open MPI v5, 4 ranks on 2 nodes");
    EXPECT_EQ(system_on({{0, 2}, {1, 3}}), "Open MPI v5, 4 ranks on 2 nodes (cyclic)");
    EXPECT_EQ(system_on({{0, 1, 2}, {3}}),
              "Open MPI v5, 4 ranks on 2 nodes (irregular, 1 to 3 ranks each)");
}

TEST(Microseconds, ThreeOrMoreSignificantDigitsBelow100Seconds) {
    for (const auto& [seconds, text] : {std::pair{0.0, "0.000"},
                                        {1.2344e-6, "1.234"},
                                        {9.9994e-6, "9.999"},
                                        {9.9996e-6, "10.00"},
                                        {99.994e-6, "99.99"},
                                        {99.996e-6, "100.0"},
                                        {999.94e-6, "999.9"},
                                        {999.96e-6, "1000"},
                                        {99999.4e-6, "99999"},
                                        {99999.6e-6, "100k"},
                                        {0.9994, "999k"},
                                        {0.9996, "1M"},
                                        {1.234, "1.23M"},
                                        {99.94, "99.9M"},
                                        {999.4, "999M"}})
        EXPECT_EQ(microseconds(seconds), text);
}

TEST(Microseconds, FitTheirColumn) {
    for (double seconds = 1e-10; seconds < 999; seconds *= 1.01)
        EXPECT_LE(microseconds(seconds).size(), 5U) << seconds;
}

}  // namespace
}  // namespace mpiaudit
