// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatter/scatter_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Scatter.
template <auto function>
Step scatter(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = result.counts.front();
    return {bind<function>(instance.comm, from.data, count, from.type, result.data, count,
                           from.type, instance.root()),
            result};
}

/// By a function with the signature of MPI_Scatterv.
template <auto function>
Step scatterv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {
        bind<function>(instance.comm, from.data, from.counts.data(), from.displacements.data(),
                       from.type, result.data, result.counts.front(), from.type, instance.root()),
        result};
}

/// The root's own block stays among the others.
Place in_place_result(const Instance& instance, const Place& from, Layout to) {
    return instance.is_root() ? instance.workspace.view(from, to) : instance.workspace.target(to);
}

Step scatter_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = in_place_result(instance, from, to);
    void* receive = instance.is_root() ? MPI_IN_PLACE : result.data;
    const int count = result.counts.front();
    return {bind<&MPI_Scatter>(instance.comm, from.data, count, from.type, receive, count,
                               from.type, instance.root()),
            result};
}

Step scatterv_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = in_place_result(instance, from, to);
    void* receive = instance.is_root() ? MPI_IN_PLACE : result.data;
    return {
        bind<&MPI_Scatterv>(instance.comm, from.data, from.counts.data(), from.displacements.data(),
                            from.type, receive, result.counts.front(), from.type, instance.root()),
        result};
}

constexpr std::array arrows = {
    Arrow{"MPI_Scatter", "scatter", native, rooted, scattered,
          "the library's scatter of equal blocks", scatter<&MPI_Scatter>, equal_blocks},
    Arrow{"MPI_Iscatter", "scatter", nonblocking, rooted, scattered,
          "MPI_Scatter started without blocking, and MPI_Wait", scatter<&MPI_Iscatter>,
          equal_blocks},
    Arrow{"MPI_Scatter_init", "scatter", persistent, rooted, scattered,
          "MPI_Scatter initialised before; MPI_Start and MPI_Wait",
          scatter<persistent::scatter_init>, equal_blocks | presence<persistent::scatter_init>()},
    Arrow{"MPI_Scatterv", "scatter", native, rooted, scattered,
          "the library's scatter of blocks of any size", scatterv<&MPI_Scatterv>, anything},
    Arrow{"MPI_Iscatterv", "scatter", nonblocking, rooted, scattered,
          "MPI_Scatterv started without blocking, and MPI_Wait", scatterv<&MPI_Iscatterv>,
          anything},
    Arrow{"MPI_Scatterv_init", "scatter", persistent, rooted, scattered,
          "MPI_Scatterv initialised before; MPI_Start and MPI_Wait",
          scatterv<persistent::scatterv_init>, presence<persistent::scatterv_init>()},
    Arrow{"MPI_Scatter[in place]", "scatter", in_place, rooted, scattered,
          "MPI_Scatter that leaves the root's block in its place", scatter_in_place, equal_blocks},
    Arrow{"MPI_Scatterv[in place]", "scatter", in_place, rooted, scattered,
          "MPI_Scatterv that leaves the root's block in its place", scatterv_in_place},
    Arrow{"linear_Scatter", "scatter", reference, rooted, scattered,
          "the root sends every rank its block", scatter<&linear_Scatter>, equal_blocks,
          schedules::linear_scatter},
    Arrow{"binomial_Scatter", "scatter", reference, rooted, scattered,
          "blocks travel down a binomial tree", scatter<&binomial_Scatter>, equal_blocks,
          schedules::binomial_scatter},
    Arrow{"knomial_Scatter_radix4", "scatter", reference, rooted, scattered,
          "blocks travel down a tree that splits in four in each round",
          scatter<&knomial_Scatter_radix4>, equal_blocks, schedules::knomial_scatter_radix4},
    Arrow{"TUW_Scatter", "scatter", reference, rooted, scattered,
          "blocks travel down an ordered binomial tree that every rank computes for itself",
          scatter<&TUW_Scatter>, equal_blocks, schedules::TUW_scatter},
    Arrow{"linear_Scatterv", "scatter", reference, rooted, scattered,
          "the root sends every rank its block", scatterv<&linear_Scatterv>, anything,
          schedules::linear_scatter},
    Arrow{"binomial_Scatterv", "scatter", reference, rooted, scattered,
          "blocks travel down a fixed binomial tree that ignores their sizes",
          scatterv<&binomial_Scatterv>, anything, schedules::binomial_scatterv},
    Arrow{"knomial_Scatterv_radix4", "scatter", reference, rooted, scattered,
          "blocks travel down a fixed tree that splits in four in each round",
          scatterv<&knomial_Scatterv_radix4>, anything, schedules::knomial_scatterv_radix4},
    Arrow{"TUW_Scatterv", "scatter", reference, rooted, scattered,
          "blocks travel down an ordered binomial tree built from their sizes",
          scatterv<&TUW_Scatterv>, anything, schedules::TUW_scatterv},
};

}  // namespace

std::span<const Arrow> scatter_arrows() {
    return arrows;
}

}  // namespace mpiaudit
