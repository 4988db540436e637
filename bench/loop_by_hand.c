/* SPDX-License-Identifier: BSD-3-Clause
 * The usual loop by hand for MPI_Gatherv of so many ints on each rank, to the rank in the middle:
 *     loop_by_hand COUNT...
 * prints for each count the median over the calls of the time of the slowest rank, in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { warm_up = 50, calls = 1001 };

static int compare(const void* a, const void* b) {
    const double left = *(const double*)a, right = *(const double*)b;
    return (left > right) - (left < right);
}

static double median_of_slowest_s(int count, int rank, int ranks) {
    const int root = ranks / 2;
    int* const own = calloc((size_t)count, sizeof *own);
    int* const all = calloc((size_t)count * (size_t)ranks, sizeof *all);
    int* const counts = malloc((size_t)ranks * sizeof *counts);
    int* const displacements = malloc((size_t)ranks * sizeof *displacements);
    static double own_s[calls], slowest_s[calls];
    for (int i = 0; i < ranks; ++i) {
        counts[i] = count;
        displacements[i] = i * count;
    }
    for (int i = 0; i < count; ++i) own[i] = rank + i;
    for (int call = -warm_up; call < calls; ++call) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start_s = MPI_Wtime();
        MPI_Gatherv(own, count, MPI_INT, all, counts, displacements, MPI_INT, root, MPI_COMM_WORLD);
        const double end_s = MPI_Wtime();
        if (call >= 0) own_s[call] = end_s - start_s;
    }
    MPI_Reduce(own_s, slowest_s, calls, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    qsort(slowest_s, calls, sizeof *slowest_s, compare);
    free(own);
    free(all);
    free(counts);
    free(displacements);
    return slowest_s[calls / 2];
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; ++i) {
        const int count = atoi(argv[i]);
        const double median_s = median_of_slowest_s(count, rank, ranks);
        if (rank == 0) printf("%d %.9f\n", count, median_s);
    }
    MPI_Finalize();
    return 0;
}
