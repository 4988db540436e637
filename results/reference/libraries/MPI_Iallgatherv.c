/* MPI_Allgatherv and MPI_Iallgatherv on a communicator of one rank, whose block has a displacement.
 *
 * MPICH 4.0.2, 1 rank: the block lies at the begin of the buffer (pull request 6374).
 *
 *   mpicc -O2 -o reproduce reproduce.c
 *   mpirun -n 1 ./reproduce
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { count = 3, displacement = 2 };

static int check(const char* function, const int* received) {
    const int is_right = received[0] == 0 && received[displacement] == 7;
    printf("%s: %s RESULT\n", function, is_right ? "RIGHT" : "WRONG");
    return !is_right;
}

int main(int argc, char** argv) {
    const int sent[count] = {7, 8, 9}, counts[] = {count}, displacements[] = {displacement};
    int received[count + displacement] = {0}, wrong;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Allgatherv(sent, count, MPI_INT, received, counts, displacements, MPI_INT, MPI_COMM_SELF);
    wrong = check("MPI_Allgatherv", received);
    memset(received, 0, sizeof(received));
    MPI_Iallgatherv(sent, count, MPI_INT, received, counts, displacements, MPI_INT, MPI_COMM_SELF,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong += check("MPI_Iallgatherv", received);
    MPI_Finalize();
    return wrong > 0;
}
