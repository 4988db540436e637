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
    EXPECT_THAT(whole(report),
                HasSubstr("\nMessages within this host: 0.1 us, 12 GB/s; its memory: 0.027 us, "));
    report.message_times = {times_with(2.6e-4, 12e9, 0).value()};
    EXPECT_THAT(whole(report), HasSubstr("\nMessages within this host: 260 us, 12 GB/s; "));
    report.message_times = {slow};
    EXPECT_THAT(whole(report),
                HasSubstr("36 GB/s. That\n  is slow: see whether another launch agrees\n"));
    report.message_times = {slow, healthy, healthy};
    EXPECT_THAT(whole(report), HasSubstr("36 GB/s: slow\n  in 1 of 3 launches\n"));
    EXPECT_THAT(whole(report), Not(HasSubstr("all operations")));
    report.message_times = {slow, slow, healthy};
    EXPECT_THAT(
        whole(report),
        HasSubstr(
            "\nMessages within this host: 5.7 us, 5 GB/s; its memory: 0.027 us, 36 GB/s: all\n"
            "  operations are slow, which no guideline can show. These variables may be the\n"
            "  cause: OMPI_MCA_btl=self,tcp\n"));
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
    EXPECT_EQ(in_words(*exit_skew_of(report)),
              "The last rank leaves MPI_Barrier 4 us after the first one (5 us by tournament)");
    EXPECT_FALSE(exit_skew_of(report)->is_late);
    EXPECT_THAT(whole(report), HasSubstr("\nThe last rank leaves MPI_Barrier 4 us after "));
    add("dissemination_Barrier_radix4", 3.5e-6);
    EXPECT_FALSE(exit_skew_of(report)->is_late);
    add("dissemination_Barrier_radix8", 1e-6);
    EXPECT_THAT(whole(report),
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
    EXPECT_THAT(whole(report), Not(HasSubstr("MEMORY")));
    problem.contestants.rbegin()[1].call_bytes = 4.0 * 400'000 + 1;
    const std::string said = whole(report);
    EXPECT_THAT(said, HasSubstr("\nMEMORY: D(m) takes 1.6 MB of a rank's memory in a call on "));
    EXPECT_THAT(said, HasSubstr("(0.4 MB in\n  all)\n"));
    problem.problem.total = 10'000;  // as much as a pool
    problem.contestants.rbegin()[1].call_bytes = 1 << 20;
    EXPECT_THAT(whole(report), Not(HasSubstr("MEMORY")));
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
        whole(report),
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
    EXPECT_THAT(whole(report), HasSubstr("\nMEMORY: 3 persistent operations lose 112 to 464 bytes "
                                         "at each MPI_Request_free\n"));
    EXPECT_THAT(whole(report), HasSubstr("\nMEMORY: D loses 24 bytes in each call\n"));
}

}  // namespace
}  // namespace mpiaudit
