// SPDX-License-Identifier: BSD-3-Clause
#include "calls/known_faults.h"

#include <fmt/format.h>

#include <string_view>

#include "calls/search.h"
#include "mpi/environment.h"

namespace mpiaudit::calls {
namespace {

enum class Effect { wrong, ends_launch };

struct Row {
    std::string_view vendor;
    /// The last release of each series that is known to have the fault. Later releases may have
    /// corrected the fault.
    std::vector<const char*> last_releases;
    Effect effect;
    /// The operation, as `verify --call` names it; empty for faults of all operations.
    std::string operation;
    /// The conditions of KnownFault::simplest, and those of KnownFault::origin if they differ.
    std::string simplest, origin = {};
};

// docs/libraries.md has the programs that show these faults.
std::vector<Row> rows() {
    constexpr std::string_view open_mpi = "Open MPI v";
    const std::vector<const char*> all_open_mpi{"4.1.99", "5.0.7", "6.0.0rc2"};
    std::vector<Row> all{
        {open_mpi, all_open_mpi, Effect::ends_launch, "MPI_Allgatherv", "sent_type=by-rank"},
        {open_mpi, all_open_mpi, Effect::ends_launch, "MPI_Allgatherv", "received_type=by-rank"},
        {open_mpi,
         {"4.1.99"},
         Effect::ends_launch,
         "MPI_Alltoallw",
         "start=nonblocking communicator=torus",
         "start=persistent communicator=torus"},
    };
    for (const char* const operation :
         {"MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw"})
        all.push_back({open_mpi,
                       {"4.1.99"},
                       Effect::wrong,
                       operation,
                       "start=nonblocking communicator=ring",
                       "start=persistent communicator=ring"});
    for (const char* const operation : {"MPI_Alltoallw", "MPI_Neighbor_alltoallw"})
        all.push_back({open_mpi,
                       {"4.1.99"},
                       Effect::wrong,
                       operation,
                       "counts=none empty_types=null",
                       "counts=some-empty empty_types=null"});
    // The component op/avx takes instructions of another signedness, and instructions that
    // saturate.
    for (const char* const type : {"MPI_UNSIGNED_LONG", "MPI_UNSIGNED_LONG_LONG", "MPI_OFFSET"})
        for (const char* const op : {"MPI_MAX", "MPI_MIN"})
            all.push_back(
                {open_mpi, {"4.1.99"}, Effect::wrong, "", fmt::format("basic={} op={}", type, op)});
    for (const char* const type :
         {"MPI_UNSIGNED_CHAR", "MPI_UINT8_T", "MPI_UNSIGNED_SHORT", "MPI_UINT16_T"})
        all.push_back({open_mpi,
                       {"4.1.99"},
                       Effect::wrong,
                       "",
                       fmt::format("basic={} contents=wrapping", type)});
    return all;
}

}  // namespace

bool KnownFault::has(const ChosenCall& call) const {
    ChosenCall compared = call;
    if (is_of_all_operations) compared[Property::operation] = simplest[Property::operation];
    return has_conditions_of(compared, simplest, origin);
}

std::vector<KnownFault> known_faults_of(const std::string& library) {
    std::vector<KnownFault> found;
    for (const Row& each : rows()) {
        if (!is_release_up_to(library, each.vendor, each.last_releases)) continue;
        const auto call = [&](const std::string& conditions) {
            return parse_call(each.operation.empty()
                                  ? conditions
                                  : "operation=" + each.operation + " " + conditions);
        };
        found.push_back({call(each.simplest),
                         call(each.origin.empty() ? each.simplest : each.origin),
                         each.effect == Effect::ends_launch, each.operation.empty()});
    }
    return found;
}

}  // namespace mpiaudit::calls
