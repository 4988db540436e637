// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "collectives/reduce_scatter/reduce_scatter_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Reduce_scatter_block.
template <auto function>
Step reduce_scatter_block(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<function>(instance.comm, from.data, result.data, result.counts.front(), from.type,
                           instance.op()),
            result};
}

/// By a function with the signature of MPI_Reduce_scatter.
template <auto function>
Step reduce_scatter(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<function>(instance.comm, from.data, result.data, from.counts.data(), from.type,
                           instance.op()),
            result};
}

/// contributed -> rooted: the root receives all blocks, the others none.
Step reduce_scatter_to_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto counts =
        std::make_shared<std::vector<int>>(static_cast<std::size_t>(instance.problem().ranks()));
    (*counts)[static_cast<std::size_t>(instance.root())] = from.span();
    return {[counts, from, result, op = instance.op(), comm = instance.comm] {
                MPI_Reduce_scatter(from.data, result.data, counts->data(), from.type, op, comm);
            },
            result};
}

/// The result replaces the beginning of the contribution.
template <auto function>
Step replace_contribution(const Instance& instance, const Place& from, Layout to) {
    Place source = instance.workspace.target(from.layout);
    Place result = instance.workspace.target(to);
    result.data = source.data;
    if constexpr (std::is_invocable_v<decltype(function), const void*, void*, const int*,
                                      MPI_Datatype, MPI_Op, MPI_Comm>) {
        return {bind<function>(instance.comm, MPI_IN_PLACE, source.data, from.counts.data(),
                               from.type, instance.op()),
                result, source};
    } else {
        return {bind<function>(instance.comm, MPI_IN_PLACE, source.data, result.counts.front(),
                               from.type, instance.op()),
                result, source};
    }
}

