// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {

int reduce_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                    MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Shares shares{count, type, at};
    const int last = at.node_of(root);
    const OperandBuffer share{shares.own_count(), type};
    parts.reduce_scatter(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, share.get(), shares.counts(),
                         type, op, at.node);
    if (at.node_number != last)
        return parts.reduce(share.get(), nullptr, shares.own_count(), type, op, last, at.lane);
    parts.reduce(MPI_IN_PLACE, share.get(), shares.own_count(), type, op, last, at.lane);
    return parts.gatherv(share.get(), shares.own_count(), type, recvbuf, shares.counts(),
                         shares.displacements(), type, at.place_of(root), at.node);
}

int reduce_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const int leader = at.place_of(root), last = at.node_of(root);
    if (at.place != leader) return parts.reduce(sendbuf, nullptr, count, type, op, leader, at.node);
    if (at.node_number == last) {
        parts.reduce(sendbuf, recvbuf, count, type, op, leader, at.node);
        return parts.reduce(MPI_IN_PLACE, recvbuf, count, type, op, last, at.lane);
    }
    const OperandBuffer of_node{count, type};
    parts.reduce(sendbuf, of_node.get(), count, type, op, leader, at.node);
    return parts.reduce(of_node.get(), nullptr, count, type, op, last, at.lane);
}

int lane_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm) {
    return reduce_by_lanes(reference_parts, sendbuf, recvbuf, count, datatype, op, root, comm);
}

int hierarchical_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm) {
    return reduce_by_leaders(reference_parts, sendbuf, recvbuf, count, datatype, op, root, comm);
}

}  // namespace mpiaudit
