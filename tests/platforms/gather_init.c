// SPDX-License-Identifier: BSD-3-Clause
// MPI alone: a persistent gather is started again with other data. Prints how many starts gave what
// they should, ends with 1 if one did not. mpicc gather_init.c && mpirun -n 2 ./a.out
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, right = 0, block = -1, received[64] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int starts = 3, root = ranks - 1;
    MPI_Request request;
    MPI_Gather_init(&block, 1, MPI_INT, received, 1, MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL,
                    &request);
    for (int start = 0; start < starts; ++start) {
        block = 100 * start + rank;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        int is_right = 1;
        for (int each = 0; rank == root && each < ranks; ++each)
            is_right &= received[each] == 100 * start + each;
        right += is_right;
    }
    MPI_Request_free(&request);
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    if (rank == root)
        printf("%.40s: %d of %d starts of MPI_Gather_init were right\n", library, right, starts);
    MPI_Bcast(&right, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Finalize();
    return right != starts;
}
