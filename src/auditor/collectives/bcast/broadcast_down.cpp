// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/broadcast_down.h"

#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

void broadcast_down(std::span<const TreePlace> trees, const Blocks& segments, const Ranks& ranks) {
    const int n_trees = static_cast<int>(trees.size());
    const int n = segments.size() / n_trees;
    messages::Requests receives, sends;
    std::vector<std::size_t> received(static_cast<std::size_t>(segments.size()));
    std::size_t started = 0;
    const auto for_each_segment = [&](auto what) {
        for (int i = 0; i < n; ++i)
            for (int tree = 0; tree < n_trees; ++tree)
                what(tree * n + i, trees[static_cast<std::size_t>(tree)]);
    };
    // Those that a parent sends are there before they are waited for.
    for_each_segment([&](int segment, const TreePlace& place) {
        if (!place.has_parent()) return;
        receives.start_receive(segments.at(segment), segments.count(segment), segments.type(),
                               ranks.at(place.parent), Tag::data, ranks.comm);
        received[static_cast<std::size_t>(segment)] = started++;
    });
    for_each_segment([&](int segment, const TreePlace& place) {
        if (place.is_leaf()) return;
        if (place.has_parent()) receives.wait(received[static_cast<std::size_t>(segment)]);
        for (const int child : {place.left, place.right})
            if (child >= 0)
                sends.start_send(segments.at(segment), segments.count(segment), segments.type(),
                                 ranks.at(child), Tag::data, ranks.comm);
    });
    receives.wait_for_all();
    sends.wait_for_all();
}

}  // namespace mpiaudit
