// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "schedule/grid.h"

// Algorithms that know no network, for comparison.
namespace mpiaudit {

inline std::vector<int> all_hosts(int hosts) {
    std::vector<int> all(static_cast<std::size_t>(hosts));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Step i: host h sends its datum to host h + i. As MagPIe where each host is a site.
inline AllgatherSchedule spreading_simple_schedule(int hosts) {
    Clusters sites;
    for (const int host : all_hosts(hosts)) sites.push_back({host});
    return magpie_schedule(hosts, sites);
}

/// Step i: every host passes on to the next one what it got in the step before.
inline AllgatherSchedule ring_schedule(int hosts) {
    AllgatherSchedule schedule{hosts, {}, {}};
    for (int step = 0; step + 1 < hosts; ++step) {
        for (int host = 0; host < hosts; ++host)
            schedule.add(host, (host + 1) % hosts, (host - step + hosts) % hosts);
    }
    return schedule;
}

/// Step i: hosts exchange all they have with the host at distance 2^i; for powers of two. As
/// MPICH-G2 where all hosts are one site.
inline AllgatherSchedule recursive_doubling_schedule(int hosts) {
    return mpich_g2_schedule(hosts, {{all_hosts(hosts)}});
}

/// Step i: every host sends to the host 2^i after it all that this one lacks of what it has.
inline AllgatherSchedule dissemination_schedule(int hosts) {
    AllgatherSchedule schedule{hosts, {}, {}};
    for (int distance = 1; distance < hosts; distance *= 2) {
        for (int host = 0; host < hosts; ++host) {
            std::vector<int> data;
            for (int i = 0; i < std::min(distance, hosts - distance); ++i)
                data.push_back((host - i + hosts) % hosts);
            std::ranges::sort(data);
            schedule.add(host, (host + distance) % hosts, data);
        }
    }
    return schedule;
}

}  // namespace mpiaudit
