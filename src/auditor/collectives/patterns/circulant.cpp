// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/circulant.h"

#include <limits>

#include "collectives/call/limits.h"

namespace mpiaudit {
namespace {

/// Returns the index of the smallest skip in the sum of skips that is `position`, chosen greedily
/// from the largest.
int base_block(const std::vector<int>& skips, int position) {
    int base = static_cast<int>(skips.size()) - 1;
    for (int i = base - 1; i >= 0 && position > 0; --i) {
        if (skips[static_cast<std::size_t>(i)] > position) continue;
        position -= skips[static_cast<std::size_t>(i)];
        base = i;
    }
    return base;
}

/// Finds paths of the root's blocks to a rank: sums of different skips; a block is named after its
/// last skip. For every skip with which the rank receives, the path ends where its sender can be,
/// and no two paths carry one block.
class Search {
  public:
    Search(const std::vector<int>& skips, int position)
        : skips_{skips},
          target_{skips.back() + position},
          base_{base_block(skips, position)},
          is_free_(skips.size(), true) {
        is_free_[static_cast<std::size_t>(base_)] = false;
        explore(0, q());
        for (int& entry : found_) entry = entry == q() ? base_ : entry - q();
    }
    const std::vector<int>& found() const { return found_; }

  private:
    int q() const { return static_cast<int>(skips_.size()) - 1; }
    bool is_complete() const { return static_cast<int>(found_.size()) == q(); }
    /// Returns the farthest place from which the current skip, or the next one, reaches the rank.
    int reach(std::size_t ahead) const { return target_ - skips_[found_.size() + ahead]; }

    void explore(int way, int last) {
        for (int e = last; e >= 0 && !is_complete(); --e) {
            const int end = way + skips_[static_cast<std::size_t>(e)];
            if (!is_free_[static_cast<std::size_t>(e)] || end > reach(0) || end >= latest_)
                continue;
            if (end <= reach(1)) {
                explore(end, e);
                if (is_complete()) return;
            }
            if (way > reach(1)) return;
            found_.push_back(e);
            latest_ = end;
            is_free_[static_cast<std::size_t>(e)] = false;
        }
    }

    const std::vector<int>& skips_;
    int target_;
    int base_;
    int latest_ = std::numeric_limits<int>::max();
    std::vector<bool> is_free_;
    std::vector<int> found_;
};

}  // namespace

std::vector<int> circulant_skips(int ranks) {
    std::vector<int> skips = {ranks};
    while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
    std::ranges::reverse(skips);
    return skips;
}

std::vector<int> circulant_receives(const std::vector<int>& skips, int position) {
    return skips.size() > 1 ? Search{skips, position}.found() : std::vector<int>{};
}

CirculantBroadcast::CirculantBroadcast(const Ranks& ranks, int blocks)
    : ranks_{ranks},
      skips_{circulant_skips(ranks.size)},
      rounds_{static_cast<int>(skips_.size()) - 1, blocks},
      receives_{circulant_receives(skips_, ranks.position)} {
    for (std::size_t k = 0; k < receives_.size(); ++k) {
        const int receiver = (ranks.position + skips_[k]) % ranks.size;
        sends_.push_back(ranks.position == 0 ? static_cast<int>(k)
                                             : circulant_receives(skips_, receiver)[k]);
    }
}

CirculantBroadcast::Message CirculantBroadcast::message(int entry, int round, int place) const {
    const int block = rounds_.block(entry, round);
    return {block, block < 0 ? MPI_PROC_NULL : ranks_.at(place)};
}

CirculantBroadcast::Message CirculantBroadcast::sent(int round) const {
    const auto k = static_cast<std::size_t>(rounds_.skip(round));
    const int place = ranks_.position + skips_[k];
    if (place == ranks_.size) return {-1, MPI_PROC_NULL};
    return message(sends_[k], round, place);
}

CirculantBroadcast::Message CirculantBroadcast::received(int round) const {
    const auto k = static_cast<std::size_t>(rounds_.skip(round));
    if (ranks_.position == 0) return {-1, MPI_PROC_NULL};
    return message(receives_[k], round, ranks_.position - skips_[k] + ranks_.size);
}

int circulant_blocks(const TypedBuffer& vector, const Ranks& ranks) {
    const int q = static_cast<int>(circulant_skips(ranks.size).size()) - 1;
    return pipeline_segments(vector, std::max(q - 1, 0));
}

}  // namespace mpiaudit
