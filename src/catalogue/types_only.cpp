// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/types_only.h"

#include <algorithm>
#include <array>

#include "catalogue/bind.h"
#include "collectives/alltoall/create_types_only.h"

namespace mpiaudit {
namespace {

template <auto function>
Call alltoall(const Instance& instance, const Place& from, const Place& to) {
    const int count = from.counts.front();
    return bind<function>(instance.comm, from.data, count, from.type, to.data, count, from.type);
}

template <auto function>
Call alltoallv(const Instance& instance, const Place& from, const Place& to) {
    return bind<function>(instance.comm, from.data, from.counts.data(), from.displacements.data(),
                          from.type, to.data, to.counts.data(), to.displacements.data(), from.type);
}

struct TypesOnly {
    std::string_view algorithm;
    Call (*prepare)(const Instance& instance, const Place& from, const Place& to);
};

constexpr std::array table = {
    TypesOnly{"basicBruck_Alltoall", alltoall<&basicBruck_Alltoall_create_types_only>},
    TypesOnly{"basicBruck_ix_Alltoall", alltoall<&basicBruck_ix_Alltoall_create_types_only>},
    TypesOnly{"modBruck_Alltoall", alltoall<&modBruck_Alltoall_create_types_only>},
    TypesOnly{"modBruck_ix_Alltoall", alltoall<&modBruck_ix_Alltoall_create_types_only>},
    TypesOnly{"zeroBruck_Alltoall", alltoall<&zeroBruck_Alltoall_create_types_only>},
    TypesOnly{"zeroBruck_blocks_Alltoall", alltoall<&zeroBruck_blocks_Alltoall_create_types_only>},
    TypesOnly{"zeroBruck_half_Alltoall", alltoall<&zeroBruck_half_Alltoall_create_types_only>},
    TypesOnly{"zeroBruckV_Alltoallv", alltoallv<&zeroBruckV_Alltoallv_create_types_only>},
};

}  // namespace

bool has_types_only(std::string_view algorithm) {
    return std::ranges::find(table, algorithm, &TypesOnly::algorithm) != table.end();
}

Call prepare_types_only(std::string_view algorithm, const Instance& instance, Layout from,
                        Layout to) {
    const auto entry = std::ranges::find(table, algorithm, &TypesOnly::algorithm);
    return entry->prepare(instance, instance.workspace.source(from), instance.workspace.target(to));
}

}  // namespace mpiaudit
