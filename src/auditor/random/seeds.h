// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace mpiaudit {

/// Added to the seed of the order for the second way to start samples of --sync both.
constexpr std::uint64_t second_way = 1;
/// Likewise for the other heap of --heap both, and for the comparison of both heaps.
constexpr std::uint64_t other_heap = 2;
constexpr std::uint64_t comparison_of_heaps = 3;

/// The seed of the orders of one problem's rounds.
std::uint64_t rounds_seed(std::uint64_t order_seed, const std::string& problem_id);

/// The seed of the coin of one check, the same when its samples are judged again.
std::uint64_t coin_seed(std::uint64_t order_seed, const std::string& problem_id,
                        const std::string& guideline_id);

}  // namespace mpiaudit
