// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

// The reference algorithms that the linear model predicts to be the fastest, with the signatures of
// MPI. All ranks choose alike, from what all of them know: how many they are and on which nodes,
// the length of a block or vector, and whether the operator commutes. An audit has fitted the model
// to its machine; elsewhere it is that of a cluster with InfiniBand (costs.h). choices.cpp has the
// algorithms among which is chosen. Of the irregular operations two are here, in which all ranks
// know how long all blocks are; in the others the root alone does, or nobody.
//
// The first call with a communicator finds out on which nodes its ranks are, and makes what the
// chosen algorithm keeps with it.
namespace mpiaudit {

int best_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

int best_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm);

int best_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm);

int best_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

int best_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

int best_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm);

int best_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

int best_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

int best_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

int best_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

int best_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm);

int best_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm);

}  // namespace mpiaudit
