// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

// Collectives on nodes and between them, with the signatures of MPI: full-lane forms, in which each
// of the n ranks of a node sends 1/n of what leaves it, and hierarchical ones, in which one rank
// sends all of it (J. L. Träff, S. Hunold, "Decomposing MPI collectives for exploiting multi-lane
// communication", CLUSTER 2020). Put together of other algorithms of this library, which go with
// the sizes of the parts; all keep the order of the ranks.
//
// The communicators of nodes and lanes are made in the first call with a communicator and kept with
// it; make_node_communicators() makes them before. Where nodes have different numbers of ranks, or
// ranks that do not follow each other, every rank passes for a node.
namespace mpiaudit {

/// Collective.
void make_node_communicators(MPI_Comm comm);

/// Shares are scattered on the root's node, broadcast on the lanes and allgathered on every node.
int lane_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/// The lane of the root broadcasts, then its rank on every node.
int hierarchical_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/// Reduce-scatter on every node, reduction of the shares on the lanes, gather on the root's node.
int lane_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm);

/// Every node reduces to the rank on the root's lane, then this lane to the root.
int hierarchical_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm);

/// Reduce-scatter on every node, allreduce of the shares on the lanes, allgather on every node.
int lane_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm);

/// Every node reduces to its first rank; these allreduce, and broadcast on their nodes.
int hierarchical_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm);

/// The operands for all ranks on a lane are reduced on every node, then scattered on the lane.
int lane_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// Every node reduces to its first rank; these reduce-scatter, and scatter on their nodes.
int hierarchical_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// Allgather on every lane, then of what that gave on every node.
int lane_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/// Gather on every node, allgather of its first ranks, broadcast on every node.
int hierarchical_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/// Gather on the lanes to the root's node, then on this one.
int lane_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Gather on every node to the root's lane, then on this one.
int hierarchical_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Scatter on the root's node, then on the lanes.
int lane_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Scatter on the root's lane, then on every node.
int hierarchical_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// All blocks for the ranks of a node go there together on the lanes, then apart on the nodes.
int lane_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/// Blocks are gathered at the first rank of a node, exchanged by these, and scattered.
int hierarchical_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/// Lanes find the shares of what the nodes before have contributed, which is added to a scan on the
/// node.
int lane_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm);

/// The same with all of it found by the first ranks.
int hierarchical_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm);

/// As lane_Scan, with an exclusive scan on the node.
int lane_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm);

/// As hierarchical_Scan, with an exclusive scan on the node.
int hierarchical_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm);

}  // namespace mpiaudit
