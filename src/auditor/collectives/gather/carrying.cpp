// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/gather/gather.h.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <ranges>
#include <utility>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/patterns/ordered_tree.h"

namespace mpiaudit {
namespace {

/// A message about a cube. If `carries` is not 0, the cube's packed blocks follow.
struct CubeDescription {
    std::int64_t gather_time;
    std::int64_t root_block;
    std::int64_t gather_root;
    std::int64_t carries;
};
constexpr std::size_t description_bytes = sizeof(CubeDescription);
constexpr auto longest_message = static_cast<int>(description_bytes + carried_bytes);

using Message = std::array<std::byte, longest_message>;

struct CarriedBlocks {
    CarriedBlocks(const Subtree& what, const Message& message)
        : blocks{what}, packed(static_cast<std::size_t>(what.amount)) {
        messages::copy(packed.data(), message.data() + description_bytes, packed.size());
    }

    Subtree blocks;
    std::vector<std::byte> packed;
};

/// The part of one rank. In each round two adjacent cubes join. The speaker of a cube, a rank that
/// all ranks know, is the root of the operation if the cube contains the root, else the cube's last
/// rank. So one of two speakers is the speaker of the joined cube: this speaker listens, the other
/// one tells. A small cube whose blocks are all at its speaker sends these blocks instead of a
/// description.
class CarryingGather {
  public:
    CarryingGather(const RootedCall& call, std::int64_t most_bytes)
        : call_{call},
          most_bytes_{most_bytes},
          rank_{call.ranks.rank},
          cube_{single_rank(rank_, call.own_bytes)} {
        node_.own = {rank_, rank_, 1, call.own_bytes};
    }

    void run() {
        const int ranks = call_.ranks.size;
        for (std::int64_t width = 1; width < ranks; width *= 2) {
            std::vector<OrderedCube> cubes = adjacent_cubes(rank_, width, 2, ranks);
            if (cubes.size() == 1) continue;
            const auto mine = static_cast<std::size_t>((rank_ - cubes.front().first) / width);
            cubes[mine] = cube_;
            const std::size_t listening = cubes[0].contains(call_.root()) ? 0 : 1;
            const bool has_a_role = mine == listening ? listen(cubes, mine) : tell(cubes, mine);
            if (!has_a_role) break;
        }
        if (!is_carried_) move_blocks();
    }

  private:
    int speaker(const OrderedCube& cube) const {
        return cube.contains(call_.root()) ? call_.root() : cube.last;
    }
    bool is_gather_root() const { return cube_.gather_root == rank_; }

    /// Returns true if the blocks of a telling cube total at most most_bytes. Its speaker then has
    /// them all, since smaller cubes were carried to it. A telling cube never contains the root.
    bool is_carried_by_its_speaker() const { return cube_.amount() <= most_bytes_; }

    /// Joins the other cube as the telling one. Returns false if this rank has no role any more.
    bool tell(std::vector<OrderedCube>& cubes, std::size_t mine) {
        OrderedCube& other = cubes[1 - mine];
        if (is_carried_by_its_speaker()) {
            if (other.contains(call_.root()))
                send_to_root();
            else
                send_carried(speaker(other));
            is_carried_ = true;
            return false;
        }
        const bool speaks = rank_ == speaker(cube_);
        if (speaks) send_description(cube_, speaker(other), Tag::cube_exchange);
        if (other.contains(call_.root())) {
            // The root does not answer: it receives in any case.
            other.gather_root = call_.root();
        } else if (speaks) {
            receive_description(other, speaker(other), Tag::cube_exchange);
            if (!is_gather_root()) send_description(other, cube_.gather_root, Tag::cube_inform);
        } else {
            receive_description(other, speaker(cube_), Tag::cube_inform);
        }
        return join(cubes, mine);
    }

    /// Joins the other cube as the listening one. Returns false if this rank has no role any more.
    bool listen(std::vector<OrderedCube>& cubes, std::size_t mine) {
        OrderedCube& other = cubes[1 - mine];
        if (call_.is_root()) {
            if (receives_carried(other)) return widen(cubes);
            carried_.wait_for_all();
            receive_description(other, speaker(other), Tag::cube_exchange);
            return join(cubes, mine);
        }
        if (rank_ != speaker(cube_)) {
            receive_description(other, speaker(cube_), Tag::cube_inform);
            return join(cubes, mine);
        }
        Message message;
        messages::receive_packed(message.data(), longest_message, speaker(other),
                                 Tag::cube_exchange, call_.ranks.comm);
        CubeDescription description;
        std::memcpy(&description, message.data(), description_bytes);
        copy_description(description, other);
        const Subtree blocks{rank_, other.first, ranks_of(other), other.amount()};
        if (description.carries != 0 && is_gather_root()) {
            if (blocks.amount > 0) held_.emplace_back(blocks, message);
            cube_.root_block += blocks.amount;
            return widen(cubes);
        }
        if (description.carries != 0) {
            // These blocks are already on this rank, which is their gather root in the tree.
            other.gather_root = rank_;
            to_pass_on_.emplace_back(cube_.gather_root, CarriedBlocks(blocks, message));
        } else {
            send_description(cube_, speaker(other), Tag::cube_exchange);
        }
        if (!is_gather_root()) send_description(other, cube_.gather_root, Tag::cube_inform);
        return join(cubes, mine);
    }

