// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Gather: all blocks have the size of the own one.
template <auto function>
Step gather(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = from.counts.front();
    return {bind<function>(instance.comm, from.data, count, from.type, result.data, count,
                           from.type, instance.root()),
            result};
}

/// By a function with the signature of MPI_Gatherv.
template <auto function>
Step gatherv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<function>(instance.comm, from.data, from.counts.front(), from.type, result.data,
                           result.counts.data(), result.displacements.data(), from.type,
                           instance.root()),
            result};
}

/// The root's own block lies among the gathered ones from the start.
Place in_place_source(const Instance& instance, const Place& from, const Place& result) {
    return instance.is_root() ? instance.workspace.view(result, from.layout) : from;
}

Step gather_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const void* send = instance.is_root() ? MPI_IN_PLACE : from.data;
    const int count = from.counts.front();
    return {bind<&MPI_Gather>(instance.comm, send, count, from.type, result.data, count, from.type,
                              instance.root()),
            result, in_place_source(instance, from, result)};
}

Step gatherv_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const void* send = instance.is_root() ? MPI_IN_PLACE : from.data;
    return {bind<&MPI_Gatherv>(instance.comm, send, from.counts.front(), from.type, result.data,
                               result.counts.data(), result.displacements.data(), from.type,
                               instance.root()),
            result, in_place_source(instance, from, result)};
}

constexpr std::array arrows = {
    Arrow{"MPI_Gather", "gather", native, scattered, rooted, "the library's gather of equal blocks",
          gather<&MPI_Gather>, equal_blocks},
    Arrow{"MPI_Igather", "gather", nonblocking, scattered, rooted,
          "MPI_Gather started without blocking, and MPI_Wait", gather<&MPI_Igather>, equal_blocks},
    Arrow{"MPI_Gather_init", "gather", persistent, scattered, rooted,
          "MPI_Gather initialised before; MPI_Start and MPI_Wait", gather<persistent::gather_init>,
          equal_blocks | presence<persistent::gather_init>()},
    Arrow{"MPI_Gatherv", "gather", native, scattered, rooted,
          "the library's gather of blocks of any size", gatherv<&MPI_Gatherv>, anything},
    Arrow{"MPI_Igatherv", "gather", nonblocking, scattered, rooted,
          "MPI_Gatherv started without blocking, and MPI_Wait", gatherv<&MPI_Igatherv>, anything},
    Arrow{"MPI_Gatherv_init", "gather", persistent, scattered, rooted,
          "MPI_Gatherv initialised before; MPI_Start and MPI_Wait",
          gatherv<persistent::gatherv_init>, presence<persistent::gatherv_init>()},
    Arrow{"MPI_Gather[in place]", "gather", in_place, scattered, rooted,
          "MPI_Gather with the root's block in its place", gather_in_place, equal_blocks},
    Arrow{"MPI_Gatherv[in place]", "gather", in_place, scattered, rooted,
          "MPI_Gatherv with the root's block in its place", gatherv_in_place},
    Arrow{"linear_Gather", "gather", reference, scattered, rooted,
          "every rank sends its block directly to the root", gather<&linear_Gather>, equal_blocks,
          schedules::linear_gather},
    Arrow{"binomial_Gather", "gather", reference, scattered, rooted,
          "blocks travel up a binomial tree", gather<&binomial_Gather>, equal_blocks,
          schedules::binomial_gather},
    Arrow{"knomial_Gather_radix4", "gather", reference, scattered, rooted,
          "blocks travel up a tree in which three subtrees join a fourth in each round",
          gather<&knomial_Gather_radix4>, equal_blocks, schedules::knomial_gather_radix4},
    Arrow{"segmented_binomial_Gather", "gather", reference, scattered, rooted,
          "blocks travel up an ordered binomial tree in segments",
          gather<&segmented_binomial_Gather>, equal_blocks, schedules::segmented_binomial_gather},
    Arrow{"TUW_Gather", "gather", reference, scattered, rooted,
          "blocks travel up an ordered binomial tree that every rank computes for itself",
          gather<&TUW_Gather>, equal_blocks, schedules::TUW_gather},
    Arrow{"linear_Gatherv", "gather", reference, scattered, rooted,
          "every rank sends its block directly to the root", gatherv<&linear_Gatherv>, anything,
          schedules::linear_gather},
    Arrow{"binomial_Gatherv", "gather", reference, scattered, rooted,
          "blocks travel up a fixed binomial tree that ignores their sizes",
          gatherv<&binomial_Gatherv>, anything, schedules::binomial_gatherv},
    Arrow{"knomial_Gatherv_radix4", "gather", reference, scattered, rooted,
          "blocks travel up a fixed tree in which three subtrees join a fourth in each round",
          gatherv<&knomial_Gatherv_radix4>, anything, schedules::knomial_gatherv_radix4},
    Arrow{"TUW_Gatherv", "gather", reference, scattered, rooted,
          "blocks travel up an ordered binomial tree built from their sizes, so that ranks with "
          "less data send to ranks with more",
          gatherv<&TUW_Gatherv>, anything, schedules::TUW_gatherv},
    Arrow{"TUW_Gatherv_degrading", "gather", reference, scattered, rooted,
          "as TUW_Gatherv, but a subtree with much data sends it directly to the root",
          gatherv<&TUW_Gatherv_degrading>, anything, schedules::TUW_gatherv_degrading},
    Arrow{"TUW_Gatherv_k2", "gather", reference, scattered, rooted,
          "as TUW_Gatherv with three subtrees joined in each round", gatherv<&TUW_Gatherv_k2>,
          anything, schedules::TUW_gatherv_k2},
    Arrow{"TUW_Gatherv_k3", "gather", reference, scattered, rooted,
          "as TUW_Gatherv with four subtrees joined in each round", gatherv<&TUW_Gatherv_k3>,
          anything, schedules::TUW_gatherv_k3},
};

}  // namespace

std::span<const Arrow> gather_arrows() {
    return arrows;
}

}  // namespace mpiaudit
