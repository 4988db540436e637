// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/broadcast_trees.h"
#include "schedule/replay.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "random_network.h"

namespace mpiaudit::test {
namespace {

struct Case {
    Network network;
    Ports ports;
    std::vector<double> bytes;
};

/// Figures 3 to 7 line by line, with their tables MinTime, MinSrc and MinDest and the conditions
/// under which an entry is found again. What TotalTime leaves open, when the source has the datum,
/// is here.
class ByTheBook {
  public:
    ByTheBook(const Case& given)
        : given_{given}, times_{given.network, given.ports}, held_s_(given.bytes.size()) {
        schedule.hosts = given.network.size();
        std::vector<int> init_source(given.bytes.size());
        for (int datum = 0; datum < schedule.hosts; ++datum) {
            init_source[index(datum)] = datum;
            held_s_[index(datum)][datum] = 0.0;
        }
        min3_allgather(make_pool_tree(given.network), init_source);
    }

    AllgatherSchedule schedule;

  private:
    struct Minimum {
        double time_s = std::numeric_limits<double>::infinity();
        int source = -1, destination = -1;
    };
    using SubPools = std::vector<std::vector<int>>;
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    // Figure 4
    Minimum find_min(int datum, const std::vector<int>& sub_pool) const {
        Minimum found;
        for (const int source : sources_[index(datum)])
            for (const int host : sub_pool) {
                const double total_s =
                    std::max(times_.available_s(source, host), held_s_[index(source)].at(datum)) +
                    given_.network.transfer_s(given_.bytes[index(datum)], source, host);
                if (total_s < found.time_s) found = {total_s, source, host};
            }
        return found;
    }

    // Figure 3; the destination pools of a datum are the keys of its entry.
    void init_sched(const SubPools& pools, const std::vector<int>& init_source) {
        sources_.assign(init_source.size(), {});
        minima_.assign(init_source.size(), {});
        for (std::size_t datum = 0; datum < init_source.size(); ++datum) {
            sources_[datum] = {init_source[datum]};
            for (std::size_t pool = 0; pool < pools.size(); ++pool)
                if (!std::ranges::count(pools[pool], init_source[datum]))
                    minima_[datum][pool] = find_min(static_cast<int>(datum), pools[pool]);
        }
    }

    // Figure 5
    void schedule_input_pool(const SubPools& pools, const std::vector<int>& init_source) {
        init_sched(pools, init_source);
        for (;;) {
            double sched_s = std::numeric_limits<double>::infinity();
            bool come_out = true;
            std::size_t sched_datum = 0, sched_pool = 0;
            for (std::size_t datum = 0; datum < minima_.size(); ++datum) {
                if (minima_[datum].empty()) continue;
                come_out = false;
                double pool_s = std::numeric_limits<double>::infinity();
                std::size_t min_pool = 0;
                for (const auto& [pool, minimum] : minima_[datum])
                    if (minimum.time_s < pool_s) {
                        pool_s = minimum.time_s;
                        min_pool = pool;
                    }
                if (pool_s < sched_s) {
                    sched_s = pool_s;
                    sched_datum = datum;
                    sched_pool = min_pool;
                }
            }
            if (come_out) break;
            const Minimum sched = minima_[sched_datum].at(sched_pool);
            const int datum = static_cast<int>(sched_datum);
            held_s_[index(sched.destination)][datum] =
                times_
                    .send(sched.source, sched.destination, given_.bytes[sched_datum],
                          held_s_[index(sched.source)].at(datum))
                    .end_s;
            schedule.add(sched.source, sched.destination, datum);
            sources_[sched_datum].push_back(sched.destination);
            minima_[sched_datum].erase(sched_pool);
            update_after_sched(pools, sched_datum, sched);
        }
    }

    // Figure 6
    void update_after_sched(const SubPools& pools, std::size_t sched_datum, const Minimum& sched) {
        const bool half_duplex = given_.ports == Ports::half_duplex;
        for (std::size_t datum = 0; datum < minima_.size(); ++datum)
            for (auto& [pool, min] : minima_[datum])
                if (datum == sched_datum || min.source == sched.source ||
                    min.destination == sched.destination ||
                    (half_duplex &&
                     (min.source == sched.destination || min.destination == sched.source)))
                    min = find_min(static_cast<int>(datum), pools[pool]);
    }

    // Figure 7
    void min3_allgather(const Pool& pool, const std::vector<int>& init_source) {
        if (pool.hosts.size() < 2) return;
        schedule_input_pool(pool.parts(), init_source);
        const std::vector<std::vector<int>> sources = sources_;
        for (const Pool& sub_pool : pool.pools) {
            std::vector<int> sub_sources;
            for (const std::vector<int>& of_datum : sources)
                sub_sources.push_back(*std::ranges::find_if(of_datum, [&](int source) {
                    return std::ranges::count(sub_pool.hosts, source) > 0;
                }));
            min3_allgather(sub_pool, sub_sources);
        }
    }

    const Case& given_;
    PortTimes times_;
    std::vector<std::map<int, double>> held_s_;           ///< since when each host has which data
    std::vector<std::vector<int>> sources_;               ///< by datum
    std::vector<std::map<std::size_t, Minimum>> minima_;  ///< by datum, then by pool
};

/// Networks of every kind, the same in every run.
std::vector<Case> cases() {
    std::mt19937 random(20070625);
    std::vector<Case> all;
    for (int repetition = 0; repetition < 35; ++repetition)
        for (const bool has_ties : {false, true})
            for (const bool is_regular : {true, false})
                for (const Ports ports : {Ports::half_duplex, Ports::full_duplex}) {
                    const int hosts = 1 + repetition % 12;
                    all.push_back({random_network(hosts, has_ties, repetition % 3 == 1, random),
                                   ports, random_bytes(hosts, is_regular, random)});
                }
    return all;
}

TEST(Min3, SchedulesWhatTheFiguresOfThePaperSchedule) {
    for (const Case& each : cases()) {
        const AllgatherSchedule expected = ByTheBook(each).schedule;
        const AllgatherSchedule schedule =
            min3_schedule(each.network, make_pool_tree(each.network), each.ports, each.bytes);
        ASSERT_EQ(schedule.data, expected.data);
        ASSERT_EQ(schedule.messages.size(), expected.messages.size());
        for (std::size_t i = 0; i < schedule.messages.size(); ++i) {
            ASSERT_EQ(schedule.messages[i].source, expected.messages[i].source) << i;
            ASSERT_EQ(schedule.messages[i].destination, expected.messages[i].destination) << i;
        }
    }
}

}  // namespace
}  // namespace mpiaudit::test
