// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {

int reduce_scatter_block_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf,
                                  int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!fit_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
    const OperandBuffer regrouped{recvcount * ranks.size, type};
    const OperandBuffer of_node{recvcount * at.nodes, type};
    copy_in_order(by_place(at), sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvcount, type,
                  regrouped.get(), ranks);
    parts.reduce_scatter_block(regrouped.get(), of_node.get(), recvcount * at.nodes, type, op,
                               at.node);
    return parts.reduce_scatter_block(of_node.get(), recvbuf, recvcount, type, op, at.lane);
}

int reduce_scatter_block_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf,
                                    int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const int ranks = at.nodes * at.ranks_per_node;
    if (!fit_int(recvcount, ranks)) return MPI_ERR_COUNT;
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (at.place != 0) {
        parts.reduce(input, nullptr, recvcount * ranks, type, op, 0, at.node);
        return parts.scatter(nullptr, recvcount, type, recvbuf, recvcount, type, 0, at.node);
    }
    const OperandBuffer of_node{recvcount * ranks, type};
    const OperandBuffer result{recvcount * at.ranks_per_node, type};
    parts.reduce(input, of_node.get(), recvcount * ranks, type, op, 0, at.node);
    parts.reduce_scatter_block(of_node.get(), result.get(), recvcount * at.ranks_per_node, type, op,
                               at.lane);
    return parts.scatter(result.get(), recvcount, type, recvbuf, recvcount, type, 0, at.node);
}

int lane_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_block_by_lanes(reference_parts, sendbuf, recvbuf, recvcount, datatype, op,
                                         comm);
}

int hierarchical_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_block_by_leaders(reference_parts, sendbuf, recvbuf, recvcount, datatype,
                                           op, comm);
}

}  // namespace mpiaudit
