/* SPDX-License-Identifier: BSD-3-Clause
 * A function of MPI 4, for LD_PRELOAD with a library that lacks the function. The function moves nothing. */
#include <mpi.h>

#if MPI_VERSION < 4
int MPI_Gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm) {
    (void)sendbuf, (void)sendcount, (void)sendtype, (void)recvbuf, (void)recvcount, (void)recvtype, (void)root, (void)comm;
    return MPI_SUCCESS;
}
#endif
