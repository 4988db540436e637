// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/types_only.h"

#include <algorithm>
#include <array>

#include "catalogue/alltoall_signatures.h"
#include "collectives/alltoall/create_types_only.h"

namespace mpiaudit {
namespace {

struct TypesOnly {
    std::string_view algorithm;
    Prepare prepare;
};

constexpr std::array types_only = {
    TypesOnly{"basicBruck_Alltoall", Alltoall::by<&basicBruck_Alltoall_create_types_only>},
    TypesOnly{"basicBruck_ix_Alltoall", Alltoall::by<&basicBruck_ix_Alltoall_create_types_only>},
    TypesOnly{"modBruck_Alltoall", Alltoall::by<&modBruck_Alltoall_create_types_only>},
    TypesOnly{"modBruck_ix_Alltoall", Alltoall::by<&modBruck_ix_Alltoall_create_types_only>},
    TypesOnly{"zeroBruck_Alltoall", Alltoall::by<&zeroBruck_Alltoall_create_types_only>},
    TypesOnly{"zeroBruck_blocks_Alltoall",
              Alltoall::by<&zeroBruck_blocks_Alltoall_create_types_only>},
    TypesOnly{"zeroBruck_half_Alltoall", Alltoall::by<&zeroBruck_half_Alltoall_create_types_only>},
    TypesOnly{"zeroBruckV_Alltoallv", Alltoallv::by<&zeroBruckV_Alltoallv_create_types_only>},
};

}  // namespace

bool has_types_only(std::string_view algorithm) {
    return std::ranges::find(types_only, algorithm, &TypesOnly::algorithm) != types_only.end();
}

Call prepare_types_only(std::string_view algorithm, const Instance& instance, Layout from,
                        Layout to) {
    const auto entry = std::ranges::find(types_only, algorithm, &TypesOnly::algorithm);
    return entry->prepare(instance, instance.workspace.source(from), to).call;
}

}  // namespace mpiaudit
