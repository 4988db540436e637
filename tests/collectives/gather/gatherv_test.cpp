// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "../../world.h"
#include "collectives/call/ranks.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/patterns/ordered_tree.h"
#include "messages/owned.h"
#include "optimal_trees/optimal_tree.h"
#include "rooted_moves.h"
#include "tests/gather_trees.h"

namespace mpiaudit::test {
namespace {

Tested gatherv(const char* name, decltype(MPI_Gatherv)& function) {
    return {name, "MPI_Gatherv", function};
}

/// Includes MPI's own operation, which checks the test.
const std::vector<Tested>& gathervs() {
    static const std::vector<Tested> all = [] {
        join_algorithms(optimal_tree_algorithms());
        return algorithms_of(
            "MPI_Gatherv",
            {gatherv("MPI_Gatherv", MPI_Gatherv),
             gatherv("knomial, radix 3", bind_first<gatherv_by, up<trees::knomial<3>>>),
             gatherv("on nodes, radix 3", bind_first<gatherv_by, up<trees::on_nodes<3>>>),
             gatherv("carrying at 0",
                     bind_first<gatherv_by, bind_first<gather_carrying, limit<0>>>),
             gatherv("carrying at 40",
                     bind_first<gatherv_by, bind_first<gather_carrying, limit<40>>>),
             gatherv("carrying at 300",
                     bind_first<gatherv_by, bind_first<gather_carrying, limit<300>>>),
             gatherv("degrading at 0",
                     bind_first<gatherv_by, bind_first<gather_degrading, limit<0>>>),
             gatherv("degrading at 40",
                     bind_first<gatherv_by, bind_first<gather_degrading, limit<40>>>),
             gatherv("degrading at 300",
                     bind_first<gatherv_by, bind_first<gather_degrading, limit<300>>>)});
    }();
    return all;
}

TEST(Gatherv, of_every_algorithm_gathers_every_case) {
    const auto cases = irregular_moves(ranks_of_world());
    ASSERT_GT(cases.size(), 60U);
    check_each_and_in_turns(gathervs(), cases);
}

TEST(Gatherv, over_nodes_gathers_every_case) {
    const auto cases = irregular_moves(ranks_of_world());
    for (const int ranks_per_node : {1, 2, 4}) {
        if (ranks_of_world() % ranks_per_node != 0) continue;
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        divide_into_nodes(comm, ranks_per_node);
        for (const Move& move : cases) {
            check(gatherv("in pairs", node_binomial_Gatherv), move, comm);
            check(gatherv("in fours", node_knomial_Gatherv_radix4), move, comm);
        }
        MPI_Comm_free(&comm);
    }
}

TEST(Gatherv, of_a_late_root_meets_the_messages_of_later_operations) {
    // The sending ranks are done long before the root begins, so announcements of later operations
    // arrive before announcements of earlier ones.
    std::mt19937 random(11);
    for (int repeated = 0; repeated < 5; ++repeated) {
        MPI_Barrier(MPI_COMM_WORLD);
        const int late = repeated % ranks_of_world(), root = (repeated + 1) % ranks_of_world();
        if (own_rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (int i = 0; i < 20; ++i) {
            std::vector<int> items;
            for (int rank = 0; rank < ranks_of_world(); ++rank)
                items.push_back(static_cast<int>(random() % 20));
            const Move move{&element_kind("int"), "late", blocks_of(items), root};
            check(gatherv("late", bind_first<gatherv_by, bind_first<gather_degrading, limit<40>>>),
                  move);
            check(gatherv("late", TUW_Gatherv), move);
        }
    }
}

TEST(Gatherv, leaves_pending_messages_of_the_caller_alone) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int rank = own_rank(), ranks = ranks_of_world();
    // One receive per rank is pending for any tag, and unreceived messages with all the tags of the
    // algorithms are in transit until the end.
    const auto peers = static_cast<std::size_t>(ranks);
    std::vector<int> early(peers, -1);
    std::vector<MPI_Request> requests;
    for (int peer = 0; peer < ranks; ++peer)
        MPI_Irecv(&early[peer], 1, MPI_INT, peer, 1, comm, &requests.emplace_back());
    const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    for (int tag = Tag::data; tag < Tag::end_of_tags; ++tag)
        MPI_Isend(&rank, 1, MPI_INT, right, tag, comm, &requests.emplace_back());
    for (const Tested& tested : gathervs())
        for (int i = 0; i < 20; ++i) check(tested, irregular_moves(ranks)[i], comm);
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

/// One int at an absolute address; elements follow each other like those of an array.
OwnedDatatype int_at(const int* place) {
    MPI_Aint address = 0;
    MPI_Get_address(place, &address);
    const int one = 1;
    MPI_Datatype at_address = MPI_DATATYPE_NULL, resized = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &at_address);
    MPI_Type_create_resized(at_address, address, sizeof(int), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&at_address);
    return OwnedDatatype(resized);
}

TEST(Gatherv, takes_buffers_at_absolute_addresses) {
    const int rank = own_rank(), ranks = ranks_of_world();
    const int root = ranks / 2;
    const std::vector<int> sent(3, 100 + rank), counts(static_cast<std::size_t>(ranks), 3);
    std::vector<int> received(static_cast<std::size_t>(3 * ranks), -1), displacements, expected;
    for (int i = 0; i < ranks; ++i) {
        displacements.push_back(3 * (ranks - 1 - i));
        expected.insert(expected.end(), 3, 100 + ranks - 1 - i);
    }
    const OwnedDatatype sent_type = int_at(sent.data()), received_type = int_at(received.data());
    for (const auto gatherv : {linear_Gatherv, binomial_Gatherv, TUW_Gatherv}) {
        std::ranges::fill(received, -1);
        gatherv(MPI_BOTTOM, 3, sent_type.get(), MPI_BOTTOM, counts.data(), displacements.data(),
                received_type.get(), root, MPI_COMM_WORLD);
        if (rank == root) {
            EXPECT_EQ(received, expected);
        }
    }
}

TEST(Gather, of_every_algorithm_gathers_every_case) {
    const auto cases = regular_moves(ranks_of_world());
    ASSERT_GE(cases.size(), 24U);
    const auto gather = [](const char* name, decltype(MPI_Gather)& function) {
        return Tested{name, "MPI_Gather", function};
    };
    const auto gathers = algorithms_of(
        "MPI_Gather", {gather("segments of 1 byte",
                              bind_first<gather_by, bind_first<gather_in_segments, limit<1>>>),
                       gather("segments of 100",
                              bind_first<gather_by, bind_first<gather_in_segments, limit<100>>>),
                       gather("knomial, radix 3", bind_first<gather_by, up<trees::knomial<3>>>)});
    check_each_and_in_turns(gathers, cases);
}

TEST(DistributedOrderedTree, is_the_tree_of_the_pure_function) {
    const Ranks ranks{MPI_COMM_WORLD};
    std::mt19937 random(5);
    for (int i = 0; i < 150; ++i) {
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks.size));
        // Many ties, many zeros, and amounts beyond the range of int.
        const std::int64_t unit = i % 3 == 2 ? std::int64_t{1} << 40 : 1;
        for (std::int64_t& size : sizes)
            size = unit * static_cast<std::int64_t>(random() % (i % 3 == 0 ? 3 : 100));
        const int root = static_cast<int>(random() % static_cast<unsigned>(ranks.size));
        for (const int given_root : {root, no_given_root})
            for (const OrderedTreeOptions& options :
                 {OrderedTreeOptions{}, {.radix = 3}, {.radix = 4}, {.threshold = 60 * unit}}) {
                if (given_root == no_given_root && options.degrades()) continue;
                SCOPED_TRACE("case " + std::to_string(i) + ", root " + std::to_string(given_root) +
                             ", radix " + std::to_string(options.radix));
                EXPECT_EQ(
                    distributed_ordered_tree(sizes[ranks.rank], given_root, ranks, options).node,
                    ordered_gather_tree(sizes, given_root, options)[ranks.rank]);
            }
    }
}

}  // namespace
}  // namespace mpiaudit::test
