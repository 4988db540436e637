// SPDX-License-Identifier: BSD-3-Clause
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

/// What ranks say of a cube. Where `carries` is not 0, its packed blocks follow.
struct CubeWords {
    std::int64_t gather_time;
    std::int64_t root_block;
    std::int64_t gather_root;
    std::int64_t carries;
};
constexpr std::size_t words_bytes = sizeof(CubeWords);
constexpr auto longest_message = static_cast<int>(words_bytes + carried_bytes);

/// Words and packed blocks; most ranks have no more of them than these.
using Message = std::array<std::byte, longest_message>;

/// The packed blocks of consecutive ranks.
struct CarriedBlocks {
    CarriedBlocks(const Subtree& what, const Message& message)
        : blocks{what},
          packed{message.begin() + words_bytes, message.begin() + words_bytes + what.amount} {}

    Subtree blocks;
    std::vector<std::byte> packed;
};

/// One rank's part. In each round two adjacent cubes join. The speaker of a cube, the rank that all
/// ranks know to speak for it, is the root of the operation where it is in the cube and else the
/// last rank, so that one of the two speaks for both together afterwards: it listens, the other one
/// tells. A cube whose blocks are all at its speaker and are few is told of by its blocks.
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

    /// Of a cube that tells, which is never the root's. What is carried once makes a cube that is
    /// carried or has all its blocks at its speaker, so that a cube with so few has them nowhere
    /// else.
    bool is_carried_by_its_speaker() const { return cube_.amount() <= most_bytes_; }

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
        if (speaks) send_words(cube_, speaker(other), Tag::cube_exchange);
        if (other.contains(call_.root())) {
            // It need not answer: the root receives whatever there is.
            other.gather_root = call_.root();
        } else if (speaks) {
            receive_words(other, speaker(other), Tag::cube_exchange);
            if (!is_gather_root()) send_words(other, cube_.gather_root, Tag::cube_inform);
        } else {
            receive_words(other, speaker(cube_), Tag::cube_inform);
        }
        return join(cubes, mine);
    }

    bool listen(std::vector<OrderedCube>& cubes, std::size_t mine) {
        OrderedCube& other = cubes[1 - mine];
        if (call_.is_root()) {
            if (receives_carried(other)) return widen(cubes);
            carried_.wait_for_all();
            receive_words(other, speaker(other), Tag::cube_exchange);
            return join(cubes, mine);
        }
        if (rank_ != speaker(cube_)) {
            receive_words(other, speaker(cube_), Tag::cube_inform);
            return join(cubes, mine);
        }
        Message message;
        messages::receive_packed(message.data(), longest_message, speaker(other),
                                 Tag::cube_exchange, call_.ranks.comm);
        CubeWords words;
        std::memcpy(&words, message.data(), words_bytes);
        hear(words, other);
        const Subtree blocks{rank_, other.first, ranks_of(other), other.amount()};
        if (words.carries != 0 && is_gather_root()) {
            if (blocks.amount > 0) held_.emplace_back(blocks, message);
            cube_.root_block += blocks.amount;
            return widen(cubes);
        }
        if (words.carries != 0) {
            // Here already, so for the tree this is where they are gathered.
            other.gather_root = rank_;
            to_pass_on_.emplace_back(cube_.gather_root, CarriedBlocks(blocks, message));
        } else {
            send_words(cube_, speaker(other), Tag::cube_exchange);
        }
        if (!is_gather_root()) send_words(other, cube_.gather_root, Tag::cube_inform);
        return join(cubes, mine);
    }

    static int ranks_of(const OrderedCube& cube) { return cube.last - cube.first + 1; }

    /// The root knows all amounts, and so what comes without words: into its place at once.
    bool receives_carried(const OrderedCube& cube) {
        const std::int64_t bytes = call_.blocks.bytes(cube.first, ranks_of(cube));
        if (bytes > most_bytes_) return false;
        if (bytes > 0) {
            const TypedBuffer place = call_.blocks.message(cube.first, ranks_of(cube));
            // A receive in progress keeps its datatype alive after it is freed here.
            call_.ranks.start_receive(carried_, place, speaker(cube));
        }
        return true;
    }

    /// The joined cube has the gather root that this one had.
    bool widen(const std::vector<OrderedCube>& cubes) {
        cube_.first = cubes.front().first;
        cube_.last = cubes.back().last;
        return true;
    }

    bool join(const std::vector<OrderedCube>& cubes, std::size_t mine) {
        const std::size_t receiver = receiving_cube(cubes, call_.root());
        if (is_gather_root()) grow(node_, cubes, mine, receiver, call_.root(), {});
        cube_ = joined(cubes, receiver, call_.root(), {});
        return rank_ == speaker(cube_) || is_gather_root();
    }

    /// What came last is of the lowest ranks, and this rank is the last one of its cube.
    int pack_all(Message& message, std::size_t begin) const {
        auto end = static_cast<int>(begin);
        for (const CarriedBlocks& each : held_ | std::views::reverse) {
            std::ranges::copy(each.packed, message.begin() + end);
            end += static_cast<int>(each.blocks.amount);
        }
        pack(call_.own, message, end, call_.ranks);
        return end;
    }

    void send_carried(int listener) const {
        Message message;
        const CubeWords words = {0, cube_.root_block, rank_, 1};
        std::memcpy(message.data(), &words, words_bytes);
        const int bytes = pack_all(message, words_bytes);
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

    void send_words(const OrderedCube& cube, int to, int tag) const {
        const CubeWords words = {cube.gather_time, cube.root_block, cube.gather_root, 0};
        call_.ranks.send({&words, static_cast<int>(words_bytes), MPI_PACKED}, to, tag);
    }

    void receive_words(OrderedCube& cube, int from, int tag) const {
        CubeWords words;
        call_.ranks.receive({&words, static_cast<int>(words_bytes), MPI_PACKED}, from, tag);
        hear(words, cube);
    }

    static void hear(const CubeWords& words, OrderedCube& cube) {
        cube.gather_time = words.gather_time;
        cube.root_block = words.root_block;
        cube.gather_root = static_cast<int>(words.gather_root);
    }

    void move_blocks() {
        messages::Requests passed_on;
        // A gather root expects what one rank sends it in the order of the blocks.
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
    std::vector<CarriedBlocks> held_;  ///< besides the own block, what this rank has gathered
    std::vector<std::pair<int, CarriedBlocks>> to_pass_on_;  ///< to which gather root
    /// To the root, which waits for these before words and blocks of the tree: those take longer to
    /// come, and afterwards the start-ups of all would be at the end of the call.
    messages::Requests carried_;
    bool is_carried_ = false;  ///< the own block, with all others that were here
};

}  // namespace

void gather_carrying(std::int64_t most_bytes, const RootedCall& call) {
    CarryingGather(call, most_bytes).run();
}

}  // namespace mpiaudit
