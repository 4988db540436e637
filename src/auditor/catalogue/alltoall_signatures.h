// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "catalogue/table.h"

namespace mpiaudit {

/// With the signature of MPI_Alltoall. In place, here and below, what is sent lies where the result
/// will.
struct Alltoall {
    static constexpr Common common{.collective = "alltoall",
                                   .from = Holding::outgoing,
                                   .to = Holding::incoming,
                                   .needs = equal_blocks,
                                   .in_place = "that replaces what it sends"};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = from.counts.front();
        return {bound_call(function, instance.comm, from.data, count, from.type, result.data, count,
                           from.type),
                result};
    }

    static constexpr Input input = &replaced_by_result;

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = in_place_of(from, instance, to);
        const int count = from.counts.front();
        return {bound_call(function, instance.comm, MPI_IN_PLACE, count, from.type, result.data,
                           count, from.type),
                result};
    }
};

/// With the signature of MPI_Alltoallv.
struct Alltoallv {
    static constexpr Common common{.collective = "alltoall",
                                   .from = Holding::outgoing,
                                   .to = Holding::incoming,
                                   .in_place = Alltoall::common.in_place};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {bound_call(function, instance.comm, from.data, from.counts.data(),
                           from.displacements.data(), from.type, result.data, result.counts.data(),
                           result.displacements.data(), from.type),
                result};
    }

    static constexpr Input input = &replaced_by_result;

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = in_place_of(from, instance, to);
        return {
            bound_call(function, instance.comm, MPI_IN_PLACE, nullptr, nullptr, from.type,
                       result.data, result.counts.data(), result.displacements.data(), from.type),
            result};
    }
};

}  // namespace mpiaudit
