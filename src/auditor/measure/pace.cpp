// SPDX-License-Identifier: BSD-3-Clause
#include "measure/pace.h"

#include <algorithm>
#include <cmath>

#include "random/random_bits.h"

namespace mpiaudit {
namespace {

// Looking takes an untimed call, a reduction and a broadcast: as much as some calls of a
// microsecond. What could have been decided in between is decided by the same round as if one had
// looked; its contestants have run half a batch for nothing. Over n rounds of r seconds, batches of
// b rounds cost n/b looks and b/2 rounds: least where b = sqrt(2 n look / r).
constexpr double look_s = 10e-6;
// A call of 0.2 us varies by 40 % behind a barrier: to tell 1.00 from 1.05 there takes some 4000
// rounds. A check that needs more than these differs from the tolerance by too little to matter.
constexpr int most_rounds = 16000;

}  // namespace

void Pace::add(int rounds, double seconds, int dropped) {
    round_s_ = seconds / rounds;
    fastest_round_s_ = std::min(fastest_round_s_, round_s_);
    if (done_ >= max_rounds_) further_s_ -= seconds;
    done_ += rounds - dropped;
}

int Pace::last() const {
    const int certain = std::max(done_, max_rounds_);
    // By then other checks are decided: about as 1/n fall the contestants that are left in round n.
    const double left = std::clamp(static_cast<double>(done_) / max_rounds_, 0.1, 1.0);
    const double further =
        std::clamp(further_s_ / (fastest_round_s_ * left), 0.0, double{most_rounds});
    return std::max(max_rounds_, std::min(certain + static_cast<int>(further), most_rounds));
}

int Pace::next_batch(std::optional<int> earliest) const {
    const double cheapest = std::sqrt(2.0 * done_ * look_s / round_s_);
    const int wanted = std::max(earliest.value_or(last()) - done_, static_cast<int>(cheapest));
    const int bearable = static_cast<int>(std::clamp(longest_batch_s / round_s_, 1.0, 1e6));
    return std::max(0, std::min({wanted, bearable, last() - done_}));
}

std::optional<int> Looks::draw(std::span<const int> active, double elapsed_s) {
    if (active.empty() || spent_s_ + expected_s_ > share_of_time * elapsed_s) return std::nullopt;
    const std::uint64_t bits = mix_bits(seed_, draws_++);
    if (bits % 2 == 0) return std::nullopt;
    return active[(bits / 2) % active.size()];
}

void Looks::add(double seconds) {
    spent_s_ += seconds;
    expected_s_ = seconds;
}

}  // namespace mpiaudit
