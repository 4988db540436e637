// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/fold.h"

namespace mpiaudit {

Fold far_first(const Ranks& ranks) {
    return {ranks, power_of_two_below(ranks.size)};
}

Fold near_first(const Ranks& ranks) {
    const int survivors = power_of_two_below(ranks.size);
    return {ranks, survivors, ceil_log2(survivors)};
}

void allreduce_by_recursive_doubling(const Reduction& reduction, const void* input, void* output,
                                     const Ranks& ranks) {
    const Fold fold = far_first(ranks);
    allreduce_among(fold, reduction, input, output, ranks, [&](void* incoming) {
        void* result = output;
        for (int mask = 1; mask < fold.survivors; mask *= 2) {
            const int partner = fold.number ^ mask;
            const int other = fold.position(partner);
            ranks.exchange(reduction.all_of(result), other, reduction.all_of(incoming), other);
            if (partner < fold.number)
                reduction.combine(incoming, result);
            else
                reduction.append(result, incoming);
        }
        reduction.move(result, output, ranks);
    });
}

void reduce_by_halving(const Reduction& reduction, const Blocks& parts, void* incoming,
                       const Fold& fold, const Ranks& ranks) {
    const Blocks arriving = parts.in(incoming);
    for (int mask = fold.survivors / 2; mask > 0; mask /= 2) {
        const int partner = fold.number ^ mask;
        const int rank = ranks.at(fold.position(partner));
        const int first_kept = fold.number - fold.number % mask;
        const TypedBuffer given = parts.message(partner - partner % mask, mask);
        const TypedBuffer kept = parts.message(first_kept, mask);
        const TypedBuffer received = arriving.message(first_kept, mask);
        ranks.exchange(given, rank, received, rank);
        reduction.combine(received.address, kept);
    }
}

}  // namespace mpiaudit
