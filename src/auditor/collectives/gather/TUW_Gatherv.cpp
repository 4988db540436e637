// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "collectives/datatypes/layout.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/patterns/direct_subtrees.h"
#include "collectives/patterns/ordered_tree.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

void receive_at_root(const RootedCall& call, const std::vector<Subtree>& children,
                     const std::vector<Subtree>& direct) {
    messages::Requests requests;
    const auto receive = [&](const Subtree& subtree) {
        const TypedBuffer place = call.blocks.message(ranks_without(subtree, direct));
        if (place.count == 0) return;
        call.ranks.start_receive(requests, place, subtree.root);
    };
    std::ranges::for_each(children, receive);
    std::ranges::for_each(direct, receive);
    place_own_block(call);
    requests.wait_for_all();
}

}  // namespace

int TUW_Gatherv_degrading_at(std::int64_t threshold_bytes, const void* sendbuf, int sendcount,
                             MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                             const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const RootedCall call = rooted_call({sendbuf, sendcount, sendtype},
                                        {recvbuf, recvcounts, displs, recvtype}, root, comm);
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

int TUW_Gatherv_free_root(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int* root, MPI_Comm comm) {
    const auto [node, cube] =
        ordered_tree_to_any_root(sendcount * type_bytes(sendtype), Ranks{comm});
    *root = cube.gather_root;
    const RootedCall call = rooted_call({sendbuf, sendcount, sendtype},
                                        {recvbuf, recvcounts, displs, recvtype}, *root, comm);
    return gather_over_tree(call, node);
}

}  // namespace mpiaudit
