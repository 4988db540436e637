// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/distributed_ordered_tree.h"

#include <algorithm>
#include <vector>

#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// What the ranks tell each other about cubes: gather time, root block and gather root, as in the
/// paper, and with graceful degradation the number of direct subtrees. The ranks of a cube are
/// known from its place.
class CubeMessage {
  public:
    CubeMessage(std::size_t cubes, bool with_direct_subtrees)
        : fields_{with_direct_subtrees ? 4U : 3U}, values_(cubes * fields_) {}
    void write(std::size_t i, const OrderedCube& cube) {
        std::int64_t* value = &values_[i * fields_];
        value[0] = cube.gather_time;
        value[1] = cube.root_block;
        value[2] = cube.gather_root;
        if (fields_ == 4) value[3] = cube.direct_subtrees;
    }
    void read(std::size_t i, OrderedCube& cube) const {
        const std::int64_t* value = &values_[i * fields_];
        cube.gather_time = value[0];
        cube.root_block = value[1];
        cube.gather_root = static_cast<int>(value[2]);
        if (fields_ == 4) cube.direct_subtrees = value[3];
    }
    std::int64_t* data(std::size_t i = 0) { return &values_[i * fields_]; }
    int fields() const { return static_cast<int>(fields_); }
    int size() const { return static_cast<int>(values_.size()); }

  private:
    std::size_t fields_;
    std::vector<std::int64_t> values_;
};

/// First step of a round: the fixed roots tell each other what they know of their cubes. By
/// non-blocking messages, for with more than two cubes they are meant to use several ports.
void exchange(std::vector<OrderedCube>& cubes, std::size_t mine, CubeMessage& message,
              MPI_Comm comm) {
    message.write(mine, cubes[mine]);
    messages::Requests requests;
    requests.reserve(2 * cubes.size());
    for (std::size_t i = 0; i < cubes.size(); ++i)
        if (i != mine)
            requests.start_receive(message.data(i), message.fields(), MPI_INT64_T, cubes[i].last,
                                   Tag::cube_exchange, comm);
    for (std::size_t i = 0; i < cubes.size(); ++i)
        if (i != mine)
            requests.start_send(message.data(mine), message.fields(), MPI_INT64_T, cubes[i].last,
                                Tag::cube_exchange, comm);
    requests.wait_for_all();
}

/// A round of the construction on a rank that has a role in its cube, cubes[mine]: the fixed roots
/// exchange, then each passes on all it has learned to its gather root if that is another rank.
void learn(std::vector<OrderedCube>& cubes, std::size_t mine, int rank, bool degrades,
           MPI_Comm comm) {
    CubeMessage message(cubes.size(), degrades);
    const OrderedCube own = cubes[mine];
    if (rank == own.last) {
        exchange(cubes, mine, message, comm);
        if (own.gather_root != rank)
            messages::send(message.data(), message.size(), MPI_INT64_T, own.gather_root,
                           Tag::cube_inform, comm);
    } else {
        messages::receive(message.data(), message.size(), MPI_INT64_T, own.last, Tag::cube_inform,
                          comm);
    }
    for (std::size_t i = 0; i < cubes.size(); ++i) message.read(i, cubes[i]);
}

}  // namespace

DistributedNode distributed_ordered_tree(std::int64_t block_bytes, int given_root,
                                         const Ranks& ranks, const OrderedTreeOptions& options) {
    const int rank = ranks.rank;
    GatherNode node;
    node.own = {rank, rank, 1, block_bytes};
    OrderedCube cube = single_rank(rank, block_bytes);
    for (std::int64_t width = 1; width < ranks.size; width *= options.radix) {
        std::vector<OrderedCube> cubes = adjacent_cubes(rank, width, options.radix, ranks.size);
        if (cubes.size() == 1) continue;
        const auto mine = static_cast<std::size_t>((rank - cubes.front().first) / width);
        cubes[mine] = cube;
        learn(cubes, mine, rank, options.degrades(), ranks.comm);
        const std::size_t receiver = receiving_cube(cubes, given_root);
        if (cube.gather_root == rank) grow(node, cubes, mine, receiver, given_root, options);
        cube = joined(cubes, receiver, given_root, options);
        const bool has_a_role = rank == cube.last || rank == cube.gather_root;
        if (!has_a_role) break;
    }
    return {std::move(node), cube};
}

}  // namespace mpiaudit
