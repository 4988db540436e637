// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "collectives/call/tags.h"
#include "collectives/gather/direct_subtrees.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/rooted_call.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

void receive_at_root(const RootedCall& call, const std::vector<Subtree>& children,
                     const std::vector<Subtree>& direct) {
    messages::Requests requests;
    const auto receive = [&](const Subtree& subtree) {
        const TypedBuffer place = call.blocks.message(ranks_without(subtree, direct));
        if (place.count == 0) return;
        requests.start_receive(place.address, place.count, place.type, subtree.root, Tag::data,
                               call.ranks.comm);
    };
    std::ranges::for_each(children, receive);
    std::ranges::for_each(direct, receive);
    place_own_block(call);
    requests.wait_for_all();
}

}  // namespace

int TUW_Gatherv_degrading_at(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, int root, MPI_Comm comm,
                             std::int64_t threshold_bytes) {
    const RootedCall call = gatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, root, comm);
    const std::int64_t call_number = next_degrading_call(call.ranks);
    const auto [node, cube] =
        distributed_ordered_tree(call.own_bytes, root, call.ranks, {.threshold = threshold_bytes});
    if (call.is_root()) {
        receive_at_root(call, node.children,
                        direct_subtrees(cube.direct_subtrees, call_number, call.ranks));
        return MPI_SUCCESS;
    }
    // Announced before the blocks are gathered, so that the root can be ready for them.
    if (node.is_direct) announce_direct_subtree(node.own, call_number, root, call.ranks);
    gather_to_parent(call, node);
    return MPI_SUCCESS;
}

int TUW_Gatherv_degrading(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int root, MPI_Comm comm) {
    return TUW_Gatherv_degrading_at(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                    recvtype, root, comm, default_degrading_threshold_bytes);
}

}  // namespace mpiaudit
