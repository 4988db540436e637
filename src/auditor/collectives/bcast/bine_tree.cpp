// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bine_tree.h"

#include "collectives/call/bine.h"
#include "collectives/call/kept_place.h"
#include "collectives/reduce_scatter/fold.h"

namespace mpiaudit {

BineTree::BineTree(const Ranks& ranks) {
    const int members = power_of_two_below(ranks.size);
    const int leaves = ranks.size - members;
    if (ranks.position < 2 * leaves && ranks.position % 2 == 1) {
        parent = ranks.shifted(-1);
        return;
    }
    const auto rank_of = [&](int number) {
        return ranks.at(number < leaves ? 2 * number : number + leaves);
    };
    const int own = ranks.position < 2 * leaves ? ranks.position / 2 : ranks.position - leaves;
    std::vector<int> reached = {0};
    for (int round = ceil_log2(members) - 1; round >= 0; --round) {
        const std::size_t before = reached.size();
        for (std::size_t i = 0; i < before; ++i) {
            const int next = bine_partner(reached[i], round, members);
            if (next == own) parent = rank_of(reached[i]);
            if (reached[i] == own) children.push_back(rank_of(next));
            reached.push_back(next);
        }
    }
    if (own < leaves) children.push_back(ranks.shifted(1));
}

std::shared_ptr<const BineTree> bine_tree_of(const Ranks& ranks) {
    return kept_place<BineTree>(ranks, [&] { return BineTree{ranks}; });
}

}  // namespace mpiaudit
