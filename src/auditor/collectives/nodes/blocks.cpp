// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/nodes/nodes.h.
#include <algorithm>

#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {
namespace {

/// Returns this rank's contribution, in the send buffer or in place.
TypedBuffer contribution(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE) return {sendbuf, sendcount, sendtype};
    return Blocks::equal(recvbuf, recvcount, recvtype, ranks.size).message(ranks.rank);
}

/// Makes one element of `pieces` pieces of `length` elements, `stride` elements apart. An array of
/// such elements interleaves: each begins behind the first piece of the preceding one. A `length`
/// of 0 is raised to 1: MPICH 4.2.1 and 5.0.2 divide by the size of a type with gaps, even in a
/// message without elements.
OwnedDatatype interleaved(int pieces, int length, int stride, MPI_Datatype type) {
    length = std::max(length, 1);
    MPI_Datatype spread = MPI_DATATYPE_NULL, element = MPI_DATATYPE_NULL;
    MPI_Type_vector(pieces, length, stride, type, &spread);
    MPI_Type_create_resized(spread, 0, length * type_extent(type), &element);
    MPI_Type_free(&spread);
    MPI_Type_commit(&element);
    return OwnedDatatype{element};
}

/// Returns the number of interleaved elements for blocks of `count` elements: 0 or 1. MPICH returns
/// from a call whose own count is 0, whatever the other side's count.
int elements_of(int count) {
    return count > 0 ? 1 : 0;
}

/// Makes a datatype of the blocks of one lane among those of all ranks.
OwnedDatatype blocks_of_lane(const NodeCommunicators& at, int count, MPI_Datatype type) {
    return interleaved(at.nodes, count, count * at.ranks_per_node, type);
}

}  // namespace

int allgather_by_lanes(const Parts& parts, const void* sendbuf, int sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!total_fits_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
    const TypedBuffer own =
        contribution(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, ranks);
    const OperandBuffer of_lane{recvcount * at.nodes, recvtype, recvbuf};
    const OwnedDatatype spread = blocks_of_lane(at, recvcount, recvtype);
    parts.allgather(own.address, own.count, own.type, of_lane.get(), recvcount, recvtype, at.lane);
    return parts.allgather(of_lane.get(), recvcount * at.nodes, recvtype, recvbuf,
                           elements_of(recvcount), spread.get(), at.node);
}

int allgather_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!total_fits_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
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
    if (!total_fits_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int last = at.node_of(root);
    if (at.node_number != last)
        return parts.gather(here.own.address, here.own.count, here.own.type, nullptr, here.count,
                            here.type, last, at.lane);
    const OperandBuffer of_lane{here.count * at.nodes, here.type,
                                here.is_root ? recvbuf : here.own.address};
    parts.gather(here.own.address, here.own.count, here.own.type, of_lane.get(), here.count,
                 here.type, last, at.lane);
    const OwnedDatatype spread = blocks_of_lane(at, here.count, here.type);
    return parts.gather(of_lane.get(), here.count * at.nodes, here.type, recvbuf,
                        elements_of(here.count), spread.get(), at.place_of(root), at.node);
}

