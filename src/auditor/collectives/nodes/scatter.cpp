// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {
int scatter_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                     void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    // Where the block shall stay it is received once more.
    const RootedBlocks here{
        {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root, ranks};
    if (!fit_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int first = at.node_of(root);
    if (at.node_number != first)
        return parts.scatter(nullptr, here.count, here.type, here.own.address, here.own.count,
                             here.own.type, first, at.lane);
    const OperandBuffer all{here.is_root ? here.count * ranks.size : 0, here.type};
    const OperandBuffer of_lane{here.count * at.nodes, here.type};
    if (here.is_root) copy_in_order(by_place(at), sendbuf, sendcount, sendtype, all.get(), ranks);
    parts.scatter(all.get(), here.count * at.nodes, here.type, of_lane.get(), here.count * at.nodes,
                  here.type, at.place_of(root), at.node);
    return parts.scatter(of_lane.get(), here.count, here.type, here.own.address, here.own.count,
                         here.own.type, first, at.lane);
}

int scatter_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    // Where the block shall stay it is received once more.
    const RootedBlocks here{
        {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root, ranks};
    if (!fit_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int leader = at.place_of(root);
    if (at.place != leader)
        return parts.scatter(nullptr, here.count, here.type, here.own.address, here.own.count,
                             here.own.type, leader, at.node);
    const int count_of_node = here.count * at.ranks_per_node;
    const OperandBuffer of_node{count_of_node, here.type};
    parts.scatter(sendbuf, count_of_node, here.type, of_node.get(), count_of_node, here.type,
                  at.node_of(root), at.lane);
    return parts.scatter(of_node.get(), here.count, here.type, here.own.address, here.own.count,
                         here.own.type, leader, at.node);
}

int lane_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return scatter_by_lanes(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                            recvtype, root, comm);
}

int hierarchical_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return scatter_by_leaders(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                              recvtype, root, comm);
}

}  // namespace mpiaudit
