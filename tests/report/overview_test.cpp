// SPDX-License-Identifier: BSD-3-Clause
#include "report/console.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

#include "report/findings.h"
#include "report/small_report.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t rows = 24;

std::string plain(const Report& report, int columns = 80) {
    return overview(report, {.colour = false, .columns = columns}, "report: r/report.json\n");
}

/// A report with `number` operations whose checks are violated; calls of the last one lose most.
Report many_violated(std::size_t number) {
    Report report = small_report();
    const JudgedCheck sample = report.checks[0];
    report.checks.clear();
    for (std::size_t k = 1; k <= number; ++k) {
        JudgedCheck check = sample;
        check.guideline = "g" + std::to_string(k);
        check.left = "MPI_Operation_" + std::to_string(k) + "(m)";
        check.remedy->factor = 1.0 + static_cast<double>(k);
        check.remedy->saved_s = 1e-6 * static_cast<double>(k);
        check.reproduce = "reproduce " + check.guideline;
        report.checks.push_back(check);
    }
    count_again(report);
    return report;
}

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

/// Returns the sentence of a launch with these times of messages, within a host that has 36 GB/s.
std::optional<MessageTimes> times_with(double message_s, double bytes_per_s, double other_tasks) {
    record::Header header;
    header.machine.hosts = {{.name = "h", .ranks = {0, 1}}};
    Host& host = header.machine.hosts[0];
    host.speed = HostSpeed{.handover_s = 2.7e-8, .copy_bytes_per_s = 36e9};
    host.conditions.emplace().other_tasks = other_tasks;
    header.cost_model = LinearModel{.alpha = message_s, .beta = 1 / bytes_per_s};
    return message_times(header);
}

TEST(Overview, SlowMessagesAreBlamedOnlyIfSeveralLaunchesAgree) {
    Report report = small_report();
    report.header.environment = {{"OMPI_MCA_btl", "self,tcp"}, {"OMPI_OTHER", "1"}};
    const MessageTimes healthy = times_with(1e-7, 12e9, 0).value(),
                       slow = times_with(5.7e-6, 5e9, 0).value();
    report.message_times = {healthy};
    EXPECT_THAT(plain(report),
                HasSubstr("\nMessages within this host: 0.1 us, 12 GB/s; its memory: 0.027 us, "));
    report.message_times = {times_with(2.6e-4, 12e9, 0).value()};
    EXPECT_THAT(plain(report), HasSubstr("\nMessages within this host: 260 us, 12 GB/s; "));
    report.message_times = {slow};
    EXPECT_THAT(plain(report),
                HasSubstr("36 GB/s. That\n  is slow: see whether another launch agrees\n"));
    report.message_times = {slow, healthy, healthy};
    EXPECT_THAT(plain(report), HasSubstr("36 GB/s: slow\n  in 1 of 3 launches\n"));
    EXPECT_THAT(plain(report), Not(HasSubstr("all operations")));
    report.message_times = {slow, slow, healthy};
    EXPECT_TRUE(plain(report).starts_with(
        "Messages within this host: 5.7 us, 5 GB/s; its memory: 0.027 us, 36 GB/s: all\n"
        "  operations are slow, which no guideline can show. These variables may be the\n"
        "  cause: OMPI_MCA_btl=self,tcp\n"))
        << plain(report);
}

TEST(Overview, MessagesBetweenNodesStandBesideThoseWithinNodesAndTheLink) {
    record::Header header;
    header.machine.hosts = {{.name = "a", .ranks = {0, 1}}, {.name = "b", .ranks = {2, 3}}};
    header.cost_model = LinearModel{.alpha = 2.4e-6, .beta = 1 / 3.2e9};
    NodeModel& nodes = header.cost_model->nodes.emplace();
    nodes.ranks_per_node = 2;
    nodes.alpha = 0.5e-6;
    nodes.beta = 1 / 6e9;
    nodes.memory = 2;
    Report report = small_report();
    const auto say = [&] {
        report.message_times = {message_times(header).value()};
        return messages_in_words(report).value().sentence;
    };
    const std::string between = "Messages between nodes: 2.4 us, 3.2 GB/s",
                      within = "; within a node: 0.5 us, 6 GB/s, 12 GB/s of all ranks together";
    EXPECT_EQ(say(), between + within);
    header.machine.hosts[0].speed = HostSpeed{.handover_s = 1e-7, .copy_bytes_per_s = 24e9};
    EXPECT_EQ(say(), between + within + "; memory of a node: 0.1 us, 24 GB/s");
    header.machine.hosts[0].speed.reset();
    header.options = {{"link", "40Gb/s"}};
    EXPECT_EQ(say(), between + " (64 % of the link's 5 GB/s)" + within);
    header.options = {{"link", "100Gb/s"}};
    EXPECT_EQ(say(), between + " (26 % of the link's 12 GB/s)" + within +
                         ". That is slow: see whether another launch agrees");
    report.header.simulated = true;
    EXPECT_TRUE(messages_in_words(report)->are_slow);
    header.cost_model->nodes->alpha = 0;
    header.options = {};
    EXPECT_EQ(say(), between);
}

