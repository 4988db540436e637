// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/call/blocks.h"
#include "collectives/call/segments.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

int chain_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const int n = pipeline_segments(Blocks::split(buffer, count, datatype, 1).bytes(0), count,
                                    std::max(ranks.size - 2, 0));
    const Blocks segments = Blocks::split(buffer, count, datatype, n);
    const bool has_next = ranks.position + 1 < ranks.size;
    const int next = has_next ? ranks.shifted(1) : MPI_PROC_NULL;
    if (ranks.position == 0) {
        for (int segment = 0; has_next && segment < n; ++segment)
            messages::send(segments.at(segment), segments.count(segment), datatype, next, Tag::data,
                           ranks.comm);
        return MPI_SUCCESS;
    }
    const int previous = ranks.shifted(-1);
    messages::receive(segments.at(0), segments.count(0), datatype, previous, Tag::data, ranks.comm);
    for (int segment = 1; segment < n; ++segment)
        messages::exchange(segments.at(segment - 1), segments.count(segment - 1), datatype, next,
                           Tag::data, segments.at(segment), segments.count(segment), datatype,
                           previous, Tag::data, ranks.comm);
    if (has_next)
        messages::send(segments.at(n - 1), segments.count(n - 1), datatype, next, Tag::data,
                       ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