constexpr std::array arrows = {
    Arrow{"MPI_Reduce_scatter_block", "reduce_scatter", native, contributed, scattered,
          "the library's reduction scattered in equal blocks",
          reduce_scatter_block<&MPI_Reduce_scatter_block>, equal_blocks | defined_operator},
    Arrow{"MPI_Ireduce_scatter_block", "reduce_scatter", nonblocking, contributed, scattered,
          "MPI_Reduce_scatter_block started without blocking, and MPI_Wait",
          reduce_scatter_block<&MPI_Ireduce_scatter_block>, equal_blocks | defined_operator},
    Arrow{"MPI_Reduce_scatter_block_init", "reduce_scatter", persistent, contributed, scattered,
          "MPI_Reduce_scatter_block initialised before; MPI_Start and MPI_Wait",
          reduce_scatter_block<persistent::reduce_scatter_block_init>,
          equal_blocks | defined_operator | presence<persistent::reduce_scatter_block_init>()},
    Arrow{"MPI_Reduce_scatter", "reduce_scatter", native, contributed, scattered,
          "the library's reduction scattered in blocks of any size",
          reduce_scatter<&MPI_Reduce_scatter>, defined_operator},
    Arrow{"MPI_Ireduce_scatter", "reduce_scatter", nonblocking, contributed, scattered,
          "MPI_Reduce_scatter started without blocking, and MPI_Wait",
          reduce_scatter<&MPI_Ireduce_scatter>, defined_operator},
    Arrow{"MPI_Reduce_scatter_init", "reduce_scatter", persistent, contributed, scattered,
          "MPI_Reduce_scatter initialised before; MPI_Start and MPI_Wait",
          reduce_scatter<persistent::reduce_scatter_init>,
          defined_operator | presence<persistent::reduce_scatter_init>()},
    Arrow{"MPI_Reduce_scatter", "reduce_scatter", native, contributed, rooted,
          "MPI_Reduce_scatter with one block, the root's", reduce_scatter_to_root,
          defined_operator},
    Arrow{"MPI_Reduce_scatter_block[in place]", "reduce_scatter", in_place, contributed, scattered,
          "MPI_Reduce_scatter_block whose result replaces part of the contribution",
          replace_contribution<&MPI_Reduce_scatter_block>, equal_blocks | defined_operator, nullptr,
          contributed},
    Arrow{"MPI_Reduce_scatter[in place]", "reduce_scatter", in_place, contributed, scattered,
          "MPI_Reduce_scatter whose result replaces part of the contribution",
          replace_contribution<&MPI_Reduce_scatter>, defined_operator, nullptr, contributed},
    Arrow{"recursive_halving_Reduce_scatter", "reduce_scatter", reference, contributed, scattered,
          "ranks at distance p/2, p/4 ... exchange the half that the other needs",
          reduce_scatter<&recursive_halving_Reduce_scatter>, defined_operator | commutative,
          schedules::recursive_halving_reduce_scatter},
    Arrow{"recursive_doubling_Reduce_scatter", "reduce_scatter", reference, contributed, scattered,
          "ranks at distance 1, 2, 4 ... exchange and combine all but their own blocks",
          reduce_scatter<&recursive_doubling_Reduce_scatter>, defined_operator,
          schedules::recursive_doubling_reduce_scatter},
    Arrow{"pairwise_exchange_Reduce_scatter", "reduce_scatter", reference, contributed, scattered,
          "in step i every rank gets the operands of its block from the rank i before it",
          reduce_scatter<&pairwise_exchange_Reduce_scatter>, defined_operator | commutative,
          schedules::pairwise_exchange_reduce_scatter},
    Arrow{"reduce_scatterv_Reduce_scatter", "reduce_scatter", reference, contributed, scattered,
          "binomial reduction to rank 0, then a scatter",
          reduce_scatter<&reduce_scatterv_Reduce_scatter>, defined_operator,
          schedules::reduce_scatterv_reduce_scatter},
    Arrow{"MPICH2004_Reduce_scatter", "reduce_scatter", reference, contributed, scattered,
          "recursive halving or doubling for short, pairwise exchange for long vectors",
          reduce_scatter<&MPICH2004_Reduce_scatter>, defined_operator,
          schedules::MPICH2004_reduce_scatter},
    Arrow{"recursive_halving_Reduce_scatter_block", "reduce_scatter", reference, contributed,
          scattered, "ranks at distance p/2, p/4 ... exchange the half that the other needs",
          reduce_scatter_block<&recursive_halving_Reduce_scatter_block>,
          equal_blocks | defined_operator | commutative,
          schedules::recursive_halving_reduce_scatter},
    Arrow{"recursive_doubling_Reduce_scatter_block", "reduce_scatter", reference, contributed,
          scattered, "ranks at distance 1, 2, 4 ... exchange and combine all but their own blocks",
          reduce_scatter_block<&recursive_doubling_Reduce_scatter_block>,
          equal_blocks | defined_operator, schedules::recursive_doubling_reduce_scatter},
    Arrow{
        "pairwise_exchange_Reduce_scatter_block", "reduce_scatter", reference, contributed,
        scattered, "in step i every rank gets the operands of its block from the rank i before it",
        reduce_scatter_block<&pairwise_exchange_Reduce_scatter_block>,
        equal_blocks | defined_operator | commutative, schedules::pairwise_exchange_reduce_scatter},
    Arrow{"reduce_scatterv_Reduce_scatter_block", "reduce_scatter", reference, contributed,
          scattered, "binomial reduction to rank 0, then a scatter",
          reduce_scatter_block<&reduce_scatterv_Reduce_scatter_block>,
          equal_blocks | defined_operator, schedules::reduce_scatterv_reduce_scatter},
    Arrow{"MPICH2004_Reduce_scatter_block", "reduce_scatter", reference, contributed, scattered,
          "recursive halving or doubling for short, pairwise exchange for long vectors",
          reduce_scatter_block<&MPICH2004_Reduce_scatter_block>, equal_blocks | defined_operator,
          schedules::MPICH2004_reduce_scatter},
};

}  // namespace

std::span<const Arrow> reduce_scatter_arrows() {
    return arrows;
}

}  // namespace mpiaudit
