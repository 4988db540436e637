// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/nodes/parts.h"

namespace mpiaudit {

// Collectives put together of `parts` on the communicators of this rank's node and lane; the other
// arguments are those of the collective. By lanes: all ranks of a node have an equal share in what
// crosses between nodes, each on its lane (full-lane). By leaders: one rank of each node has it all
// (hierarchical). J. L. Träff, S. Hunold, CLUSTER 2020.

int bcast_by_lanes(const Parts& parts, void* buffer, int count, MPI_Datatype type, int root,
                   MPI_Comm comm);
int bcast_by_leaders(const Parts& parts, void* buffer, int count, MPI_Datatype type, int root,
                     MPI_Comm comm);

int reduce_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                    MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int reduce_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);

int allreduce_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int allreduce_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm);

int reduce_scatter_block_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf,
                                  int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int reduce_scatter_block_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf,
                                    int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

int allgather_by_lanes(const Parts& parts, const void* sendbuf, int sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       MPI_Comm comm);
int allgather_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         MPI_Comm comm);

int gather_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                    void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gather_by_leaders(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

int scatter_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                     void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int scatter_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root, MPI_Comm comm);

int alltoall_by_lanes(const Parts& parts, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int alltoall_by_leaders(const Parts& parts, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        MPI_Comm comm);

int scan_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                  MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int scan_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm);

int exscan_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int exscan_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm);

}  // namespace mpiaudit
