// SPDX-License-Identifier: BSD-3-Clause
#include "timing/pace.h"

#include <algorithm>
#include <cmath>

namespace mpiaudit {
namespace {

// Time of a decision about the checks, in seconds: an untimed call, a reduction and a broadcast. A
// check decided within a batch runs half a batch too long on average. Over n rounds of r seconds,
// batches of b rounds cost n/b decisions and b/2 rounds; the minimum is at b = sqrt(2 n decision_s
// / r).
constexpr double decision_s = 10e-6;
// Limit on rounds. A call of 0.2 us varies by 40 % after a barrier: to tell 1.00 from 1.05 takes
// about 4000 rounds. A check that needs more rounds than this limit hardly matters.
constexpr int most_rounds_of_problem = 16000;

}  // namespace

void Pace::add(int rounds, double seconds, int dropped) {
    round_s_ = seconds / rounds;
    fastest_round_s_ = std::min(fastest_round_s_, round_s_);
    if (done_ >= max_rounds_) further_s_ -= seconds;
    done_ += rounds - dropped;
}

int Pace::last() const {
    const int certain = std::max(done_, max_rounds_);
    // The share of contestants that are left in round n falls about as 1/n.
    const double left = std::clamp(static_cast<double>(done_) / max_rounds_, 0.1, 1.0);
    const double further =
        std::clamp(further_s_ / (fastest_round_s_ * left), 0.0, double{most_rounds_of_problem});
    return std::max(max_rounds_,
                    std::min(certain + static_cast<int>(further), most_rounds_of_problem));
}

int Pace::next_batch(std::optional<int> earliest) const {
    const double cheapest = std::sqrt(2.0 * done_ * decision_s / round_s_);
    const int wanted = std::max(earliest.value_or(last()) - done_, static_cast<int>(cheapest));
    const int bearable = static_cast<int>(std::clamp(longest_batch_s / round_s_, 1.0, 1e6));
    return std::max(0, std::min({wanted, bearable, last() - done_}));
}

}  // namespace mpiaudit
