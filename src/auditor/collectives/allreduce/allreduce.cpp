// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include <utility>
#include <vector>

#include "collectives/call/limits.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/halving.h"
#include "collectives/patterns/replicate.h"
#include "collectives/patterns/trees.h"
#include "collectives/patterns/two_trees.h"

namespace mpiaudit {
namespace {

/// Gives each survivor the parts of all survivors by recursive doubling. Only survivors call this
/// function. Before, part i is at survivor i.
void replicate_parts(const Blocks& parts, const Fold& fold, const Ranks& ranks) {
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int partner = fold.number ^ mask;
        const int rank = fold.position(partner);
        ranks.exchange(parts.message(fold.number - fold.number % mask, mask), rank,
                       parts.message(partner - partner % mask, mask), rank);
    }
}

/// Reduces and scatters the blocks of `input` by `rounds`, and collects the blocks of `output` by
/// the reversed rounds. Only survivors call this function, after they have combined the operands of
/// the ranks for which they act.
void allreduce_by_rounds_and_back(const HalvingRounds& rounds, const Blocks& input,
                                  const Blocks& output, const Reduction& reduction,
                                  const Fold& fold, const Ranks& ranks) {
    HalvedVector vector{rounds, input, reduction, fold, ranks};
    vector.reduce_scatter();
    vector.allgather();
    vector.copy_to(output);
}

}  // namespace

void allreduce_by_halving(FoldOf fold_of, const Reduction& reduction, const void* input,
                          void* output, const Ranks& ranks) {
    const Fold fold = fold_of(ranks);
    allreduce_among(fold, reduction, input, output, ranks, [&](void* incoming) {
        const Blocks parts = reduction.split(output, fold.survivors);
        reduce_by_halving(reduction, parts, incoming, fold, ranks);
        replicate_parts(parts, fold, ranks);
    });
}

void allreduce_in_rounds(RoundsOf rounds_of, const Reduction& reduction, const void* input,
                         void* output, const Ranks& ranks) {
    const Blocks result = reduction.split(output, ranks.size);
    allreduce_by_rounds_and_back(rounds_of(ranks.size), result.with_buffer(input), result,
                                 reduction, Fold{ranks, ranks.size}, ranks);
}

void allreduce_by_bine(const Reduction& reduction, const void* input, void* output,
                       const Ranks& ranks) {
    const Fold fold = far_first(ranks);
    allreduce_among(fold, reduction, input, output, ranks, [&](void*) {
        const Blocks parts = reduction.split(output, fold.survivors);
        allreduce_by_rounds_and_back(bine_rounds(fold.survivors), parts, parts, reduction, fold,
                                     ranks);
    });
}

void allreduce_by_swing(const Reduction& reduction, const void* input, void* output,
                        const Ranks& ranks) {
    const Fold fold = far_first(ranks);
    allreduce_among(fold, reduction, input, output, ranks, [&](void* incoming) {
        for (int round = 0; round < ceil_log2(fold.survivors); ++round) {
            const int partner = fold.position(bine_partner(fold.number, round, fold.survivors));
            ranks.exchange(reduction.all_of(output), partner, reduction.all_of(incoming), partner);
            reduction.combine(incoming, output);
        }
    });
}

// A rank has the sum of the `width` ranks before it on the ring, and sends this sum in each round.
// The rounds go through the bits of p-1 from the highest. If the bit is 1, the rank adds its own
// operands to what it sends. So `width` becomes p-1.
void allreduce_by_census(const Reduction& reduction, const void* input, void* output,
                         const Ranks& ranks) {
    reduction.move(input, output, ranks);
    const int others = ranks.size - 1;
    if (others == 0) return;
    const OperandBuffer sum = reduction.buffer();
    const OperandBuffer message = reduction.buffer();
    const OperandBuffer incoming = reduction.buffer();
    for (int width = 0, bit = power_of_two_below(others); bit > 0; bit /= 2) {
        const bool is_wide = (others & bit) != 0;
        const void* sent = width == 0 ? output : sum.get();
        if (is_wide && width > 0) {
            reduction.copy(sum.get(), message.get(), ranks);
            reduction.combine(output, message.get());
            sent = message.get();
        }
        void* received = width == 0 ? sum.get() : incoming.get();
        const int skip = is_wide ? width + 1 : width;
        ranks.exchange(reduction.all_of(sent), ranks.shifted(skip), reduction.all_of(received),
                       ranks.shifted(-skip));
        if (width > 0) reduction.combine(incoming.get(), sum.get());
        width += skip;
    }
    reduction.combine(sum.get(), output);
}