TEST(Overview, ABarrierThatLetsRanksOutLateIsNamed) {
    Report report = small_report();
    ReportedProblem& problem = report.problems.front();
    const auto add = [&](const char* name, double skew_s) {
        ReportedContestant& made = problem.contestants.emplace_back();
        made.name = name;
        made.exit_skew_s = skew_s;
        made.statistics.emplace().median = 10e-6;
    };
    EXPECT_FALSE(exit_skew_of(report));
    add("MPI_Barrier", 4e-6);
    add("MPI_Allreduce(1)", 1e-6);
    add("tournament_Barrier", 5e-6);
    EXPECT_EQ(exit_skew_of(report)->sentence,
              "The last rank leaves MPI_Barrier 4 us after the first one (5 us by tournament)");
    EXPECT_FALSE(exit_skew_of(report)->is_late);
    EXPECT_THAT(plain(report), HasSubstr("\nThe last rank leaves MPI_Barrier 4 us after "));
    add("dissemination_Barrier_radix4", 3.5e-6);
    EXPECT_FALSE(exit_skew_of(report)->is_late);
    add("dissemination_Barrier_radix8", 1e-6);
    EXPECT_THAT(plain(report),
                HasSubstr("\nSKEW: The last rank leaves MPI_Barrier 4 us after the first one (1 us "
                          "by\n  dissemination, radix 8), and a call of the barrier takes 10 us"));
    // A share of the barrier that is too small to matter.
    problem.contestants.rbegin()[4].statistics->median = 1e-3;
    EXPECT_FALSE(exit_skew_of(report)->is_late);
}

TEST(Overview, OtherLoadExplainsSlowCopiesAndLongWaitsButNotTCP) {
    // Latencies without and with other programs; 3 GB/s is a twelfth of the host's rate.
    EXPECT_TRUE(times_with(1e-6, 12e9, 0)->are_slow);
    EXPECT_TRUE(times_with(1e-7, 2.9e9, 0)->are_slow);
    EXPECT_FALSE(times_with(1e-6, 12e9, 3)->are_slow);
    EXPECT_FALSE(times_with(1e-7, 1.8e9, 3)->are_slow);
    EXPECT_TRUE(times_with(5.7e-6, 5e9, 3)->are_slow);
    EXPECT_FALSE(times_with(2.3e-5, 5e9, 3)->are_slow);
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
}

