// SPDX-License-Identifier: BSD-3-Clause
// Operations on blocks of any size, with their counts and displacements in the types of MPI-4.
#include <memory>
#include <vector>

#include "catalogue/large_count.h"
#include "catalogue/tables.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// The blocks of a place as such an operation takes them.
struct LargeCounts {
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displacements;

    static std::shared_ptr<const LargeCounts> of(const Place& place) {
        return std::make_shared<const LargeCounts>(
            LargeCounts{{place.counts.begin(), place.counts.end()},
                        {place.displacements.begin(), place.displacements.end()}});
    }
};

/// The call, which keeps its arrays.
template <class... Owners>
Call keep(Call call, Owners... owners) {
    if (!call) return call;
    return [call = std::move(call), owners...] { call(); };
}

struct LargeGatherv {
    static constexpr Common common{.collective = "gather", .from = scattered, .to = rooted};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto blocks = LargeCounts::of(result);
        return {keep(bound_call(function, instance.comm, from.data, MPI_Count{from.counts.front()},
                                from.type, result.data, blocks->counts.data(),
                                blocks->displacements.data(), from.type, instance.root()),
                     blocks),
                result};
    }
};

struct LargeScatterv {
    static constexpr Common common{.collective = "scatter", .from = rooted, .to = scattered};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto blocks = LargeCounts::of(from);
        return {keep(bound_call(function, instance.comm, from.data, blocks->counts.data(),
                                blocks->displacements.data(), from.type, result.data,
                                MPI_Count{result.counts.front()}, from.type, instance.root()),
                     blocks),
                result};
    }
};

struct LargeAllgatherv {
    static constexpr Common common{.collective = "allgather", .from = scattered, .to = replicated};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto blocks = LargeCounts::of(result);
        return {keep(bound_call(function, instance.comm, from.data, MPI_Count{from.counts.front()},
                                from.type, result.data, blocks->counts.data(),
                                blocks->displacements.data(), from.type),
                     blocks),
                result};
    }
};

struct LargeAlltoallv {
    static constexpr Common common{.collective = "alltoall", .from = outgoing, .to = incoming};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto sent = LargeCounts::of(from);
        const auto received = LargeCounts::of(result);
        return {keep(bound_call(function, instance.comm, from.data, sent->counts.data(),
                                sent->displacements.data(), from.type, result.data,
                                received->counts.data(), received->displacements.data(), from.type),
                     sent, received),
                result};
    }
};

struct LargeReduceScatter {
    static constexpr Common common{.collective = "reduce_scatter",
                                   .from = contributed,
                                   .to = scattered,
                                   .needs = defined_operator};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto blocks = LargeCounts::of(from);
        return {keep(bound_call(function, instance.comm, from.data, result.data,
                                blocks->counts.data(), from.type, instance.op()),
                     blocks),
                result};
    }
};

}  // namespace

std::vector<Arrow> large_counts_arrows() {
    using large_count::form;
    return {
        form<LargeGatherv, large_count::gatherv>("MPI_Gatherv_c"),
        form<LargeScatterv, large_count::scatterv>("MPI_Scatterv_c"),
        form<LargeAllgatherv, large_count::allgatherv>("MPI_Allgatherv_c"),
        form<LargeAlltoallv, large_count::alltoallv>("MPI_Alltoallv_c"),
        form<LargeReduceScatter, large_count::reduce_scatter>("MPI_Reduce_scatter_c"),
    };
}

}  // namespace mpiaudit
