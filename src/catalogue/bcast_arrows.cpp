// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/bcast/bcast.h"
#include "collectives/bcast/bcast_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Bcast; the root's data stay where they are.
template <auto function>
Step bcast(const Instance& instance, const Place& from, Layout to) {
    const Place all = instance.workspace.target(to);
    Place result = instance.is_root() ? from : all;
    result.layout = to;
    return {bind<function>(instance.comm, static_cast<void*>(result.data), all.span(), all.type,
                           instance.root()),
            result};
}

constexpr std::array arrows = {
    Arrow{"MPI_Bcast", "bcast", native, rooted, replicated, "the library's broadcast",
          bcast<&MPI_Bcast>, anything},
    Arrow{"MPI_Ibcast", "bcast", nonblocking, rooted, replicated,
          "MPI_Bcast started without blocking, and MPI_Wait", bcast<&MPI_Ibcast>, anything},
    Arrow{"MPI_Bcast_init", "bcast", persistent, rooted, replicated,
          "MPI_Bcast initialised before; MPI_Start and MPI_Wait", bcast<persistent::bcast_init>,
          presence<persistent::bcast_init>()},
    Arrow{"linear_Bcast", "bcast", reference, rooted, replicated,
          "the root sends all to every rank", bcast<&linear_Bcast>, anything,
          schedules::linear_bcast},
    Arrow{"binomial_Bcast", "bcast", reference, rooted, replicated,
          "all travels down a binomial tree", bcast<&binomial_Bcast>, anything,
          schedules::binomial_bcast},
    Arrow{"van_de_Geijn_recursive_doubling_Bcast", "bcast", reference, rooted, replicated,
          "blocks are scattered down a binomial tree, then allgathered by recursive doubling",
          bcast<&van_de_Geijn_recursive_doubling_Bcast>, anything,
          schedules::van_de_Geijn_recursive_doubling_bcast},
    Arrow{"van_de_Geijn_ring_Bcast", "bcast", reference, rooted, replicated,
          "blocks are scattered down a binomial tree, then allgathered around a ring",
          bcast<&van_de_Geijn_ring_Bcast>, anything, schedules::van_de_Geijn_ring_bcast},
    Arrow{"MPICH2004_Bcast", "bcast", reference, rooted, replicated,
          "binomial tree for short, scatter and allgather for longer vectors",
          bcast<&MPICH2004_Bcast>, anything, schedules::MPICH2004_bcast},
};

}  // namespace

std::span<const Arrow> bcast_arrows() {
    return arrows;
}

}  // namespace mpiaudit
