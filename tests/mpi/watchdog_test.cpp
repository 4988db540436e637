// SPDX-License-Identifier: BSD-3-Clause
// ThreadSanitizer (tests/run --stage threads) sees the data that the watchdog's thread shares with
// the main thread.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "messages/under_test.h"
#include "mpi/incident.h"
#include "mpi/thread_activity.h"
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

/// Runs on a thread of its own, and calls `look` with the activity of this thread meanwhile.
void while_running(const std::function<void()>& run,
                   const std::function<void(ThreadActivity&)>& look) {
    std::promise<std::unique_ptr<ThreadActivity>> begun;
    std::thread thread([&] {
        begun.set_value(std::make_unique<ThreadActivity>());
        run();
    });
    look(*begun.get_future().get());
    thread.join();
}

TEST(ThreadActivity, IsAllTheTimeIfTheThreadSleeps) {
    std::promise<void> end;
    while_running([&] { end.get_future().wait(); },
                  [&](ThreadActivity& thread) {
                      // Sooner or later the thread has fallen asleep.
                      while (thread.active_of(1e9) < 1e9) std::this_thread::yield();
                      end.set_value();
                  });
}

TEST(ThreadActivity, IsTheTimeOnAProcessorIfTheThreadWouldRun) {
    std::atomic<bool> is_over = false;
    while_running(
        [&] {
            while (!is_over) {
            }
        },
        [&](ThreadActivity& thread) {
            // Other programs may interrupt the thread so often that each of its turns is short.
            while (thread.active_of(1e9) >= 1e9)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            is_over = true;
        });
}

TEST(ThreadLevel, IsTheOneThatTheWatchdogNeeds) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    EXPECT_GE(level, MPI_THREAD_FUNNELED);
}

}  // namespace
}  // namespace mpiaudit
