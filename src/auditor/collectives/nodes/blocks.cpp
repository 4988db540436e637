// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {
namespace {

/// What this rank contributes, wherever it lies.
TypedBuffer contribution(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE) return {sendbuf, sendcount, sendtype};
    return Blocks::equal(recvbuf, recvcount, recvtype, ranks.size).message(ranks.rank);
}

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

int allgather_by_lanes(const Parts& parts, const void* sendbuf, int sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!fit_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
    const TypedBuffer own =
        contribution(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, ranks);
    const OperandBuffer of_lane{recvcount * at.nodes, recvtype};
    const OperandBuffer all{recvcount * ranks.size, recvtype};
    parts.allgather(own.address, own.count, own.type, of_lane.get(), recvcount, recvtype, at.lane);
    parts.allgather(of_lane.get(), recvcount * at.nodes, recvtype, all.get(), recvcount * at.nodes,
                    recvtype, at.node);
    copy_into_order(by_place(at), all.get(), recvcount, recvtype, recvbuf, ranks);
    return MPI_SUCCESS;
}

int allgather_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!fit_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
    const TypedBuffer own =
        contribution(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, ranks);
    const int count_of_node = recvcount * at.ranks_per_node;
    if (at.place == 0) {
        const Blocks of_nodes = Blocks::equal(recvbuf, count_of_node, recvtype, at.nodes);
        parts.gather(sendbuf == MPI_IN_PLACE ? MPI_IN_PLACE : own.address, own.count, own.type,
                     of_nodes.at(at.node_number), recvcount, recvtype, 0, at.node);
        parts.allgather(MPI_IN_PLACE, count_of_node, recvtype, recvbuf, count_of_node, recvtype,
                        at.lane);
    } else {
        parts.gather(own.address, own.count, own.type, nullptr, recvcount, recvtype, 0, at.node);
    }
    return parts.bcast(recvbuf, recvcount * ranks.size, recvtype, 0, at.node);
}

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

}  // namespace mpiaudit
