// SPDX-License-Identifier: BSD-3-Clause
// Collectives put together of parts on nodes and lanes: all numbers of ranks from 1 to 8, nodes of
// 1 to 4 ranks (also where the last one is smaller), every root, vectors shorter than a node has
// ranks, an operator whose order counts, datatypes that differ between the sides, and in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "collectives/moved_blocks.h"
#include "collectives/nodes/nodes.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/reduce/reduction_case.h"
#include "messages/messages.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

/// Excludes elements with gaps from the library's own reductions on nodes: MPICH 4.0.2 writes into
/// the gaps, and frees memory that it has not allocated.
bool is_supported(const Algorithm& row, const ReductionCase& reduction) {
    int bytes = 0;
    MPI_Aint least = 0, extent = 0;
    MPI_Type_size(reduction.type, &bytes);
    MPI_Type_get_extent(reduction.type, &least, &extent);
    return bytes == extent || !std::string_view(row.name).starts_with("MPI_");
}

class OnNodes : public testing::Test {
  protected:
    ~OnNodes() override { set_ranks_per_node(0); }

    /// check(comm) on communicators of the first ranks, split in all ways.
    template <class Check>
    static void everywhere(const Check& check) {
        const int rank = own_rank();
        for (int size = 1; size <= ranks_of_world(); ++size)
            for (int node = 1; node <= 4; ++node) {
                set_ranks_per_node(node);
                MPI_Comm comm = MPI_COMM_NULL;
                MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
                if (comm == MPI_COMM_NULL) continue;
                SCOPED_TRACE(testing::Message()
                             << "rank " << rank << " of " << size << ", " << node << " per node");
                make_node_communicators(comm);
                check(comm);
                MPI_Comm_free(&comm);
            }
    }

    /// check(algorithm, comm, root, count) for each of an operation, everywhere.
    template <class Check>
    static void of(std::string_view operation, const Check& check) {
        everywhere([&](MPI_Comm comm) {
            const int roots =
                find_mpi_operation(operation)->has_root() ? messages::size_of(comm) : 1;
            for (const Algorithm& row : algorithms())
                if (row.operation == operation && (row.traits & on_nodes) != 0)
                    for (int root = 0; root < roots; ++root)
                        for (const int count : {0, 1, 2, 5}) check(row, comm, root, count);
        });
    }
};

TEST_F(OnNodes, Bcast) {
    of("MPI_Bcast", [&](const Algorithm& row, MPI_Comm comm, int root, int count) {
        expect_bcast(row, element_kind("vector with hole"), count, root, comm);
    });
}

TEST_F(OnNodes, Reductions) {
    const std::vector<ReductionCase> cases = reduction_cases();
    for (const char* const operation : {"MPI_Reduce", "MPI_Allreduce", "MPI_Scan", "MPI_Exscan"})
        of(operation, [&](const Algorithm& row, MPI_Comm comm, int root, int count) {
            for (const ReductionCase& each : cases)
                for (const bool is_in_place : {false, true})
                    if (is_supported(row, each) &&
                        (!each.is_commutative || &each == &cases.front()))
                        expect_reduction(row, each, count, root, is_in_place, comm);
        });
}

TEST_F(OnNodes, ReduceScatterBlock) {
    const std::vector<ReductionCase> cases = reduction_cases();
    of("MPI_Reduce_scatter_block", [&](const Algorithm& row, MPI_Comm comm, int, int count) {
        const std::vector<int> counts(static_cast<std::size_t>(messages::size_of(comm)), count);
        for (const ReductionCase& each : cases)
            for (const bool is_in_place : {false, true})
                if (is_supported(row, each) && (!each.is_commutative || &each == &cases.front()))
                    expect_reduce_scatter(row, each, counts, is_in_place, comm);
    });
}

TEST_F(OnNodes, Blocks) {
    const auto kinds = element_kinds({"ints to resized with holes", "resized with holes to ints"});
    for (const char* const operation :
         {"MPI_Allgather", "MPI_Gather", "MPI_Scatter", "MPI_Alltoall"})
        of(operation, [&](const Algorithm& row, MPI_Comm comm, int root, int count) {
            for (const ElementKind* const kind : kinds)
                for (const bool is_in_place : {false, true})
                    check({row.name, row.operation, row.function},
                          {kind, "equal", [=](int, int) { return count; }, root,
                           Placing::contiguous, is_in_place},
                          comm);
        });
}

TEST_F(OnNodes, AreConsecutiveRanksOfOneNumber) {
    for (const auto& [width, nodes, ranks_per_node, has_rows, has_lanes] :
         {std::tuple{4, 2, 4, true, true},
          {3, 3, 0, true, false},
          {1, 8, 1, true, false},
          {8, 1, 8, false, false}}) {
        const auto split = consecutive_nodes(width, 8);
        EXPECT_EQ(split.nodes, nodes) << width;
        EXPECT_EQ(split.ranks_per_node, ranks_per_node) << width;
        EXPECT_EQ(split.width, nodes > 1 ? width : 0);
        EXPECT_EQ(split.has_rows(), has_rows) << width;
        EXPECT_EQ(split.has_lanes(), has_lanes) << width;
    }
    const auto width = [](std::vector<int> nodes) { return consecutive_ranks(nodes); };
    EXPECT_EQ(width({0, 0, 1, 1}), 2);
    EXPECT_EQ(width({0, 0, 0, 1, 1, 1, 2}), 3);
    EXPECT_EQ(width({0, 1, 0, 1}), 0);
    EXPECT_EQ(width({0, 0, 1, 1, 1}), 0);
    EXPECT_EQ(width({0, 0, 1, 2, 2}), 0);
    EXPECT_EQ(width({}), 0);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    EXPECT_EQ(node_split(comm).nodes, 1);
    MPI_Comm_free(&comm);
}

/// Each call runs twice; the second one finds the communicators.
TEST_F(OnNodes, AreKeptWithTheCommunicator) {
    everywhere([](MPI_Comm comm) {
        const NodeCommunicators& at = node_communicators(comm);
        const int ranks_per_node = std::max(1, node_split(comm).ranks_per_node);
        EXPECT_EQ(&at, &node_communicators(comm));
        EXPECT_EQ(messages::size_of(at.lane), messages::size_of(comm) / ranks_per_node);
        EXPECT_EQ(messages::rank_in(at.lane), own_rank() / ranks_per_node);
        EXPECT_EQ(messages::size_of(at.node), ranks_per_node);
        EXPECT_EQ(messages::rank_in(at.node), own_rank() % ranks_per_node);
    });
}

}  // namespace
}  // namespace mpiaudit::test