int gather_by_leaders(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                      MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    const RootedBlocks here{
        {recvbuf, recvcount, recvtype}, {sendbuf, sendcount, sendtype}, root, ranks};
    if (!total_fits_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int leader = at.place_of(root);
    if (at.place != leader)
        return parts.gather(here.own.address, here.own.count, here.own.type, nullptr, here.count,
                            here.type, leader, at.node);
    const OperandBuffer of_node{here.count * at.ranks_per_node, here.type,
                                here.is_root ? recvbuf : here.own.address};
    parts.gather(here.own.address, here.own.count, here.own.type, of_node.get(), here.count,
                 here.type, leader, at.node);
    return parts.gather(of_node.get(), here.count * at.ranks_per_node, here.type, recvbuf,
                        here.count * at.ranks_per_node, here.type, at.node_of(root), at.lane);
}

int scatter_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                     void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    // The root receives its block again for MPI_IN_PLACE.
    const RootedBlocks here{
        {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root, ranks};
    if (!total_fits_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int first = at.node_of(root);
    if (at.node_number != first)
        return parts.scatter(nullptr, here.count, here.type, here.own.address, here.own.count,
                             here.own.type, first, at.lane);
    const OperandBuffer of_lane{here.count * at.nodes, here.type, here.own.address};
    const OwnedDatatype spread = blocks_of_lane(at, here.count, here.type);
    parts.scatter(sendbuf, elements_of(here.count), spread.get(), of_lane.get(),
                  here.count * at.nodes, here.type, at.place_of(root), at.node);
    return parts.scatter(of_lane.get(), here.count, here.type, here.own.address, here.own.count,
                         here.own.type, first, at.lane);
}

int scatter_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    // The root receives its block again for MPI_IN_PLACE.
    const RootedBlocks here{
        {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root, ranks};
    if (!total_fits_int(here.count, ranks.size)) return MPI_ERR_COUNT;
    const int leader = at.place_of(root);
    if (at.place != leader)
        return parts.scatter(nullptr, here.count, here.type, here.own.address, here.own.count,
                             here.own.type, leader, at.node);
    const int count_of_node = here.count * at.ranks_per_node;
    const OperandBuffer of_node{count_of_node, here.type, here.own.address};
    parts.scatter(sendbuf, count_of_node, here.type, of_node.get(), count_of_node, here.type,
                  at.node_of(root), at.lane);
    return parts.scatter(of_node.get(), here.count, here.type, here.own.address, here.own.count,
                         here.own.type, leader, at.node);
}

int alltoall_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!total_fits_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    const int count = is_in_place ? recvcount : sendcount;
    const MPI_Datatype type = is_in_place ? recvtype : sendtype;
    const OperandBuffer from_lane{recvcount * ranks.size, recvtype, recvbuf};
    const OwnedDatatype spread = blocks_of_lane(at, recvcount, recvtype);
    parts.alltoall(is_in_place ? recvbuf : sendbuf, count * at.ranks_per_node, type,
                   from_lane.get(), recvcount * at.ranks_per_node, recvtype, at.lane);
    return parts.alltoall(from_lane.get(), elements_of(recvcount), spread.get(), recvbuf,
                          elements_of(recvcount), spread.get(), at.node);
}

int alltoall_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    const int blocks = ranks.size * at.ranks_per_node;
    if (!total_fits_int(recvcount, blocks)) return MPI_ERR_COUNT;
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    const void* input = is_in_place ? recvbuf : sendbuf;
    const int count = (is_in_place ? recvcount : sendcount) * ranks.size;
    const MPI_Datatype type = is_in_place ? recvtype : sendtype;
    const int received = recvcount * ranks.size;
    if (at.place != 0) {
        parts.gather(input, count, type, nullptr, received, recvtype, 0, at.node);
        return parts.scatter(nullptr, received, recvtype, recvbuf, received, recvtype, 0, at.node);
    }
    const int from_node = recvcount * at.ranks_per_node;  // elements from one node to one rank
    const int between_nodes = from_node * at.ranks_per_node;
    const OperandBuffer from{recvcount * blocks, recvtype, recvbuf};
    const OperandBuffer to{recvcount * blocks, recvtype, recvbuf};
    // Orders blocks by receiver, then by sender.
    const OwnedDatatype of_sender = interleaved(ranks.size, recvcount, from_node, recvtype);
    const OwnedDatatype of_receiver = interleaved(at.nodes, from_node, between_nodes, recvtype);
    parts.gather(input, count, type, from.get(), elements_of(recvcount), of_sender.get(), 0,
                 at.node);
    parts.alltoall(from.get(), between_nodes, recvtype, to.get(), between_nodes, recvtype, at.lane);
    return parts.scatter(to.get(), elements_of(recvcount), of_receiver.get(), recvbuf, received,
                         recvtype, 0, at.node);
}

}  // namespace mpiaudit
