// SPDX-License-Identifier: BSD-3-Clause
// Collectives put together of parts on nodes and lanes: all numbers of ranks from 1 to 8, nodes of
// 1 to 4 ranks (also where the last one is smaller), every root, vectors shorter than a node has
// ranks, an operator whose order counts, datatypes that differ between the sides, and in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collectives/nodes/nodes.h"
#include "collectives/patterns/node_communicators.h"
#include "world.h"

namespace mpiaudit {
namespace {

/// x -> slope x + offset; the operator composes, which does not commute.
struct Line {
    std::uint32_t slope, offset;
    bool operator==(const Line&) const = default;
};
using Lines = std::vector<Line>;

Line composed(const Line& left, const Line& right) {
    return {left.slope * right.slope, left.slope * right.offset + left.offset};
}

void compose(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        Line& result = static_cast<Line*>(right)[i];
        result = composed(static_cast<Line*>(left)[i], result);
    }
}

/// Element i of what a rank contributes.
Line element(int rank, int i) {
    const auto seed = static_cast<std::uint32_t>(rank * 1009 + i * 31);
    return {2 * seed + 3, seed * seed + 7};
}

constexpr Line untouched{0xABCD, 0xABCD};

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

class OnNodes : public testing::Test {
  protected:
    OnNodes() {
        MPI_Type_contiguous(2, MPI_UINT32_T, &line_);
        MPI_Type_commit(&line_);
        MPI_Op_create(compose, 0, &op_);
    }
    ~OnNodes() override {
        set_ranks_per_node(0);
        MPI_Type_free(&line_);
        MPI_Op_free(&op_);
    }

    /// On communicators of the first ranks, split in all ways.
    template <class Check>
    void everywhere(const Check& check) {
        const int rank = own_rank(), ranks = ranks_of_world();
        for (int size = 1; size <= ranks; ++size) {
            for (int node = 1; node <= 4; ++node) {
                set_ranks_per_node(node);
                MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm_);
                if (comm_ == MPI_COMM_NULL) continue;
                rank_ = rank;
                size_ = size;
                for (const int count : {0, 1, 2, 5}) {
                    SCOPED_TRACE(testing::Message() << "rank " << rank << " of " << size << ", "
                                                    << node << " per node, count " << count);
                    count_ = count;
                    check();
                }
                MPI_Comm_free(&comm_);
            }
        }
    }

    /// What `rank` contributes: `blocks` blocks.
    Lines input(int rank, int blocks = 1) const {
        Lines lines;
        for (int i = 0; i < blocks * count_; ++i) lines.push_back(element(rank, i));
        return lines;
    }
    Lines blank(int blocks = 1) const { return Lines(index(blocks * count_), untouched); }
    /// Over the ranks first, ..., last in their order.
    Lines reduced(int first, int last, int blocks = 1) const {
        Lines result = input(first, blocks);
        for (int rank = first + 1; rank <= last; ++rank) {
            const Lines next = input(rank, blocks);
            for (std::size_t i = 0; i < result.size(); ++i)
                result[i] = composed(result[i], next[i]);
        }
        return result;
    }
    Lines gathered() const {
        Lines all;
        for (int rank = 0; rank < size_; ++rank) {
            const Lines block = input(rank);
            all.insert(all.end(), block.begin(), block.end());
        }
        return all;
    }
    static Lines part(const Lines& lines, int first, int count) {
        return {lines.begin() + first, lines.begin() + first + count};
    }
    /// With that in the place of a block.
    Lines with_block(Lines lines, int block, const Lines& data) const {
        std::ranges::copy(data, lines.begin() + block * count_);
        return lines;
    }

    MPI_Datatype line_ = MPI_DATATYPE_NULL;
    MPI_Op op_ = MPI_OP_NULL;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 0, count_ = 0;
};

TEST_F(OnNodes, Bcast) {
    everywhere([&] {
        for (const auto bcast : {lane_Bcast, hierarchical_Bcast}) {
            for (int root = 0; root < size_; ++root) {
                Lines buffer = rank_ == root ? input(root) : blank();
                bcast(buffer.data(), count_, line_, root, comm_);
                EXPECT_EQ(buffer, input(root)) << root;
            }
        }
    });
}

