// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/call/knomial_tree.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

int knomial_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const KnomialTree tree{ranks.position, ranks.size};
    if (ranks.position > 0)
        messages::receive(buffer, count, datatype, ranks.at(tree.parent()), Tag::data, ranks.comm);
    messages::Requests sends;
    // The largest subtrees first.
    for (int weight = tree.weight() / KnomialTree::radix; weight > 0; weight /= KnomialTree::radix)
        for (const int child : tree.children(weight))
            sends.start_send(buffer, count, datatype, ranks.at(child), Tag::data, ranks.comm);
    sends.wait_for_all();
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
