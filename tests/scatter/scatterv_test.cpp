// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../gather/gather_cases.h"
#include "../gather/gather_check.h"
#include "../recorded_calls.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/ordered_tree.h"
#include "collectives/scatter/scatter.h"
#include "messages/private_communicator.h"
#include "optimal_trees/optimal_tree.h"

#include "../world.h"

namespace mpiaudit {
namespace {

using ScatterFunction = decltype(MPI_Scatter);
using ScattervFunction = decltype(MPI_Scatterv);

struct NamedScatterv {
    std::string name;
    ScattervFunction* scatterv;
};

/// A function with the signature of MPI_Scatter in the clothes of MPI_Scatterv.
template <ScatterFunction* scatter>
int regular(const void* sendbuf, const int sendcounts[], const int[], MPI_Datatype sendtype,
            void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const int sendcount = sendcounts ? sendcounts[0] : -1;
    return scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

/// MPI's own comes first: it checks the test.
const std::vector<NamedScatterv> scattervs = {
    {"MPI_Scatterv", MPI_Scatterv},
    {"linear_Scatterv", linear_Scatterv},
    {"binomial_Scatterv", binomial_Scatterv},
    {"knomial_Scatterv_radix3", by<scatterv_by, trees::knomial<3>>},
    {"knomial_Scatterv_radix4", knomial_Scatterv_radix4},
    {"TUW_Scatterv", TUW_Scatterv},
    {"TUW_Scatterv_k2", TUW_Scatterv_k2},
    {"TUW_Scatterv_k3", TUW_Scatterv_k3},
    {"optimal_Scatterv", optimal_Scatterv},
    {"TUW_Scatterv_degrading", TUW_Scatterv_degrading},
    {"TUW_Scatterv_degrading_at 0", by<TUW_Scatterv_degrading_at, limit<0>>},
    {"TUW_Scatterv_degrading_at 40", by<TUW_Scatterv_degrading_at, limit<40>>},
    {"TUW_Scatterv_degrading_at 300", by<TUW_Scatterv_degrading_at, limit<300>>},
};

const std::vector<NamedScatterv> scatters = {
    {"linear_Scatter", regular<linear_Scatter>},
    {"binomial_Scatter", regular<binomial_Scatter>},
    {"knomial_Scatter_radix3", regular<by<scatter_by, trees::knomial<3>>>},
    {"knomial_Scatter_radix4", regular<knomial_Scatter_radix4>},
    {"TUW_Scatter", regular<TUW_Scatter>},
};

/// The datatype of the root's buffer is that of the receiver in a gather, and the other way round.
void call(const GatherCase& scatter_case, const NamedScatterv& named, void* at_root,
          const RootArguments& arguments, void* own, int own_count) {
    const ElementKind& kind = *scatter_case.kind;
    const int rank = own_rank();
    // A rank without data may describe nothing by any datatype, yet has to pass data on.
    const MPI_Datatype own_type =
        own_count > 0 || rank % 3 == 0 ? kind.type_of_sender : MPI_LONG_DOUBLE;
    if (rank != scatter_case.root) {
        named.scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, own, own_count, own_type,
                       scatter_case.root, MPI_COMM_WORLD);
        return;
    }
    const auto [recvbuf, count, type] =
        scatter_case.is_in_place
            ? std::tuple<void*, int, MPI_Datatype>(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL)
            : std::tuple<void*, int, MPI_Datatype>(own, own_count, kind.type_of_sender);
    named.scatterv(at_root, arguments.counts.data(), arguments.displacements.data(),
                   kind.type_of_receiver, recvbuf, count, type, scatter_case.root, MPI_COMM_WORLD);
}

void check(const GatherCase& scatter_case, const NamedScatterv& named) {
    const ElementKind& kind = *scatter_case.kind;
    const int rank = own_rank();
    const bool is_root = rank == scatter_case.root;
    const RootArguments arguments = root_arguments(scatter_case, kind.elements_of_receiver);
    PatternBuffer at_root(kind.type_of_receiver, arguments.elements);
    if (is_root)
        for (std::size_t i = 0; i < scatter_case.items.size(); ++i)
            at_root.put_block(arguments.displacements[i], arguments.counts[i], static_cast<int>(i));
    const PatternBuffer at_root_before = at_root;
    const int own_count = scatter_case.items[rank] * kind.elements_of_sender;
    PatternBuffer received(kind.type_of_sender, own_count), expected = received;
    if (!is_root || !scatter_case.is_in_place) expected.put_block(0, own_count, rank);
    private_communicator(MPI_COMM_WORLD);  // stays with it
    const test::OpenHandles handles_before = test::open_handles();
    call(scatter_case, named, at_root.data(), arguments, received.data(), own_count);
    if (received != expected) report_failure(named.name + " receives wrongly", scatter_case);
    if (at_root != at_root_before)
        report_failure(named.name + " changes what it sends", scatter_case);
    if (test::open_handles() != handles_before)
        report_failure(named.name + " keeps datatypes or requests", scatter_case);
}

TEST(Scatterv, of_every_algorithm_scatters_every_case) {
    const auto cases = irregular_cases(ranks_of_world());
    ASSERT_GT(cases.size(), 60U);
    for (const NamedScatterv& named : scattervs)
        for (const GatherCase& scatter_case : cases) check(scatter_case, named);
}

TEST(Scatterv, of_different_algorithms_follow_each_other_without_synchronisation) {
    const auto cases = irregular_cases(ranks_of_world());
    for (std::size_t i = 0; i < 2 * cases.size(); ++i)
        check(cases[i * 29 % cases.size()], scattervs[i % scattervs.size()]);
    EXPECT_FALSE(has_unmatched_message());
}

TEST(Scatter, of_every_algorithm_scatters_every_case) {
    const auto cases = regular_cases(ranks_of_world());
    ASSERT_GE(cases.size(), 24U);
    for (const NamedScatterv& named : scatters)
        for (const GatherCase& scatter_case : cases) check(scatter_case, named);
}

TEST(Scatter, over_trees_known_to_all_sends_one_message_per_edge) {
    const int items = 5;
    const std::vector<int> same(static_cast<std::size_t>(ranks_of_world()), items);
    for (const NamedScatterv& named : scatters)
        for (int root = 0; root < ranks_of_world(); ++root) {
            long sent = -test::messages_sent();
            check({&element_kinds()[0], same, root, Displacements::contiguous, false}, named);
            sent += test::messages_sent();
            MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            EXPECT_EQ(sent, ranks_of_world() - 1) << named.name;
        }
}

TEST(Scatterv, of_late_ranks_are_told_apart_from_later_operations) {
    // Without data a rank waits for nobody, so that it announces a subtree of a later operation, a
    // gather or a scatter, before a late one has announced one of an earlier operation.
    std::mt19937 random(12);
    for (int root = 0; root < ranks_of_world(); ++root)
        for (int late = 0; late < ranks_of_world(); ++late) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (own_rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            for (int i = 0; i < 4; ++i) {
                GatherCase next{&element_kinds()[0], {}, root, Displacements::contiguous, false};
                for (int rank = 0; rank < ranks_of_world(); ++rank)
                    next.items.push_back(static_cast<int>(random() % 2 * (11 + random() % 9)));
                check(next, {"late", by<TUW_Scatterv_degrading_at, limit<40>>});
                check_gather(next, {"late gather", by<TUW_Gatherv_degrading_at, limit<40>>},
                             MPI_COMM_WORLD);
            }
        }
}

TEST(ScattervFreeRoot, scatters_from_the_root_of_lemma_1_and_tells_everybody) {
    const ElementKind& kind = element_kinds()[3];
    for (const std::vector<int>& items : item_distributions(ranks_of_world())) {
        const std::vector<std::int64_t> sizes(items.begin(), items.end());
        const GatherCase scatter_case{&kind, items,
                                      root_of(ordered_gather_tree(sizes, no_given_root)),
                                      Displacements::with_gaps, false};
        const RootArguments arguments = root_arguments(scatter_case, kind.elements_of_receiver);
        PatternBuffer sent(kind.type_of_receiver, arguments.elements);
        // On any other rank than the one that is chosen there is something else.
        if (own_rank() == scatter_case.root)
            for (int i = 0; i < ranks_of_world(); ++i)
                sent.put_block(arguments.displacements[i], arguments.counts[i], i);
        const int count = items[own_rank()] * kind.elements_of_sender;
        PatternBuffer received(kind.type_of_sender, count), expected = received;
        expected.put_block(0, count, own_rank());
        int root = -1;
        TUW_Scatterv_free_root(sent.data(), arguments.counts.data(), arguments.displacements.data(),
                               kind.type_of_receiver, received.data(), count, kind.type_of_sender,
                               &root, MPI_COMM_WORLD);
        EXPECT_EQ(root, scatter_case.root) << scatter_case.text();
        EXPECT_TRUE(received == expected) << scatter_case.text();
    }
    EXPECT_FALSE(has_unmatched_message());
}

/// Messages with data that the last rank sends as the root, when every rank gets one item: what it
/// sends more than without data. It speaks for all its cubes, so that the construction of the tree
/// takes as many messages of it either way.
long data_messages_of_root(const NamedScatterv& named) {
    const int root = ranks_of_world() - 1;
    std::vector<long> sent;
    for (const int items : {0, 1}) {
        const std::vector<int> same(static_cast<std::size_t>(ranks_of_world()), items);
        const long before = test::messages_sent();
        check({&element_kinds()[0], same, root, Displacements::contiguous, false}, named);
        sent.push_back(test::messages_sent() - before);
    }
    return sent[1] - sent[0];
}

TEST(Scatterv, splits_into_as_many_parts_as_it_says_and_skips_the_tree_for_long_data) {
    const int last = ranks_of_world() - 1;
    const auto children = [&](int radix) {
        const GatherNode root = regular_ordered_node(last, ranks_of_world(), last, 1, radix);
        return static_cast<long>(root.children.size());
    };
    const std::vector<std::pair<NamedScatterv, long>> expected = {
        {{"TUW_Scatterv", TUW_Scatterv}, children(2)},
        {{"TUW_Scatterv_k2", TUW_Scatterv_k2}, children(3)},
        {{"TUW_Scatterv_k3", TUW_Scatterv_k3}, children(4)},
        {{"TUW_Scatterv_degrading", TUW_Scatterv_degrading}, children(2)},
        {{"TUW_Scatterv_degrading_at 4", by<TUW_Scatterv_degrading_at, limit<4>>}, last},
    };
    for (const auto& [named, messages] : expected) {
        const long sent = data_messages_of_root(named);
        if (own_rank() == last) {
            EXPECT_EQ(sent, messages) << named.name;
        }
    }
}

TEST(Scatterv, has_the_signature_of_its_counterpart) {
    EXPECT_TRUE((std::is_same_v<decltype(&linear_Scatterv), ScattervFunction*>));
    EXPECT_TRUE((std::is_same_v<decltype(&TUW_Scatterv), ScattervFunction*>));
    EXPECT_TRUE((std::is_same_v<decltype(&TUW_Scatter), ScatterFunction*>));
}

}  // namespace
}  // namespace mpiaudit
