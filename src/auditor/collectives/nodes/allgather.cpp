// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
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

int lane_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return allgather_by_lanes(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                              recvtype, comm);
}

int hierarchical_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return allgather_by_leaders(reference_parts, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                recvtype, comm);
}

}  // namespace mpiaudit
