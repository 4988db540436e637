// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

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

std::vector<std::optional<std::string>> attempt_each(const std::vector<std::string>& names,
                                                     const Attempt& attempt) {
    std::vector<std::optional<std::string>> outcomes;
    for (std::size_t i = 0; i < names.size(); ++i) outcomes.push_back(attempt(static_cast<int>(i)));
    return outcomes;
}

void limit_attempts(double) {}

std::shared_ptr<std::byte> shared_stretch(std::size_t) {
    throw std::bad_alloc();
}

void leave_data_out() {}

void carry_data() {}

}  // namespace mpiaudit::simulation
