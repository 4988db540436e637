// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/allgather/allgather.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// With the signature of MPI_Allgather. In place every rank's own block lies among the gathered
/// ones from the start.
struct Allgather {
    static constexpr Common common{.collective = "allgather",
                                   .from = scattered,
                                   .to = replicated,
                                   .needs = equal_blocks,
                                   .in_place = "with all blocks in their places"};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = from.counts.front();
        return {bound_call(function, instance.comm, from.data, count, from.type, result.data, count,
                           from.type),
                result};
    }

    static Place input(const Instance& instance, const Place& from, Layout to) {
        return instance.workspace.view(instance.target(to), from.layout);
    }

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.workspace.around(from, to);
        const int count = from.counts.front();
        return {bound_call(function, instance.comm, MPI_IN_PLACE, count, from.type, result.data,
                           count, from.type),
                result};
    }
};

/// With the signature of MPI_Allgatherv.
struct Allgatherv {
    static constexpr Common common{.collective = "allgather",
                                   .from = scattered,
                                   .to = replicated,
                                   .in_place = Allgather::common.in_place};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {
            bound_call(function, instance.comm, from.data, from.counts.front(), from.type,
                       result.data, result.counts.data(), result.displacements.data(), from.type),
            result};
    }

    static constexpr Input input = &Allgather::input;

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.workspace.around(from, to);
        return {
            bound_call(function, instance.comm, MPI_IN_PLACE, from.counts.front(), from.type,
                       result.data, result.counts.data(), result.displacements.data(), from.type),
            result};
    }
};

/// rooted -> replicated: the root contributes all, the others nothing. In place, since MPI_Bcast
/// leaves the root's data where they are: without it the root would copy them.
Step allgatherv_from_root(const Instance& instance, const Place& from, Layout to) {
    Place result = instance.target(to);
    const int all = result.span();
    if (instance.is_root()) result.data = from.data;
    const auto ranks = static_cast<std::size_t>(instance.problem().ranks());
    struct Counts {
        std::vector<int> counts, displacements;
    };
    const auto of_root =
        std::make_shared<Counts>(Counts{std::vector<int>(ranks), std::vector<int>(ranks)});
    of_root->counts[static_cast<std::size_t>(instance.root())] = all;
    return {[of_root, result, comm = instance.comm] {
                under_test::look_at(MPI_Allgatherv(
                    MPI_IN_PLACE, 0, result.type, result.data, of_root->counts.data(),
                    of_root->displacements.data(), result.type, comm));
            },
            result};
}

std::vector<Arrow> allgather_algorithms() {
    constexpr auto ring = "blocks travel around a ring, one step per round";
    constexpr auto doubling = "ranks at distance 1, 2, 4 ... exchange all that they have";
    constexpr auto neighbours = "two blocks go to the left and to the right neighbour by turns";
    constexpr auto kring = "blocks travel around rings of groups, and then to the next group";
    constexpr auto bine = "ranks at distance ..., -5, 3, -1, 1 exchange all that they have";
    constexpr auto sparbit = "one block goes far, half of all to the neighbour, in log p rounds";
    constexpr auto in_blocks = "the same with a message for every block";
    constexpr auto circulant =
        "every rank broadcasts over a circulant graph, the messages of all in one";
    constexpr auto radix4 =
        "ranks at distance 1, 4, 16 ..., twice and three times that pass on all";
    constexpr auto dissemination =
        "every rank passes what it has to the rank 1, 2, 4 ... before it";
    constexpr auto simple = "every rank sends its block to all others in rank order";
    constexpr auto spreading = "in step i every rank sends its block to the rank i after it";
    constexpr auto MPICH2004 = "recursive doubling for short, ring for long vectors";
    constexpr auto gather_bcast = "blocks are gathered at rank 0 and broadcast from there";
    return {
        reference<Allgather, &ring_Allgather>("ring_Allgather", ring),
        reference<Allgather, &recursive_doubling_Allgather>("recursive_doubling_Allgather",
                                                            doubling),
        reference<Allgather, &dissemination_Allgather>("dissemination_Allgather", dissemination),
        reference<Allgather, &dissemination_Allgather_radix4>("dissemination_Allgather_radix4",
                                                              radix4),
        reference<Allgather, &sparbit_Allgather>("sparbit_Allgather", sparbit),
        reference<Allgather, &sparbit_blocks_Allgather>("sparbit_blocks_Allgather", in_blocks),
        reference<Allgather, &neighbour_exchange_Allgather>("neighbour_exchange_Allgather",
                                                            neighbours),
        reference<Allgather, &kring_Allgather>("kring_Allgather", kring),
        reference<Allgather, &bine_Allgather>("bine_Allgather", bine),
        reference<Allgather, &simple_Allgather>("simple_Allgather", simple),
        reference<Allgather, &spreading_simple_Allgather>("spreading_simple_Allgather", spreading),
        reference<Allgather, &gather_bcast_Allgather>("gather_bcast_Allgather", gather_bcast),
        reference<Allgather, &MPICH2004_Allgather>("MPICH2004_Allgather", MPICH2004),
        reference<Allgatherv, &ring_Allgatherv>("ring_Allgatherv", ring),
        reference<Allgatherv, &recursive_doubling_Allgatherv>("recursive_doubling_Allgatherv",
                                                              doubling),
        reference<Allgatherv, &dissemination_Allgatherv>("dissemination_Allgatherv", dissemination),
        reference<Allgatherv, &dissemination_Allgatherv_radix4>("dissemination_Allgatherv_radix4",
                                                                radix4),
        reference<Allgatherv, &sparbit_Allgatherv>("sparbit_Allgatherv", sparbit),
        reference<Allgatherv, &sparbit_blocks_Allgatherv>("sparbit_blocks_Allgatherv", in_blocks),
        reference<Allgatherv, &circulant_Allgatherv>("circulant_Allgatherv", circulant),
        reference<Allgatherv, &neighbour_exchange_Allgatherv>("neighbour_exchange_Allgatherv",
                                                              neighbours),
        reference<Allgatherv, &kring_Allgatherv>("kring_Allgatherv", kring),
        reference<Allgatherv, &bine_Allgatherv>("bine_Allgatherv", bine),
        reference<Allgatherv, &simple_Allgatherv>("simple_Allgatherv", simple),
        reference<Allgatherv, &spreading_simple_Allgatherv>("spreading_simple_Allgatherv",
                                                            spreading),
        reference<Allgatherv, &gather_bcast_Allgatherv>("gather_bcast_Allgatherv", gather_bcast),
        reference<Allgatherv, &MPICH2004_Allgatherv>("MPICH2004_Allgatherv", MPICH2004),
    };
}

}  // namespace

std::vector<Arrow> allgather_arrows() {
    Table table;
    table.operations = {
        native<Allgather, &MPI_Allgather, &MPI_Iallgather, persistent::allgather_init>(
            "MPI_Allgather", "the library's allgather of equal blocks"),
        native<Allgatherv, &MPI_Allgatherv, &MPI_Iallgatherv, persistent::allgatherv_init>(
            "MPI_Allgatherv", "the library's allgather of blocks of any size"),
    };
    table.other_uses = {
        large_count::form<Allgather, large_count::allgather>("MPI_Allgather_c"),
        Arrow{"MPI_Allgatherv", "allgather", Kind::native, rooted, replicated,
              "MPI_Allgatherv to which the root contributes all", allgatherv_from_root},
    };
    table.algorithms = allgather_algorithms();
    return arrows(table);
}

}  // namespace mpiaudit