TEST_F(OnNodes, Reduce) {
    everywhere([&] {
        for (const auto reduce : {lane_Reduce, hierarchical_Reduce}) {
            for (int root = 0; root < size_; ++root) {
                const Lines expected = rank_ == root ? reduced(0, size_ - 1) : blank();
                const Lines own = input(rank_);
                Lines result = blank();
                reduce(own.data(), result.data(), count_, line_, op_, root, comm_);
                EXPECT_EQ(result, expected) << root;
                EXPECT_EQ(own, input(rank_)) << root;
                Lines both = own;
                const void* send = rank_ == root ? MPI_IN_PLACE : both.data();
                reduce(send, both.data(), count_, line_, op_, root, comm_);
                EXPECT_EQ(both, rank_ == root ? expected : own) << root;
            }
        }
    });
}

TEST_F(OnNodes, Allreduce) {
    everywhere([&] {
        for (const auto allreduce : {lane_Allreduce, hierarchical_Allreduce}) {
            const Lines own = input(rank_);
            Lines result = blank(), both = own;
            allreduce(own.data(), result.data(), count_, line_, op_, comm_);
            EXPECT_EQ(result, reduced(0, size_ - 1));
            allreduce(MPI_IN_PLACE, both.data(), count_, line_, op_, comm_);
            EXPECT_EQ(both, reduced(0, size_ - 1));
        }
    });
}

TEST_F(OnNodes, ReduceScatterBlock) {
    everywhere([&] {
        for (const auto reduce_scatter :
             {lane_Reduce_scatter_block, hierarchical_Reduce_scatter_block}) {
            const Lines expected = part(reduced(0, size_ - 1, size_), rank_ * count_, count_);
            const Lines own = input(rank_, size_);
            Lines result = blank(), both = own;
            reduce_scatter(own.data(), result.data(), count_, line_, op_, comm_);
            EXPECT_EQ(result, expected);
            reduce_scatter(MPI_IN_PLACE, both.data(), count_, line_, op_, comm_);
            EXPECT_EQ(part(both, 0, count_), expected);
        }
    });
}

TEST_F(OnNodes, Scans) {
    everywhere([&] {
        for (const auto scan : {lane_Scan, hierarchical_Scan}) {
            const Lines own = input(rank_);
            Lines result = blank(), both = own;
            scan(own.data(), result.data(), count_, line_, op_, comm_);
            EXPECT_EQ(result, reduced(0, rank_));
            scan(MPI_IN_PLACE, both.data(), count_, line_, op_, comm_);
            EXPECT_EQ(both, reduced(0, rank_));
        }
        for (const auto exscan : {lane_Exscan, hierarchical_Exscan}) {
            const Lines own = input(rank_);
            Lines result = blank(), both = own;
            exscan(own.data(), result.data(), count_, line_, op_, comm_);
            exscan(MPI_IN_PLACE, both.data(), count_, line_, op_, comm_);
            if (rank_ == 0) continue;
            EXPECT_EQ(result, reduced(0, rank_ - 1));
            EXPECT_EQ(both, reduced(0, rank_ - 1));
        }
    });
}

TEST_F(OnNodes, Allgather) {
    everywhere([&] {
        for (const auto allgather : {lane_Allgather, hierarchical_Allgather}) {
            const Lines own = input(rank_);
            Lines result = blank(size_), both = with_block(blank(size_), rank_, own);
            allgather(own.data(), 2 * count_, MPI_UINT32_T, result.data(), count_, line_, comm_);
            EXPECT_EQ(result, gathered());
            allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, both.data(), count_, line_, comm_);
            EXPECT_EQ(both, gathered());
        }
    });
}

TEST_F(OnNodes, Gather) {
    everywhere([&] {
        for (const auto gather : {lane_Gather, hierarchical_Gather}) {
            for (int root = 0; root < size_; ++root) {
                const bool is_root = rank_ == root;
                const Lines own = input(rank_);
                Lines result = blank(size_), both = with_block(blank(size_), rank_, own);
                gather(own.data(), 2 * count_, MPI_UINT32_T, is_root ? result.data() : nullptr,
                       is_root ? count_ : -1, is_root ? line_ : MPI_DATATYPE_NULL, root, comm_);
                EXPECT_EQ(result, is_root ? gathered() : blank(size_)) << root;
                gather(is_root ? MPI_IN_PLACE : own.data(), count_, line_, both.data(), count_,
                       line_, root, comm_);
                if (is_root) {
                    EXPECT_EQ(both, gathered()) << root;
                }
            }
        }
    });
}

