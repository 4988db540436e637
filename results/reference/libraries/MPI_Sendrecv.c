/* MPI_Sendrecv of 0 elements that have an extent and no data: as where a rank has no block.
 *
 * MPICH 5.0.2, 2 ranks: ends with a floating point exception, a division by the size of the type.
 *
 *   mpicc -O2 -o reproduce reproduce.c
 *   mpirun -n 2 ./reproduce
 */
#include <mpi.h>
#include <stdio.h>

enum { p = 2, count = 0 };

int main(int argc, char** argv) {
    int rank, size, sent[4] = {1}, received[4] = {2};
    MPI_Datatype none, element;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_create_resized(none, 0, sizeof(int), &element), MPI_Type_commit(&element);
    MPI_Type_size(element, &size);
    MPI_Sendrecv(sent, count, element, (rank + 1) % p, 0, received, count, element,
                 (rank + p - 1) % p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("MPI_Sendrecv of a type of %d bytes: right result\n", size);
    MPI_Type_free(&element), MPI_Type_free(&none);
    MPI_Finalize();
    return received[0] != 2;
}