TEST(Overview, LossesOfMemoryAreOneLineForEachCause) {
    Report report = small_report();
    const auto lose = [&](const char* name, std::initializer_list<double> bytes) {
        for (const double each : bytes) {
            ReportedContestant contestant;
            contestant.name = name;
            if (each > 0.0) contestant.lost_bytes = each;
            report.problems.front().contestants.push_back(contestant);
        }
        report.memory_losses = memory_losses_of(report);
    };
    record::Implementation& function = report.header.implementations.emplace_back();
    function.name = "MPI_Scatterv_init";
    function.written_as = "MPIX_Scatterv_init";
    // A pool that grows on one problem, memory that is lost on one problem only, several calls in
    // one form.
    lose("MPI_Scatterv_init[once](m)", {1034, 179, 176, 178});
    lose("MPI_Bcast(m)", {0, 0, 1008});
    lose("MPI_Bcast[in a row](m)", {8064});
    lose("2 MPI_Bcast(m/2)", {2016});
    EXPECT_THAT(
        plain(report),
        HasSubstr("\nMEMORY: MPIX_Scatterv_init loses 179 bytes at each MPI_Request_free\n"));
    EXPECT_EQ(report.memory_losses.size(), 1U);
    lose("MPI_Bcast_init[once](m)", {112});
    lose("MPI_Reduce_init[once](m)", {464});
    lose("D(m)", {24});
    // Of the larger problems nobody knows.
    lose("MPI_Reduce_init[once](m)", {0, 0});
    for (auto way = report.problems.front().contestants.end() - 2;
         way != report.problems.front().contestants.end(); ++way)
        way->loss_unknown = true;
    report.memory_losses = memory_losses_of(report);
    EXPECT_THAT(plain(report), HasSubstr("\nMEMORY: 3 persistent operations lose 112 to 464 bytes "
                                         "at each MPI_Request_free\n"));
    EXPECT_THAT(plain(report), HasSubstr("\nMEMORY: D loses 24 bytes in each call\n"));
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

/// The row of the only violated operation.
std::string row_of(const Report& report) {
    const std::string text = plain(report);
    const std::size_t begin = text.find("\n! ") + 1;
    return text.substr(begin, text.find("\n", begin) - begin);
}

/// A report with one violated check of MPI_Gather whose remedy has this name and these steps.
Report with_remedy(const std::string& name, const std::vector<record::Step>& steps,
                   bool is_forced = false, const std::string& code = "") {
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
    check.remedy = Remedy{name, 1.5, 1e-6, code};
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
    EXPECT_EQ(report.overview.at(0).instead, "MPI_Gatherv");
    EXPECT_EQ(contestant_of(report.checks.front(), "MPI_Gatherv(m)", report.problems.front()),
              &contestants.back());
}

TEST(Overview, AdviceSaysWhatTheCodeNeeds) {
    Report report = with_remedy("MPI_Gatherv(m)", {{"MPI_Gatherv", "scattered", "rooted"}});
    report.checks.front().remedy->needs = {"equal blocks", "counts on all ranks"};
    count_again(report);
    EXPECT_EQ(report.overview.at(0).instead,
              "MPI_Gatherv; needs equal blocks, counts on all ranks");
}

TEST(Overview, TheRemedyHasFewWords) {
    const record::Step gatherv{"MPI_Gatherv", "scattered", "rooted"},
        reference{"linear_Gather", "scattered", "rooted"};
    const auto instead = [](const Report& report) { return report.overview.at(0).instead; };
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
    EXPECT_EQ(instead(with_remedy("MPI_Gather[binomial](m)", {gatherv}, true,
                                  "MPIR_CVAR_GATHER_INTRA_ALGORITHM=binomial")),
              "set MPIR_CVAR_GATHER_INTRA_ALGORITHM=binomial (binomial tree)");
}

TEST(Overview, NamesOfVariablesStayWholeBesideShortNamesOfFunctions) {
    Report report = many_violated(20);
    for (std::size_t k = 0; k < report.checks.size(); ++k) {
        ReportedContestant way = report.problems.front().contestants.front();
        way.name = fmt::format("MPI_Operation_{}[binomial](m)", k + 1);
        way.steps = {{"MPI_Operation", "scattered", "rooted"}};
        way.forced = true;
        report.problems.front().contestants.push_back(way);
        report.checks[k].right = way.name;
        report.checks[k].remedy->contestant = way.name;
        report.checks[k].remedy->code = "OMPI_MCA_x=6";
    }
    count_again(report);
    const std::string text = overview(report, {.columns = 80, .rows = 0}, "");
    EXPECT_THAT(text, HasSubstr("instead (MPI_...)"));
    EXPECT_THAT(text, HasSubstr("  set OMPI_MCA_x=6 (binomial tree)\n"));
}

TEST(Overview, SettingsOfAnotherAuditReplaceTheCommandThatLooksForThem) {
    Report report = small_report();
    report.header.with_choice = {"A"};
    report.compared_operations = {"A"};
    EXPECT_THAT(plain(report), HasSubstr("\nNo other algorithm of the library was faster for A\n"));
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
                               .slower_at_bytes = {},
                               .sentence = "A 2.00 times as fast at 4 KiB: linear_nb"},
                              {.operation = "MPI_Ib + MPI_Wait",
                               .variables = "OMPI_MCA_coll_libnbc_ib_algorithm=1",
                               .algorithm = "linear",
                               .family = "linear",
                               .factor = 2,
                               .saved_s = 1e-6,
                               .launches = 2,
                               .bytes = 4,
                               .slower_at_bytes = {},
                               .sentence = "MPI_Ib 2.00 times as fast at 4 B: linear"}};
    const std::string text = plain(report);
    EXPECT_THAT(text, HasSubstr("\nSettings of the library, for all sizes, that 2 launches found "
                                "faster with\n  OMPI_MCA_coll_tuned_use_dynamic_rules=1:\n"
                                "  A 2.00 times as fast at 4 KiB: linear_nb\n"
                                "    OMPI_MCA_coll_tuned_a_algorithm=3\n"
                                "  MPI_Ib 2.00 times as fast at 4 B: linear\n"
                                "    OMPI_MCA_coll_libnbc_ib_algorithm=1\n"));
    EXPECT_THAT(text, Not(HasSubstr("To look for a setting")));
    EXPECT_THAT(other_findings(report),
                testing::Contains("A setting, in 2 launches: A 2.00 times as fast at 4 KiB: "
                                  "linear_nb (" +
                                  blocking + ")"));
}

