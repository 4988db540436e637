/* SPDX-License-Identifier: BSD-3-Clause
 *
 * To be preloaded: PMPI_Bcast, which the paths of rules call, changes the last bit of the first
 * double on rank 1. MPI_Bcast of the application is the library's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    typedef int Broadcast(void*, int, MPI_Datatype, int, MPI_Comm);
    static Broadcast* next;
    int rank = 0;
    /* POSIX promises that a pointer to data from dlsym() can be read as a pointer to a function. */
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Bcast");
    const int code = next(buffer, count, type, root, comm);
    MPI_Comm_rank(comm, &rank);
    if (rank == 1 && type == MPI_DOUBLE && count > 0) *(unsigned char*)buffer ^= 1;
    return code;
}
