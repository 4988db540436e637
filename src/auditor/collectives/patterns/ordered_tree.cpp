// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/ordered_tree.h"

#include <algorithm>
#include <tuple>

namespace mpiaudit {
namespace {

Subtree subtree_of(const OrderedCube& cube) {
    return {cube.gather_root, cube.first, cube.last - cube.first + 1, cube.amount()};
}

/// Returns true if a cube's data go directly to the given root instead of the gather root of
/// `receiver`; false if both are one rank.
bool goes_directly(const OrderedCube& cube, const OrderedCube& receiver, int given_root,
                   const OrderedTreeOptions& options) {
    return receiver.gather_root != given_root && cube.amount() > 0 &&
           cube.amount() >= options.threshold;
}

}  // namespace

OrderedCube single_rank(int rank, std::int64_t block_size) {
    return {rank, rank, rank, 0, block_size};
}

std::vector<OrderedCube> adjacent_cubes(int rank, std::int64_t width, int radix, int ranks) {
    const std::int64_t begin = rank / (width * radix) * (width * radix);
    const std::int64_t end = std::min<std::int64_t>(begin + width * radix, ranks);
    std::vector<OrderedCube> cubes;
    cubes.reserve(static_cast<std::size_t>((end - begin + width - 1) / width));
    for (std::int64_t first = begin; first < end; first += width) {
        const std::int64_t last = std::min(first + width, end) - 1;
        cubes.push_back({static_cast<int>(first), static_cast<int>(last), -1, 0, 0});
    }
    return cubes;
}

std::size_t receiving_cube(std::span<const OrderedCube> cubes, int given_root) {
    const auto preference = [&](const OrderedCube& cube) {
        return std::tuple(cube.contains(given_root), cube.gather_time, cube.amount());
    };
    // max_element returns the first of equal cubes.
    const auto receiver = std::ranges::max_element(cubes, {}, preference);
    return static_cast<std::size_t>(receiver - cubes.begin());
}

OrderedCube joined(std::span<const OrderedCube> cubes, std::size_t receiver, int given_root,
                   const OrderedTreeOptions& options) {
    OrderedCube whole = cubes[receiver];
    for (std::size_t i = 0; i < cubes.size(); ++i) {
        if (i == receiver) continue;
        const bool is_direct = goes_directly(cubes[i], cubes[receiver], given_root, options);
        whole.gather_time += is_direct ? 0 : cubes[i].amount();
        whole.direct_subtrees += cubes[i].direct_subtrees + (is_direct ? 1 : 0);
    }
    whole.first = cubes.front().first;
    whole.last = cubes.back().last;
    return whole;
}

bool grow(GatherNode& node, std::span<const OrderedCube> cubes, std::size_t mine,
          std::size_t receiver, int given_root, const OrderedTreeOptions& options) {
    node.own = subtree_of(cubes[mine]);
    if (mine != receiver) {
        node.is_direct = goes_directly(cubes[mine], cubes[receiver], given_root, options);
        node.parent = node.is_direct ? given_root : cubes[receiver].gather_root;
        return false;
    }
    for (std::size_t i = 0; i < cubes.size(); ++i)
        if (i != mine && !goes_directly(cubes[i], cubes[mine], given_root, options))
            node.children.push_back(subtree_of(cubes[i]));
    node.own = subtree_of(joined(cubes, receiver, given_root, options));
    return true;
}

GatherNode regular_ordered_node(int rank, int ranks, int given_root, std::int64_t block_size,
                                int radix) {
    GatherNode node;
    node.own = subtree_of(single_rank(rank, block_size));
    for (std::int64_t width = 1; width < ranks; width *= radix) {
        std::vector<OrderedCube> cubes = adjacent_cubes(rank, width, radix, ranks);
        // The first cube of a group without the root is as large as any, so its first rank gathers.
        for (OrderedCube& cube : cubes) {
            cube.gather_root = cube.contains(given_root) ? given_root : cube.first;
            cube.gather_time = (cube.last - cube.first) * block_size;
            cube.root_block = block_size;
        }
        const auto mine = static_cast<std::size_t>((rank - cubes.front().first) / width);
        if (!grow(node, cubes, mine, receiving_cube(cubes, given_root), given_root, {})) break;
    }
    return node;
}

namespace {

/// A message about cubes: gather time, root block and gather root, as in the paper, and the number
/// of direct subtrees with graceful degradation. The ranks of a cube follow from its place.
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

/// First step of a round: the fixed roots exchange their knowledge of their cubes. Uses
/// non-blocking messages: more than two cubes are meant for several ports.
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

/// A round of the construction on a rank with a role in its cube, cubes[mine]: the fixed roots
/// exchange, then each sends the results to its gather root if this is another rank.
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