TEST(Overview, ACallThatAProgramCanMakeComesBeforeAReport) {
    Report report = with_remedy("linear_Gather(m)", {{"linear_Gather", "scattered", "rooted"}});
    // The right side is faster, too, by the ratio of the check itself.
    report.checks.front().right = "B(m)";
    report.checks.front().samples->judgement.factor = 1.25;
    count_again(report);
    const OverviewRow& row = report.overview.at(0);
    EXPECT_EQ(row.instead, "B");
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
    EXPECT_EQ(row_of(report),
              "! MPI_Comm_dup     -   3.000       -  -        keep the communicator");
}

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

/// Adds a problem with this distribution and a check of an operation against B with the ratio
/// `factor`; the check holds if the ratio is 1.
void add_problem(Report& report, const std::string& operation, const std::string& distribution,
                 std::int64_t block_size, double factor) {
    ReportedProblem problem = report.problems.front();
    problem.problem.id = fmt::format("{}/b={}", distribution, block_size);
    problem.problem.distribution = distribution;
    problem.problem.block_size = block_size;
    problem.problem.total = 4 * block_size;
    report.problems.push_back(problem);
    JudgedCheck check = small_report().checks.front();
    check.problem = problem.problem.id;
    check.left = operation + "(m)";
    check.verdict = factor > 1.0 ? Verdict::violated : Verdict::holds;
    check.samples->judgement.factor = factor;
    check.samples->judgement.ratio.median = factor;
    check.remedy.reset();
    if (factor > 1.0) check.remedy = Remedy{"B(m)", factor, 1e-6 * factor, ""};
    report.checks.push_back(check);
    count_again(report);
}

TEST(Overview, SizesAreThoseOfThePairOnItsKindOfBlocks) {
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
    EXPECT_EQ(row().high_bytes, 512);
    EXPECT_THAT(row_of(report), HasSubstr("     256  128..512 "));
    // A size at which another way is faster tells nothing about this pair.
    report.checks[3].remedy->contestant = "C(m)";
    report.checks[3].right = "C(m)";
    count_again(report);
    EXPECT_EQ(row().high_bytes, 256);
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
        const std::string said = report.overview.at(0).data;
        report.problems.pop_back();
        return said;
    };
    EXPECT_EQ(data("MPI_Gather", "same"), "");
    EXPECT_EQ(data("MPI_Gather", "spikes"), "blocks: spikes");
    EXPECT_EQ(data("MPI_Bcast", "spikes"), "");
    EXPECT_EQ(data("MPI_Reduce", "double-max-root-0"), "MPI_DOUBLE, MPI_MAX, root 3");
    EXPECT_EQ(data("MPI_Alltoall", "double-max-root-0"), "MPI_DOUBLE");
}

/// Ratios of several launches of the check.
void set_launches(JudgedCheck& check, std::initializer_list<double> factors) {
    check.launches.clear();
    for (const double each : factors) {
        JudgedLaunch& launch = check.launches.emplace_back();
        launch.launch = static_cast<int>(check.launches.size());
        launch.samples.judgement.factor = each;
        launch.samples.judgement.verdict = each > 1.05 ? Verdict::violated : Verdict::undecided;
    }
}

