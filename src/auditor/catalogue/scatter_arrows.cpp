// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/scatter/scatter.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// The root's own block stays among the others.
Place scattered_in_place(const Instance& instance, const Place& from, Layout to) {
    return instance.is_root() ? instance.workspace.view(from, to) : instance.target(to);
}

/// With the signature of MPI_Scatter.
struct Scatter {
    static constexpr Common common{.collective = "scatter",
                                   .from = rooted,
                                   .to = scattered,
                                   .needs = equal_blocks,
                                   .in_place = "that leaves the root's block in its place"};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = result.counts.front();
        return {bound_call(function, instance.comm, from.data, count, from.type, result.data, count,
                           from.type, instance.root()),
                result};
    }

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = scattered_in_place(instance, from, to);
        void* receive = instance.is_root() ? MPI_IN_PLACE : result.data;
        const int count = result.counts.front();
        return {bound_call(function, instance.comm, from.data, count, from.type, receive, count,
                           from.type, instance.root()),
                result};
    }
};

/// With the signature of MPI_Scatterv.
struct Scatterv {
    static constexpr Common common{.collective = "scatter",
                                   .from = rooted,
                                   .to = scattered,
                                   .in_place = Scatter::common.in_place};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {bound_call(function, instance.comm, from.data, from.counts.data(),
                           from.displacements.data(), from.type, result.data, result.counts.front(),
                           from.type, instance.root()),
                result};
    }

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = scattered_in_place(instance, from, to);
        void* receive = instance.is_root() ? MPI_IN_PLACE : result.data;
        return {bound_call(function, instance.comm, from.data, from.counts.data(),
                           from.displacements.data(), from.type, receive, result.counts.front(),
                           from.type, instance.root()),
                result};
    }
};

}  // namespace

std::vector<Arrow> scatter_arrows() {
    constexpr auto linear = "the root sends every rank its block";
    Table table;
    table.operations = {
        native<Scatter, &MPI_Scatter, &MPI_Iscatter, persistent::scatter_init>(
            "MPI_Scatter", "the library's scatter of equal blocks"),
        native<Scatterv, &MPI_Scatterv, &MPI_Iscatterv, persistent::scatterv_init>(
            "MPI_Scatterv", "the library's scatter of blocks of any size"),
    };
    table.other_uses = {
        large_count::form<Scatter, large_count::scatter>("MPI_Scatter_c"),
    };
    table.algorithms = {
        reference<Scatter, &linear_Scatter>("linear_Scatter", linear),
        reference<Scatter, &binomial_Scatter>("binomial_Scatter",
                                              "blocks travel down a binomial tree"),
        reference<Scatter, &knomial_Scatter_radix4>(
            "knomial_Scatter_radix4",
            "blocks travel down a tree that splits in four in each round"),
        reference<Scatter, &TUW_Scatter>(
            "TUW_Scatter",
            "blocks travel down an ordered binomial tree that every rank computes for itself"),
        reference<Scatterv, &linear_Scatterv>("linear_Scatterv", linear),
        reference<Scatterv, &binomial_Scatterv>(
            "binomial_Scatterv",
            "blocks travel down a fixed binomial tree that ignores their sizes"),
        reference<Scatterv, &knomial_Scatterv_radix4>(
            "knomial_Scatterv_radix4",
            "blocks travel down a fixed tree that splits in four in each round"),
        reference<Scatterv, &TUW_Scatterv>(
            "TUW_Scatterv", "blocks travel down an ordered binomial tree built from their sizes"),
        reference<Scatterv, &TUW_Scatterv_degrading>(
            "TUW_Scatterv_degrading",
            "as TUW_Scatterv, but a subtree with much data gets it directly from the root"),
        reference<Scatterv, &TUW_Scatterv_k2>(
            "TUW_Scatterv_k2", "as TUW_Scatterv with a tree that splits in three in each round"),
        reference<Scatterv, &TUW_Scatterv_k3>(
            "TUW_Scatterv_k3", "as TUW_Scatterv with a tree that splits in four in each round"),
    };
    return arrows(table);
}

}  // namespace mpiaudit
