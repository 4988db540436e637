// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "collectives/call/tags.h"
#include "collectives/gather/direct_subtrees.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/rooted_call.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatter/scatter_over_tree.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// The subtrees with most ranks first, which have most messages to pass on.
void send_to_subtrees(const RootedCall& call, const std::vector<Subtree>& children,
                      const std::vector<Subtree>& direct) {
    std::vector<Subtree> all = children;
    all.insert(all.end(), direct.begin(), direct.end());
    std::ranges::stable_sort(all, std::ranges::greater{}, &Subtree::ranks);
    messages::Requests requests;
    for (const Subtree& subtree : all) {
        const TypedBuffer data = call.blocks.message(ranks_without(subtree, direct));
        if (data.count == 0) continue;
        requests.start_send(data.address, data.count, data.type, subtree.root, Tag::data,
                            call.ranks.comm);
    }
    take_own_block(call);
    requests.wait_for_all();
}

}  // namespace

int TUW_Scatterv_degrading_at(const void* sendbuf, const int sendcounts[], const int displs[],
                              MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, int root, MPI_Comm comm,
                              std::int64_t threshold_bytes) {
    const RootedCall call = scatterv_call(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm);
    const std::int64_t call_number = next_degrading_call(call.ranks);
    const auto [node, cube] =
        distributed_ordered_tree(call.own_bytes, root, call.ranks, {.threshold = threshold_bytes});
    if (call.is_root()) {
        send_to_subtrees(call, node.children,
                         direct_subtrees(cube.direct_subtrees, call_number, call.ranks));
        return MPI_SUCCESS;
    }
    if (node.is_direct) announce_direct_subtree(node.own, call_number, root, call.ranks);
    scatter_from_parent(call, node);
    return MPI_SUCCESS;
}

int TUW_Scatterv_degrading(const void* sendbuf, const int sendcounts[], const int displs[],
                           MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return TUW_Scatterv_degrading_at(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                     recvtype, root, comm, default_degrading_threshold_bytes);
}

}  // namespace mpiaudit
