// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>
#include <type_traits>

#include "../recorded_calls.h"
#include "collectives/call/ranks.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/patterns/ordered_tree.h"
#include "gather_check.h"
#include "optimal_trees/optimal_tree.h"

#include "../world.h"

namespace mpiaudit {
namespace {

/// A function with an argument at the end that MPI does not have, set.
/// MPI's own comes first: it checks the test.
const std::vector<NamedGatherv> gathervs = {
    {"MPI_Gatherv", MPI_Gatherv},
    {"linear_Gatherv", linear_Gatherv},
    {"binomial_Gatherv", binomial_Gatherv},
    {"knomial_Gatherv_radix3", by<gatherv_by, trees::knomial<3>>},
    {"knomial_Gatherv_radix4", knomial_Gatherv_radix4},
    {"node_binomial_Gatherv", node_binomial_Gatherv},
    {"node_knomial_Gatherv_radix4", node_knomial_Gatherv_radix4},
    {"node_knomial_Gatherv_radix3", by<gatherv_by, trees::on_nodes<3>>},
    {"TUW_Gatherv", TUW_Gatherv},
    {"TUW_Gatherv_k2", TUW_Gatherv_k2},
    {"TUW_Gatherv_k3", TUW_Gatherv_k3},
    {"optimal_Gatherv", optimal_Gatherv},
    {"TUW_Gatherv_carrying", TUW_Gatherv_carrying},
    {"TUW_Gatherv_carrying_at 0", by<TUW_Gatherv_carrying_at, limit<0>>},
    {"TUW_Gatherv_carrying_at 40", by<TUW_Gatherv_carrying_at, limit<40>>},
    {"TUW_Gatherv_carrying_at 300", by<TUW_Gatherv_carrying_at, limit<300>>},
    {"TUW_Gatherv_degrading", TUW_Gatherv_degrading},
    {"TUW_Gatherv_degrading_at 0", by<TUW_Gatherv_degrading_at, limit<0>>},
    {"TUW_Gatherv_degrading_at 40", by<TUW_Gatherv_degrading_at, limit<40>>},
    {"TUW_Gatherv_degrading_at 300", by<TUW_Gatherv_degrading_at, limit<300>>},
};

TEST(Gatherv, of_every_algorithm_gathers_every_case) {
    const auto cases = irregular_cases(ranks_of_world());
    ASSERT_GT(cases.size(), 60U);
    for (const NamedGatherv& named : gathervs)
        for (const GatherCase& gather_case : cases)
            check_gather(gather_case, named, MPI_COMM_WORLD);
}

TEST(Gatherv, over_nodes_gathers_every_case) {
    const auto cases = irregular_cases(ranks_of_world());
    for (const int ranks_per_node : {1, 2, 4}) {
        if (ranks_of_world() % ranks_per_node != 0) continue;
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        divide_into_nodes(comm, ranks_per_node);
        for (const GatherCase& gather_case : cases) {
            check_gather(gather_case, {"in pairs", node_binomial_Gatherv}, comm);
            check_gather(gather_case, {"in fours", node_knomial_Gatherv_radix4}, comm);
        }
        MPI_Comm_free(&comm);
    }
}

TEST(Gatherv, of_different_algorithms_follow_each_other_without_synchronisation) {
    // Every case by another algorithm than the one before and with another root, so that messages
    // of two operations are on their way at once.
    const auto cases = irregular_cases(ranks_of_world());
    for (std::size_t i = 0; i < 3 * cases.size(); ++i)
        check_gather(cases[i * 29 % cases.size()], gathervs[i % gathervs.size()], MPI_COMM_WORLD);
    EXPECT_FALSE(has_unmatched_message());
}

TEST(Gatherv, of_a_late_root_meets_the_messages_of_later_operations) {
    // The ranks that send are done long before the root begins; what they announce for later
    // operations is there before what others announce for earlier ones.
    std::mt19937 random(11);
    for (int repeated = 0; repeated < 5; ++repeated) {
        MPI_Barrier(MPI_COMM_WORLD);
        const int late = repeated % ranks_of_world(), root = (repeated + 1) % ranks_of_world();
        if (own_rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (int i = 0; i < 20; ++i) {
            GatherCase gather_case{&element_kinds()[0], {}, root, Displacements::contiguous, false};
            for (int rank = 0; rank < ranks_of_world(); ++rank)
                gather_case.items.push_back(static_cast<int>(random() % 20));
            check_gather(gather_case, {"late", by<TUW_Gatherv_degrading_at, limit<40>>},
                         MPI_COMM_WORLD);
            check_gather(gather_case, {"late", TUW_Gatherv}, MPI_COMM_WORLD);
        }
    }
}

TEST(Gatherv, leaves_pending_messages_of_the_caller_alone) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int rank = own_rank(), ranks = ranks_of_world();
    // From every rank one receive is pending for any message at all, and messages with all the tags
    // of the algorithms are on their way that nobody receives before the end.
    const auto peers = static_cast<std::size_t>(ranks);
    std::vector<int> early(peers, -1);
    std::vector<MPI_Request> requests;
    for (int peer = 0; peer < ranks; ++peer)
        MPI_Irecv(&early[peer], 1, MPI_INT, peer, 1, comm, &requests.emplace_back());
    const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    for (int tag = Tag::data; tag < Tag::end_of_tags; ++tag)
        MPI_Isend(&rank, 1, MPI_INT, right, tag, comm, &requests.emplace_back());
    for (const NamedGatherv& named : gathervs)
        for (int i = 0; i < 20; ++i) check_gather(irregular_cases(ranks)[i], named, comm);
    for (int peer = 0; peer < ranks; ++peer)
        MPI_Isend(&rank, 1, MPI_INT, peer, 1, comm, &requests.emplace_back());
    for (int tag = Tag::data; tag < Tag::end_of_tags; ++tag) {
        int late = -1;
        MPI_Recv(&late, 1, MPI_INT, left, tag, comm, MPI_STATUS_IGNORE);
        EXPECT_EQ(late, left);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (int peer = 0; peer < ranks; ++peer) EXPECT_EQ(early[peer], peer);
    MPI_Comm_free(&comm);
}

TEST(GathervFreeRoot, gathers_to_the_root_of_lemma_1_and_tells_everybody) {
    const ElementKind& kind = element_kinds()[3];
    for (const std::vector<int>& items : item_distributions(ranks_of_world())) {
        const std::vector<std::int64_t> sizes(items.begin(), items.end());
        const GatherCase gather_case{&kind, items,
                                     root_of(ordered_gather_tree(sizes, no_given_root)),
                                     Displacements::with_gaps, false};
        const int rank = own_rank(), count = items[rank] * kind.elements_of_sender;
        PatternBuffer sent(kind.type_of_sender, count);
        sent.put_block(0, count, rank);
        const RootArguments arguments = root_arguments(gather_case, kind.elements_of_receiver);
        PatternBuffer received(kind.type_of_receiver, arguments.elements), expected = received;
        if (rank == gather_case.root)
            for (int i = 0; i < ranks_of_world(); ++i)
                expected.put_block(arguments.displacements[i], arguments.counts[i], i);
        int root = -1;
        TUW_Gatherv_free_root(sent.data(), count, kind.type_of_sender, received.data(),
                              arguments.counts.data(), arguments.displacements.data(),
                              kind.type_of_receiver, &root, MPI_COMM_WORLD);
        EXPECT_EQ(root, gather_case.root) << gather_case.text();
        EXPECT_TRUE(received == expected) << gather_case.text();
    }
}

TEST(Gatherv, sends_nothing_for_empty_subtrees) {
    const long others = ranks_of_world() - 1;
    EXPECT_EQ(messages_of_all_ranks({"linear", linear_Gatherv}, 0), 0);
    EXPECT_EQ(messages_of_all_ranks({"linear", linear_Gatherv}, 1), others);
    // Every join of two cubes is an exchange of two messages and informs at most one gather root
    // on either side; every rank but the root sends its subtree once.
    const long construction = messages_of_all_ranks({"TUW", TUW_Gatherv}, 0);
    EXPECT_GE(construction, 2 * others);
    EXPECT_LE(construction, 4 * others);
    EXPECT_EQ(messages_of_all_ranks({"TUW", TUW_Gatherv}, 1), construction + others);
    // Few blocks travel with the construction, one message of each rank, and none for nothing to
    // the root, which knows that nothing comes.
    EXPECT_EQ(messages_of_all_ranks({"carrying", TUW_Gatherv_carrying}, 1), others);
    EXPECT_LE(messages_of_all_ranks({"carrying", TUW_Gatherv_carrying}, 0), others);
}

TEST(Gatherv, has_the_signature_of_its_counterpart) {
    EXPECT_TRUE((std::is_same_v<decltype(&linear_Gatherv), GathervFunction*>));
    EXPECT_TRUE((std::is_same_v<decltype(&binomial_Gatherv), GathervFunction*>));
    EXPECT_TRUE((std::is_same_v<decltype(&TUW_Gatherv), GathervFunction*>));
}

}  // namespace
}  // namespace mpiaudit
