// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "catalogue/agreement_on.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/barrier/barrier.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// With the signature of MPI_Barrier.
struct Barrier {
    static constexpr Common common{.collective = "barrier", .from = apart, .to = together};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        Place result = from;
        result.layout = to;
        return {bound_call(function, instance.comm), result};
    }
};

/// Nobody has the result of an allreduce before all have contributed.
Step allreduce_one(const Instance& instance, const Place& from, Layout to) {
    Place result = from;
    result.layout = to;
    const auto numbers = std::make_shared<std::array<int, 2>>(std::array{instance.rank(), 0});
    return {[numbers, comm = instance.comm] {
                under_test::look_at(
                    MPI_Allreduce(&(*numbers)[0], &(*numbers)[1], 1, MPI_INT, MPI_MAX, comm));
            },
            result,
            {},
            {agreement_on(std::shared_ptr<int>(numbers, &(*numbers)[1]),
                          instance.problem().ranks() - 1, instance.rank())}};
}

}  // namespace

std::vector<Arrow> barrier_arrows() {
    Table table;
    table.operations = {
        native<Barrier, &MPI_Barrier, &MPI_Ibarrier, persistent::barrier_init>(
            "MPI_Barrier", "the library's barrier"),
    };
    table.other_uses = {
        Arrow{"MPI_Allreduce", "barrier", Kind::native, apart, together,
              "an allreduce of one int, used as a barrier", allreduce_one},
    };
    table.algorithms = {
        reference<Barrier, &dissemination_Barrier>(
            "dissemination_Barrier", "every rank tells the rank 1, 2, 4 ... after it"),
    };
    return arrows(table);
}

}  // namespace mpiaudit