void allreduce_by_ring(const Reduction& reduction, const void* input, void* output,
                       const Ranks& ranks) {
    const int size = ranks.size;
    const Blocks blocks = reduction.split(output, size);
    const OperandBuffer incoming =
        size > 1 ? OperandBuffer{blocks.count(0), reduction.type} : OperandBuffer{};
    reduction.move(input, output, ranks);
    // Block i starts at rank i + 1 and is complete when it reaches rank i.
    for (int step = 1; step < size; ++step) {
        const TypedBuffer reduced = blocks.message((ranks.rank - step - 1 + size) % size);
        ranks.exchange(blocks.message(ranks.shifted(-step)), ranks.shifted(1),
                       {incoming.get(), reduced.count, reduced.type}, ranks.shifted(-1));
        reduction.combine(incoming.get(), reduced);
    }
    replicate_by_ring(blocks, ranks);
}

void allreduce_by_root(const Reduction& reduction, const void* input, void* output,
                       const Ranks& ranks) {
    reduce_along(knomial_tree<2>(ranks), reduction, input, output, ranks);
    broadcast_along(knomial_tree<2>(ranks), reduction.all_of(output), ranks);
}

// The reduction and the broadcast each keep sending and receiving busy, so overlapping the two
// would gain nothing.
void allreduce_in_two_trees(const Reduction& reduction, const void* input, void* output,
                            const Ranks& ranks) {
    reduce_in_two_trees(reduction, input, output, ranks);
    broadcast_in_two_trees(reduction.all_of(output), ranks);
}

void allreduce_as_MPICH2004(const Reduction& reduction, const void* input, void* output,
                            const Ranks& ranks) {
    const bool is_long =
        reduction.count * type_bytes(reduction.type) > MPICH2004_limits::short_reduce;
    if (is_long && is_predefined(reduction.op))
        allreduce_by_halving(near_first, reduction, input, output, ranks);
    else
        allreduce_by_recursive_doubling(reduction, input, output, ranks);
}

namespace {

/// The largest number up to `ranks` whose prime factors are all 2, 3, 5 or 7, and its factors 4, 3,
/// 2, 5 and 7.
struct MixedRadix {
    explicit MixedRadix(int ranks) : survivors{ranks} {
        while (!factorise()) --survivors;
    }
    int survivors;
    std::vector<int> radices = {};

  private:
    bool factorise() {
        radices.clear();
        int rest = survivors;
        for (const int radix : {4, 3, 2, 5, 7})
            for (; rest % radix == 0; rest /= radix) radices.push_back(radix);
        return rest == 1;
    }
};

/// A rank that takes part after the fold.
class Survivor {
  public:
    /// `incoming` is memory for a vector.
    Survivor(const Reduction& reduction, const MixedRadix& system, const Fold& fold, void* result,
             void* incoming, const Ranks& ranks)
        : reduction_{reduction}, ranks_{ranks}, fold_{fold}, result_{result}, incoming_{incoming} {
        for (const int radix : system.radices)
            while (static_cast<int>(incoming_.size()) < radix)
                incoming_.push_back(memory_.emplace_back(reduction.buffer()).get());
    }

    /// Exchanges the vectors of a group of `radix` ranks whose numbers are `weight` apart, and
    /// combines the vectors in the order of the ranks. result() may be another buffer afterwards.
    void exchange(int weight, int radix) {
        const int digit = fold_.number / weight % radix;
        const auto rank_with = [&](int other) {
            return fold_.position(fold_.number + (other - digit) * weight);
        };
        const auto incoming = [&](int i) -> void*& {
            return incoming_[static_cast<std::size_t>(i)];
        };
        messages::Requests requests;
        for (int i = 1; i < radix; ++i) {
            const int other = (digit + radix - i) % radix;
            ranks_.start_receive(requests, reduction_.all_of(incoming(other)), rank_with(other));
        }
        for (int i = 1; i < radix; ++i)
            ranks_.start_send(requests, reduction_.all_of(result_), rank_with((digit + i) % radix));
        requests.wait_for_all();
        // Combines from the last digit to the first; the result is in the last digit's buffer.
        std::swap(incoming(digit), result_);
        for (int other = radix - 2; other >= 0; --other)
            reduction_.combine(incoming(other), incoming(radix - 1));
        std::swap(incoming(radix - 1), result_);
    }

    void* result() const { return result_; }

  private:
    const Reduction& reduction_;
    const Ranks& ranks_;
    const Fold& fold_;
    void* result_;
    std::vector<OperandBuffer> memory_ = {};
    std::vector<void*> incoming_;
};

}  // namespace

void allreduce_by_recursive_multiplying(const Reduction& reduction, const void* input, void* output,
                                        const Ranks& ranks) {
    const MixedRadix system{ranks.size};
    const Fold fold{ranks, system.survivors};
    allreduce_among(fold, reduction, input, output, ranks, [&](void* incoming) {
        Survivor survivor{reduction, system, fold, output, incoming, ranks};
        int weight = 1;
        for (const int radix : system.radices) {
            survivor.exchange(weight, radix);
            weight *= radix;
        }
        if (survivor.result() != output) reduction.copy(survivor.result(), output, ranks);
    });
}

}  // namespace mpiaudit
