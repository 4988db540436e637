// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/patterns/reduction.h"

namespace mpiaudit {

/// A vector cut into a share for each rank of a node, as counts and displacements.
class Shares {
  public:
    Shares(int count, MPI_Datatype type, const NodeCommunicators& at)
        : place_{static_cast<std::size_t>(at.place)}, extent_bytes_{type_extent(type)} {
        const Blocks blocks = Blocks::split(nullptr, count, type, at.ranks_per_node);
        for (int share = 0; share < at.ranks_per_node; ++share) {
            counts_.push_back(blocks.count(share));
            displacements_.push_back(static_cast<int>(blocks.begin(share)));
        }
    }

    const int* counts() const { return counts_.data(); }
    const int* displacements() const { return displacements_.data(); }
    int own_count() const { return counts_[place_]; }
    /// Returns this rank's share of a vector.
    void* own(void* vector) const {
        // An empty last share would have the address behind the vector, possibly that of the
        // operands: MPICH then refuses the call as aliased, on this rank alone.
        if (own_count() == 0) return vector;
        return displaced(vector, displacements_[place_] * extent_bytes_);
    }

  private:
    std::size_t place_;
    MPI_Aint extent_bytes_;
    std::vector<int> counts_, displacements_;
};

/// Returns the order of all blocks by place on the node: first place 0 of every node, then place 1,
/// and so on; within a place by node.
inline std::vector<int> by_place(const NodeCommunicators& at) {
    std::vector<int> order;
    for (int place = 0; place < at.ranks_per_node; ++place)
        for (int node = 0; node < at.nodes; ++node)
            order.push_back(node * at.ranks_per_node + place);
    return order;
}

/// Copies equal blocks of `count` elements consecutively to `to`: block order[0] first.
inline void copy_in_order(const std::vector<int>& order, const void* from, int count,
                          MPI_Datatype type, void* to, const Ranks& ranks) {
    const int blocks = static_cast<int>(order.size());
    copy_locally(Blocks::equal(from, count, type, blocks).message(order),
                 Blocks::equal(to, count, type, blocks).message(0, blocks), ranks);
}

/// The buffer arguments of a rooted collective on this rank: count and type of the blocks at the
/// root, elsewhere those of its own block, and its own block.
struct RootedBlocks {
    /// MPI_IN_PLACE is replaced by the own block's place among all blocks.
    RootedBlocks(const TypedBuffer& at_root, TypedBuffer own_block, int root, const Ranks& ranks)
        : is_root{ranks.rank == root},
          count{is_root ? at_root.count : own_block.count},
          type{is_root ? at_root.type : own_block.type},
          own{std::move(own_block)} {
        if (is_root && own.address == MPI_IN_PLACE)
            own = Blocks::equal(at_root.address, at_root.count, at_root.type, ranks.size)
                      .message(root);
    }

    bool is_root;
    int count;
    MPI_Datatype type;
    TypedBuffer own;
};

}  // namespace mpiaudit
