// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/bcast/bcast.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// With the signature of MPI_Bcast; the root's data stay where they are.
struct Bcast {
    static constexpr Common common{.collective = "bcast", .from = rooted, .to = replicated};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place all = instance.target(to);
        Place result = instance.is_root() ? from : all;
        result.layout = to;
        return {bound_call(function, instance.comm, static_cast<void*>(result.data), all.span(),
                           all.type, instance.root()),
                result};
    }
};

}  // namespace

std::vector<Arrow> bcast_arrows() {
    Table table;
    table.operations = {
        native<Bcast, &MPI_Bcast, &MPI_Ibcast, persistent::bcast_init>("MPI_Bcast",
                                                                       "the library's broadcast"),
    };
    table.other_uses = {
        large_count::form<Bcast, large_count::bcast>("MPI_Bcast_c"),
    };
    table.algorithms = {
        reference<Bcast, &linear_Bcast>("linear_Bcast", "the root sends all to every rank"),
        reference<Bcast, &binomial_Bcast>("binomial_Bcast", "all travels down a binomial tree"),
        reference<Bcast, &van_de_Geijn_recursive_doubling_Bcast>(
            "van_de_Geijn_recursive_doubling_Bcast",
            "blocks are scattered down a binomial tree, then allgathered by recursive doubling"),
        reference<Bcast, &van_de_Geijn_ring_Bcast>(
            "van_de_Geijn_ring_Bcast",
            "blocks are scattered down a binomial tree, then allgathered around a ring"),
        reference<Bcast, &knomial_Bcast>("knomial_Bcast",
                                         "all travels down a tree with three children per level"),
        reference<Bcast, &binary_Bcast>("binary_Bcast",
                                        "segments travel down a complete binary tree"),
        reference<Bcast, &split_binary_Bcast>(
            "split_binary_Bcast",
            "segments of a half travel down a binary tree each, then neighbours exchange halves"),
        reference<Bcast, &two_tree_Bcast>(
            "two_tree_Bcast",
            "segments travel down two binary trees, whose leaves are the others' inner nodes"),
        reference<Bcast, &bine_Bcast>(
            "bine_Bcast", "all travels down a tree of ranks at distance ..., -5, 3, -1, 1"),
        reference<Bcast, &chain_Bcast>("chain_Bcast",
                                       "segments go from every rank to the next one"),
        reference<Bcast, &circulant_Bcast>(
            "circulant_Bcast", "blocks go over a circulant graph, every rank busy in every round"),
        reference<Bcast, &MPICH2004_Bcast>(
            "MPICH2004_Bcast", "binomial tree for short, scatter and allgather for longer vectors"),
    };
    return arrows(table);
}

}  // namespace mpiaudit
