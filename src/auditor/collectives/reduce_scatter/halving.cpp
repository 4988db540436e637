// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {

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
        messages::exchange(given.address, given.count, given.type, rank, Tag::data,
                           received.address, received.count, received.type, rank, Tag::data,
                           ranks.comm);
        reduction.combine(received.address, kept);
    }
}

}  // namespace mpiaudit
