// SPDX-License-Identifier: BSD-3-Clause
#include "random/random_bits.h"

namespace mpiaudit {
std::uint64_t rounds_seed(std::uint64_t order_seed, const std::string& problem_id) {
    return mix_bits(order_seed, hash_bits(problem_id));
}

std::uint64_t coin_seed(std::uint64_t order_seed, const std::string& problem_id,
                        const std::string& guideline_id) {
    return mix_bits(rounds_seed(order_seed, problem_id), hash_bits(guideline_id));
}

}  // namespace mpiaudit
