// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/call/limits.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/fold.h"
#include "collectives/patterns/halving_rounds.h"
#include "collectives/patterns/replicate.h"
#include "collectives/patterns/trees.h"
#include "collectives/patterns/two_trees.h"

namespace mpiaudit {
namespace {

/// The parts of the survivors are collected by recursive doubling.
void replicate_parts(const Blocks& parts, const Fold& fold, const Ranks& ranks) {
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int partner = fold.number ^ mask;
        const int rank = fold.position(partner);
        ranks.exchange(parts.message(fold.number - fold.number % mask, mask), rank,
                       parts.message(partner - partner % mask, mask), rank);
    }
}

/// Reduces what is in the places of the blocks of `input` into those of `output`.
void allreduce_halved(const HalvingRounds& rounds, const Blocks& input, const Blocks& output,
                      const Reduction& reduction, const Fold& fold, const Ranks& ranks) {
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
    allreduce_halved(rounds_of(ranks.size), result.in(input), result, reduction,
                     Fold{ranks, ranks.size}, ranks);
}

void allreduce_by_bine(const Reduction& reduction, const void* input, void* output,
                       const Ranks& ranks) {
    const Fold fold = far_first(ranks);
    allreduce_among(fold, reduction, input, output, ranks, [&](void*) {
        const Blocks parts = reduction.split(output, fold.survivors);
        allreduce_halved(bine_rounds(fold.survivors), parts, parts, reduction, fold, ranks);
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

// A rank has the sum of the `width` ranks before it on the ring. A bit of p-1 that is set: it
// passes that on with its own operands, else without, so that in the end the width is p-1.
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
    // Block q starts at rank q + 1 and is complete when it has come round to rank q.
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

// Both halves are busy with sending and receiving already, so that nothing is lost by one of them
// after the other.
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

}  // namespace mpiaudit
