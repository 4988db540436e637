// SPDX-License-Identifier: BSD-3-Clause
// A program of its own: a test sends itself a signal.
#include "mpi/part_of_launch.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <numeric>
#include <thread>
#include <vector>

#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "mpi/texts.h"
#include "world.h"

namespace mpiaudit {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

std::vector<int> first_ranks(int number) {
    std::vector<int> ranks(static_cast<std::size_t>(number));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// Returns the processor time of this thread in seconds.
double processor_s() {
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

TEST(PartOfLaunch, RanksOfThePartAuditAlone) {
    for (int number = 1; number <= ranks_of_world(); ++number) {
        PartOfLaunch part(first_ranks(number));
        EXPECT_EQ(part.is_measured(), own_rank() < number);
        if (part.is_measured()) {
            EXPECT_EQ(messages::size_of(audited_ranks()), number);
            EXPECT_EQ(messages::rank_in(audited_ranks()), own_rank());
            EXPECT_EQ(largest_of_ranks(own_rank(), audited_ranks()), number - 1);
            EXPECT_EQ(from_rank_0(own_rank() + 7), 7);
        }
        EXPECT_EQ(part.end(), 0);
        EXPECT_EQ(messages::size_of(audited_ranks()), ranks_of_world());
    }
}

/// The part need not have consecutive ranks: nodes may have every second rank.
TEST(PartOfLaunch, RanksKeepTheirOrder) {
    std::vector<int> even;
    for (int rank = 0; rank < ranks_of_world(); rank += 2) even.push_back(rank);
    PartOfLaunch part(even);
    if (part.is_measured()) {
        EXPECT_EQ(messages::rank_in(audited_ranks()), own_rank() / 2);
    }
    EXPECT_EQ(part.end(), 0);
}

TEST(PartOfLaunch, OtherRanksSleep) {
    PartOfLaunch part(first_ranks(1));
    const Clock::time_point begin = Clock::now();
    const double before_s = processor_s();
    if (part.is_measured()) std::this_thread::sleep_for(Seconds(1));
    part.end();
    const double share = (processor_s() - before_s) / Seconds(Clock::now() - begin).count();
    EXPECT_LT(share, 0.05);
}

/// The last test, since this process stays interrupted.
TEST(PartOfLaunch, SignalOfAnotherRankReachesThePart) {
    interruption::listen();
    PartOfLaunch part(first_ranks(1));
    const int last = ranks_of_world() - 1;
    if (own_rank() == last) std::raise(SIGUSR1);
    if (part.is_measured()) {
        while (interruption::received() == 0) std::this_thread::sleep_for(Seconds(1e-3));
        EXPECT_EQ(interruption::received(), SIGUSR1);
    }
    EXPECT_EQ(part.end(), SIGUSR1);
}

}  // namespace
}  // namespace mpiaudit
