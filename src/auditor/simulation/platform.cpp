// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/platform.h"

#include <random>

namespace mpiaudit {

const Platform& platform() {
    static constexpr Platform real{
        .guidelines = "library",
        .synchronisation = "barrier",
        .warm_up_rounds = std::nullopt,
        .max_rounds = 400,
        .least_warm_up_rounds = 0,
        .is_deterministic = false,
        .time_stands_still = false,
        .ranks_share_memory = false,
        .starts_simultaneously = false,
        .wrong_results_count = true,
        // The start-ups of some rounds, and the data.
        .work_of_problem = 50e3,
        .work_of_byte = 1.0,
    };
    return real;
}

std::uint64_t draw_order_seed() {
    return std::random_device{}();
}

}  // namespace mpiaudit
