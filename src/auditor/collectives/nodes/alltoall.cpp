// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {
namespace {

/// The blocks by node and place, as they lie in their order, in a row of places.
std::vector<int> by_node(const NodeCommunicators& at) {
    std::vector<int> order;
    for (int node = 0; node < at.nodes; ++node)
        for (int place = 0; place < at.ranks_per_node; ++place)
            order.push_back(place * at.nodes + node);
    return order;
}

/// Of what one node sends, rank by rank, all for the first node first.
std::vector<int> by_destination(const NodeCommunicators& at) {
    std::vector<int> order;
    for (int node = 0; node < at.nodes; ++node)
        for (int sender = 0; sender < at.ranks_per_node; ++sender)
            for (int place = 0; place < at.ranks_per_node; ++place)
                order.push_back((sender * at.nodes + node) * at.ranks_per_node + place);
    return order;
}

/// Of what one node receives, node by node and sender by sender, all for the first rank first.
std::vector<int> by_receiver(const NodeCommunicators& at) {
    std::vector<int> order;
    for (int place = 0; place < at.ranks_per_node; ++place)
        for (int sender = 0; sender < at.nodes * at.ranks_per_node; ++sender)
            order.push_back(sender * at.ranks_per_node + place);
    return order;
}

}  // namespace

int alltoall_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!fit_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    const int count = is_in_place ? recvcount : sendcount;
    const MPI_Datatype type = is_in_place ? recvtype : sendtype;
    const int of_node = recvcount * at.ranks_per_node, of_lane = recvcount * at.nodes;
    const OperandBuffer from_lane{recvcount * ranks.size, recvtype};
    const OperandBuffer regrouped{recvcount * ranks.size, recvtype};
    parts.alltoall(is_in_place ? recvbuf : sendbuf, count * at.ranks_per_node, type,
                   from_lane.get(), of_node, recvtype, at.lane);
    copy_in_order(by_place(at), from_lane.get(), recvcount, recvtype, regrouped.get(), ranks);
    parts.alltoall(regrouped.get(), of_lane, recvtype, from_lane.get(), of_lane, recvtype, at.node);
    copy_in_order(by_node(at), from_lane.get(), recvcount, recvtype, recvbuf, ranks);
    return MPI_SUCCESS;
}

int alltoall_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    const int blocks = ranks.size * at.ranks_per_node;
    if (!fit_int(recvcount, blocks)) return MPI_ERR_COUNT;
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    const void* input = is_in_place ? recvbuf : sendbuf;
    const int count = (is_in_place ? recvcount : sendcount) * ranks.size;
    const MPI_Datatype type = is_in_place ? recvtype : sendtype;
    const int received = recvcount * ranks.size;
    if (at.place != 0) {
        parts.gather(input, count, type, nullptr, received, recvtype, 0, at.node);
        return parts.scatter(nullptr, received, recvtype, recvbuf, received, recvtype, 0, at.node);
    }
    const int between_nodes = recvcount * at.ranks_per_node * at.ranks_per_node;
    const OperandBuffer from{recvcount * blocks, recvtype}, to{recvcount * blocks, recvtype};
    parts.gather(input, count, type, from.get(), received, recvtype, 0, at.node);
    copy_in_order(by_destination(at), from.get(), recvcount, recvtype, to.get(), ranks);
    parts.alltoall(to.get(), between_nodes, recvtype, from.get(), between_nodes, recvtype, at.lane);
    copy_in_order(by_receiver(at), from.get(), recvcount, recvtype, to.get(), ranks);
    return parts.scatter(to.get(), received, recvtype, recvbuf, received, recvtype, 0, at.node);
}

int lane_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return alltoall_by_lanes(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                             recvtype, comm);
}

int hierarchical_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return alltoall_by_leaders(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                               recvtype, comm);
}

}  // namespace mpiaudit
