// SPDX-License-Identifier: BSD-3-Clause
#include "measure/looks.h"

#include "random/random_bits.h"

namespace mpiaudit {

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
