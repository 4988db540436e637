// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/along_trees.h"

#include "collectives/call/node_communicators.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/fixed_tree.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/node_tree.h"
#include "collectives/gather/rooted_call.h"
#include "collectives/scatter/scatter_over_tree.h"

namespace mpiaudit {
namespace trees {
namespace {

GatherNode with_amounts(const RootedCall& call, GatherNode node) {
    if (call.is_regular)
        set_regular_amounts(call, node);
    else
        tell_amounts(call, node);
    return node;
}

}  // namespace

GatherNode linear(const RootedCall& call) {
    GatherNode node;
    node.own = {call.ranks.rank, call.ranks.rank, 1, call.own_bytes};
    if (!call.is_root()) {
        node.parent = call.root();
        return node;
    }
    for (int rank = 0; rank < call.ranks.size; ++rank)
        if (rank != call.root()) node.children.push_back({rank, rank, 1, call.blocks.bytes(rank)});
    return node;
}

template <int radix>
GatherNode knomial(const RootedCall& call) {
    return with_amounts(call, fixed_tree(call.ranks.rank, call.root(), call.ranks.size, radix));
}

template <int radix>
GatherNode on_nodes(const RootedCall& call) {
    return with_amounts(call, node_tree(call.ranks.rank, call.root(), call.ranks.size,
                                        node_split(call.callers).ranks_per_node, radix));
}

template <int radix>
GatherNode ordered(const RootedCall& call) {
    if (call.is_regular)
        return regular_ordered_node(call.ranks.rank, call.ranks.size, call.root(), call.own_bytes,
                                    radix);
    return distributed_ordered_tree(call.own_bytes, call.root(), call.ranks, {.radix = radix}).node;
}

template GatherNode knomial<2>(const RootedCall&);
template GatherNode knomial<3>(const RootedCall&);
template GatherNode knomial<4>(const RootedCall&);
template GatherNode on_nodes<2>(const RootedCall&);
template GatherNode on_nodes<3>(const RootedCall&);
template GatherNode on_nodes<4>(const RootedCall&);
template GatherNode ordered<2>(const RootedCall&);
template GatherNode ordered<3>(const RootedCall&);
template GatherNode ordered<4>(const RootedCall&);

}  // namespace trees

int gather_along(TreeOf tree, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const RootedCall call =
        gather_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return gather_over_tree(call, tree(call));
}

int gatherv_along(TreeOf tree, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  int root, MPI_Comm comm) {
    const RootedCall call = gatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, root, comm);
    return gather_over_tree(call, tree(call));
}

int scatter_along(TreeOf tree, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const RootedCall call =
        scatter_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return scatter_over_tree(call, tree(call));
}

int scatterv_along(TreeOf tree, const void* sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm) {
    const RootedCall call = scatterv_call(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm);
    return scatter_over_tree(call, tree(call));
}

}  // namespace mpiaudit
