// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/platform.h"

namespace mpiaudit {

const Platform& platform() {
    static constexpr Platform simulated{
        // Hundreds of ranks are usual, and their time is that of the one processor which simulates.
        .guidelines = "irregular",
        // Simulated times are exact: one round is enough, and the first has warmed up all there is.
        .synchronisation = "simultaneous",
        .warm_up_rounds = 1,
        .max_rounds = 1,
        .least_warm_up_rounds = 1,
        .is_deterministic = true,
        .time_stands_still = true,
        .ranks_share_memory = true,
        .starts_simultaneously = true,
        .wrong_results_count = false,
        // A simulator's work is in the messages, not in their lengths.
        .work_of_problem = 1.0,
        .work_of_byte = 0.0,
    };
    return simulated;
}

std::uint64_t draw_order_seed() {
    return 0;
}

}  // namespace mpiaudit
