// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "machine/machine_description.h"

namespace mpiaudit {

/// How the ranks lie on the hosts.
enum class RankOrder {
    block,   ///< those of a host follow each other, and there are as many on each; also of one host
    cyclic,  ///< rank r is on host r mod hosts
    irregular,  ///< neither
};

struct RankPlacement {
    int hosts = 0;
    int least_ranks = 0, most_ranks = 0;  ///< of a host
    RankOrder order = RankOrder::block;
};

/// \param hosts in the order of their first ranks
RankPlacement placement_of(std::span<const Host> hosts);

/// block, cyclic, irregular
std::string_view name(RankOrder order);

}  // namespace mpiaudit
