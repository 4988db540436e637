/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application: every collective with all that is legal and awkward, so that a test can compare what was
 * recorded with what stands here. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, ranks;

static void regular(void) {
    int one = rank, sum = -1, *all = malloc(sizeof(int) * ranks);
    for (int i = 0; i < 3; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sum = rank;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allgather(&one, 1, MPI_INT, all, 4, MPI_BYTE, MPI_COMM_WORLD);
    /* Arguments that do not count are not looked at. */
    if (rank == ranks - 1)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD);
    else
        MPI_Gather(&one, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, ranks - 1, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Scatter(all, 1, MPI_INT, &sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, -7, MPI_DATATYPE_NULL, &sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Bcast(all, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(all);
}

/* The root sends a vector, the others receive numbers: one problem. */
static void types_of_ranks(void) {
    double from[8] = {0, 1, 2, 3, 4, 5, 6, 7}, to[4] = {0, 0, 0, 0};
    MPI_Datatype every_second;
    MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &every_second);
    MPI_Type_commit(&every_second);
    if (rank == 0)
        MPI_Bcast(from, 1, every_second, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(to, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&every_second);
}

static void irregular(void) {
    int *counts = malloc(sizeof(int) * ranks), *displs = malloc(sizeof(int) * ranks), sum = 0;
    for (int i = 0; i < ranks; ++i) {
        counts[i] = i + 1;
        displs[i] = sum;
        sum += counts[i];
    }
    double *own = calloc(ranks, sizeof(double)), *all = calloc(sum, sizeof(double));
    for (int i = 0; i < ranks; ++i) own[i] = rank;
    MPI_Allgatherv(own, counts[rank], MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) {
        if (rank == 0)
            MPI_Gatherv(own, counts[rank], MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else
            MPI_Gatherv(own, counts[rank], MPI_DOUBLE, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Scatterv(all, counts, displs, MPI_DOUBLE, own, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else
        MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, own, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter(all, own, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    /* The same to all: a regular problem. Then rank 0 sends one more than the others: none. */
    for (int i = 0; i < ranks; ++i) {
        counts[i] = 0;
        displs[i] = 0;
    }
    MPI_Alltoallv(own, counts, displs, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    double *more = calloc(2 * ranks, sizeof(double));
    int *twice = malloc(sizeof(int) * ranks), *from = malloc(sizeof(int) * ranks);
    for (int i = 0; i < ranks; ++i) {
        twice[i] = rank == 0 && i == ranks - 1 ? 2 : 1;
        from[i] = rank == ranks - 1 && i == 0 ? 2 : 1;
        displs[i] = 2 * i;
    }
    double *into = calloc(2 * ranks, sizeof(double));
    MPI_Alltoallv(more, twice, displs, MPI_DOUBLE, into, from, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    free(into), free(twice), free(from), free(more), free(own), free(all), free(counts), free(displs);
}

static void larger(void *in, void *inout, int *count, MPI_Datatype *type) {
    int *a = in, *b = inout;
    for (int i = 0; i < *count; ++i) b[i] = a[i] > b[i] ? a[i] : b[i];
    (void)type;
}

static void communicators(void) {
    MPI_Comm same[3], half;
    int one = rank, most = -1;
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &same[i]);
        MPI_Allreduce(&one, &most, 1, MPI_INT, MPI_SUM, same[i]);
        MPI_Comm_free(&same[i]);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Op own;
    MPI_Op_create(larger, 1, &own);
    MPI_Allreduce(&one, &most, 1, MPI_INT, own, half);
    MPI_Op_free(&own);
    if (ranks > 1) {
        MPI_Comm between;
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
        MPI_Allreduce(&one, &most, 1, MPI_INT, MPI_SUM, between);
        MPI_Comm_free(&between);
    }
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_SELF);
}

static void nonblocking(void) {
    MPI_Request request;
    int one = rank, sum = 0;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
}

/* Names that not all libraries have; where they are missing, what stands for them. */
static void names_of_libraries(void) {
    int one = rank, sum = 0, numbers[3] = {1, 2, 3};
    MPI_Request request;
#if defined(MPIAUDIT_HAS_MPI4_PERSISTENT) || MPI_VERSION >= 4
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#else
    MPIX_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
    MPI_Request_free(&request);
#if MPI_VERSION >= 4
    MPI_Bcast_c(numbers, 3, MPI_INT, 1 % ranks, MPI_COMM_WORLD);
#else
    MPI_Bcast(numbers, 3, MPI_INT, 1 % ranks, MPI_COMM_WORLD);
#endif
    const int periodic = 1;
    int neighbours[2] = {-1, -1};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
    MPI_Neighbor_allgather(&one, 1, MPI_INT, neighbours, 1, MPI_INT, ring);
    if (neighbours[1] != (rank + 1) % ranks) MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Comm_free(&ring);
}

/* Collectives of the library itself are not the application's. */
static void files(const char *name) {
    MPI_File file;
    int one = rank;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof one, &one, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* Large enough for the time to tell whether a program has passed through the data meanwhile. */
static void buffers(void) {
    enum { n = 1 << 17, kinds = 10 };
    int *from = calloc(n, sizeof(int)), *to = calloc(n * (size_t)ranks * kinds, sizeof(int));
    for (int i = 0; i < 50; ++i) MPI_Allreduce(from, to, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    /* Nothing moves, and no program could pass through 16 GiB between two of these calls. */
    for (int i = 0; i < 50; ++i) MPI_Bcast(from, INT_MAX, MPI_DOUBLE, 0, MPI_COMM_SELF);
    for (int i = 0; i < 50; ++i) {
        for (int k = 0; k < 20 * n; ++k) ((volatile int *)to)[k % n] = from[k % n] + i;
        MPI_Bcast(to, n, MPI_INT, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 50; ++i)
        MPI_Allgather(from, n, MPI_INT, to + n * (size_t)ranks * (i % kinds), n, MPI_INT, MPI_COMM_WORLD);
    free(from), free(to);
}

/* What has nothing to do with all the calls. Whether that was asked for. */
static int was_about_else(const char *what, char **argv) {
    MPI_Comm parent, children;
    if (strcmp(what, "buffers") == 0) buffers();
    if (strcmp(what, "child") == 0 && rank == 0 && system(argv[2]) != 0) MPI_Abort(MPI_COMM_WORLD, 4);
    if (strcmp(what, "spawn") == 0) {
        MPI_Comm_get_parent(&parent);
        if (parent == MPI_COMM_NULL) {
            char *arguments[] = {"spawn", NULL};
            MPI_Comm_spawn(argv[0], arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                           MPI_ERRCODES_IGNORE);
            MPI_Comm_disconnect(&children);
        } else {
            MPI_Comm_disconnect(&parent);
        }
    }
    return strcmp(what, "buffers") == 0 || strcmp(what, "child") == 0 || strcmp(what, "spawn") == 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *end = argc > 1 ? argv[1] : "finalize";
    if (was_about_else(end, argv)) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    regular();
    types_of_ranks();
    irregular();
    communicators();
    nonblocking();
    names_of_libraries();
    if (argc > 2) files(argv[2]);
    // A child that ends has nothing to say of the calls of its parent.
    const pid_t child = fork();
    if (child == 0) exit(0);
    waitpid(child, NULL, 0);
    if (strcmp(end, "abort") == 0 && rank == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(end, "exit") == 0) exit(0);
    if (strcmp(end, "quit") == 0) _exit(0);
    MPI_Finalize();
    return 0;
}
