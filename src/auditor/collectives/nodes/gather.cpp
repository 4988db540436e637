// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {
int gather_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                    void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    const RootedBlocks here{
        {recvbuf, recvcount, recvtype}, {sendbuf, sendcount, sendtype}, root, ranks};
    if (!fit_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int last = at.node_of(root);
    if (at.node_number != last)
        return parts.gather(here.own.address, here.own.count, here.own.type, nullptr, here.count,
                            here.type, last, at.lane);
    const OperandBuffer of_lane{here.count * at.nodes, here.type};
    parts.gather(here.own.address, here.own.count, here.own.type, of_lane.get(), here.count,
                 here.type, last, at.lane);
    const OperandBuffer all{here.is_root ? here.count * ranks.size : 0, here.type};
    parts.gather(of_lane.get(), here.count * at.nodes, here.type, all.get(), here.count * at.nodes,
                 here.type, at.place_of(root), at.node);
    if (here.is_root) copy_into_order(by_place(at), all.get(), recvcount, recvtype, recvbuf, ranks);
    return MPI_SUCCESS;
}

int gather_by_leaders(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                      MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    const RootedBlocks here{
        {recvbuf, recvcount, recvtype}, {sendbuf, sendcount, sendtype}, root, ranks};
    if (!fit_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int leader = at.place_of(root);
    if (at.place != leader)
        return parts.gather(here.own.address, here.own.count, here.own.type, nullptr, here.count,
                            here.type, leader, at.node);
    const OperandBuffer of_node{here.count * at.ranks_per_node, here.type};
    parts.gather(here.own.address, here.own.count, here.own.type, of_node.get(), here.count,
                 here.type, leader, at.node);
    return parts.gather(of_node.get(), here.count * at.ranks_per_node, here.type, recvbuf,
                        here.count * at.ranks_per_node, here.type, at.node_of(root), at.lane);
}

int lane_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return gather_by_lanes(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                           recvtype, root, comm);
}

int hierarchical_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return gather_by_leaders(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                             recvtype, root, comm);
}

}  // namespace mpiaudit
