// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/call/binary_trees.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/call/segments.h"
#include "collectives/call/tags.h"
#include "collectives/call/two_trees.h"
#include "messages/messages.h"

namespace mpiaudit {

int two_tree_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const int n = half_vector_segments(Blocks::split(buffer, count, datatype, 1).bytes(0), count,
                                       preorder_height(ranks.size));
    const Blocks segments = Blocks::split(buffer, count, datatype, 2 * n);
    const std::shared_ptr<const TwoTrees> trees = two_trees_of(ranks);
    const auto data = [&](const TwoTrees::Message& message) {
        return segments.message(message.edge->tree * n + message.segment);
    };
    for (int round = 0; round < trees->rounds(n); ++round) {
        const auto taken = TwoTrees::message(trees->incoming(), round, n);
        const auto given = TwoTrees::message(trees->outgoing(), round, n);
        const TypedBuffer received = taken ? data(*taken) : TypedBuffer{};
        const TypedBuffer sent = given ? data(*given) : TypedBuffer{};
        const int from = taken ? ranks.at(taken->edge->other) : MPI_PROC_NULL;
        const int to = given ? ranks.at(given->edge->other) : MPI_PROC_NULL;
        if (taken && given)
            messages::exchange(sent.address, sent.count, datatype, to, Tag::data, received.address,
                               received.count, datatype, from, Tag::data, ranks.comm);
        else if (taken)
            messages::receive(received.address, received.count, datatype, from, Tag::data,
                              ranks.comm);
        else if (given)
            messages::send(sent.address, sent.count, datatype, to, Tag::data, ranks.comm);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