TEST_F(OnNodes, Scatter) {
    everywhere([&] {
        for (const auto scatter : {lane_Scatter, hierarchical_Scatter}) {
            for (int root = 0; root < size_; ++root) {
                const bool is_root = rank_ == root;
                Lines all = gathered(), own = blank();
                scatter(is_root ? all.data() : nullptr, is_root ? count_ : -1,
                        is_root ? line_ : MPI_DATATYPE_NULL, own.data(), 2 * count_, MPI_UINT32_T,
                        root, comm_);
                EXPECT_EQ(own, input(rank_)) << root;
                own = blank();
                scatter(all.data(), count_, line_, is_root ? MPI_IN_PLACE : own.data(), count_,
                        line_, root, comm_);
                EXPECT_EQ(own, is_root ? blank() : input(rank_)) << root;
                EXPECT_EQ(all, gathered()) << root;
            }
        }
    });
}

TEST_F(OnNodes, Alltoall) {
    everywhere([&] {
        Lines expected;
        for (int sender = 0; sender < size_; ++sender) {
            const Lines block = part(input(sender, size_), rank_ * count_, count_);
            expected.insert(expected.end(), block.begin(), block.end());
        }
        for (const auto alltoall : {lane_Alltoall, hierarchical_Alltoall}) {
            const Lines own = input(rank_, size_);
            Lines result = blank(size_), both = own;
            alltoall(own.data(), 2 * count_, MPI_UINT32_T, result.data(), count_, line_, comm_);
            EXPECT_EQ(result, expected);
            alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, both.data(), count_, line_, comm_);
            EXPECT_EQ(both, expected);
        }
    });
}

TEST_F(OnNodes, AreConsecutiveRanksOfOneNumber) {
    EXPECT_EQ(consecutive_nodes(4, 8).nodes, 2);
    EXPECT_TRUE(consecutive_nodes(4, 8).has_lanes());
    EXPECT_FALSE(consecutive_nodes(8, 8).has_lanes());
    EXPECT_FALSE(consecutive_nodes(1, 8).has_lanes());
    EXPECT_EQ(consecutive_nodes(3, 8).nodes, 3);
    EXPECT_EQ(consecutive_nodes(3, 8).ranks_per_node, 0);
    EXPECT_EQ(consecutive_nodes(3, 8).width, 3);
    EXPECT_TRUE(consecutive_nodes(3, 8).has_rows());
    EXPECT_FALSE(consecutive_nodes(3, 8).has_lanes());
    EXPECT_TRUE(consecutive_nodes(1, 8).has_rows());
    EXPECT_FALSE(consecutive_nodes(8, 8).has_rows());
    const auto width = [](std::vector<int> nodes) { return consecutive_ranks(nodes); };
    EXPECT_EQ(width({0, 0, 1, 1}), 2);
    EXPECT_EQ(width({0, 0, 0, 1, 1, 1, 2}), 3);
    EXPECT_EQ(width({0, 1, 0, 1}), 0);
    EXPECT_EQ(width({0, 0, 1, 1, 1}), 0);
    EXPECT_EQ(width({0, 0, 1, 2, 2}), 0);
    EXPECT_EQ(width({}), 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    EXPECT_EQ(node_split(comm_).nodes, 1);
    MPI_Comm_free(&comm_);
}

/// What every rank does on the communicators that it has: the second time they are there.
TEST_F(OnNodes, AreKeptWithTheCommunicator) {
    everywhere([&] {
        const NodeCommunicators& at = node_communicators(comm_);
        const int ranks_per_node = std::max(1, node_split(comm_).ranks_per_node);
        EXPECT_EQ(&at, &node_communicators(comm_));
        int size = 0, rank = 0;
        MPI_Comm_size(at.lane, &size);
        MPI_Comm_rank(at.lane, &rank);
        EXPECT_EQ(size, size_ / ranks_per_node);
        EXPECT_EQ(rank, rank_ / ranks_per_node);
        MPI_Comm_size(at.node, &size);
        MPI_Comm_rank(at.node, &rank);
        EXPECT_EQ(size, ranks_per_node);
        EXPECT_EQ(rank, rank_ % ranks_per_node);
    });
}

}  // namespace
}  // namespace mpiaudit
