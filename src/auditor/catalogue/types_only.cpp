// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/types_only.h"

#include <algorithm>
#include <array>

#include "catalogue/operation_arrows.h"
#include "collectives/alltoall/create_types_only.h"

namespace mpiaudit {
namespace {

struct TypesOnly {
    std::string_view algorithm;
    Function function;
};

const std::array types_only = {
    TypesOnly{"basicBruck_Alltoall", any(&basicBruck_Alltoall_create_types_only)},
    TypesOnly{"basicBruck_ix_Alltoall", any(&basicBruck_ix_Alltoall_create_types_only)},
    TypesOnly{"modBruck_Alltoall", any(&modBruck_Alltoall_create_types_only)},
    TypesOnly{"modBruck_ix_Alltoall", any(&modBruck_ix_Alltoall_create_types_only)},
    TypesOnly{"zeroBruck_Alltoall", any(&zeroBruck_Alltoall_create_types_only)},
    TypesOnly{"zeroBruck_blocks_Alltoall", any(&zeroBruck_blocks_Alltoall_create_types_only)},
    TypesOnly{"zeroBruck_half_Alltoall", any(&zeroBruck_half_Alltoall_create_types_only)},
    TypesOnly{"zeroBruckV_Alltoallv", any(&zeroBruckV_Alltoallv_create_types_only)},
};

}  // namespace

bool has_types_only(std::string_view algorithm) {
    return std::ranges::find(types_only, algorithm, &TypesOnly::algorithm) != types_only.end();
}

Call prepare_types_only(std::string_view algorithm, const Instance& instance, Layout from,
                        Layout to) {
    const auto entry = std::ranges::find(types_only, algorithm, &TypesOnly::algorithm);
    const std::string_view operation =
        algorithm.ends_with("_Alltoallv") ? "MPI_Alltoallv" : "MPI_Alltoall";
    return prepare_as(operation, entry->function)(instance, instance.workspace.source(from), to)
        .call;
}

}  // namespace mpiaudit
