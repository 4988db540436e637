// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace mpiaudit {

/// When contestants are looked at again between the rounds, and which: at random, so that no fault
/// can wait for the right moment, and as often as a share of the time of the rounds allows. On rank
/// 0, which decides.
class Looks {
  public:
    static constexpr double share_of_time = 0.02;

    /// \param expected_s of the first look
    Looks(std::uint64_t seed, double expected_s) : seed_{seed}, expected_s_{expected_s} {}

    /// One of `active` to be looked at now, if any. \param elapsed_s since the rounds began
    std::optional<int> draw(std::span<const int> active, double elapsed_s);
    /// What the look has taken.
    void add(double seconds);

  private:
    std::uint64_t seed_;
    std::uint64_t draws_ = 0;
    double expected_s_;
    double spent_s_ = 0.0;
};

}  // namespace mpiaudit
