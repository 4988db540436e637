// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/bcast/bine_tree.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

int bine_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const std::shared_ptr<const BineTree> tree = bine_tree_of(ranks);
    if (tree->parent >= 0)
        messages::receive(buffer, count, datatype, tree->parent, Tag::data, ranks.comm);
    for (const int child : tree->children)
        messages::send(buffer, count, datatype, child, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
