// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/bcast/broadcast_down.h"
#include "collectives/call/segments.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Ranks beside each other have different halves of the vector; the last one may have both.
void exchange_halves_with_neighbours(const Blocks& segments, const Ranks& ranks) {
    const bool has_both = ranks.size % 2 == 0 && ranks.position == ranks.size - 1;
    if (ranks.position == 0 || has_both) return;
    const int n = segments.size() / 2;
    const bool has_first = ranks.position % 2 == 1;
    const int partner = ranks.shifted(has_first ? 1 : -1);
    const TypedBuffer own = segments.message(has_first ? 0 : n, n);
    const TypedBuffer missing = segments.message(has_first ? n : 0, n);
    messages::exchange(own.address, own.count, own.type, partner, Tag::data, missing.address,
                       missing.count, missing.type, partner, Tag::data, ranks.comm);
}

}  // namespace

int split_binary_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    if (ranks.size == 1) return MPI_SUCCESS;
    const int n = half_vector_segments(Blocks::split(buffer, count, datatype, 1).bytes(0), count,
                                       preorder_height(ranks.size / 2));
    const Blocks segments = Blocks::split(buffer, count, datatype, 2 * n);
    broadcast_down(split_trees(ranks.position, ranks.size), segments, ranks);
    exchange_halves_with_neighbours(segments, ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
