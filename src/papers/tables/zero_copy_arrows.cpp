// SPDX-License-Identifier: BSD-3-Clause
// Defines zero_copy_arrows() and join_types_only() of tables.h.
#include <memory>

#include "catalogue/catalogue.h"
#include "catalogue/operation_arrows.h"
#include "tables/tables.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit {
namespace {

/// Returns a step that starts the persistent operation and waits for it; its types exist already.
Step uses_of(PersistentAlltoall* handle, const Place& result) {
    const std::shared_ptr<PersistentAlltoall> owned(
        handle, [](PersistentAlltoall* freed) { persBruck_Alltoall_free(&freed); });
    return {[owned] {
                persBruck_Alltoall_start(owned.get());
                persBruck_Alltoall_wait(owned.get());
            },
            result};
}

Step persistent_bruck(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int count = from.counts.front();
    PersistentAlltoall* handle = nullptr;
    persBruck_Alltoall_init(from.data, count, from.type, result.data, count, from.type,
                            instance.comm, &handle);
    return uses_of(handle, result);
}

Step persistent_bruck_v(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    PersistentAlltoall* handle = nullptr;
    persBruckV_Alltoallv_init(from.data, from.counts.data(), from.displacements.data(), from.type,
                              result.data, result.counts.data(), result.displacements.data(),
                              from.type, instance.comm, &handle);
    return uses_of(handle, result);
}

struct TypesOnly {
    const char* algorithm;
    Function function;
};

const TypesOnly types_only[] = {
    {"basicBruck_Alltoall", any(&basicBruck_Alltoall_create_types_only)},
    {"basicBruck_ix_Alltoall", any(&basicBruck_ix_Alltoall_create_types_only)},
    {"modBruck_Alltoall", any(&modBruck_Alltoall_create_types_only)},
    {"modBruck_ix_Alltoall", any(&modBruck_ix_Alltoall_create_types_only)},
    {"zeroBruck_Alltoall", any(&zeroBruck_Alltoall_create_types_only)},
    {"zeroBruck_blocks_Alltoall", any(&zeroBruck_blocks_Alltoall_create_types_only)},
    {"zeroBruck_half_Alltoall", any(&zeroBruck_half_Alltoall_create_types_only)},
    {"zeroBruckV_Alltoallv", any(&zeroBruckV_Alltoallv_create_types_only)},
};

}  // namespace

std::vector<Arrow> zero_copy_arrows() {
    return {
        arrow_between_ends_of(parse_form("persBruck_Alltoall"), Kind::reference,
                              "zeroBruck with its datatypes made once, before", persistent_bruck),
        arrow_between_ends_of(parse_form("persBruckV_Alltoallv"), Kind::reference,
                              "zeroBruckV with sizes and datatypes settled before",
                              persistent_bruck_v)};
}

void join_types_only() {
    for (const auto& [algorithm, function] : types_only) {
        const std::string_view operation =
            std::string_view(algorithm).ends_with("v") ? "MPI_Alltoallv" : "MPI_Alltoall";
        join_types_only(algorithm, prepare_as(operation, function));
    }
}

}  // namespace mpiaudit
