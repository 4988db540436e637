// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/gather/gather.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// With the signature of MPI_Gather: all blocks have the size of the own one. In place the root's
/// lies among the gathered ones from the start.
struct Gather {
    static constexpr Common common{.collective = "gather",
                                   .from = scattered,
                                   .to = rooted,
                                   .needs = equal_blocks,
                                   .in_place = "with the root's block in its place"};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = from.counts.front();
        return {bound_call(function, instance.comm, from.data, count, from.type, result.data, count,
                           from.type, instance.root()),
                result};
    }

    static Place input(const Instance& instance, const Place& from, Layout to) {
        return instance.is_root() ? instance.workspace.view(instance.target(to), from.layout)
                                  : from;
    }

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.workspace.around(from, to);
        const void* send = instance.is_root() ? MPI_IN_PLACE : from.data;
        const int count = from.counts.front();
        return {bound_call(function, instance.comm, send, count, from.type, result.data, count,
                           from.type, instance.root()),
                result};
    }
};

/// With the signature of MPI_Gatherv.
struct Gatherv {
    static constexpr Common common{.collective = "gather",
                                   .from = scattered,
                                   .to = rooted,
                                   .in_place = Gather::common.in_place};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {bound_call(function, instance.comm, from.data, from.counts.front(), from.type,
                           result.data, result.counts.data(), result.displacements.data(),
                           from.type, instance.root()),
                result};
    }

    static constexpr Input input = &Gather::input;

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.workspace.around(from, to);
        const void* send = instance.is_root() ? MPI_IN_PLACE : from.data;
        return {bound_call(function, instance.comm, send, from.counts.front(), from.type,
                           result.data, result.counts.data(), result.displacements.data(),
                           from.type, instance.root()),
                result};
    }
};

}  // namespace

std::vector<Arrow> gather_arrows() {
    constexpr auto linear = "every rank sends its block directly to the root";
    constexpr auto node_binomial =
        "blocks travel up a binomial tree of every node, then one of the nodes";
    constexpr auto node_knomial =
        "blocks travel up trees of every node, then one of the nodes, in which three subtrees "
        "join a fourth in each round";
    Table table;
    table.operations = {
        native<Gather, &MPI_Gather, &MPI_Igather, persistent::gather_init>(
            "MPI_Gather", "the library's gather of equal blocks"),
        native<Gatherv, &MPI_Gatherv, &MPI_Igatherv, persistent::gatherv_init>(
            "MPI_Gatherv", "the library's gather of blocks of any size"),
    };
    table.other_uses = {
        large_count::form<Gather, large_count::gather>("MPI_Gather_c"),
    };
    table.algorithms = {
        reference<Gather, &linear_Gather>("linear_Gather", linear),
        reference<Gather, &binomial_Gather>("binomial_Gather", "blocks travel up a binomial tree"),
        reference<Gather, &knomial_Gather_radix4>(
            "knomial_Gather_radix4",
            "blocks travel up a tree in which three subtrees join a fourth in each round"),
        reference<Gather, &node_binomial_Gather>("node_binomial_Gather", node_binomial),
        reference<Gather, &node_knomial_Gather_radix4>("node_knomial_Gather_radix4", node_knomial),
        reference<Gather, &segmented_binomial_Gather>(
            "segmented_binomial_Gather", "blocks travel up an ordered binomial tree in segments"),
        reference<Gather, &TUW_Gather>(
            "TUW_Gather",
            "blocks travel up an ordered binomial tree that every rank computes for itself"),
        reference<Gatherv, &linear_Gatherv>("linear_Gatherv", linear),
        reference<Gatherv, &binomial_Gatherv>(
            "binomial_Gatherv", "blocks travel up a fixed binomial tree that ignores their sizes"),
        reference<Gatherv, &knomial_Gatherv_radix4>(
            "knomial_Gatherv_radix4",
            "blocks travel up a fixed tree in which three subtrees join a fourth in each round"),
        reference<Gatherv, &node_binomial_Gatherv>("node_binomial_Gatherv", node_binomial),
        reference<Gatherv, &node_knomial_Gatherv_radix4>("node_knomial_Gatherv_radix4",
                                                         node_knomial),
        reference<Gatherv, &TUW_Gatherv>(
            "TUW_Gatherv",
            "blocks travel up an ordered binomial tree built from their sizes, so that ranks with "
            "less data send to ranks with more"),
        reference<Gatherv, &TUW_Gatherv_carrying>(
            "TUW_Gatherv_carrying",
            "as TUW_Gatherv, but small blocks travel with the construction of the tree"),
        reference<Gatherv, &TUW_Gatherv_degrading>(
            "TUW_Gatherv_degrading",
            "as TUW_Gatherv, but a subtree with much data sends it directly to the root"),
        reference<Gatherv, &TUW_Gatherv_k2>(
            "TUW_Gatherv_k2", "as TUW_Gatherv with three subtrees joined in each round"),
        reference<Gatherv, &TUW_Gatherv_k3>(
            "TUW_Gatherv_k3", "as TUW_Gatherv with four subtrees joined in each round"),
    };
    return arrows(table);
}

}  // namespace mpiaudit
