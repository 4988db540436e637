// SPDX-License-Identifier: BSD-3-Clause
// ThreadSanitizer (tests/run --stage threads) sees the data that the watchdog's thread shares with
// the main thread.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "messages/under_test.h"
#include "mpi/incident.h"
#include "mpi/watchdog.h"
#include "world.h"

namespace mpiaudit {
namespace {

using Clock = std::chrono::steady_clock;

/// Publishes other facts again and again, each in memory of its own.
void publish_for(std::chrono::milliseconds duration) {
    const Clock::time_point end = Clock::now() + duration;
    for (int i = 0; Clock::now() < end; ++i) {
        const std::string word = std::to_string(i) + " that is too long for a short string";
        name_tested({.problem = word, .names = {word, word}, .expected_s = i * 1e-9});
        if (i % 2 == 0) note_incidents_in("", word);
    }
}

TEST(Facts, StayWhereTheyAreWhileOthersArePublished) {
    std::atomic<bool> is_over = false;
    std::thread reader([&] {
        while (!is_over) {
            const incident::Facts facts;
            EXPECT_EQ(facts.problem_name().empty(), false);
            EXPECT_EQ(facts.operation_name(0).empty(), false);
            EXPECT_GE(facts.expected_s(), 0.0);
            EXPECT_EQ(facts.folder(), "");
            static_cast<void>(std::string(facts.remedy()));
        }
    });
    publish_for(std::chrono::milliseconds(300));
    is_over = true;
    reader.join();
    name_tested({.problem = "the last one", .names = {"MPI_Gather"}});
    EXPECT_EQ(incident::Facts().problem_name(), "the last one");
    EXPECT_EQ(incident::Facts().operation_name(0), "MPI_Gather");
}

/// The thread wakes up once a second to read the published data.
TEST(Watchdog, WatchesWhileOthersArePublished) {
    Watchdog watchdog({}, 6, MPI_COMM_WORLD);
    std::atomic<int> reports = 0;
    watchdog.set_report([&] {
        ++reports;
        return std::string();
    });
    for (int call = 0; call < 4; ++call) {
        under_test::arrive(call % 2);
        under_test::enter();
        publish_for(std::chrono::milliseconds(400));
        under_test::leave();
        under_test::finish();
    }
    watchdog.set_report(nullptr);
    EXPECT_EQ(reports, 0);
}

TEST(ThreadLevel, IsTheOneThatTheWatchdogNeeds) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    EXPECT_GE(level, MPI_THREAD_FUNNELED);
}

}  // namespace
}  // namespace mpiaudit
