// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/barrier/barrier.h"
#include "collectives/barrier/barrier_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Barrier.
template <auto function>
Step barrier(const Instance& instance, const Place& from, Layout to) {
    Place result = from;
    result.layout = to;
    return {bind<function>(instance.comm), result};
}

/// Nobody has the result of an allreduce before all have contributed.
Step allreduce_one(const Instance& instance, const Place& from, Layout to) {
    Place result = from;
    result.layout = to;
    const auto numbers = std::make_shared<std::array<int, 2>>();
    return {[numbers, comm = instance.comm] {
                MPI_Allreduce(&(*numbers)[0], &(*numbers)[1], 1, MPI_INT, MPI_MAX, comm);
            },
            result};
}

constexpr std::array arrows = {
    Arrow{"MPI_Barrier", "barrier", native, apart, together, "the library's barrier",
          barrier<&MPI_Barrier>, anything},
    Arrow{"MPI_Ibarrier", "barrier", nonblocking, apart, together,
          "MPI_Barrier started without blocking, and MPI_Wait", barrier<&MPI_Ibarrier>, anything},
    Arrow{"MPI_Barrier_init", "barrier", persistent, apart, together,
          "MPI_Barrier initialised before; MPI_Start and MPI_Wait",
          barrier<persistent::barrier_init>, presence<persistent::barrier_init>()},
    Arrow{"MPI_Allreduce", "barrier", native, apart, together,
          "an allreduce of one int, used as a barrier", allreduce_one},
    Arrow{"dissemination_Barrier", "barrier", reference, apart, together,
          "every rank tells the rank 1, 2, 4 ... after it", barrier<&dissemination_Barrier>,
          anything, schedules::dissemination_barrier},
};

}  // namespace

std::span<const Arrow> barrier_arrows() {
    return arrows;
}

}  // namespace mpiaudit
