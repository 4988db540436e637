// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/min3.h"

#include <gmock/gmock.h>

#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "random_network.h"
#include "schedule/replay.h"

namespace mpiaudit::test {
namespace {

using testing::Eq;

struct Case {
    Network network;
    Ports ports;
    std::vector<double> bytes;
    std::string description;
};

/// Networks of every kind; the same ones in every run.
template <class Check>
void for_random_cases(int most_hosts, int repetitions, Check check) {
    std::mt19937 random(20070625);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (const bool has_ties : {false, true}) {
            for (const bool is_regular : {true, false}) {
                for (const Ports ports : {Ports::half_duplex, Ports::full_duplex}) {
                    const int hosts = 1 + repetition % most_hosts;
                    const bool has_overheads = repetition % 3 == 1;
                    Case made{random_network(hosts, has_ties, has_overheads, random), ports,
                              random_bytes(hosts, is_regular, random),
                              "repetition " + std::to_string(repetition)};
                    check(made);
                }
            }
        }
    }
}

/// Figures 3 to 7 word by word: every message of every step is looked at.
class ByTheBook {
  public:
    ByTheBook(const Case& given)
        : given_{given}, times_{given.network, given.ports}, held_(given.bytes.size()) {
        for (std::size_t i = 0; i < held_.size(); ++i) held_[i][static_cast<int>(i)] = 0.0;
        schedule.hosts = given.network.size();
    }

    void run(const Pool& pool) {
        if (pool.hosts.size() < 2) return;
        const auto parts = pool.parts();
        for (;;) {
            // Time, source, destination, size, datum.
            std::tuple<double, int, int, double, int> best{std::numeric_limits<double>::infinity(),
                                                           0, 0, 0.0, 0};
            for (const auto& part : parts)
                for (const int destination : part)
                    for (const int source : pool.hosts)
                        for (const auto& [datum, held_s] : held_[index(source)]) {
                            if (has(part, datum)) continue;
                            const double bytes = given_.bytes[index(datum)];
                            const double ends_s =
                                std::max(times_.available_s(source, destination), held_s) +
                                given_.network.transfer_s(bytes, source, destination);
                            best = std::min(best, {ends_s, source, destination, bytes, datum});
                        }
            const auto [ends_s, source, destination, bytes, datum] = best;
            if (ends_s == std::numeric_limits<double>::infinity()) break;
            const auto sent = times_.send(source, destination, bytes, held_[index(source)][datum]);
            held_[index(destination)][datum] = sent.end_s;
            schedule.add(source, destination, datum);
        }
        for (const Pool& each : pool.pools) run(each);
    }

    AllgatherSchedule schedule;

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    bool has(const std::vector<int>& part, int datum) const {
        return std::ranges::any_of(part,
                                   [&](int host) { return held_[index(host)].contains(datum); });
    }

    const Case& given_;
    PortTimes times_;
    std::vector<std::map<int, double>> held_;  ///< since when each host has which data
};

TEST(Min3, SchedulesWhatTheFiguresOfThePaperSchedule) {
    for_random_cases(7, 35, [](const Case& each) {
        const Pool root = make_pool_tree(each.network);
        ByTheBook expected(each);
        expected.run(root);
        const AllgatherSchedule schedule =
            min3_schedule(each.network, root, each.ports, each.bytes);
        ASSERT_EQ(schedule.messages.size(), expected.schedule.messages.size());
        for (std::size_t i = 0; i < schedule.messages.size(); ++i) {
            const ScheduledMessage& ours = schedule.messages[i];
            const ScheduledMessage& theirs = expected.schedule.messages[i];
            ASSERT_THAT(
                std::tuple(ours.source, ours.destination, schedule.data[i]),
                Eq(std::tuple(theirs.source, theirs.destination, expected.schedule.data[i])))
                << each.description << ", message " << i;
        }
    });
}

TEST(Min3, EveryHostGetsEveryDatumOnceFromAHostThatHasIt) {
    for_random_cases(17, 34, [](const Case& each) {
        const AllgatherSchedule schedule =
            min3_schedule(each.network, make_pool_tree(each.network), each.ports, each.bytes);
        EXPECT_EQ(flaw_of(schedule), std::nullopt) << each.description;
    });
}

/// How often each datum enters the pool; its own hosts' data never do.
void expect_entered_once(const Pool& pool, const AllgatherSchedule& schedule) {
    const std::set<int> within(pool.hosts.begin(), pool.hosts.end());
    std::vector<int> entered(static_cast<std::size_t>(schedule.hosts), 0);
    for (const ScheduledMessage& message : schedule.messages) {
        if (within.contains(message.source) || !within.contains(message.destination)) continue;
        for (const int datum : schedule.data_of(message))
            ++entered[static_cast<std::size_t>(datum)];
    }
    for (int datum = 0; datum < schedule.hosts; ++datum)
        EXPECT_EQ(entered[static_cast<std::size_t>(datum)], within.contains(datum) ? 0 : 1);
    for (const Pool& each : pool.pools) expect_entered_once(each, schedule);
}

TEST(Min3, EveryDatumEntersEveryPoolOnce) {
    int pools = 0;
    for_random_cases(17, 34, [&](const Case& each) {
        const Pool root = make_pool_tree(each.network);
        pools += static_cast<int>(root.pools.size());
        expect_entered_once(root, min3_schedule(each.network, root, each.ports, each.bytes));
    });
    EXPECT_GT(pools, 100);  // or nothing would have been tested
}

TEST(Min3, ItsPredictionIsTheReplayInTheModel) {
    for_random_cases(17, 34, [](const Case& each) {
        const AllgatherSchedule schedule =
            min3_schedule(each.network, make_pool_tree(each.network), each.ports, each.bytes);
        EXPECT_DOUBLE_EQ(schedule.predicted_s,
                         replay(schedule, each.network, each.ports, each.bytes).end_s);
    });
}

}  // namespace
}  // namespace mpiaudit::test
