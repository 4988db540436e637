// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {

int allreduce_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Shares shares{count, type, at};
    // A share of a contribution that lies where the result will has no place of its own.
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    const OperandBuffer aside{is_in_place ? shares.own_count() : 0, type};
    void* share = is_in_place ? aside.get() : shares.own(recvbuf);
    parts.reduce_scatter(is_in_place ? recvbuf : sendbuf, share, shares.counts(), type, op,
                         at.node);
    parts.allreduce(MPI_IN_PLACE, share, shares.own_count(), type, op, at.lane);
    return parts.allgatherv(is_in_place ? share : MPI_IN_PLACE, shares.own_count(), type, recvbuf,
                            shares.counts(), shares.displacements(), type, at.node);
}

int allreduce_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    if (at.place == 0) {
        parts.reduce(sendbuf, recvbuf, count, type, op, 0, at.node);
        parts.allreduce(MPI_IN_PLACE, recvbuf, count, type, op, at.lane);
    } else {
        parts.reduce(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, nullptr, count, type, op, 0,
                     at.node);
    }
    return parts.bcast(recvbuf, count, type, 0, at.node);
}

int lane_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
    return allreduce_by_lanes(reference_parts, sendbuf, recvbuf, count, datatype, op, comm);
}

int hierarchical_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm) {
    return allreduce_by_leaders(reference_parts, sendbuf, recvbuf, count, datatype, op, comm);
}

}  // namespace mpiaudit
