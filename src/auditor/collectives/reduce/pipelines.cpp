// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "collectives/call/blocks.h"
#include "collectives/call/copy.h"
#include "collectives/call/limits.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/reduction.h"
#include "collectives/reduce/reduce.h"

namespace mpiaudit {
namespace {

/// A rank at a position of the chain that ends at position 0: the operands of all that are behind
/// it come to its right.
class Link {
  public:
    Link(const Reduction& reduction, const void* input, const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          n_{pipeline_segments(reduction.all_of(input), std::max(ranks.size - 2, 0))},
          own_{reduction.split(input, n_)} {
        if (ranks.position + 1 < ranks.size)
            for (OperandBuffer& each : incoming_)
                each = OperandBuffer{own_.count(0), reduction.type};
    }

    /// The end of the chain; `output` may be the input.
    void receive_all(void* output) {
        if (ranks_.size == 1)
            return copy_to_oneself(own_.message(0, n_), own_.in(output).message(0, n_), ranks_);
        for (int segment = 0; segment < n_; ++segment) {
            ranks_.receive(came(segment), ranks_.shifted(1));
            take_in(segment);
            copy_to_oneself(came(segment), own_.in(output).message(segment), ranks_);
        }
    }
    /// Its begin.
    void send_all() {
        for (int segment = 0; segment < n_; ++segment)
            ranks_.send(own_.message(segment), ranks_.shifted(-1));
    }
    /// All others.
    void pass_on() {
        const int behind = ranks_.shifted(1);
        ranks_.receive(came(0), behind);
        take_in(0);
        for (int segment = 1; segment < n_; ++segment) {
            ranks_.exchange(came(segment - 1), ranks_.shifted(-1), came(segment), behind);
            take_in(segment);
        }
        ranks_.send(came(n_ - 1), ranks_.shifted(-1));
    }

  private:
    /// Of the others, a segment as it comes, and later with the own operands.
    TypedBuffer came(int segment) const {
        return {incoming_[static_cast<std::size_t>(segment % 2)].get(), own_.count(segment),
                own_.type()};
    }
    void take_in(int segment) const { reduction_.combine(own_.at(segment), came(segment)); }

    const Reduction& reduction_;
    const Ranks& ranks_;
    int n_;
    Blocks own_;
    std::array<OperandBuffer, 2> incoming_;  ///< one for what comes, one for what is sent
};

}  // namespace

void reduce_along_chain(const Reduction& reduction, const void* input, void* output,
                        const Ranks& ranks) {
    Link link{reduction, input, ranks};
    if (ranks.position == 0)
        link.receive_all(output);
    else if (ranks.position + 1 == ranks.size)
        link.send_all();
    else
        link.pass_on();
}

// The broadcast backwards: who was sent a block there sends his part of its reduction here. He was
// sent it once, and before he passed it on, so that here all others' parts have come before.
void reduce_in_circulant_rounds(const Reduction& reduction, const void* input, void* output,
                                const Ranks& ranks) {
    const bool is_root = ranks.position == 0;
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    void* result = is_root ? output : own.get();
    reduction.move(input, result, ranks);
    const int n = circulant_blocks(reduction.all_of(result), ranks);
    const Blocks blocks = reduction.split(result, n);
    const OperandBuffer incoming{blocks.count(0), reduction.type};
    const CirculantBroadcast broadcast{ranks, n};
    for (int round = broadcast.rounds() - 1; round >= 0; --round) {
        const auto taken = broadcast.sent(round), given = broadcast.received(round);
        const TypedBuffer sent = given.is_there() ? blocks.message(given.block) : TypedBuffer{};
        const int count = taken.is_there() ? blocks.count(taken.block) : 0;
        ranks.exchange(sent, given.rank, {incoming.get(), count, reduction.type}, taken.rank);
        if (taken.is_there()) reduction.combine(incoming.get(), blocks.message(taken.block));
    }
}

}  // namespace mpiaudit