TEST(Headline, NamesWhatIsClearlySlowInEveryLaunchOnTwoProblems) {
    Report report = small_report();
    report.checks.clear();
    report.launches.resize(3);
    report.header.rule.tolerance = 0.05;
    add_problem(report, "MPI_Gather", "same", 16, 1.5);
    add_problem(report, "MPI_Gather", "same", 32, 1.5);
    JudgedCheck& last = report.checks.back();
    set_launches(report.checks.front(), {1.5, 1.5, 1.5});
    const auto is_named = [&](std::initializer_list<double> factors) {
        set_launches(report.checks.back(), factors);
        return clearly_slow(report).contains("MPI_Gather");
    };
    EXPECT_TRUE(is_named({1.1, 1.2, 1.3}));
    EXPECT_FALSE(is_named({1.1, 1.19, 1.3}));
    EXPECT_FALSE(is_named({1.04, 1.5, 1.5}));
    EXPECT_TRUE(is_named({1.2, 1.2}));
    EXPECT_FALSE(is_named({2.0}));  // less than half of the launches
    EXPECT_THAT(headline(report), testing::StartsWith("none of 1 operation takes"));
    set_launches(last, {1.5, 1.5, 1.5});
    EXPECT_EQ(headline(report),
              "1 of 1 operation takes 1.2 times as long as other calls or more, "
              "in every launch: Gather.");
    // One problem is enough if it is the only one.
    last.verdict = Verdict::skipped;
    last.samples.reset();
    EXPECT_TRUE(clearly_slow(report).contains("MPI_Gather"));
}

TEST(Headline, HasNoRatiosWhereRanksWaitForCores) {
    Report report = small_report();
    report.header.machine.hosts = {{.name = "h", .ranks = {0, 1, 2, 3}}};
    report.header.machine.hosts[0].topology.emplace().cores = 2;
    const std::string text = plain(report);
    EXPECT_TRUE(text.starts_with(
        "Some MPI v1.2, 4 ranks on 2 cores, single launch: with more ranks than cores,\n"
        "ranks wait for a turn, and ratios say little about the library.\n"))
        << text;
    EXPECT_THAT(text, HasSubstr("\n! slower here: A\n"));
    EXPECT_THAT(text, Not(HasSubstr("1.50")));
}

