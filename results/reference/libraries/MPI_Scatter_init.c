/* MPI_Scatter_init(m) against MPI_Scatter(m), verify-same/b=10 (80 B)
 *
 * MPI_Scatter_init(m) is wrong: rank 0, scattered: element 0 of block 0 is 853967248, not 1293516399 (in call 2 of 12)
 * MPICH 4.2.1, 2 ranks: MPICH Version:      4.2.1
 *
 *   mpicc -O2 -o reproduce reproduce.c
 *   mpirun -n 2 ./reproduce
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { p = 2, root = 1, warm_up = 20, pairs = 101, half = 10, page = 4096 };
typedef int element;
static const int m[p] = {10, 10}; /* elements of each block */
static const size_t extent = sizeof(element);
static MPI_Comm comm = MPI_COMM_WORLD;
static MPI_Datatype type = MPI_INT;
static MPI_Request started = MPI_REQUEST_NULL; /* the call that is made once */
static int rank, turn, count, total, largest, counts[p], displs[p];
static size_t bytes, block_bytes, room;
static char *sendbuf, *recvbuf, *buffer, *tmp, *tmp2, *copies;
static void left(void) {
    if (started == MPI_REQUEST_NULL) MPI_Scatter_init(sendbuf, count, type, recvbuf, count,
        type, root, comm, MPI_INFO_NULL, &started);
    MPI_Start(&started);
    MPI_Wait(&started, MPI_STATUS_IGNORE);
}
static void right(void) { MPI_Scatter(sendbuf, count, type, recvbuf, count, type, root, comm); }
/* What is compared; padded blocks lie in slots as long as the largest of them. */
static const struct { const char* name; void (*call)(void); const int* m; char **in, **out;
                      int padded; } sides[2] = {
    {"MPI_Scatter_init(m)", left, m, &sendbuf, &recvbuf, 0},
    {"MPI_Scatter(m)", right, m, &sendbuf, &recvbuf, 0},
};

static void set_up(int side) {
    const int *m = sides[side].m, padded = sides[side].padded;
    total = largest = 0;
    for (int k = 0; k < p; ++k) largest = m[k] > largest ? m[k] : largest;
    for (int k = 0; k < p; total += m[k++])
        counts[k] = m[k], displs[k] = padded ? k * largest : total;
    count = m[rank];
    block_bytes = count * extent, bytes = (padded ? p * largest : total) * extent;
}
/* Element i of block b, as rank r has it; other ones in each turn. */
static element value(int r, int b, int i) { return (element)((3 * r + 5 * b + i + turn) % 11); }
/* Calls a side on known data, and counts the elements that are wrong. */
static int wrong_elements(int side) {
    int wrong = 0, at = 0;
    set_up(side);
    const int *m = sides[side].m, slot = sides[side].padded ? largest : 0;
    element *in = (element*)*sides[side].in, *out = (element*)*sides[side].out;
    memset(out, 0xff, bytes);
    for (int b = 0; b < p; at += slot ? slot : m[b], ++b)
        for (int i = 0; i < m[b] && rank == root; ++i) in[at + i] = value(rank, b, i);
    sides[side].call();
    at = 0;
    for (int b = 0; b < p; at += 0, ++b)
        for (int i = 0; i < m[b] && b == rank; ++i)
            wrong += out[at + i] != value(root, b, i);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
    return wrong;
}
static void use(volatile char* data, size_t size) { /* as a program does between two calls */
    for (size_t i = 0; i < size; i += 64) data[i] = data[i];
}
static double seconds(int side) {
    set_up(side);
    use(*sides[side].out, block_bytes), use(*sides[side].in, rank == root ? bytes : 0);
    MPI_Barrier(comm);
    const double begin = MPI_Wtime();
    sides[side].call();
    double slowest = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return slowest;
}
static int in_order(const void* a, const void* b) {
    return (*(double*)a > *(double*)b) - (*(double*)a < *(double*)b);
}
int main(int argc, char** argv) {
    int ranks, wrong[2] = {0, 0};
    free(tmp = malloc(31 << 20)); /* from now on glibc keeps what is freed, as in a long run */
    MPI_Init(&argc, &argv), MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &ranks);
    if (ranks != p) MPI_Abort(comm, 2); /* the blocks are those of p ranks */
    room = ((size_t)p * 10 * extent / page + 1) * page;
    sendbuf = aligned_alloc(page, room), recvbuf = aligned_alloc(page, room);
    buffer = aligned_alloc(page, room), copies = aligned_alloc(page, room);
    tmp = aligned_alloc(page, room), tmp2 = aligned_alloc(page, room);
    for (turn = 0; turn < 3; ++turn)
        for (int side = 1; side >= 0; --side) wrong[side] += wrong_elements(side);
    static double t[2][pairs], ratio[pairs];
    for (int i = -warm_up; i < pairs; ++i) {
        const int first = rand() % 2, at = i < 0 ? 0 : i; /* the same on all ranks */
        t[first][at] = seconds(first), t[!first][at] = seconds(!first);
        ratio[at] = t[0][at] / t[1][at];
    }
    for (int side = 0; side < 2; ++side) qsort(t[side], pairs, sizeof(double), in_order);
    qsort(ratio, pairs, sizeof(double), in_order);
    if (rank == 0) {
        for (int side = 0; side < 2; ++side)
            printf("%s: %.2f us, %s\n", sides[side].name, 1e6 * t[side][pairs / 2],
                   wrong[side] ? "WRONG RESULT" : "right result");
        printf("The first takes %.2f times as long (95 %%: %.2f to %.2f, %d pairs)\n",
               ratio[pairs / 2], ratio[pairs / 2 - half], ratio[pairs / 2 + half], pairs);
    }
    MPI_Request_free(&started);
    MPI_Finalize();
    return wrong[0] || wrong[1];
}
