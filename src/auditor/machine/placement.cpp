// SPDX-License-Identifier: BSD-3-Clause
#include "machine/placement.h"

#include <algorithm>

namespace mpiaudit {
namespace {

/// Whether the k-th rank of host h is first(h) + k * step for all of them.
bool are_spaced(std::span<const Host> hosts, int first_step, int step) {
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        int expected = static_cast<int>(h) * first_step;
        for (const int rank : hosts[h].ranks) {
            if (rank != expected) return false;
            expected += step;
        }
    }
    return true;
}

}  // namespace

RankPlacement placement_of(std::span<const Host> hosts) {
    RankPlacement placement{.hosts = static_cast<int>(hosts.size())};
    if (hosts.empty()) return placement;
    const auto [least, most] =
        std::ranges::minmax_element(hosts, {}, [](const Host& host) { return host.ranks.size(); });
    placement.least_ranks = static_cast<int>(least->ranks.size());
    placement.most_ranks = static_cast<int>(most->ranks.size());
    const bool is_even = placement.least_ranks == placement.most_ranks;
    if (is_even && are_spaced(hosts, placement.most_ranks, 1))
        placement.order = RankOrder::block;
    else if (are_spaced(hosts, 1, placement.hosts))
        placement.order = RankOrder::cyclic;
    else
        placement.order = RankOrder::irregular;
    return placement;
}

std::string_view name(RankOrder order) {
    switch (order) {
        case RankOrder::block:
            return "block";
        case RankOrder::cyclic:
            return "cyclic";
        case RankOrder::irregular:
            break;
    }
    return "irregular";
}

}  // namespace mpiaudit
