/* MPI_Ibcast by MPICH's algorithm tsp_scatterv_recexch_allgatherv, from each root
 * mpiaudit verify --algorithms ibcast --block-sizes 3 --distributions same
 *
 *   mpicc -o reproduce reproduce.c
 *   mpirun -n 3 ./reproduce
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { elements = 9 };

int main(int argc, char** argv) {
    setenv("MPIR_CVAR_IBCAST_INTRA_ALGORITHM", "tsp_scatterv_recexch_allgatherv", 1);
    MPI_Init(&argc, &argv);
    int rank, size, wrong = 0, wrong_anywhere;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int root = 0; root < size; ++root) {
        int buffer[elements];
        for (int i = 0; i < elements; ++i) buffer[i] = rank == root ? 1000 * root + i : -1;
        MPI_Request request;
        MPI_Ibcast(buffer, elements, MPI_INT, root, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < elements; ++i) wrong += buffer[i] != 1000 * root + i;
    }
    MPI_Allreduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf(wrong_anywhere ? "WRONG: %d elements\n" : "right (%d wrong elements)\n", wrong_anywhere);
    MPI_Finalize();
    return wrong_anywhere != 0;
}
