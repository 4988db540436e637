// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <random>

#include <cstdlib>
#include <new>

#include "simulation/simulation.h"

namespace mpiaudit::simulation {

void enter() {}

void leave() {}

void end_all_ranks(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
}

std::string library_name(std::string version) {
    return version;
}

std::optional<Description> description() {
    return std::nullopt;
}

void wait_together() {}

void pass_time(double) {}

std::vector<Outcome> attempt_each(const std::vector<std::string>& names, const Attempt& attempt,
                                  const std::vector<bool>&) {
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < names.size(); ++i) outcomes.push_back(attempt(static_cast<int>(i)));
    return outcomes;
}

void limit_attempts(std::optional<double>, double) {}

std::shared_ptr<std::byte> shared_stretch(std::size_t) {
    throw std::bad_alloc();
}

void leave_data_out() {}

void carry_data() {}

}  // namespace mpiaudit::simulation

namespace mpiaudit {

const Platform& platform() {
    static constexpr Platform real{
        // Two ranks measure every collective in this time.
        .budget = "60s",
        .synchronisation = "barrier",
        .warm_up_rounds = std::nullopt,
        .max_rounds = 400,
        .least_warm_up_rounds = 0,
        .is_deterministic = false,
        .time_stands_still = false,
        .ranks_share_memory = false,
        .starts_simultaneously = false,
        .wrong_results_count = true,
        // Bytes whose transfer takes as long as the start-ups of some rounds; and each byte of
        // data.
        .work_of_problem = 50e3,
        .work_of_byte = 1.0,
    };
    return real;
}

std::uint64_t draw_order_seed() {
    return std::random_device{}();
}

}  // namespace mpiaudit
