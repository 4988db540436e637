// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/reduce/reduce.h"

namespace mpiaudit {
namespace {

using enum Holding;

// MPICH before 4.1 reads MPI_IN_PLACE as an address when long vectors are reduced to another root.
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
constexpr unsigned reduce_in_place_needs = root_zero;
#else
constexpr unsigned reduce_in_place_needs = anything;
#endif

/// With the signature of MPI_Reduce. In place the root's contribution lies where the result will.
struct Reduce {
    static constexpr Common common{.collective = "reduce",
                                   .from = contributed,
                                   .to = rooted,
                                   .needs = defined_operator,
                                   .in_place = "whose result replaces the root's contribution",
                                   .in_place_needs = reduce_in_place_needs};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {bound_call(function, instance.comm, from.data, result.data, from.span(), from.type,
                           instance.op(), instance.root()),
                result};
    }

    static Place input(const Instance& instance, const Place& from, Layout to) {
        return instance.is_root() ? replaced_by_result(instance, from, to) : from;
    }

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result =
            instance.is_root() ? in_place_of(from, instance, to) : instance.target(to);
        const void* send = instance.is_root() ? MPI_IN_PLACE : from.data;
        return {bound_call(function, instance.comm, send, result.data, from.span(), from.type,
                           instance.op(), instance.root()),
                result};
    }
};

}  // namespace

std::vector<Arrow> reduce_arrows() {
    Table table;
    table.operations = {
        native<Reduce, &MPI_Reduce, &MPI_Ireduce, persistent::reduce_init>(
            "MPI_Reduce", "the library's reduction to the root"),
    };
    table.other_uses = {
        large_count::form<Reduce, large_count::reduce>("MPI_Reduce_c"),
    };
    table.algorithms = {
        reference<Reduce, &linear_Reduce>(
            "linear_Reduce",
            "every rank sends its vector to the root, which combines them in order"),
        reference<Reduce, &binomial_Reduce>("binomial_Reduce",
                                            "vectors are combined up a binomial tree"),
        reference<Reduce, &knomial_Reduce>(
            "knomial_Reduce", "vectors are combined up a tree with three children per level"),
        reference<Reduce, &Rabenseifner_Reduce>(
            "Rabenseifner_Reduce", "reduce-scatter by recursive halving, then a binomial gather",
            commutative),
        reference<Reduce, &near_first_Rabenseifner_Reduce>(
            "near_first_Rabenseifner_Reduce", "the same with the largest parts between neighbours",
            commutative),
        reference<Reduce, &chain_Reduce>(
            "chain_Reduce", "segments go from every rank to the one before, which adds its own"),
        reference<Reduce, &binary_Reduce>("binary_Reduce",
                                          "segments are combined up a binary tree"),
        reference<Reduce, &split_binary_Reduce>(
            "split_binary_Reduce",
            "neighbours exchange halves, which are combined up a binary tree each", commutative),
        reference<Reduce, &two_tree_Reduce>(
            "two_tree_Reduce",
            "segments are combined up two trees, whose leaves are the others' inner nodes"),
        reference<Reduce, &bine_Reduce>(
            "bine_Reduce", "vectors are combined up a tree of ranks at distance 1, -1, 3, -5 ...",
            commutative),
        reference<Reduce, &circulant_Reduce>(
            "circulant_Reduce", "blocks go over a circulant graph, every rank busy in every round",
            commutative),
        reference<Reduce, &MPICH2004_Reduce>(
            "MPICH2004_Reduce", "binomial tree for short, Rabenseifner for long vectors"),
        reference<Reduce, &TUW_Reduce>("TUW_Reduce",
                                       "vectors are combined up an ordered binomial tree"),
    };
    return arrows(table);
}

}  // namespace mpiaudit