TEST(Violations, TheCountsAddUp) {
    Report report = many_violated(4);
    report.launches.resize(3);
    for (std::size_t i : {1U, 2U}) report.launches[i].confirms.emplace();
    set_launches(report.checks[0], {1.5, 1.5, 1.5});
    set_launches(report.checks[1], {1.5, 1.01, 1.5});
    report.checks[3].verdict = Verdict::undecided;
    set_launches(report.checks[3], {1.5, 0.9, 1.5});
    JudgedCheck control = report.checks[0];
    control.verdict = Verdict::holds;
    control.guideline = "held";
    set_launches(control, {0.9, 0.9, 0.9});
    report.checks.push_back(control);
    report.launches[1].confirms->controls = {{control.problem, control.guideline}};
    count_again(report);
    report.header.rule.alpha = 0.05;
    EXPECT_EQ(
        violations_in_words(report),
        "3 of 4 decided checks are violated: 1 in every launch that measured them, 1 by all "
        "launches together, 1 in the only launch that measured them. 1 more is violated in some "
        "launches only (not counted). Of 1 control that held before, 0 came out violated.");
    set_launches(report.checks.back(), {0.9, 1.3, 0.9});
    report.checks.back().verdict = Verdict::holds;
    EXPECT_THAT(violations_in_words(report),
                HasSubstr("1 came out violated, more than alpha = 0.05 allows: launches differ on "
                          "this machine; bind the ranks (--bind core)"));
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

TEST(Overview, ARatioToATimeOfZeroIsInfinite) {
    Report report = many_violated(3);
    report.checks[0].samples->judgement.factor = std::numeric_limits<double>::infinity();
    report.checks[0].samples->judgement.left.median = 1e-5;
    report.checks[0].remedy.reset();
    count_again(report);
    EXPECT_THAT(plain(report), HasSubstr("To measure the first row again:\n  reproduce g1\n"));
    EXPECT_THAT(plain(report), HasSubstr(" inf "));
}

TEST(Overview, TheRatioIsThatOfTheReplacement) {
    Report report = small_report();
    report.checks[0].samples->judgement.factor = 1.4;  // B(m) over the guideline's right side
    count_again(report);
    EXPECT_THAT(row_of(report), testing::StartsWith("! A          1.50   1.000"));
    report.checks[0].remedy.reset();
    count_again(report);
    EXPECT_THAT(row_of(report), testing::StartsWith("! A          1.40   0.857"));
}

TEST(Overview, UndecidedChecksAreCountedByReason) {
    Report report = small_report();
    EXPECT_THAT(plain(report), Not(HasSubstr("Not decided")));
    report.checks[1].verdict = Verdict::undecided;
    report.checks[2].reason = record::no_time_left;
    report.checks[3].reason = record::slower_reference(3, 9, 180.0);
    report.checks.push_back(report.checks[2]);
    report.checks.back().reason = "needs equal blocks";
    count_again(report);
    EXPECT_THAT(plain(report), HasSubstr("\nNot decided: 1 too close or too noisy, 1 for lack of "
                                         "time (--budget), 1\n  predicted to be slow, 1 not "
                                         "applicable\n"));
}

TEST(Overview, TellsHowManyAlgorithmsWereNotFaster) {
    Report report = small_report();
    record::Implementation own;
    own.collective = "bcast";
    JudgedCheck check = report.checks[1];
    const auto add = [&](const char* right, Verdict verdict, const std::string& reason) {
        check.right = right;
        check.verdict = verdict;
        check.reason = reason;
        report.checks.push_back(check);
        own.name = parse_way(right).operations();
        report.header.implementations.push_back(own);
    };
    report.checks.clear();
    check.left = "MPI_Bcast(m)";
    add("linear_Bcast(m)", Verdict::holds, "");
    add("binomial_Bcast(m)", Verdict::undecided, "too close");
    add("chain_Bcast(m)", Verdict::skipped, record::slower_reference(2, 3, 180.0));
    add("ring_Bcast(m)", Verdict::skipped, "needs a power of two");
    EXPECT_THAT(other_findings(report),
                testing::Contains("Nothing measured was faster than MPI_Bcast (2 of 3 "
                                  "algorithms)."));
    check.problem = report.problems[1].problem.id;
    add("linear_Bcast(m)", Verdict::holds, "");
    add("binomial_Bcast(m)", Verdict::skipped, record::no_time_left);
    EXPECT_THAT(other_findings(report),
                testing::Contains("Nothing measured was faster than MPI_Bcast (1 to 2 of 3 "
                                  "algorithms)."));
}

TEST(Overview, SaysWhatWasNotAudited) {
    Report report = small_report();
    report.header.not_audited = {"MPI_Scan", "MPI_Bcast"};
    EXPECT_THAT(plain(report),
                HasSubstr("\nNot audited, since no guideline asks for it: MPI_Scan, MPI_Bcast\n"));
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
    // Decided or not, the check is no question about the library.
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
        overview_rows(report).at(0).ranges,
        ElementsAre("same: from 40\u00a0B to 1.95\u00a0KiB, up to 1.50 times as long as B(m); "
                    "not at 1.95\u00a0KiB; another ratio at 40\u00a0B",
                    "spikes: at 40\u00a0B"));
}

TEST(OverviewRow, HasTheFastestWaysToWhichGuidelinesLead) {
    Report report = small_report();
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

TEST(ShortText, HasThreeSignificantDigitsAndNoExponent) {
    for (const auto& [value, text] : {std::pair{0.0, "0"},
                                      {12345.6, "12\u202f346"},
                                      {123.4, "123"},
                                      {9.876, "9.88"},
                                      {0.05, "0.05"},
                                      {1e6, "1\u202f000\u202f000"},
                                      {100.0, "100"}})
        EXPECT_EQ(short_text(value), text);
}

TEST(Microseconds, FitTheirColumn) {
    for (double seconds = 1e-10; seconds < 999; seconds *= 1.01)
        EXPECT_LE(microseconds(seconds).size(), 5U) << seconds;
}

}  // namespace
}  // namespace mpiaudit
