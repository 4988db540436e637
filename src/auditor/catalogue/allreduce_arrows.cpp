// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/allreduce/allreduce.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// With the signature of MPI_Allreduce. In place every rank's contribution lies where the result
/// will.
struct Allreduce {
    static constexpr Common common{.collective = "allreduce",
                                   .from = contributed,
                                   .to = replicated,
                                   .needs = defined_operator,
                                   .in_place = "whose result replaces the contributions"};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {bound_call(function, instance.comm, from.data, result.data, from.span(), from.type,
                           instance.op()),
                result};
    }

    static constexpr Input input = &replaced_by_result;

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = in_place_of(from, instance, to);
        return {bound_call(function, instance.comm, MPI_IN_PLACE, result.data, from.span(),
                           from.type, instance.op()),
                result};
    }
};

}  // namespace

std::vector<Arrow> allreduce_arrows() {
    Table table;
    table.operations = {
        native<Allreduce, &MPI_Allreduce, &MPI_Iallreduce, persistent::allreduce_init>(
            "MPI_Allreduce", "the library's reduction to all ranks"),
    };
    table.other_uses = {
        large_count::form<Allreduce, large_count::allreduce>("MPI_Allreduce_c"),
    };
    table.algorithms = {
        reference<Allreduce, &reduce_bcast_Allreduce>(
            "reduce_bcast_Allreduce", "binomial reduction to rank 0, then a binomial broadcast"),
        reference<Allreduce, &recursive_doubling_Allreduce>(
            "recursive_doubling_Allreduce",
            "ranks at distance 1, 2, 4 ... exchange and combine all that they have"),
        reference<Allreduce, &recursive_multiplying_Allreduce>(
            "recursive_multiplying_Allreduce",
            "groups of 4, 3, 2, 5 or 7 ranks exchange and combine all that they have"),
        reference<Allreduce, &Rabenseifner_Allreduce>(
            "Rabenseifner_Allreduce",
            "reduce-scatter by recursive halving, then allgather by recursive doubling",
            commutative),
        reference<Allreduce, &near_first_Rabenseifner_Allreduce>(
            "near_first_Rabenseifner_Allreduce",
            "the same with the largest parts between neighbours", commutative),
        reference<Allreduce, &near_first_Allreduce>(
            "near_first_Allreduce",
            "halving that begins with neighbours, for any number of ranks, and back", commutative),
        reference<Allreduce, &circulant_Allreduce>(
            "circulant_Allreduce",
            "halving on a circulant graph, for any number of ranks, and back", commutative),
        reference<Allreduce, &census_Allreduce>(
            "census_Allreduce", "sums over more and more of the ranks before go round a ring",
            commutative),
        reference<Allreduce, &swing_Allreduce>(
            "swing_Allreduce", "ranks at distance 1, -1, 3, -5 ... exchange and combine all",
            commutative),
        reference<Allreduce, &bine_Allreduce>(
            "bine_Allreduce", "halving among ranks at distance 1, -1, 3, -5 ..., and back",
            commutative),
        reference<Allreduce, &two_tree_Allreduce>(
            "two_tree_Allreduce", "segments are combined up two binary trees and travel down"),
        reference<Allreduce, &dual_root_Allreduce>(
            "dual_root_Allreduce",
            "segments go up and down two binary trees at once, whose roots exchange them"),
        reference<Allreduce, &ring_Allreduce>(
            "ring_Allreduce", "reduce-scatter and allgather around a ring", commutative),
        reference<Allreduce, &MPICH2004_Allreduce>(
            "MPICH2004_Allreduce", "recursive doubling for short, Rabenseifner for long vectors"),
    };
    return arrows(table);
}

}  // namespace mpiaudit
