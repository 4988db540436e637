// SPDX-License-Identifier: BSD-3-Clause
// The datatype work of the all-to-all algorithms without any communication, to measure it alone
// (Träff, Rougier, Hunold 2014, section 4.2): every function makes, commits and frees exactly the
// datatypes that its algorithm makes in one call, and allocates the buffers that these address. It
// sends nothing and writes to no buffer; local, though it takes the arguments of the collective
// call, but for MPI_IN_PLACE. The persistent variants do this work in their init function.
#pragma once

#include <mpi.h>

namespace mpiaudit {

int basicBruck_Alltoall_create_types_only(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                          void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                          MPI_Comm comm);
int basicBruck_ix_Alltoall_create_types_only(const void* sendbuf, int sendcount,
                                             MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                             MPI_Datatype recvtype, MPI_Comm comm);
int modBruck_Alltoall_create_types_only(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                        void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                        MPI_Comm comm);
int modBruck_ix_Alltoall_create_types_only(const void* sendbuf, int sendcount,
                                           MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                           MPI_Datatype recvtype, MPI_Comm comm);
int zeroBruck_Alltoall_create_types_only(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                         void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                         MPI_Comm comm);
int zeroBruck_blocks_Alltoall_create_types_only(const void* sendbuf, int sendcount,
                                                MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                                MPI_Datatype recvtype, MPI_Comm comm);
int zeroBruck_half_Alltoall_create_types_only(const void* sendbuf, int sendcount,
                                              MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                              MPI_Datatype recvtype, MPI_Comm comm);

/// Without the exchange of sizes: a block that passes through is taken to be as large as the one
/// that left in the same place, which is exact for equal blocks.
int zeroBruckV_Alltoallv_create_types_only(const void* sendbuf, const int sendcounts[],
                                           const int sdispls[], MPI_Datatype sendtype,
                                           void* recvbuf, const int recvcounts[],
                                           const int rdispls[], MPI_Datatype recvtype,
                                           MPI_Comm comm);

}  // namespace mpiaudit
