// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// The result replaces the beginning of the contribution, which is longer.
Place replaced_contribution(const Instance& instance, const Place& from, Layout /*to*/) {
    return instance.workspace.target(from.layout);
}

/// With the signature of MPI_Reduce_scatter_block.
struct ReduceScatterBlock {
    static constexpr Common common{.collective = "reduce_scatter",
                                   .from = contributed,
                                   .to = scattered,
                                   .needs = equal_blocks | defined_operator,
                                   .in_place = "whose result replaces part of the contribution",
                                   .in_place_scratch = contributed};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {bound_call(function, instance.comm, from.data, result.data, result.counts.front(),
                           from.type, instance.op()),
                result};
    }

    static constexpr Input input = &replaced_contribution;

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = in_place_of(from, instance, to);
        return {bound_call(function, instance.comm, MPI_IN_PLACE, from.data, result.counts.front(),
                           from.type, instance.op()),
                result};
    }
};

/// With the signature of MPI_Reduce_scatter.
struct ReduceScatter {
    static constexpr Common common{.collective = "reduce_scatter",
                                   .from = contributed,
                                   .to = scattered,
                                   .needs = defined_operator,
                                   .in_place = ReduceScatterBlock::common.in_place,
                                   .in_place_scratch = contributed};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {bound_call(function, instance.comm, from.data, result.data, from.counts.data(),
                           from.type, instance.op()),
                result};
    }

    static constexpr Input input = &replaced_contribution;

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = in_place_of(from, instance, to);
        return {bound_call(function, instance.comm, MPI_IN_PLACE, from.data, from.counts.data(),
                           from.type, instance.op()),
                result};
    }
};

/// contributed -> rooted: the root receives all blocks, the others none.
Step reduce_scatter_to_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto counts =
        std::make_shared<std::vector<int>>(static_cast<std::size_t>(instance.problem().ranks()));
    (*counts)[static_cast<std::size_t>(instance.root())] = from.span();
    return {[counts, from, result, op = instance.op(), comm = instance.comm] {
                under_test::look_at(MPI_Reduce_scatter(from.data, result.data, counts->data(),
                                                       from.type, op, comm));
            },
            result};
}

std::vector<Arrow> reduce_scatter_algorithms() {
    constexpr auto halving =
        "ranks at distance p/2, p/4 ... exchange the half that the other needs";
    constexpr auto near_first =
        "ranks at distance 1, 2, 4 ... give every second block that is left away";
    constexpr auto circulant =
        "ranks at distance p/2, p/4 ... on a ring give half of the rest away";
    constexpr auto bine = "ranks at distance 1, -1, 3, -5 ... give half of the blocks away";
    constexpr auto butterfly =
        "ranks at distance 1, 2, 4 ... exchange halves of the blocks in bit-reversed order";
    constexpr auto doubling =
        "ranks at distance 1, 2, 4 ... exchange and combine all but their own blocks";
    constexpr auto pairwise =
        "in step i every rank gets the operands of its block from the rank i before it";
    constexpr auto scatterv = "binomial reduction to rank 0, then a scatter";
    constexpr auto MPICH2004 =
        "recursive halving or doubling for short, pairwise exchange for long vectors";
    return {
        reference<ReduceScatter, &recursive_halving_Reduce_scatter>(
            "recursive_halving_Reduce_scatter", halving, commutative),
        reference<ReduceScatter, &near_first_Reduce_scatter>("near_first_Reduce_scatter",
                                                             near_first, commutative),
        reference<ReduceScatter, &circulant_Reduce_scatter>("circulant_Reduce_scatter", circulant,
                                                            commutative),
        reference<ReduceScatter, &bine_Reduce_scatter>("bine_Reduce_scatter", bine, commutative),
        reference<ReduceScatter, &butterfly_Reduce_scatter>("butterfly_Reduce_scatter", butterfly),
        reference<ReduceScatter, &recursive_doubling_Reduce_scatter>(
            "recursive_doubling_Reduce_scatter", doubling),
        reference<ReduceScatter, &pairwise_exchange_Reduce_scatter>(
            "pairwise_exchange_Reduce_scatter", pairwise, commutative),
        reference<ReduceScatter, &reduce_scatterv_Reduce_scatter>("reduce_scatterv_Reduce_scatter",
                                                                  scatterv),
        reference<ReduceScatter, &MPICH2004_Reduce_scatter>("MPICH2004_Reduce_scatter", MPICH2004),
        reference<ReduceScatterBlock, &recursive_halving_Reduce_scatter_block>(
            "recursive_halving_Reduce_scatter_block", halving, commutative),
        reference<ReduceScatterBlock, &near_first_Reduce_scatter_block>(
            "near_first_Reduce_scatter_block", near_first, commutative),
        reference<ReduceScatterBlock, &circulant_Reduce_scatter_block>(
            "circulant_Reduce_scatter_block", circulant, commutative),
        reference<ReduceScatterBlock, &bine_Reduce_scatter_block>("bine_Reduce_scatter_block", bine,
                                                                  commutative),
        reference<ReduceScatterBlock, &butterfly_Reduce_scatter_block>(
            "butterfly_Reduce_scatter_block", butterfly),
        reference<ReduceScatterBlock, &recursive_doubling_Reduce_scatter_block>(
            "recursive_doubling_Reduce_scatter_block", doubling),
        reference<ReduceScatterBlock, &pairwise_exchange_Reduce_scatter_block>(
            "pairwise_exchange_Reduce_scatter_block", pairwise, commutative),
        reference<ReduceScatterBlock, &reduce_scatterv_Reduce_scatter_block>(
            "reduce_scatterv_Reduce_scatter_block", scatterv),
        reference<ReduceScatterBlock, &MPICH2004_Reduce_scatter_block>(
            "MPICH2004_Reduce_scatter_block", MPICH2004),
    };
}

}  // namespace

std::vector<Arrow> reduce_scatter_arrows() {
    Table table;
    table.operations = {
        native<ReduceScatterBlock, &MPI_Reduce_scatter_block, &MPI_Ireduce_scatter_block,
               persistent::reduce_scatter_block_init>(
            "MPI_Reduce_scatter_block", "the library's reduction scattered in equal blocks"),
        native<ReduceScatter, &MPI_Reduce_scatter, &MPI_Ireduce_scatter,
               persistent::reduce_scatter_init>(
            "MPI_Reduce_scatter", "the library's reduction scattered in blocks of any size"),
    };
    table.other_uses = {
        large_count::form<ReduceScatterBlock, large_count::reduce_scatter_block>(
            "MPI_Reduce_scatter_block_c"),
        Arrow{"MPI_Reduce_scatter", "reduce_scatter", Kind::native, contributed, rooted,
              "MPI_Reduce_scatter with one block, the root's", reduce_scatter_to_root,
              defined_operator},
    };
    table.algorithms = reduce_scatter_algorithms();
    return arrows(table);
}

}  // namespace mpiaudit
