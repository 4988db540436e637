/* MPI_Ibarrier, on an intercommunicator, while MPI_Ibcast is pending on the communicator
 * mpiaudit verify --call "operation=MPI_Barrier start=nonblocking communicator=inter
 *     meanwhile=bcast"
 *
 *   mpicc -o reproduce reproduce.c
 *   mpirun -n 2 ./reproduce
 */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MPI_Comm comm = MPI_COMM_NULL;
static int world_rank, world_size, rank, size, is_wrong; /* rank and size in comm */
static int half; /* of all ranks: 0 or 1 */
/* Rank k of this half has number own + k, rank k of the other half other + k. */
static int remote_size, own, other;
enum { most = 256 }; /* blocks */
static void wrong(const char* what) {
    if (!is_wrong) printf("WRONG RESULT on rank %d: %s\n", world_rank, what);
    is_wrong = 1;
}
enum { limit_s = 20 };
static const char* function = "MPI_Ibarrier";
static void end(int signal) { /* the time is over */
    fprintf(stderr, "rank %d: %s HANGS\n", world_rank, function), _exit(signal);
}
static void make_communicator(void) {
    rank = world_rank, size = world_size;
    const int in_first = size / 2;
    MPI_Comm local, inter;
    half = rank >= in_first;
    MPI_Comm_split(MPI_COMM_WORLD, half, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, half ? 0 : in_first, 0, &inter);
    MPI_Comm_free(&local);
    comm = inter, rank -= half ? in_first : 0, remote_size = half ? in_first : size - in_first;
    size -= remote_size, own = half ? 1000 : 0, other = half ? 0 : 1000;
    if (comm == MPI_COMM_NULL) return;
    int its_rank, its_size;
    MPI_Comm_rank(comm, &its_rank), MPI_Comm_size(comm, &its_size);
    if (its_rank != rank || its_size != size) wrong("the communicator has other ranks");
}
static void run(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request pending;
    int given[most], got[most];
    for (int k = 0; k < most; ++k) given[k] = rank + 1, got[k] = rank == 0 ? 7 : 0;
    (void)given;
    MPI_Ibcast(got, half || rank == 0 ? 16 : 0, MPI_INT, half ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, comm, &pending);
    const int turns = 1;
    for (int k = 0; k < turns; ++k) {
        const int code = MPI_Ibarrier(comm, &request);
        if (code != MPI_SUCCESS) wrong("the call returns an error");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
}
int main(int argc, char** argv) {
    static char line[1024]; /* written at once: ranks share the output */
    setvbuf(stdout, line, _IOLBF, sizeof line), signal(SIGALRM, end), alarm(limit_s);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank), MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    if (world_size < 2) MPI_Abort(MPI_COMM_WORLD, 2); /* needs two ranks */
    make_communicator();
    if (comm != MPI_COMM_NULL) run();
    if (!is_wrong) printf("RIGHT RESULT on rank %d\n", world_rank);
    function = "MPI_Finalize", alarm(limit_s);
    MPI_Finalize();
    return is_wrong;
}
