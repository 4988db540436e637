// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/allgather/allgather.h"
#include "collectives/allgather/allgather_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Allgather.
template <auto function>
Step allgather(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = from.counts.front();
    return {
        bind<function>(instance.comm, from.data, count, from.type, result.data, count, from.type),
        result};
}

/// By a function with the signature of MPI_Allgatherv.
template <auto function>
Step allgatherv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<function>(instance.comm, from.data, from.counts.front(), from.type, result.data,
                           result.counts.data(), result.displacements.data(), from.type),
            result};
}

/// rooted -> replicated: the root contributes all, the others nothing.
Step allgatherv_from_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto ranks = static_cast<std::size_t>(instance.problem().ranks());
    struct Counts {
        std::vector<int> counts, displacements;
    };
    const auto all =
        std::make_shared<Counts>(Counts{std::vector<int>(ranks), std::vector<int>(ranks)});
    all->counts[static_cast<std::size_t>(instance.root())] = result.span();
    const int own = instance.is_root() ? result.span() : 0;
    return {[all, own, from, result, comm = instance.comm] {
                MPI_Allgatherv(from.data, own, from.type, result.data, all->counts.data(),
                               all->displacements.data(), from.type, comm);
            },
            result};
}

/// Every rank's own block lies among the gathered ones from the start.
Step allgather_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = from.counts.front();
    return {bind<&MPI_Allgather>(instance.comm, MPI_IN_PLACE, count, from.type, result.data, count,
                                 from.type),
            result, instance.workspace.view(result, from.layout)};
}

Step allgatherv_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<&MPI_Allgatherv>(instance.comm, MPI_IN_PLACE, from.counts.front(), from.type,
                                  result.data, result.counts.data(), result.displacements.data(),
                                  from.type),
            result, instance.workspace.view(result, from.layout)};
}

constexpr std::array arrows = {
    Arrow{"MPI_Allgather", "allgather", native, scattered, replicated,
          "the library's allgather of equal blocks", allgather<&MPI_Allgather>, equal_blocks},
    Arrow{"MPI_Iallgather", "allgather", nonblocking, scattered, replicated,
          "MPI_Allgather started without blocking, and MPI_Wait", allgather<&MPI_Iallgather>,
          equal_blocks},
    Arrow{"MPI_Allgather_init", "allgather", persistent, scattered, replicated,
          "MPI_Allgather initialised before; MPI_Start and MPI_Wait",
          allgather<persistent::allgather_init>,
          equal_blocks | presence<persistent::allgather_init>()},
    Arrow{"MPI_Allgatherv", "allgather", native, scattered, replicated,
          "the library's allgather of blocks of any size", allgatherv<&MPI_Allgatherv>, anything},
    Arrow{"MPI_Iallgatherv", "allgather", nonblocking, scattered, replicated,
          "MPI_Allgatherv started without blocking, and MPI_Wait", allgatherv<&MPI_Iallgatherv>,
          anything},
    Arrow{"MPI_Allgatherv_init", "allgather", persistent, scattered, replicated,
          "MPI_Allgatherv initialised before; MPI_Start and MPI_Wait",
          allgatherv<persistent::allgatherv_init>, presence<persistent::allgatherv_init>()},
    Arrow{"MPI_Allgatherv", "allgather", native, rooted, replicated,
          "MPI_Allgatherv to which the root contributes all", allgatherv_from_root},
    Arrow{"MPI_Allgather[in place]", "allgather", in_place, scattered, replicated,
          "MPI_Allgather with all blocks in their places", allgather_in_place, equal_blocks},
    Arrow{"MPI_Allgatherv[in place]", "allgather", in_place, scattered, replicated,
          "MPI_Allgatherv with all blocks in their places", allgatherv_in_place},
    Arrow{"ring_Allgather", "allgather", reference, scattered, replicated,
          "blocks travel around a ring, one step per round", allgather<&ring_Allgather>,
          equal_blocks, schedules::ring_allgather},
    Arrow{"recursive_doubling_Allgather", "allgather", reference, scattered, replicated,
          "ranks at distance 1, 2, 4 ... exchange all that they have",
          allgather<&recursive_doubling_Allgather>, equal_blocks,
          schedules::recursive_doubling_allgather},
    Arrow{"dissemination_Allgather", "allgather", reference, scattered, replicated,
          "every rank passes what it has to the rank 1, 2, 4 ... before it",
          allgather<&dissemination_Allgather>, equal_blocks, schedules::dissemination_allgather},
    Arrow{"simple_Allgather", "allgather", reference, scattered, replicated,
          "every rank sends its block to all others in rank order", allgather<&simple_Allgather>,
          equal_blocks, schedules::simple_allgather},
    Arrow{"spreading_simple_Allgather", "allgather", reference, scattered, replicated,
          "in step i every rank sends its block to the rank i after it",
          allgather<&spreading_simple_Allgather>, equal_blocks,
          schedules::spreading_simple_allgather},
    Arrow{"gather_bcast_Allgather", "allgather", reference, scattered, replicated,
          "blocks are gathered at rank 0 and broadcast from there",
          allgather<&gather_bcast_Allgather>, equal_blocks, schedules::gather_bcast_allgather},
    Arrow{"MPICH2004_Allgather", "allgather", reference, scattered, replicated,
          "recursive doubling or dissemination for short, ring for long vectors",
          allgather<&MPICH2004_Allgather>, equal_blocks, schedules::MPICH2004_allgather},
    Arrow{"ring_Allgatherv", "allgather", reference, scattered, replicated,
          "blocks travel around a ring, one step per round", allgatherv<&ring_Allgatherv>, anything,
          schedules::ring_allgather},
    Arrow{"recursive_doubling_Allgatherv", "allgather", reference, scattered, replicated,
          "ranks at distance 1, 2, 4 ... exchange all that they have",
          allgatherv<&recursive_doubling_Allgatherv>, anything,
          schedules::recursive_doubling_allgather},
    Arrow{"dissemination_Allgatherv", "allgather", reference, scattered, replicated,
          "every rank passes what it has to the rank 1, 2, 4 ... before it",
          allgatherv<&dissemination_Allgatherv>, anything, schedules::dissemination_allgather},
    Arrow{"simple_Allgatherv", "allgather", reference, scattered, replicated,
          "every rank sends its block to all others in rank order", allgatherv<&simple_Allgatherv>,
          anything, schedules::simple_allgather},
    Arrow{"spreading_simple_Allgatherv", "allgather", reference, scattered, replicated,
          "in step i every rank sends its block to the rank i after it",
          allgatherv<&spreading_simple_Allgatherv>, anything,
          schedules::spreading_simple_allgather},
    Arrow{"gather_bcast_Allgatherv", "allgather", reference, scattered, replicated,
          "blocks are gathered at rank 0 and broadcast from there",
          allgatherv<&gather_bcast_Allgatherv>, anything, schedules::gather_bcast_allgather},
};

}  // namespace

std::span<const Arrow> allgather_arrows() {
    return arrows;
}

}  // namespace mpiaudit
