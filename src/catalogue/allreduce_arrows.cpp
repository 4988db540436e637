// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/allreduce/allreduce.h"
#include "collectives/allreduce/allreduce_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Allreduce.
template <auto function>
Step allreduce(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<function>(instance.comm, from.data, result.data, from.span(), from.type,
                           instance.op()),
            result};
}

/// Every rank's contribution lies where the result will.
Step allreduce_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    Place source = from;
    source.data = result.data;
    return {bind<&MPI_Allreduce>(instance.comm, MPI_IN_PLACE, result.data, from.span(), from.type,
                                 instance.op()),
            result, source};
}

constexpr std::array arrows = {
    Arrow{"MPI_Allreduce", "allreduce", native, contributed, replicated,
          "the library's reduction to all ranks", allreduce<&MPI_Allreduce>, defined_operator},
    Arrow{"MPI_Iallreduce", "allreduce", nonblocking, contributed, replicated,
          "MPI_Allreduce started without blocking, and MPI_Wait", allreduce<&MPI_Iallreduce>,
          defined_operator},
    Arrow{"MPI_Allreduce_init", "allreduce", persistent, contributed, replicated,
          "MPI_Allreduce initialised before; MPI_Start and MPI_Wait",
          allreduce<persistent::allreduce_init>,
          defined_operator | presence<persistent::allreduce_init>()},
    Arrow{"MPI_Allreduce[in place]", "allreduce", in_place, contributed, replicated,
          "MPI_Allreduce whose result replaces the contributions", allreduce_in_place,
          defined_operator},
    Arrow{"reduce_bcast_Allreduce", "allreduce", reference, contributed, replicated,
          "binomial reduction to rank 0, then a binomial broadcast",
          allreduce<&reduce_bcast_Allreduce>, defined_operator, schedules::reduce_bcast_allreduce},
    Arrow{"recursive_doubling_Allreduce", "allreduce", reference, contributed, replicated,
          "ranks at distance 1, 2, 4 ... exchange and combine all that they have",
          allreduce<&recursive_doubling_Allreduce>, defined_operator,
          schedules::recursive_doubling_allreduce},
    Arrow{"Rabenseifner_Allreduce", "allreduce", reference, contributed, replicated,
          "reduce-scatter by recursive halving, then allgather by recursive doubling",
          allreduce<&Rabenseifner_Allreduce>, defined_operator | commutative,
          schedules::Rabenseifner_allreduce},
    Arrow{"ring_Allreduce", "allreduce", reference, contributed, replicated,
          "reduce-scatter and allgather around a ring", allreduce<&ring_Allreduce>,
          defined_operator | commutative, schedules::ring_allreduce},
    Arrow{"MPICH2004_Allreduce", "allreduce", reference, contributed, replicated,
          "recursive doubling for short, Rabenseifner for long vectors",
          allreduce<&MPICH2004_Allreduce>, defined_operator, schedules::MPICH2004_allreduce},
};

}  // namespace

std::span<const Arrow> allreduce_arrows() {
    return arrows;
}

}  // namespace mpiaudit
