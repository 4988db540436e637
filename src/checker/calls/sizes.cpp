// SPDX-License-Identifier: BSD-3-Clause
#include "calls/sizes.h"

#include <cmath>

namespace mpiaudit::calls {

std::vector<int> rectangle(int ranks) {
    int rows = static_cast<int>(std::sqrt(ranks));
    while (ranks % rows != 0) --rows;
    return {rows, ranks / rows};
}

int fewest_ranks(Communicator communicator, int ranks) {
    using enum Communicator;
    switch (communicator) {
        case self:
            return 1;
        case without_first:
        case group_of_members:
            return ranks - 1;
        case disjoint_groups:
        case inter:
            return ranks / 2;
        case rows:
            return rectangle(ranks)[1];
        default:
            return ranks;
    }
}

std::optional<int> shortest_periodic(Communicator communicator, int ranks) {
    using enum Communicator;
    switch (communicator) {
        case ring:
            return ranks;
        case torus:
            return rectangle(ranks)[0];
        case box:
            return 1;
        case rows:
            return rectangle(ranks)[1];
        default:
            return std::nullopt;
    }
}

}  // namespace mpiaudit::calls
