// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/circulant_schedule.h"

#include <limits>

namespace mpiaudit {
namespace {

/// The smallest skip in the sum of skips that is `position`, taken greedily from the largest.
int base_block(const std::vector<int>& skips, int position) {
    int base = static_cast<int>(skips.size()) - 1;
    for (int i = base - 1; i >= 0 && position > 0; --i) {
        if (skips[static_cast<std::size_t>(i)] > position) continue;
        position -= skips[static_cast<std::size_t>(i)];
        base = i;
    }
    return base;
}

/// Looks for ways of the root's blocks to a rank: sums of different skips, the blocks being named
/// after the last one. For every skip with which the rank receives, the way ends where its sender
/// can be, and no two ways are of the same block.
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
    /// The farthest place from which the skip that is looked for, or the next one, leads here.
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

}  // namespace mpiaudit