    static int ranks_of(const OrderedCube& cube) { return cube.last - cube.first + 1; }

    /// Starts receiving a cube's blocks in their final place, if they are carried; the root knows
    /// all sizes and needs no description.
    bool receives_carried(const OrderedCube& cube) {
        const std::int64_t bytes = call_.blocks.bytes(cube.first, ranks_of(cube));
        if (bytes > most_bytes_) return false;
        if (bytes > 0) {
            const TypedBuffer place = call_.blocks.message(cube.first, ranks_of(cube));
            // MPI keeps the datatype of a pending receive after it is freed here.
            call_.ranks.start_receive(carried_, place, speaker(cube));
        }
        return true;
    }

    /// Makes this cube the joined one and keeps its gather root.
    bool widen(const std::vector<OrderedCube>& cubes) {
        cube_.first = cubes.front().first;
        cube_.last = cubes.back().last;
        return true;
    }

    /// Joins the cubes in the tree. Returns true if this rank has a role in the joined cube.
    bool join(const std::vector<OrderedCube>& cubes, std::size_t mine) {
        const std::size_t receiver = receiving_cube(cubes, call_.root());
        if (is_gather_root()) grow(node_, cubes, mine, receiver, call_.root(), {});
        cube_ = joined(cubes, receiver, call_.root(), {});
        return rank_ == speaker(cube_) || is_gather_root();
    }

    /// Packs all blocks in rank order: the last received blocks belong to the lowest ranks, and
    /// this rank is the last one of its cube.
    int pack_all(Message& message, std::size_t begin) const {
        auto end = static_cast<int>(begin);
        for (const CarriedBlocks& each : held_ | std::views::reverse) {
            messages::copy(message.data() + end, each.packed.data(), each.packed.size());
            end += static_cast<int>(each.blocks.amount);
        }
        pack(call_.own, message, end, call_.ranks);
        return end;
    }

    void send_carried(int listener) const {
        Message message;
        const CubeDescription description = {0, cube_.root_block, rank_, 1};
        std::memcpy(message.data(), &description, description_bytes);
        const int bytes = pack_all(message, description_bytes);
        call_.ranks.send({message.data(), bytes, MPI_PACKED}, listener, Tag::cube_exchange);
    }

    void send_to_root() const {
        if (cube_.amount() == 0) return;
        if (held_.empty()) {
            call_.ranks.send(call_.own, call_.root());
            return;
        }
        Message message;
        const int bytes = pack_all(message, 0);
        call_.ranks.send({message.data(), bytes, MPI_PACKED}, call_.root());
    }

    void send_description(const OrderedCube& cube, int to, int tag) const {
        const CubeDescription description = {cube.gather_time, cube.root_block, cube.gather_root,
                                             0};
        call_.ranks.send({&description, static_cast<int>(description_bytes), MPI_PACKED}, to, tag);
    }

    void receive_description(OrderedCube& cube, int from, int tag) const {
        CubeDescription description;
        call_.ranks.receive({&description, static_cast<int>(description_bytes), MPI_PACKED}, from,
                            tag);
        copy_description(description, cube);
    }

    static void copy_description(const CubeDescription& description, OrderedCube& cube) {
        cube.gather_time = description.gather_time;
        cube.root_block = description.root_block;
        cube.gather_root = static_cast<int>(description.gather_root);
    }

    /// Gathers the blocks that were not carried, along the tree.
    void move_blocks() {
        messages::Requests passed_on;
        // A gather root expects messages of one rank in the order of the blocks.
        for (const auto& [to, carried] : to_pass_on_ | std::views::reverse) {
            if (carried.blocks.amount > 0)
                call_.ranks.start_send(
                    passed_on,
                    {carried.packed.data(), static_cast<int>(carried.blocks.amount), MPI_PACKED},
                    to);
        }
        std::vector<HeldBlocks> held;
        for (const CarriedBlocks& each : held_) held.push_back({each.blocks, each.packed.data()});
        if (!node_.children.empty()) carried_.wait_for_all();
        if (call_.is_root())
            gather_over_tree(call_, node_);
        else
            gather_to_parent(call_, node_, held);
        passed_on.wait_for_all();
        carried_.wait_for_all();
    }

    const RootedCall& call_;
    std::int64_t most_bytes_;
    int rank_;
    OrderedCube cube_;
    GatherNode node_;
    std::vector<CarriedBlocks> held_;  ///< blocks gathered by this rank besides its own
    std::vector<std::pair<int, CarriedBlocks>> to_pass_on_;
    /// Receives of the root, which completes them before those of the tree: completing them later
    /// would add their latencies to the end of the call.
    messages::Requests carried_;
    bool is_carried_ = false;  ///< all blocks of this rank are sent
};

}  // namespace

void gather_carrying(std::int64_t most_bytes, const RootedCall& call) {
    CarryingGather(call, most_bytes).run();
}

}  // namespace mpiaudit
