// SPDX-License-Identifier: BSD-3-Clause
#include "machine/hosts.h"

#include <map>

namespace mpiaudit {

std::vector<Host> hosts_of(const std::vector<std::string>& names) {
    std::vector<Host> hosts;
    std::map<std::string, std::size_t> place;
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const auto [known, is_new] = place.try_emplace(names[rank], hosts.size());
        if (is_new) hosts.push_back({names[rank], {}, {}, {}});
        hosts[known->second].ranks.push_back(static_cast<int>(rank));
    }
    return hosts;
}

}  // namespace mpiaudit
