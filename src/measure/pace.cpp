// SPDX-License-Identifier: BSD-3-Clause
#include "measure/pace.h"

#include <algorithm>

namespace mpiaudit {
namespace {

// Looking takes a reduction and a broadcast, as much as some calls of a microsecond: never for less
// than some rounds, nor before an eighth more are done. What could have been decided in between is
// decided by the same round as if one had looked; its contestants have run that much for nothing.
constexpr int least_batch = 4;
constexpr int share_of_batch = 8;
// A check that needs more differs from the tolerance by too little to matter.
constexpr int most_rounds = 4000;

}  // namespace

void Pace::add(int rounds, double seconds, int dropped) {
    round_s_ = seconds / rounds;
    if (done_ >= max_rounds_) further_s_ -= seconds;
    done_ += rounds - dropped;
}

int Pace::last() const {
    const int certain = std::max(done_, max_rounds_);
    const double further = std::clamp(further_s_ / round_s_, 0.0, double{most_rounds});
    return std::max(max_rounds_, std::min(certain + static_cast<int>(further), most_rounds));
}

int Pace::next_batch(std::optional<int> earliest) const {
    const int wanted =
        std::max({earliest.value_or(last()) - done_, least_batch, done_ / share_of_batch});
    const int bearable = static_cast<int>(std::clamp(longest_batch_s / round_s_, 1.0, 1e6));
    return std::max(0, std::min({wanted, bearable, last() - done_}));
}

}  // namespace mpiaudit
