// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/gather/gather.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/reduce_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Reduce.
template <auto function>
Step reduce(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<function>(instance.comm, from.data, result.data, from.span(), from.type,
                           instance.op(), instance.root()),
            result};
}

/// The root's contribution lies where the result will.
Step reduce_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    Place source = from;
    if (instance.is_root()) source.data = result.data;
    const void* send = instance.is_root() ? MPI_IN_PLACE : from.data;
    return {bind<&MPI_Reduce>(instance.comm, send, result.data, from.span(), from.type,
                              instance.op(), instance.root()),
            result, source};
}

// MPICH before 4.1 reads MPI_IN_PLACE as an address when long vectors are reduced to another root.
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
constexpr unsigned in_place_needs = root_zero;
#else
constexpr unsigned in_place_needs = anything;
#endif

constexpr std::array arrows = {
    Arrow{"MPI_Reduce", "reduce", native, contributed, rooted,
          "the library's reduction to the root", reduce<&MPI_Reduce>, defined_operator},
    Arrow{"MPI_Ireduce", "reduce", nonblocking, contributed, rooted,
          "MPI_Reduce started without blocking, and MPI_Wait", reduce<&MPI_Ireduce>,
          defined_operator},
    Arrow{"MPI_Reduce_init", "reduce", persistent, contributed, rooted,
          "MPI_Reduce initialised before; MPI_Start and MPI_Wait", reduce<persistent::reduce_init>,
          defined_operator | presence<persistent::reduce_init>()},
    Arrow{"MPI_Reduce[in place]", "reduce", in_place, contributed, rooted,
          "MPI_Reduce whose result replaces the root's contribution", reduce_in_place,
          defined_operator | in_place_needs},
    Arrow{"linear_Reduce", "reduce", reference, contributed, rooted,
          "every rank sends its vector to the root, which combines them in order",
          reduce<&linear_Reduce>, defined_operator, schedules::linear_reduce},
    Arrow{"binomial_Reduce", "reduce", reference, contributed, rooted,
          "vectors are combined up a binomial tree", reduce<&binomial_Reduce>, defined_operator,
          schedules::binomial_reduce},
    Arrow{"Rabenseifner_Reduce", "reduce", reference, contributed, rooted,
          "reduce-scatter by recursive halving, then a binomial gather",
          reduce<&Rabenseifner_Reduce>, defined_operator | commutative,
          schedules::Rabenseifner_reduce},
    Arrow{"MPICH2004_Reduce", "reduce", reference, contributed, rooted,
          "binomial tree for short, Rabenseifner for long vectors", reduce<&MPICH2004_Reduce>,
          defined_operator, schedules::MPICH2004_reduce},
    Arrow{"TUW_Reduce", "reduce", reference, contributed, rooted,
          "vectors are combined up an ordered binomial tree", reduce<&TUW_Reduce>, defined_operator,
          schedules::TUW_reduce},
};

}  // namespace

std::span<const Arrow> reduce_arrows() {
    return arrows;
}

}  // namespace mpiaudit
