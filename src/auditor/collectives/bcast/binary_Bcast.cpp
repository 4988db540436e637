// SPDX-License-Identifier: BSD-3-Clause
#include <bit>

#include "collectives/bcast/bcast.h"
#include "collectives/call/blocks.h"
#include "collectives/call/segments.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

int binary_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const int height = std::bit_width(static_cast<unsigned>(ranks.size)) - 1;
    // Every segment goes out twice: all rounds count double, which does not change the best number.
    const int n = pipeline_segments(Blocks::split(buffer, count, datatype, 1).bytes(0), count,
                                    std::max(height - 1, 0));
    const Blocks segments = Blocks::split(buffer, count, datatype, n);
    const int parent = ranks.at((ranks.position - 1) / 2);
    messages::Requests receives, sends;
    // Those that the parent sends are there before they are waited for.
    for (int segment = 0; ranks.position > 0 && segment < n; ++segment)
        receives.start_receive(segments.at(segment), segments.count(segment), datatype, parent,
                               Tag::data, ranks.comm);
    for (int segment = 0; segment < n; ++segment) {
        if (ranks.position > 0) receives.wait(static_cast<std::size_t>(segment));
        for (const int child : {2 * ranks.position + 1, 2 * ranks.position + 2})
            if (child < ranks.size)
                sends.start_send(segments.at(segment), segments.count(segment), datatype,
                                 ranks.at(child), Tag::data, ranks.comm);
    }
    sends.wait_for_all();
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
