// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/compositions.h"
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {

int bcast_by_lanes(const Parts& parts, void* buffer, int count, MPI_Datatype type, int root,
                   MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Shares shares{count, type, at};
    const int first = at.node_of(root);
    const bool is_root = at.node_number == first && at.place == at.place_of(root);
    void* own = shares.own(buffer);
    if (at.node_number == first)
        parts.scatterv(buffer, shares.counts(), shares.displacements(), type,
                       is_root ? MPI_IN_PLACE : own, shares.own_count(), type, at.place_of(root),
                       at.node);
    parts.bcast(own, shares.own_count(), type, first, at.lane);
    return parts.allgatherv(MPI_IN_PLACE, 0, type, buffer, shares.counts(), shares.displacements(),
                            type, at.node);
}

int bcast_by_leaders(const Parts& parts, void* buffer, int count, MPI_Datatype type, int root,
                     MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const int leader = at.place_of(root);
    if (at.place == leader) parts.bcast(buffer, count, type, at.node_of(root), at.lane);
    return parts.bcast(buffer, count, type, leader, at.node);
}

int lane_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    return bcast_by_lanes(reference_parts, buffer, count, datatype, root, comm);
}

int hierarchical_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    return bcast_by_leaders(reference_parts, buffer, count, datatype, root, comm);
}

}  // namespace mpiaudit
